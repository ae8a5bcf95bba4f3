"""Systems against humans, and estimated skills and difficulties beside those of the simulation."""

from calscore.runner.bind import run
from calscore.irt import plot, readings

run(snakemake, readings.reading_table, readings.recovery_table, plot.readings)
