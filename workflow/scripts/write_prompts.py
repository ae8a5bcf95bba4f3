"""Question texts up to each clue, to prompt a model with."""

from calscore.runner.bind import run
from calscore.clues import prompts

run(snakemake, prompts.prompt_lines)
