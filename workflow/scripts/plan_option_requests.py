"""Requests without and with options."""

from calscore.choices import asking
from calscore.core.step import run

run(snakemake, asking.planned)
