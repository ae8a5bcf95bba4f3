"""The specification curve, and which conclusions hold where."""

from calscore.core.step import guard

with guard(snakemake):
    import yaml
    from calscore.answers import judging
    from calscore.core import store
    from calscore.inference import specification
    from calscore.scores import score

    given, options = snakemake.input, snakemake.params.options
    printed = None
    if given.get("published"):
        with open(given.published, encoding="utf-8") as handle:
            printed = yaml.load(handle, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        printed = printed.get("table1", {}).get("scores")
    rows = score.scored_rows(store.read(given.responses), store.read(given.human_curve))
    rows["condition"] = judging.conditions(rows, store.read(given.questions))
    table = specification.curve(rows, store.read(given.verdicts))
    store.write_csv(table, snakemake.output.specifications)
    orders = specification.orders(
        table,
        printed,
        store.read(given.comparisons),
        options["primary_segmentation"],
        options["primary_definition"],
        options["reductions"],
    )
    store.write_csv(orders, snakemake.output.conclusions)
