"""Expected wins by threshold, and opponent curves."""

from calscore.buzzing import plot
from calscore.core.step import run

run(snakemake, plot.thresholds)
