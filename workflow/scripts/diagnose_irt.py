"""Single aspects, and what the best human and the best system add to each other."""

from calscore.runner.bind import run
from calscore.irt import pipeline

run(snakemake, pipeline.diagnostic_tables)
