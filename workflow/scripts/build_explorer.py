"""The page for looking: questions, models, teams."""

from calscore.core.step import run
from calscore.pages import explorer

run(snakemake, explorer.page)
