"""P(correct | buzz) of humans and live models."""

from calscore.core.step import run
from calscore.human import precision

run(snakemake, precision.estimated)
