"""Agreement of judges."""

from calscore.runner.bind import run
from calscore.multiple_choice import agreement

run(snakemake, agreement.agreement_tables)
