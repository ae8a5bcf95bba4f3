"""A study's live buzzes as QBJ, packets and buzz CSV."""

from calscore.core.step import run
from calscore.tournament import export

run(snakemake, export.exported)
