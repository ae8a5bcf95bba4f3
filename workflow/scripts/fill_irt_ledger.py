"""The ledger of a study of item responses."""

from calscore.runner.bind import run
from calscore.irt import ledger

run(snakemake, ledger.irt_ledger)
