"""Questions and answers of a study of answer options as tidy tables, with findings."""

from calscore.choices import reading
from calscore.core.step import run

run(snakemake, reading.tidy)
