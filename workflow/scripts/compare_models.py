"""Differences between models, elicitations and humans, live and offline."""

from calscore.core.step import run
from calscore.buzzing import live
from calscore.inference import comparisons

run(snakemake, comparisons.compared, live.compared)
