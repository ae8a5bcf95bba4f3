"""Notebooks, executed on the study."""

from calscore.runner.bind import run
from calscore.pages import notebooks

run(snakemake, notebooks.execute_notebooks)
