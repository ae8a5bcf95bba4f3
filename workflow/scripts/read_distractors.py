"""Wrong answers that a model wrote, validated, as a question file."""

from calscore.choices import asking
from calscore.core.step import run

run(snakemake, asking.with_distractors)
