"""Who calls how many runs right, by model and cause."""

from calscore.answers import marks
from calscore.core.step import run

run(snakemake, marks.counted)
