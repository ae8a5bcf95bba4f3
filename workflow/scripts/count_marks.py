"""Who calls how many runs right, by model and cause."""

from calscore.answers import marks, plot
from calscore.core.step import run

run(snakemake, marks.counted, plot.of_marks)
