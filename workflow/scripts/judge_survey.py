"""Survey answers judged and backfilled."""

from calscore.runner.bind import run
from calscore.answers import judging

run(snakemake, judging.judged_survey)
