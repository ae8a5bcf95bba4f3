"""What a model did live beside what its runs do, question by question."""

from calscore.buzzing import live
from calscore.core.step import run

run(snakemake, live.compared)
