"""What the choice of judge moves, and what an editor should look at first."""

from calscore.answers import verification
from calscore.core.step import run

run(snakemake, verification.verified)
