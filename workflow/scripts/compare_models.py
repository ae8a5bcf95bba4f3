"""Differences between models, elicitations and humans."""

from calscore.core.step import run
from calscore.inference import comparisons

run(snakemake, comparisons.compared)
