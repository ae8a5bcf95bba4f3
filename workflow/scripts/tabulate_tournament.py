"""Statistics and standings of a tournament, and the page that reports them."""

from calscore.runner.bind import run
from calscore.pages import statistics
from calscore.tournament import quizbowl, report

run(snakemake, quizbowl.quizbowl_tables, report.report_tables, statistics.page)
