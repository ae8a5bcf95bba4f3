"""Survey answers judged and backfilled."""

from calscore.runner.bind import run
from calscore.judging import survey

run(snakemake, survey.judge_survey)
