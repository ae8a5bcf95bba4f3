"""Shares and verdicts of a simulated study of answer options against its truth."""

from calscore.runner.bind import run
from calscore.simulate import recovery

run(snakemake, recovery.option_recovery)
