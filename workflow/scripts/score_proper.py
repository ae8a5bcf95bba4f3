"""Proper scores of every model, their differences, and the numbers of the risk–coverage curve."""

from calscore.runner.bind import run
from calscore.scores import proper_tables

run(snakemake, proper_tables.proper_score_tables)
