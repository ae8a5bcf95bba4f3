"""All tables in one DuckDB file, with views."""

from calscore.audit import database
from calscore.core.step import run

run(snakemake, database.built)
