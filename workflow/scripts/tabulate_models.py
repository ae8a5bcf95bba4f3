"""Tables that rest on per-clue model guesses, and calibration regressions."""

from calscore.core.step import run
from calscore.inference import regressions
from calscore.scores import tables

run(snakemake, tables.of_models, regressions.calibration_slopes)
