"""Notebooks, executed on the study."""

from calscore.core.step import run
from calscore.pages import notebooks

run(snakemake, notebooks.executed)
