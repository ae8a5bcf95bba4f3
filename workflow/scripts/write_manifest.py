"""Checksums of everything, versions, options, commit and times."""

from calscore.audit import manifest
from calscore.core.step import run

run(snakemake, manifest.written)
