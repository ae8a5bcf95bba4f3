"""Verdicts of people on answers as a tidy table."""

from calscore.runner.bind import run
from calscore.multiple_choice import option_files

run(snakemake, option_files.read_annotations)
