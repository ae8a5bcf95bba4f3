"""Survey players ranked, and tables that rest on the survey."""

from calscore.runner.bind import run
from calscore.human import players

run(snakemake, players.survey_tables)
