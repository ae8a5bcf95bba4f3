"""Models and people of every configured study, a panel for each quantity."""

from calscore.audit import plot
from calscore.core.step import run

run(snakemake, plot.studies)
