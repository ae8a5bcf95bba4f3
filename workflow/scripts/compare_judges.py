"""Agreement of judges."""

from calscore.choices import agreement
from calscore.core.step import run

run(snakemake, agreement.judged)
