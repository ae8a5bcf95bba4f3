"""Tables that rest on per-clue model guesses, and calibration regressions."""

from calscore.runner.bind import run
from calscore.scores import calibration_slopes, tables

run(snakemake, tables.model_tables, calibration_slopes.calibration_slopes)
