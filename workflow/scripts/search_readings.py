"""Readings: which computation printed what, how far the rounding of confidences leaves scores open, and the figure script."""

from calscore.runner.bind import run
from calscore.ledger import multiverse, script_curves

run(snakemake, multiverse.tables, script_curves.figure_script_table)
