"""Findings of all stages in one table, and what the inputs do not allow."""

from calscore.runner.bind import run
from calscore.core import data_issues

run(snakemake, data_issues.collect_issues)
