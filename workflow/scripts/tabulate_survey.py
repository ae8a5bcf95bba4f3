"""Survey players ranked, and tables that rest on the survey."""

from calscore.core.step import run
from calscore.human import tables

run(snakemake, tables.of_survey)
