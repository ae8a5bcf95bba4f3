"""What would be sent now and what it would cost, printed; nothing is sent."""

from calscore.core.step import run
from calscore.guess import plan

run(snakemake, plan.say)
