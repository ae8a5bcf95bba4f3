"""Items and agents, held-out loss of every response model, the model of all responses, and the figures of it."""

from calscore.runner.bind import run
from calscore.irt import embeddings, pipeline, plot

run(
    snakemake,
    pipeline.build_responses,
    embeddings.embedded,
    pipeline.heldout_tables,
    pipeline.fit_tables_of_study,
    plot.figures,
)
