"""Requests, tokens and price of every guesser that asks an endpoint."""

from calscore.core.step import run
from calscore.guess import plan

run(snakemake, plan.of_questions)
