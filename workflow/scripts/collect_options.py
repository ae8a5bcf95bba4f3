"""The question file and the results, checked, under their original names."""

from calscore.runner.bind import run
from calscore.raw import fetch

run(snakemake, fetch.collect_raw_files)
