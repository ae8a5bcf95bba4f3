"""A simulated tournament as files, submissions and bonus submissions that play it."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.simulate import tournament

    wanted = snakemake.params.simulate
    folder = Path(snakemake.output.truth).parent
    tournament.write(folder, wanted["seed"], wanted.get("parameters"))
