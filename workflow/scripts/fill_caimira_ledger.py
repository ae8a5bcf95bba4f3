"""CAIMIRA's statements on a study with live buzzes."""

from calscore.runner.bind import run
from calscore.irt import ledger

run(snakemake, ledger.live_ledger)
