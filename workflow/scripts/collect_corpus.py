"""The past questions, checked."""

from calscore.runner.bind import run
from calscore.guessers import corpus

run(snakemake, corpus.collect_corpus)
