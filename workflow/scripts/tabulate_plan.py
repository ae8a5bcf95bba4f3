"""Requests, tokens and price of every guesser that asks an endpoint."""

from calscore.runner.bind import run
from calscore.multiple_choice import send

run(snakemake, send.plan_questions)
