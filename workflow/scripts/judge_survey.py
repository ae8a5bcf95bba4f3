"""Survey answers judged and backfilled."""

from calscore.core.step import run
from calscore.answers import judging

run(snakemake, judging.judged_survey)
