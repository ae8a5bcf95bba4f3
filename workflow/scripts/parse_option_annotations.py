"""Verdicts of people on answers as a tidy table."""

from calscore.choices import reading
from calscore.core.step import run

run(snakemake, reading.annotated)
