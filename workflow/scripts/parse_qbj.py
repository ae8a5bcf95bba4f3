"""Match files, packets and buzz CSV as tidy tables."""

from calscore.core.step import run
from calscore.tournament import files

run(snakemake, files.tidy)
