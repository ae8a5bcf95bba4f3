"""Requests, tokens and price of every file of requests that a guesser is sent."""

from calscore.runner.bind import run
from calscore.multiple_choice import send

run(snakemake, send.plan_requests)
