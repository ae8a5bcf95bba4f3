"""Buzzes of the authors' model outputs to a tidy table, and how they differ from the release's."""

from calscore.core.step import run
from calscore.raw import outputs

run(snakemake, outputs.tidy)
