"""Clue ends, backfilled live answers, h_t and who made it, of a range of questions."""

from calscore.runner.bind import run
from calscore.clues import segment
from calscore.human import curves

run(snakemake, segment.clues_of_shard, curves.human_tables)
