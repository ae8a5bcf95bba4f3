"""h and CalScore with fewer human teams than there are."""

from calscore.core.step import run
from calscore.inference import crowd_size

run(snakemake, crowd_size.crowd_sizes)
