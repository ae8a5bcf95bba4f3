"""Tables that rest on per-clue model guesses, and calibration regressions."""

from calscore.runner.bind import run
from calscore.inference import regressions
from calscore.scores import tables

run(snakemake, tables.model_tables, regressions.calibration_slopes)
