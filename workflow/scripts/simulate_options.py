"""Write a simulated study of answer options in the published format."""

from pathlib import Path

from calscore.rule import guard

with guard(snakemake):
    from calscore.options_study import simulate

    wanted = snakemake.params.simulate
    study = simulate.simulate(wanted.get("parameters", {}), wanted["seed"])
    simulate.write(study, Path(snakemake.output.truth).parent)
