"""Requests to a judge model."""

from calscore.choices import asking
from calscore.core.step import run

run(snakemake, asking.planned_verdicts)
