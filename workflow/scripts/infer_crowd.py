"""P(correct | buzz) of humans and live models."""

from calscore.rule import guard

with guard(snakemake):
    from calscore import crowd, store

    questions = store.read(snakemake.input.questions)
    buzzes = store.read(snakemake.input.buzzes)
    table = crowd.precision(questions, buzzes, snakemake.params.names, **snakemake.params.options)
    store.write(table, "precision", snakemake.output.precision)
    store.write_csv(table, snakemake.output.table)
