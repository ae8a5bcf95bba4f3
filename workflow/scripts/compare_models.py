"""Differences between models, elicitations and humans."""

from calscore.runner.bind import run
from calscore.inference import comparisons

run(snakemake, comparisons.comparison_tables)
