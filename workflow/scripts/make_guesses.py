"""Guesses of a guesser of any kind."""

from calscore.core.step import run
from calscore.guess import kinds

run(snakemake, kinds.made)
