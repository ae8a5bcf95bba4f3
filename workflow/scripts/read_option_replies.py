"""A model's replies, parsed and judged, as results files in the published schema."""

from calscore.choices import asking
from calscore.core.step import run

run(snakemake, asking.results)
