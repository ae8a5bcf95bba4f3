"""Findings of all stages in one table, and what the inputs do not allow."""

from calscore.core import findings
from calscore.core.step import run

run(snakemake, findings.gathered)
