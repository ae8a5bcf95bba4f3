"""Tables that rest on the offline survey."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import store
    from calscore.scores import tables

    responses = store.read(snakemake.input.responses)
    players = store.read(snakemake.input.players)
    options = snakemake.params.options
    level = options["level"]
    ranked = responses.merge(players[["player", "quartile", "half"]], on="player")
    ranked["group"] = "Q" + ranked["quartile"].astype(str)
    accuracy = tables.accuracy_by_share(
        ranked, ["group"], tables.DECILES, level, ["player", "question_id"]
    )
    # Figure 6 rests on what players did, not on what was filled in for them.
    halves = ranked.assign(agent=ranked["player"], correct=ranked["observed"])
    buzz_given = tables.buzz_given(halves, ["half"], options["replicates"], options["seed"], level)
    store.write_csv(accuracy, snakemake.output.accuracy)
    store.write_csv(buzz_given, snakemake.output.buzz_given)
