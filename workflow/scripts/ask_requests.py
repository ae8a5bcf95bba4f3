"""Send a file of requests to a guesser, and write its replies in their order."""

from calscore.choices import sending
from calscore.core.step import run

run(snakemake, sending.sent)
