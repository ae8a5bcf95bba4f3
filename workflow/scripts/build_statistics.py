"""The statistics report of a tournament as a page."""

from calscore.runner.bind import run
from calscore.pages import statistics

run(snakemake, statistics.page)
