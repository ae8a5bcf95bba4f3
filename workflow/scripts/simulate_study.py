"""A simulated study in the raw formats of the real one."""

from calscore.runner.bind import run
from calscore.simulate import grace

run(snakemake, grace.write_grace_study)
