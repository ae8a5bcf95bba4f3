"""h and CalScore with fewer human teams than there are."""

from calscore.runner.bind import run
from calscore.inference import plot, rarefaction

run(snakemake, rarefaction.crowd_sizes, plot.crowd_size_figure)
