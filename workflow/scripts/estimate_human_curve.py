"""Backfilled live answers, h_t and the teams' rankings."""

from calscore.rule import guard

with guard(snakemake):
    from calscore import human, store

    clues = store.read(snakemake.input.clues)
    buzzes = store.read(snakemake.input.buzzes)
    exposures = store.read(snakemake.input.exposures)
    shown = clues[clues["segmentation"] == snakemake.params.segmentation]
    parents = {"clues": clues}
    backfilled = human.team_responses(clues, buzzes)
    store.write(backfilled, "team_responses", snakemake.output.team_responses, parents)
    curve = human.human_curve(clues, buzzes, exposures)
    store.write(curve, "human_curve", snakemake.output.human_curve, parents)
    store.write(human.rank_teams(shown, buzzes, exposures), "teams", snakemake.output.teams)
