"""Scores per question and per model under every definition, with intervals.

inputs:  judged/responses, human/human_curve, human/crowd, tidy/clues
outputs: scores/*.parquet
"""


rule score_models:
    """Score every model: MCE, CalScore, SH, ECE, Brier, accuracy, reliability bins."""
    input:
        responses="results/{study}/judged/responses.parquet",
        human_curve="results/{study}/human/human_curve.parquet",
        clues="results/{study}/tidy/clues.parquet",
        crowd="results/{study}/human/crowd.parquet",
    output:
        question_scores="results/{study}/scores/question_scores.parquet",
        sh_scores="results/{study}/scores/sh_scores.parquet",
        model_scores="results/{study}/scores/model_scores.parquet",
        reliability="results/{study}/scores/reliability.parquet",
    params:
        options=option("replicates", "seed", "level"),
        code=code("score_models"),
    log:
        "results/{study}/logs/score_models.log",
    benchmark:
        "results/{study}/benchmarks/score_models.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/score_models.py"
