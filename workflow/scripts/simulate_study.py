"""A simulated study in the raw formats of the real one."""

from calscore.core.step import run
from calscore.simulate import files

run(snakemake, files.made)
