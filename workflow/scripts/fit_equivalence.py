"""Weights of the learned answer-equivalence score, from human-labelled pairs."""

from calscore.core.step import guard

with guard(snakemake):
    from pathlib import Path

    from calscore.answers import evaluation

    made = evaluation.fitted(snakemake.input.pairs, snakemake.params.seed)
    Path(snakemake.output.model).write_text(made["model"], encoding="utf-8")
