"""Verdicts of people on answers as a tidy table."""

from calscore.rule import guard

with guard(snakemake):
    from calscore import store
    from calscore.options_study import reading

    results = store.read(snakemake.input.results)
    table = reading.read_annotations(snakemake.input.annotations, results)
    store.write(table, "option_annotations", snakemake.output.annotations)
