"""Requests without and with options."""

from calscore.core.step import run
from calscore.choices import asking

run(snakemake, asking.planned)
