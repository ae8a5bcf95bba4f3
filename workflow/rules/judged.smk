"""Answer equivalence and backfilling: what was right, at which clue.

inputs:  tidy tables, manual verdicts
outputs: judged/*.parquet, audit/findings/*.csv
"""


rule fit_equivalence:
    """Fit the answer-equivalence score to human-labelled pairs, where a study names some."""
    input:
        pairs=lambda wildcards: STUDIES[wildcards.study]["inputs"]["equivalence_pairs"],
    output:
        model="results/{study}/judged/equivalence.json",
    params:
        seed=0,
        code=code("fit_equivalence"),
    log:
        "results/{study}/logs/fit_equivalence.log",
    benchmark:
        "results/{study}/benchmarks/fit_equivalence.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/fit_equivalence.py"


rule judge_guesses:
    """Judge each distinct guess once, manual verdicts first, and carry it to the clues."""
    input:
        model=equivalence_model,
        questions="results/{study}/tidy/questions.parquet",
        clues="results/{study}/tidy/clues.parquet",
        guesses="results/{study}/tidy/guesses.parquet",
        overrides=lambda wildcards: STUDIES[wildcards.study]["inputs"]["overrides"] or [],
    output:
        judgements="results/{study}/judged/judgements.parquet",
        responses="results/{study}/judged/responses.parquet",
        findings="results/{study}/audit/findings/judging.csv",
    params:
        judging=option("judging"),
        matcher=option("matcher"),
        thresholds=model_thresholds,
        code=code("judge_guesses"),
    log:
        "results/{study}/logs/judge_guesses.log",
    benchmark:
        "results/{study}/benchmarks/judge_guesses.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/judge_guesses.py"


rule judge_survey:
    """Judge survey answers and backfill them; rank the players."""
    input:
        model=equivalence_model,
        questions="results/{study}/tidy/questions.parquet",
        survey="results/{study}/tidy/survey.parquet",
        overrides=lambda wildcards: STUDIES[wildcards.study]["inputs"]["overrides"] or [],
    output:
        judgements="results/{study}/judged/survey_judgements.parquet",
        responses="results/{study}/judged/survey_responses.parquet",
        players="results/{study}/human/players.parquet",
        findings="results/{study}/audit/findings/survey.csv",
    params:
        matcher=option("matcher"),
        code=code("judge_survey"),
    log:
        "results/{study}/logs/judge_survey.log",
    benchmark:
        "results/{study}/benchmarks/judge_survey.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/judge_survey.py"


rule verify_judging:
    """What the choice of judge moves, what an editor should look at first, and agreement with people."""
    input:
        questions="results/{study}/tidy/questions.parquet",
        clues="results/{study}/tidy/clues.parquet",
        guesses="results/{study}/tidy/guesses.parquet",
        judgements="results/{study}/judged/judgements.parquet",
        responses="results/{study}/judged/responses.parquet",
        human_curve="results/{study}/human/human_curve.parquet",
        model=equivalence_model,
    output:
        matchers=report(
            "results/{study}/tables/matchers.csv",
            caption="../report/tables/matchers.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Metrics by judge"},
        ),
        to_verify=report(
            "results/{study}/tables/to_verify.csv",
            caption="../report/tables/to_verify.rst",
            category="{study}",
            subcategory="Audit",
            labels={"item": "Verdicts to verify"},
        ),
        verification=report(
            "results/{study}/tables/verification.csv",
            caption="../report/tables/verification.rst",
            category="{study}",
            subcategory="Audit",
            labels={"item": "Agreement with people"},
        ),
        disagreements=report(
            "results/{study}/tables/judging_disagreements.csv",
            caption="../report/tables/judging_disagreements.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Verdicts that the engine does not share"},
        ),
        verdicts="results/{study}/judged/matcher_verdicts.parquet",
    params:
        options=option(
            "primary_segmentation", "reductions", "judging", "replicates", "seed", "level"
        ),
        code=code("verify_judging"),
    log:
        "results/{study}/logs/verify_judging.log",
    benchmark:
        "results/{study}/benchmarks/verify_judging.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/verify_judging.py"
