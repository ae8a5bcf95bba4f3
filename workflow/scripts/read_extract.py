"""Numbers of a release to tidy tables."""

from calscore.runner.bind import run
from calscore.raw import extract

run(snakemake, extract.extract_tables)
