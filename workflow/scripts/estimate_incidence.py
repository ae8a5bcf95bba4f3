"""Who played whom, and the cumulative incidence of a right buzz."""

from calscore.core.step import run
from calscore.human import incidence

run(snakemake, incidence.estimated)
