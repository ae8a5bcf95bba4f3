"""Model guesses as tidy tables, with findings and an account of the replies."""

from calscore.runner.bind import run
from calscore.clues import prompts
from calscore.raw import guess_sources

run(snakemake, guess_sources.tidy_guesses, prompts.check_positions)
