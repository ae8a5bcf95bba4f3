"""What models are asked at the clues of every question.

inputs:  tidy/questions
outputs: prompts.jsonl
"""


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
