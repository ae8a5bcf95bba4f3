"""The ledger: every published statement against what was computed."""

from calscore.core.step import run
from calscore.published import claims

run(snakemake, claims.claim_ledger)
