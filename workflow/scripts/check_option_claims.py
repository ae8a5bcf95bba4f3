"""The ledger of a study of answer options."""

from calscore.choices import ledger
from calscore.core.step import run

run(snakemake, ledger.option_ledger)
