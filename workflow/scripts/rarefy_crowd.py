"""h and CalScore with fewer human teams than there are."""

from calscore.runner.bind import run
from calscore.inference import crowd_sizes, plot

run(snakemake, crowd_sizes.crowd_sizes, plot.crowd_size_figure)
