"""Where the clues of every question end.

inputs:  tidy/questions, tidy/guesses
outputs: tidy/clues, prompts.jsonl
"""


rule cut_clues:
    """Cut every question into clues under each named segmentation."""
    input:
        **reads("questions"),
        guesses=guesses_of_clues,
    output:
        **writes("clues"),
    params:
        **options("segmentations"),
    script:
        "../scripts/cut_clues.py"


rule write_prompts:
    """Write what a model is prompted with: every question's text up to each clue."""
    input:
        **reads("questions"),
    output:
        **files("prompts"),
    params:
        **options("segmentations", "primary_segmentation"),
    script:
        "../scripts/write_prompts.py"
