"""Clue ends under each named segmentation."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.clues import segment
    from calscore.core import store

    questions = store.read(snakemake.input.questions)
    names = snakemake.params.segmentations
    parts = [segment.cut(questions, [name for name in names if name != "given"])]
    if "given" in names and snakemake.input.guesses:
        guesses = store.read(snakemake.input.guesses)
        parts.append(segment.given(questions, guesses[["question_id", "position"]]))
    table = pd.concat(parts, ignore_index=True)
    store.write(table, "clues", snakemake.output.clues, {"questions": questions})
