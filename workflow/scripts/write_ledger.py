"""The ledger as a page."""

from calscore.runner.bind import run
from calscore.pages import index_page

run(snakemake, index_page.ledger)
