"""Tables of live buzzes."""

from calscore.runner.bind import run
from calscore.human import precision, tables

run(snakemake, tables.buzz_tables, precision.buzz_precision_table)
