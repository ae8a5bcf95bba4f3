"""The ledger, every published statement against what was computed; forensics, every printed number against its neighbours."""

from calscore.runner.bind import run
from calscore.ledger import claims, forensics

run(snakemake, claims.claim_ledger, forensics.forensic_tables)
