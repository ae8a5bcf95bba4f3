"""P(correct | buzz) of humans and live models."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import store
    from calscore.human import precision

    questions = store.read(snakemake.input.questions)
    buzzes = store.read(snakemake.input.buzzes)
    table = precision.precision(
        questions, buzzes, snakemake.params.names, **snakemake.params.options
    )
    store.write(table, "precision", snakemake.output.precision)
    store.write_csv(table, snakemake.output.table)
