"""The buzz-point figures."""

from calscore.core.step import run
from calscore.tournament import plot

run(snakemake, plot.buzzpoints)
