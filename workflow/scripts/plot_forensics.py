"""Printed scores against what any model could reach."""

from calscore.core.step import run
from calscore.published import plot

run(snakemake, plot.forensics_figure)
