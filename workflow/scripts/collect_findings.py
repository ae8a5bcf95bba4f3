"""Findings of all stages in one table, and what the inputs do not allow."""

from calscore.core.step import run
from calscore.core import findings

run(snakemake, findings.gathered)
