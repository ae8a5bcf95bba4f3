"""The files of an extract, checked."""

from calscore.runner.bind import run
from calscore.raw import extract

run(snakemake, extract.collect_extract)
