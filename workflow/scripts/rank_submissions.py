"""Tossup submissions, scored and ranked; the figure and the page."""

from calscore.core.step import run
from calscore.leaderboard import board, plot
from calscore.pages import leaderboard

run(snakemake, board.tables, plot.figure, leaderboard.page)
