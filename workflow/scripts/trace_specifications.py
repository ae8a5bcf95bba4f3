"""The specification curve, and which conclusions hold where."""

from calscore.core.step import run
from calscore.inference import specification

run(snakemake, specification.traced)
