"""Packets and participation tables to tidy tables."""

from calscore.runner.bind import run
from calscore.raw import release

run(snakemake, release.release_tables)
