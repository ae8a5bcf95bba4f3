"""Leaderboards: submissions, models that played live and models replayed from guesses, against human plays.

inputs:  submissions of the configuration, tidy/questions, tidy/buzzes, tidy/exposures or human plays,
         buzzing/buzzpoints
outputs: tidy/runs, tidy/human_plays, tidy/bonus_parts, tables/leaderboard*.csv, tables/bonuses.csv,
         figures/leaderboard_ranks, leaderboard.html
"""


rule parse_submissions:
    """Parse tossup submissions and human plays, and take the live models' buzzes as submissions."""
    input:
        files=submission_files("submissions"),
        human_plays=lambda wildcards: STUDIES[wildcards.study]["inputs"]["human_plays"] or [],
        questions=when("buzzes", "results/{study}/tidy/questions.parquet"),
        buzzes=when("buzzes", "results/{study}/tidy/buzzes.parquet"),
        exposures=when("buzzes", "results/{study}/tidy/exposures.parquet"),
    output:
        runs="results/{study}/tidy/runs.parquet",
        human_plays="results/{study}/tidy/human_plays.parquet",
        findings="results/{study}/audit/findings/submissions.csv",
    params:
        sources=submission_sources("submissions"),
        code=code("parse_submissions"),
    log:
        "results/{study}/logs/parse_submissions.log",
    benchmark:
        "results/{study}/benchmarks/parse_submissions.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/parse_submissions.py"


rule score_bonuses:
    """Parse bonus submissions and score them under both readings."""
    input:
        files=submission_files("bonus_submissions"),
    output:
        parts="results/{study}/tidy/bonus_parts.parquet",
        bonuses=report(
            "results/{study}/tables/bonuses.csv",
            caption="../report/tables/bonuses.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Leaderboard: bonuses"},
        ),
        findings="results/{study}/audit/findings/bonuses.csv",
    params:
        sources=submission_sources("bonus_submissions"),
        options=option("replicates", "seed", "level"),
        code=code("score_bonuses"),
    log:
        "results/{study}/logs/score_bonuses.log",
    benchmark:
        "results/{study}/benchmarks/score_bonuses.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/score_bonuses.py"


rule rank_submissions:
    """Score tossup submissions under every reading, rank them, and write the leaderboard's page."""
    input:
        runs="results/{study}/tidy/runs.parquet",
        human_plays="results/{study}/tidy/human_plays.parquet",
        questions=when("buzzes", "results/{study}/tidy/questions.parquet"),
        buzzes=when("buzzes", "results/{study}/tidy/buzzes.parquet"),
        exposures=when("buzzes", "results/{study}/tidy/exposures.parquet"),
        buzzpoints=when("replayed", "results/{study}/buzzing/buzzpoints.parquet"),
        responses=when("replayed", "results/{study}/judged/responses.parquet"),
        clues=when("replayed", "results/{study}/tidy/clues.parquet"),
        bonuses=when("bonuses", "results/{study}/tables/bonuses.csv"),
    output:
        leaderboard=report(
            "results/{study}/tables/leaderboard.csv",
            caption="../report/tables/leaderboard.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Leaderboard: tossups"},
        ),
        classes=report(
            "results/{study}/tables/leaderboard_classes.csv",
            caption="../report/tables/leaderboard_classes.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Leaderboard: classes of buzzes"},
        ),
        ranks=report(
            "results/{study}/tables/leaderboard_ranks.csv",
            caption="../report/tables/leaderboard_ranks.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Leaderboard: ranks"},
        ),
        head_to_head=report(
            "results/{study}/tables/head_to_head.csv",
            caption="../report/tables/head_to_head.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Leaderboard: head to head"},
        ),
        ranks_svg=report(
            "results/{study}/figures/leaderboard_ranks.svg",
            caption="../report/leaderboard_ranks.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Ranks under each metric"},
        ),
        ranks_png="results/{study}/figures/leaderboard_ranks.png",
        page=report(
            "results/{study}/leaderboard.html",
            caption="../report/leaderboard.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Leaderboard (page)"},
        ),
    params:
        options=option(
            "replicates",
            "seed",
            "level",
            "missing_questions",
            "score_early_stopped",
            "opponents",
            "primary_segmentation",
            "reductions",
        ),
        names=model_names,
        own=model_thresholds,
        title=lambda wildcards: STUDIES[wildcards.study]["title"],
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("rank_submissions"),
    log:
        "results/{study}/logs/rank_submissions.log",
    benchmark:
        "results/{study}/benchmarks/rank_submissions.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/rank_submissions.py"
