"""A simulated study of answer options in the published format."""

from calscore.core.step import run
from calscore.simulate import choices

run(snakemake, choices.made)
