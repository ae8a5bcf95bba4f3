"""Replayed matches and the win matrix."""

from calscore.buzzing import matches
from calscore.core.step import run

run(snakemake, matches.replayed)
