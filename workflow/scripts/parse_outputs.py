"""Buzzes of the authors' model outputs to a tidy table, and how they differ from the release's."""

from calscore.runner.bind import run
from calscore.raw import model_output_files

run(snakemake, model_output_files.parse_output_buzzes)
