"""Odds ratios of a right buzz, and rates of right and wrong ones with partial pooling."""

from calscore.core.step import run
from calscore.inference import buzz_effects, regressions

run(snakemake, regressions.odds_ratios, buzz_effects.buzz_effects)
