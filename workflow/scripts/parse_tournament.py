"""Match files, packets and buzz CSV as tidy tables."""

from calscore.runner.bind import run
from calscore.tournament import files

run(snakemake, files.tidy_tournament)
