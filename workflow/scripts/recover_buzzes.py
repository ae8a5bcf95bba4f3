"""Scores and counts of a simulated study in the formats of the release against its truth."""

from calscore.core.step import run
from calscore.simulate import recovery

run(snakemake, recovery.of_buzzes)
