"""Tossup submissions, scored and ranked; the figure and the page."""

from calscore.runner.bind import run
from calscore.leaderboard import assemble, plot
from calscore.pages import leaderboard

run(snakemake, assemble.leaderboard_tables, plot.leaderboard_figures, leaderboard.page)
