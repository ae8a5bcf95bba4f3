"""h and CalScore against the number of human teams."""

from calscore.core.step import run
from calscore.inference import plot

run(snakemake, plot.crowd_size)
