"""Whether the checks passed, once all is there to look at."""

from calscore.runner.bind import run
from calscore.audit import checks

run(snakemake, checks.confirm_checks)
