"""Quartiles that do not reward exposure, on the same and on other packets."""

from calscore.core.step import run
from calscore.human import quartiles

run(snakemake, quartiles.compared)
