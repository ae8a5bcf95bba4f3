"""The model of all responses and what it says."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import store
    from calscore.irt import study

    given, out, settings = snakemake.input, snakemake.output, snakemake.params.settings
    items, signs, text, agents = study.read(given)
    found = study.fit_study(items, signs, text, settings)
    tables = study.fit_tables(found, items, agents, signs, settings)
    tables["relevance"] = study.relevance_table(found, items, given.features, settings)
    parents = {"items": items, "agents": agents}
    store.write(tables["item_parameters"], "item_parameters", out.item_parameters, parents)
    store.write(tables["skills"], "skills", out.skills)
    store.write(tables["complementarity"], "complementarity", out.complementarity, parents)
    store.write_csv(tables["skills"], out.skills_csv)
    store.write_csv(tables["complementarity_summary"], out.complementarity_summary)
    for name in (
        "contrasts",
        "agent_fit",
        "stability",
        "q3",
        "dif",
        "clusters",
        "cluster_accuracy",
        "relevance",
        "pairs",
    ):
        store.write_csv(tables[name], out[name])
