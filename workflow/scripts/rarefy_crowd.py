"""h and CalScore with fewer human teams than there are."""

from calscore.core.step import run
from calscore.inference import crowd_size, plot

run(snakemake, crowd_size.crowd_sizes, plot.crowd_size)
