"""Tables with and without options."""

from calscore.core.step import run
from calscore.choices import tables

run(snakemake, tables.tabulated)
