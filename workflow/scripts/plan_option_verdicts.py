"""Requests to a judge model."""

from calscore.core.step import run
from calscore.choices import asking

run(snakemake, asking.planned_verdicts)
