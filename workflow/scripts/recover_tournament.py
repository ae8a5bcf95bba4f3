"""Findings and bonuses of a simulated tournament against its truth."""

from calscore.runner.bind import run
from calscore.simulate import recovery

run(snakemake, recovery.tournament_recovery)
