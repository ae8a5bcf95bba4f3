"""A model's replies, parsed and judged, as results files in the published schema."""

from calscore.runner.bind import run
from calscore.multiple_choice import option_requests

run(snakemake, option_requests.results_files)
