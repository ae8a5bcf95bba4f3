"""The question file and the results, checked, under their original names."""

from calscore.core.step import run
from calscore.raw import fetch

run(snakemake, fetch.collected)
