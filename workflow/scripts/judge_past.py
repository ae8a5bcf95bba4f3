"""Guesses on past questions, judged and scored."""

from calscore.core.step import run
from calscore.guess import past

run(snakemake, past.judged)
