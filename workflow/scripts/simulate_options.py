"""Write a simulated study of answer options in the published format."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.simulate import choices

    wanted = snakemake.params.simulate
    study = choices.simulate(wanted.get("parameters", {}), wanted["seed"])
    choices.write(study, Path(snakemake.output.truth).parent)
