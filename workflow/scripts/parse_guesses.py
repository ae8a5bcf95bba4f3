"""Model guesses as tidy tables, with findings and an account of the replies."""

from calscore.core.step import run
from calscore.raw import formats

run(snakemake, formats.tidy)
