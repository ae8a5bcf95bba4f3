"""Verdicts of people on answers as a tidy table."""

from calscore.core.step import run
from calscore.choices import reading

run(snakemake, reading.annotated)
