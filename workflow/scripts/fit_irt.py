"""Items and agents, held-out loss of every response model, the model of all responses, and the figures of it."""

from calscore.runner.bind import run
from calscore.irt import pipeline, plot

run(snakemake, pipeline.build_responses, pipeline.fit_tables, plot.figures)
