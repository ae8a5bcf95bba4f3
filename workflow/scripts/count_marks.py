"""Who calls how many runs right, by model and cause."""

from calscore.runner.bind import run
from calscore.judging import mark_audit, plot

run(snakemake, mark_audit.mark_counts, plot.marks_figure)
