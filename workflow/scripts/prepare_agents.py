"""Items with a vector each, agents and responses of an item response study."""

from calscore.core.step import run
from calscore.irt import embeddings, steps

run(snakemake, steps.prepared, embeddings.embedded)
