"""The human side: backfilled live answers, h_t, rankings and quartiles.

inputs:  tidy/clues, tidy/buzzes, tidy/exposures
outputs: judged/team_responses, human/human_curve, human/teams
"""


rule estimate_human_curve:
    """Backfill live answers, compute h_t under every definition, rank the teams."""
    input:
        questions="results/{study}/tidy/questions.parquet",
        clues="results/{study}/tidy/clues.parquet",
        buzzes="results/{study}/tidy/buzzes.parquet",
        exposures="results/{study}/tidy/exposures.parquet",
    output:
        team_responses="results/{study}/judged/team_responses.parquet",
        human_curve="results/{study}/human/human_curve.parquet",
        teams="results/{study}/human/teams.parquet",
    params:
        segmentation=option("primary_segmentation"),
        code=code("estimate_human_curve"),
    log:
        "results/{study}/logs/estimate_human_curve.log",
    benchmark:
        "results/{study}/benchmarks/estimate_human_curve.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/estimate_human_curve.py"
