"""One vector per item."""

from calscore.core.step import run
from calscore.irt import embeddings

run(snakemake, embeddings.embedded)
