"""The human side: backfilled live answers, h_t, rankings and quartiles.

inputs:  tidy/clues, tidy/buzzes, tidy/exposures
outputs: judged/team_responses, human/crowd, human/human_curve, human/teams
"""


rule estimate_human_curve:
    """Backfill live answers, compute h_t under every definition and who made it, rank the teams."""
    input:
        **reads("clues", "buzzes", "exposures"),
    output:
        **writes("team_responses", "crowd", "human_curve", "teams"),
    params:
        **options("primary_segmentation"),
        code=code("estimate_human_curve"),
    log:
        "results/{study}/logs/estimate_human_curve.log",
    benchmark:
        "results/{study}/benchmarks/estimate_human_curve.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/estimate_human_curve.py"
