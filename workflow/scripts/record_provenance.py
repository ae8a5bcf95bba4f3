"""Which rule made each file, from what, with which options and code."""

from calscore.audit import provenance
from calscore.core.step import run

run(snakemake, provenance.recorded)
