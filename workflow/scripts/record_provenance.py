"""Which rule made each file, from what, with which options and code."""

from calscore.runner.bind import run
from calscore.audit import provenance

run(snakemake, provenance.study_provenance)
