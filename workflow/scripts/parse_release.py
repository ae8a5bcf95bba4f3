"""Packets and participation tables to tidy tables."""

from calscore.core.step import run
from calscore.raw import release

run(snakemake, release.tidy)
