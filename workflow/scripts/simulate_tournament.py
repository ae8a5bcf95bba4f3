"""A simulated tournament as files, submissions and bonus submissions that play it."""

from calscore.runner.bind import run
from calscore.simulate import tournament

run(snakemake, tournament.write_tournament)
