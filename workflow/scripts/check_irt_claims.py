"""The ledger of a study of item responses."""

from calscore.core.step import run
from calscore.irt import ledger

run(snakemake, ledger.irt_ledger)
