"""Survey answers judged and backfilled, and the players ranked."""

from calscore.answers import judging
from calscore.core.step import run

run(snakemake, judging.judged_survey)
