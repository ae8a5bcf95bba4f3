"""Backfilled live answers, h_t and the teams' rankings."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import store
    from calscore.human import curves

    clues = store.read(snakemake.input.clues)
    buzzes = store.read(snakemake.input.buzzes)
    exposures = store.read(snakemake.input.exposures)
    shown = clues[clues["segmentation"] == snakemake.params.segmentation]
    parents = {"clues": clues}
    backfilled = curves.team_responses(clues, buzzes)
    store.write(backfilled, "team_responses", snakemake.output.team_responses, parents)
    curve = curves.human_curve(clues, buzzes, exposures)
    store.write(curve, "human_curve", snakemake.output.human_curve, parents)
    store.write(curves.rank_teams(shown, buzzes, exposures), "teams", snakemake.output.teams)
