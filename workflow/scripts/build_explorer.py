"""The page for looking: questions, models, teams."""

from calscore.runner.bind import run
from calscore.pages import explorer

run(snakemake, explorer.page)
