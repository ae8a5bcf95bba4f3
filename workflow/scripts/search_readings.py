"""Readings: which computation printed what, and how far the rounding of confidences leaves scores open."""

from calscore.core.step import run
from calscore.published import readings

run(snakemake, readings.tables)
