"""Answer equivalence and backfilling: what was right, at which clue.

inputs:  tidy tables, manual verdicts
outputs: judged/*.parquet, audit/findings/*.csv
"""


rule judge_guesses:
    """Judge each distinct guess once, manual verdicts first, and carry it to the clues."""
    input:
        code=code("judge_guesses"),
        questions="results/{study}/tidy/questions.parquet",
        clues="results/{study}/tidy/clues.parquet",
        guesses="results/{study}/tidy/guesses.parquet",
        overrides=lambda wildcards: STUDIES[wildcards.study]["inputs"]["overrides"] or [],
        schemas=schemas("judgements", "responses", "findings"),
    output:
        judgements="results/{study}/judged/judgements.parquet",
        responses="results/{study}/judged/responses.parquet",
        findings="results/{study}/audit/findings/judging.csv",
    params:
        judging=option("judging"),
        thresholds=model_thresholds,
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
        code=code("judge_survey"),
        questions="results/{study}/tidy/questions.parquet",
        survey="results/{study}/tidy/survey.parquet",
        overrides=lambda wildcards: STUDIES[wildcards.study]["inputs"]["overrides"] or [],
        schemas=schemas("judgements", "survey_responses", "players", "findings"),
    output:
        judgements="results/{study}/judged/survey_judgements.parquet",
        responses="results/{study}/judged/survey_responses.parquet",
        players="results/{study}/human/players.parquet",
        findings="results/{study}/audit/findings/survey.csv",
    log:
        "results/{study}/logs/judge_survey.log",
    benchmark:
        "results/{study}/benchmarks/judge_survey.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/judge_survey.py"
