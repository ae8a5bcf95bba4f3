"""Requests for wrong answers."""

from calscore.core.step import run
from calscore.choices import asking

run(snakemake, asking.planned_distractors)
