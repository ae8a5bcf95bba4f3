"""Readings: which computation printed what, how far the rounding of confidences leaves scores open, and the figure script."""

from calscore.runner.bind import run
from calscore.human import figure_script
from calscore.ledger import multiverse

run(snakemake, multiverse.tables, figure_script.figure_script_table)
