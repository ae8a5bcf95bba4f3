"""The past questions, checked."""

from calscore.core.step import run
from calscore.guess import corpus

run(snakemake, corpus.collected)
