"""Backfilled live answers, h_t, who made it, and the teams' rankings."""

from calscore.core.step import run
from calscore.human import curves

run(snakemake, curves.human_side)
