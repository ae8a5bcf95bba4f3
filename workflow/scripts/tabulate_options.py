"""Tables with and without options."""

from calscore.choices import tables
from calscore.core.step import run

run(snakemake, tables.tabulated)
