"""Checksums of everything, versions, options, commit and times."""

from calscore.runner.bind import run
from calscore.audit import manifest

run(snakemake, manifest.manifest_outputs)
