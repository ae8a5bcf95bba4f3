"""Items and agents, held-out loss of every response model, and the model of all responses."""

from calscore.runner.bind import run
from calscore.irt import pipeline

run(snakemake, pipeline.build_responses, pipeline.fit_tables)
