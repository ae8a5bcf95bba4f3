"""Forest plot of odds ratios."""

from calscore.core.step import run
from calscore.inference import plot

run(snakemake, plot.odds_ratios)
