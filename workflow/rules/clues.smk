"""Where the clues of every question end.

inputs:  tidy/questions, tidy/guesses
outputs: tidy/clues
"""


rule cut_clues:
    """Cut every question into clues under each named segmentation."""
    input:
        **reads("questions", "guesses"),
    output:
        **writes("clues"),
    params:
        **options("segmentations"),
        code=code("cut_clues"),
    log:
        "results/{study}/logs/cut_clues.log",
    benchmark:
        "results/{study}/benchmarks/cut_clues.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/cut_clues.py"
