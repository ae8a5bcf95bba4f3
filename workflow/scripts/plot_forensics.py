"""Printed scores against what any model could reach."""

from calscore.runner.bind import run
from calscore.ledger import plot

run(snakemake, plot.forensics_figure)
