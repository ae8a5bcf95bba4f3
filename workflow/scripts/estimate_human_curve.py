"""Clue ends, backfilled live answers, h_t and who made it."""

from calscore.runner.bind import run
from calscore.clues import segment
from calscore.human import curves, tables

run(snakemake, segment.every_clue, curves.human_tables, tables.dataset)
