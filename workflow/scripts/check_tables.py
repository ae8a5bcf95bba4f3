"""Checks of all of the study's tables, with pass or fail."""

from calscore.audit import checks
from calscore.core.step import run

run(snakemake, checks.table)
