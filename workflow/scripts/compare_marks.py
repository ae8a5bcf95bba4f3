"""Marks that came with the guesses against the engine, run by run."""

from calscore.answers import marks
from calscore.core.step import run

run(snakemake, marks.compared)
