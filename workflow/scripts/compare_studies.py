"""Models and people of every configured study side by side."""

from calscore.audit import studies
from calscore.core.step import run

run(snakemake, studies.compare)
