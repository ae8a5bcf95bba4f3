"""A tournament's files, listed with their checksums."""

from calscore.core.step import run
from calscore.tournament import files

run(snakemake, files.collected)
