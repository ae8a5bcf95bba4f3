"""Send a file of requests to a guesser, and write its replies in their order."""

from calscore.core.step import run
from calscore.choices import sending

run(snakemake, sending.sent)
