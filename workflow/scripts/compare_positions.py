"""What rests on the positions of buzzes, under the release's and under the outputs'."""

from calscore.runner.bind import run
from calscore.ledger import positions

run(snakemake, positions.positions)
