"""Forest plot of odds ratios, and rates of buzzes as counted and with partial pooling."""

from calscore.core.step import run
from calscore.inference import plot

run(snakemake, plot.odds_ratios, plot.buzz_effects)
