"""Single aspects, restarts, widths of the prior, and groups of players at random."""

from calscore.runner.bind import run
from calscore.irt import pipeline

run(snakemake, pipeline.diagnostic_tables)
