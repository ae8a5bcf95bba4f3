"""Write a simulated study in the raw formats of the real one."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.simulate import files, grace

    wanted = snakemake.params.simulate
    study = grace.simulate(wanted.get("parameters", {}), wanted["seed"])
    files.write(study, Path(snakemake.output.truth).parent)
