"""Packets and participation tables to tidy tables."""

from calscore.runner.bind import run
from calscore.raw import release_files

run(snakemake, release_files.release_tables)
