"""The ledger of a study of answer options."""

from calscore.runner.bind import run
from calscore.multiple_choice import ledger

run(snakemake, ledger.option_ledger)
