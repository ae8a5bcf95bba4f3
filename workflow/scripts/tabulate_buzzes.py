"""Tables that rest on live buzzes alone."""

from calscore.core.step import run
from calscore.human import tables

run(snakemake, tables.of_buzzes)
