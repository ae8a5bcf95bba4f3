"""Readings: which computation printed what, and how far the rounding of confidences leaves scores open."""

from calscore.runner.bind import run
from calscore.ledger import multiverse

run(snakemake, multiverse.tables)
