"""The same model live and offline."""

from calscore.runner.bind import run
from calscore.buzz_policy import live_vs_offline

run(snakemake, live_vs_offline.live_vs_offline_tables)
