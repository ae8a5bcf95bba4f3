"""Items, agents and responses of an item response study."""

from calscore.core.step import run
from calscore.irt import steps

run(snakemake, steps.prepared)
