"""Forensics: every printed number against what the released buzzes and its neighbours allow."""

from calscore.core.step import guard

with guard(snakemake):
    import yaml
    from calscore.core import store
    from calscore.published import forensics

    given, out = snakemake.input, snakemake.output
    with open(given.published, encoding="utf-8") as handle:
        published = yaml.load(handle, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    names = ("human_curve", "clues", "questions")
    tables = {name: store.read(given[name]) for name in names}
    found = forensics.examine(published, **tables, simulated=snakemake.params.simulated)
    store.write_csv(found, out.forensics)
    store.write_csv(forensics.verdicts(found), out.cells)
    store.write_csv(forensics.readings(found, published), out.readings)
