"""The page that a run ends with, the audit page, and all tables in one DuckDB file."""

from calscore.runner.bind import run
from calscore.audit import database
from calscore.pages import audit, index_page

run(snakemake, index_page.index, audit.page, database.write_database)
