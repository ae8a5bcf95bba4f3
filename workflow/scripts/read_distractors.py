"""Wrong answers that a model wrote, validated, as a question file."""

from calscore.core.step import run
from calscore.choices import asking

run(snakemake, asking.with_distractors)
