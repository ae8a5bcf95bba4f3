"""What a range of questions adds to the scores of models."""

from calscore.core.step import run
from calscore.scores import batches

run(snakemake, batches.scored_shard)
