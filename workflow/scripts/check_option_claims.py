"""The ledger of a study of answer options."""

from calscore.core.step import run
from calscore.choices import ledger

run(snakemake, ledger.option_ledger)
