"""The buzz-point figures."""

from calscore.runner.bind import run
from calscore.tournament import plot

run(snakemake, plot.buzzpoint_figures)
