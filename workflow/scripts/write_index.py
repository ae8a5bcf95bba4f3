"""The page that a run ends with."""

from calscore.core.step import run
from calscore.pages import front

run(snakemake, front.index)
