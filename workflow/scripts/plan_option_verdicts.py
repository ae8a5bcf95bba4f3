"""Requests to a judge model."""

from calscore.runner.bind import run
from calscore.multiple_choice import option_requests

run(snakemake, option_requests.verdict_request_lines)
