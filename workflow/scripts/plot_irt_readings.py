"""Figure of systems against humans, by what is assumed of buzzes."""

from calscore.runner.bind import run
from calscore.irt import plot

run(snakemake, plot.readings)
