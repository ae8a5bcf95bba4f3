"""P(correct | buzz) by category."""

from calscore.core.step import run
from calscore.human import plot

run(snakemake, plot.of_precision)
