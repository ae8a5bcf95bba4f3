"""Requests without and with options."""

from calscore.runner.bind import run
from calscore.multiple_choice import option_requests

run(snakemake, option_requests.option_request_lines)
