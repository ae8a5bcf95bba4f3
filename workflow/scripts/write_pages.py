"""The page that a run ends with, the audit page, and all tables in one DuckDB file."""

from calscore.core.step import run
from calscore.audit import database
from calscore.pages import audit, front

run(snakemake, front.index, audit.page, database.built)
