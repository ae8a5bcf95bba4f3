"""A simulated study in the raw formats of the real one."""

from calscore.runner.bind import run
from calscore.simulate import files

run(snakemake, files.write_grace_study)
