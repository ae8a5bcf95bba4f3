"""The page of all studies side by side."""

from calscore.core.step import run
from calscore.pages import studies

run(snakemake, studies.page)
