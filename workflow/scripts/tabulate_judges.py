"""Table 1 under every pair of judges."""

from calscore.core.step import run
from calscore.inference import judges

run(snakemake, judges.tabulated)
