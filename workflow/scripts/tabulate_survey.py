"""Survey players ranked, and tables that rest on the survey."""

from calscore.runner.bind import run
from calscore.human import tables

run(snakemake, tables.survey_tables)
