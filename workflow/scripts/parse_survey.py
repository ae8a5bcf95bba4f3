"""The offline survey to a tidy table."""

from calscore.runner.bind import run
from calscore.raw import survey

run(snakemake, survey.parse_survey)
