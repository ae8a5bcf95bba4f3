"""From confidences to buzzes and from buzzes to matches.

inputs:  tidy tables, judged/judgements, past/*.parquet
outputs: buzzing/buzzpoints.parquet, tables of thresholds, expected wins, opponents and matches; figures
"""


rule tune_buzzing:
    """Given, tuned and trained thresholds, their buzzpoints, and what each would win."""
    input:
        questions="results/{study}/tidy/questions.parquet",
        buzzes="results/{study}/tidy/buzzes.parquet",
        exposures="results/{study}/tidy/exposures.parquet",
        guesses=when("guesses", "results/{study}/tidy/guesses.parquet"),
        judgements=when("guesses", "results/{study}/judged/judgements.parquet"),
        past_questions=when("past", "results/{study}/past/past_questions.parquet"),
        past_runs=when("past", "results/{study}/past/past_runs.parquet"),
    output:
        buzzpoints="results/{study}/buzzing/buzzpoints.parquet",
        thresholds=report(
            "results/{study}/tables/thresholds.csv",
            caption="../report/tables/thresholds.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Threshold rules"},
        ),
        expected_wins="results/{study}/tables/expected_wins.csv",
        opponents=report(
            "results/{study}/tables/opponents.csv",
            caption="../report/tables/opponents.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Opponent curves"},
        ),
    params:
        options=option("thresholds", "folds", "replicates", "seed", "level"),
        judging=option("judging"),
        names=model_names,
        code=code("tune_buzzing"),
    log:
        "results/{study}/logs/tune_buzzing.log",
    benchmark:
        "results/{study}/benchmarks/tune_buzzing.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/tune_buzzing.py"


rule replay_matches:
    """Replay live buzzes and buzzpoints of each model against every logged human team."""
    input:
        questions="results/{study}/tidy/questions.parquet",
        buzzes="results/{study}/tidy/buzzes.parquet",
        exposures="results/{study}/tidy/exposures.parquet",
        buzzpoints=when("guesses", "results/{study}/buzzing/buzzpoints.parquet"),
    output:
        matches=report(
            "results/{study}/tables/matches.csv",
            caption="../report/tables/matches.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Replayed matches"},
        ),
        win_matrix=report(
            "results/{study}/tables/win_matrix.csv",
            caption="../report/tables/win_matrix.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Win matrix"},
        ),
    params:
        options=option("opponents", "match_points", "replicates", "seed", "level"),
        names=model_names,
        code=code("replay_matches"),
    log:
        "results/{study}/logs/replay_matches.log",
    benchmark:
        "results/{study}/benchmarks/replay_matches.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/replay_matches.py"


rule plot_buzzing:
    """Expected wins by threshold, and the opponent curves behind them."""
    input:
        thresholds="results/{study}/tables/thresholds.csv",
        expected_wins="results/{study}/tables/expected_wins.csv",
        opponents="results/{study}/tables/opponents.csv",
    output:
        expected_wins_svg=report(
            "results/{study}/figures/expected_wins.svg",
            caption="../report/expected_wins.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Expected wins by threshold"},
        ),
        expected_wins_png="results/{study}/figures/expected_wins.png",
        opponents_svg=report(
            "results/{study}/figures/opponents.svg",
            caption="../report/opponents.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Opponent curves"},
        ),
        opponents_png="results/{study}/figures/opponents.png",
    params:
        options=option("opponents", "level"),
        thresholds=option("thresholds"),
        names=model_names,
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("plot_buzzing"),
    priority: DRAWN_LAST
    log:
        "results/{study}/logs/plot_buzzing.log",
    benchmark:
        "results/{study}/benchmarks/plot_buzzing.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plot_buzzing.py"


rule plot_matches:
    """Margins of the replayed matches."""
    input:
        matches="results/{study}/tables/matches.csv",
    output:
        matches_svg=report(
            "results/{study}/figures/matches.svg",
            caption="../report/matches.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Replayed matches"},
        ),
        matches_png="results/{study}/figures/matches.png",
    params:
        own=model_thresholds,
        opponents=option("opponents"),
        level=option("level"),
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("plot_matches"),
    priority: DRAWN_LAST
    log:
        "results/{study}/logs/plot_matches.log",
    benchmark:
        "results/{study}/benchmarks/plot_matches.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plot_matches.py"
