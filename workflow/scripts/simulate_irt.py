"""Simulated items, responses and buzzes in their raw formats."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.simulate import irt

    wanted = snakemake.params.simulate
    made = irt.study(wanted["seed"], wanted.get("parameters"))
    irt.write(made, Path(snakemake.output.truth).parent)
