"""What would be sent now and what it would cost, printed; nothing is sent."""

from calscore.runner.bind import run
from calscore.multiple_choice import send

run(snakemake, send.print_plan)
