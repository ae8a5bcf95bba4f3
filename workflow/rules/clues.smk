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
    script:
        "../scripts/cut_clues.py"
