"""A simulated tournament as files, submissions and bonus submissions that play it."""

from calscore.core.step import run
from calscore.simulate import tournament

run(snakemake, tournament.made)
