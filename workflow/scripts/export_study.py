"""A study's live buzzes as QBJ, packets and buzz CSV."""

from calscore.runner.bind import run
from calscore.tournament import export

run(snakemake, export.write_export)
