"""Tables that rest on per-clue model guesses."""

from calscore.core.step import run
from calscore.scores import tables

run(snakemake, tables.of_models)
