"""The ledger: every published statement and printed number against what was computed."""

from calscore.runner.bind import run
from calscore.ledger import claims

run(snakemake, claims.claim_ledger)
