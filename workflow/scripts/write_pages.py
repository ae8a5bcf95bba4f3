"""The page that a run ends with, and the audit page."""

from calscore.core.step import run
from calscore.pages import audit, front

run(snakemake, front.index, audit.page)
