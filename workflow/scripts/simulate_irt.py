"""Simulated items, responses and buzzes in their raw formats."""

from pathlib import Path

from calscore.rule import guard

with guard(snakemake):
    from calscore.irt import simulate

    wanted = snakemake.params.simulate
    made = simulate.study(wanted["seed"], wanted.get("parameters"))
    simulate.write(made, Path(snakemake.output.truth).parent)
