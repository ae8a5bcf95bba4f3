"""Systems against humans, by what is assumed of buzzes."""

from calscore.runner.bind import run
from calscore.irt import readings

run(snakemake, readings.reading_table)
