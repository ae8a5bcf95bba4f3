"""Simulated items, responses and buzzes in their raw formats."""

from calscore.core.step import run
from calscore.simulate import irt

run(snakemake, irt.made)
