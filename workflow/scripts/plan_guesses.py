"""What would be sent now and what it would cost, printed; nothing is sent."""

from calscore.runner.bind import run
from calscore.guessers import plan

run(snakemake, plan.say)
