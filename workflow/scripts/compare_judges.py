"""Agreement of judges."""

from calscore.core.step import run
from calscore.choices import agreement

run(snakemake, agreement.judged)
