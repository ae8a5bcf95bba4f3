"""Who calls how many runs right, by model and cause."""

from calscore.core.step import run
from calscore.answers import marks, plot

run(snakemake, marks.counted, plot.of_marks)
