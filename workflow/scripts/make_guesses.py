"""Guesses of a guesser of any kind."""

from calscore.runner.bind import run
from calscore.guessers import registry

run(snakemake, registry.run_guesser)
