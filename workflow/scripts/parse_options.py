"""Questions and answers of a study of answer options as tidy tables, with findings."""

from calscore.core.step import run
from calscore.choices import reading

run(snakemake, reading.tidy)
