"""The ledger: every published statement against what was computed."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    import yaml
    from calscore.core import store
    from calscore.published import claim_intervals, claims, ranges

    options, given = snakemake.params.options, snakemake.input
    with open(given.published, encoding="utf-8") as handle:
        published = yaml.load(handle, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    names = [
        "questions",
        "clues",
        "buzzes",
        "exposures",
        "human_curve",
        "teams",
        "responses",
        "model_scores",
        "question_scores",
        "survey_responses",
        "players",
    ]
    tables = {name: store.read(given[name]) for name in names if given.get(name)}
    tables = claims.of_the_paper(tables, published)
    tables_csv = {"cumulative_buzzes": given.cumulative_buzzes, "table5": given.get("table5")}
    more = {name: pd.read_csv(path) for name, path in tables_csv.items() if path}
    for name in ("precision", "rank_probabilities"):
        if given.get(name):
            more[name] = store.read(given[name])
    intervals = claim_intervals.intervals(
        tables | more,
        options["primary_segmentation"],
        options["replicates"],
        options["seed"],
        options["level"],
    )
    quantities = claims.quantities(tables, options["primary_segmentation"])
    ledger = claims.evaluate(published, quantities, snakemake.params.simulated, intervals)
    store.write_csv(ledger, snakemake.output.claims)
    store.write_csv(ranges.table(published, tables["human_curve"]), snakemake.output.attainable)
