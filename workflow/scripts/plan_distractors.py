"""Requests for wrong answers."""

from calscore.runner.bind import run
from calscore.multiple_choice import option_requests

run(snakemake, option_requests.distractor_request_lines)
