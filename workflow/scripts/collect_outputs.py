"""Guesses from public addresses, checked by their numbers, under their original names."""

from calscore.runner.bind import run
from calscore.raw import fetch

run(snakemake, fetch.collect_outputs)
