"""Write a simulated study in the raw formats of the real one."""

from pathlib import Path

from calscore.rule import guard

with guard(snakemake):
    from calscore import simulate

    wanted = snakemake.params.simulate
    study = simulate.simulate(wanted.get("parameters", {}), wanted["seed"])
    simulate.write(study, Path(snakemake.output.truth).parent)
