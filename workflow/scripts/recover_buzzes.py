"""Scores and counts of a simulated study in the formats of the release against its truth."""

from calscore.runner.bind import run
from calscore.simulate import recovery

run(snakemake, recovery.buzz_recovery)
