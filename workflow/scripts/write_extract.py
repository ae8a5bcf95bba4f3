"""The numbers of a release, without its texts."""

from calscore.runner.bind import run
from calscore.audit import extract

run(snakemake, extract.write_extract)
