"""Items and agents, held-out loss of every response model, the model of all responses, and the figures of it."""

from calscore.core.step import run
from calscore.irt import embeddings, plot, steps

run(snakemake, steps.prepared, embeddings.embedded, steps.evaluated, steps.fitted, plot.figures)
