"""The model of all responses and what it says."""

from calscore.core.step import run
from calscore.irt import steps

run(snakemake, steps.fitted)
