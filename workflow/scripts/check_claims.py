"""The ledger: every published statement against what was computed."""

from calscore.rule import guard

with guard(snakemake):
    import yaml
    from calscore import claims, ranges, store

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
    quantities = claims.quantities(tables, options["primary_segmentation"])
    ledger = claims.evaluate(published, quantities, snakemake.params.simulated)
    store.write_csv(ledger, snakemake.output.claims)
    store.write_csv(ranges.table(published, tables["human_curve"]), snakemake.output.attainable)
