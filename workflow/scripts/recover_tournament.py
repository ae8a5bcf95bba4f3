"""Findings and bonuses of a simulated tournament against its truth."""

from calscore.core.step import run
from calscore.simulate import recovery

run(snakemake, recovery.of_tournament)
