"""Odds ratios of a right buzz, rates of right and wrong ones with partial pooling, and their figures."""

from calscore.core.step import run
from calscore.inference import buzz_effects, plot, regressions

run(
    snakemake,
    regressions.odds_ratios,
    buzz_effects.buzz_effects,
    plot.odds_ratios,
    plot.buzz_effects,
)
