"""Tables of live buzzes."""

from calscore.core.step import run
from calscore.human import incidence, quartiles, tables

run(snakemake, tables.of_buzzes, incidence.estimated, quartiles.compared)
