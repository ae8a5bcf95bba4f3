"""Simulated items, responses and buzzes in their raw formats."""

from calscore.runner.bind import run
from calscore.simulate import irt

run(snakemake, irt.write_irt_study)
