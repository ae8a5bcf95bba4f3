"""Risk–coverage curves."""

from calscore.core.step import run
from calscore.scores import plot

run(snakemake, plot.proper)
