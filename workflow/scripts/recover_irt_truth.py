"""Systems against humans, and estimated skills and difficulties beside those of the simulation."""

from calscore.runner.bind import run
from calscore.irt import plot, readings

run(snakemake, readings.recovery_tables, plot.readings)
