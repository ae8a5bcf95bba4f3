"""Send a file of requests to a guesser, and write its replies in their order."""

from calscore.runner.bind import run
from calscore.multiple_choice import send

run(snakemake, send.send_requests)
