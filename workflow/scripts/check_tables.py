"""Checks of all of the study's tables, with pass or fail."""

from calscore.runner.bind import run
from calscore.audit import checks

run(snakemake, checks.check_study)
