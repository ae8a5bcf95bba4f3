"""Requests, tokens and price of every file of requests that a guesser is sent."""

from calscore.core.step import run
from calscore.guess import plan

run(snakemake, plan.of_requests)
