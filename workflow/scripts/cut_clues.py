"""Clue ends under each named segmentation."""

from calscore.clues import segment
from calscore.core.step import run

run(snakemake, segment.every_clue)
