"""A model's replies, parsed and judged, as results files in the published schema."""

from calscore.core.step import run
from calscore.choices import asking

run(snakemake, asking.results)
