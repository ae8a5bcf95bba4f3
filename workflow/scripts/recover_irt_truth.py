"""Estimated skills and difficulties beside those of the simulation."""

from calscore.runner.bind import run
from calscore.irt import readings

run(snakemake, readings.recovery_table)
