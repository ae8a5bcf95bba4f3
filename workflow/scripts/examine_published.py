"""Forensics: every printed number against what the released buzzes and its neighbours allow."""

from calscore.core.step import run
from calscore.published import forensics

run(snakemake, forensics.forensic_tables)
