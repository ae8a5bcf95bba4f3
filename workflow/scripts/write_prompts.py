"""Question texts up to each clue, to prompt a model with."""

from calscore.clues import prompts
from calscore.core.step import run

run(snakemake, prompts.lines)
