"""Items, agents and responses of an item response study."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import findings, store
    from calscore.irt import study

    given, out, settings = snakemake.input, snakemake.output, snakemake.params.settings
    members = store.empty("group_members")
    if snakemake.params.sources is None:
        segmentation = snakemake.params.segmentation
        clues = store.read(given.clues)
        guesses = store.read(given.guesses) if given.guesses else None
        if guesses is not None:
            guesses = guesses[guesses["segmentation"] == segmentation]
        items, agents, responses, found = study.from_live(
            store.read(given.questions),
            clues[clues["segmentation"] == segmentation],
            store.read(given.buzzes),
            guesses,
            snakemake.params.names,
            settings,
        )
    else:
        items, agents, responses, grouped, found = study.from_files(
            snakemake.params.sources, settings
        )
        members = members if grouped is None else grouped
    items, agents, responses, found = study.finish(items, agents, responses, found)
    parents = {"items": items, "agents": agents}
    store.write(items, "items", out.item_list)
    store.write(agents, "agents", out.agents)
    store.write(responses, "agent_responses", out.responses, parents)
    store.write(members, "group_members", out.members)
    store.write_csv(findings.frame(found), out.findings)
