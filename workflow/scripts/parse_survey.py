"""The offline survey to a tidy table."""

from calscore.core.step import run
from calscore.raw import survey

run(snakemake, survey.tidy)
