"""Verdicts of people on answers as a tidy table."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.choices import reading
    from calscore.core import store

    results = store.read(snakemake.input.results)
    table = reading.read_annotations(snakemake.input.annotations, results)
    store.write(table, "option_annotations", snakemake.output.annotations)
