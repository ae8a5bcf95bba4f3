"""Tables of live buzzes."""

from calscore.core.step import run
from calscore.human import precision, tables

run(snakemake, tables.of_buzzes, precision.estimated)
