"""Odds ratios of a right buzz."""

from calscore.core.step import run
from calscore.inference import regressions

run(snakemake, regressions.odds_ratios)
