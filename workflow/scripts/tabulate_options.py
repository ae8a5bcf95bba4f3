"""Tables with and without options."""

from calscore.runner.bind import run
from calscore.multiple_choice import tables

run(snakemake, tables.tabulate_options)
