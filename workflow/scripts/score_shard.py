"""What a range of questions adds to the scores of models."""

from calscore.runner.bind import run
from calscore.scores import streaming

run(snakemake, streaming.scored_shard)
