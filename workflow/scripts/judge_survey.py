"""Survey answers judged and backfilled."""

from calscore.runner.bind import run
from calscore.human import players

run(snakemake, players.judged_survey)
