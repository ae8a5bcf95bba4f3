"""A simulated study of answer options in the published format."""

from calscore.runner.bind import run
from calscore.simulate import choices

run(snakemake, choices.write_options_study)
