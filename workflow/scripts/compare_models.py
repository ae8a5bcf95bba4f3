"""Differences between models, elicitations and humans, live and offline."""

from calscore.runner.bind import run
from calscore.buzz_policy import live_vs_offline
from calscore.inference import comparisons

run(snakemake, comparisons.comparison_tables, live_vs_offline.live_vs_offline_tables)
