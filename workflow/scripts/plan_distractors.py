"""Requests for wrong answers."""

from calscore.choices import asking
from calscore.core.step import run

run(snakemake, asking.planned_distractors)
