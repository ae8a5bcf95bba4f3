"""The ledger as a page."""

from calscore.core.step import run
from calscore.pages import front

run(snakemake, front.ledger)
