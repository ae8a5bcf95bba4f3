"""What a miscalibrated confidence costs in match points."""

from calscore.buzzing import decisions
from calscore.core.step import run

run(snakemake, decisions.valued)
