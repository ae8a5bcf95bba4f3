"""Survey answers judged and backfilled."""

from calscore.answers import judging
from calscore.core.step import run

run(snakemake, judging.judged_survey)
