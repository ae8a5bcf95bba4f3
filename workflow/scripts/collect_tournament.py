"""A tournament's files, listed with their checksums."""

from calscore.runner.bind import run
from calscore.tournament import files

run(snakemake, files.copy_sources)
