"""Odds ratios of a right buzz, rates of right and wrong ones with partial pooling, and their figures."""

from calscore.runner.bind import run
from calscore.inference import mixed_model, odds_ratios, plot

run(
    snakemake,
    odds_ratios.odds_ratios,
    mixed_model.buzz_effects,
    plot.odds_ratio_figures,
    plot.buzz_effect_figures,
)
