"""Findings of all stages in one table, and what the inputs do not allow."""

from calscore.runner.bind import run
from calscore.audit import findings

run(snakemake, findings.collect_findings)
