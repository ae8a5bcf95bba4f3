"""The audit page of a study."""

from calscore.core.step import run
from calscore.pages import audit

run(snakemake, audit.page)
