"""Points by the stated and by the recalibrated confidence."""

from calscore.buzzing import plot
from calscore.core.step import run

run(snakemake, plot.decision_value)
