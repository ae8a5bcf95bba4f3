"""The specification curve, which conclusions hold where, and Table 1 under every pair of judges."""

from calscore.core.step import run
from calscore.inference import judges, specification

run(snakemake, specification.traced, judges.tabulated)
