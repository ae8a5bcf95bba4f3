"""Requests, tokens and price of every guesser that asks an endpoint."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import store
    from calscore.guess import ask, corpus

    options = snakemake.params.options
    questions = store.read(snakemake.input.questions)
    past = corpus.parse_questions(snakemake.input.corpus) if snakemake.input.corpus else None
    segmentation, seed = options["primary_segmentation"], options["seed"]
    plans = [
        ask.plan(guesser, ask.requests(guesser, questions, past, segmentation, seed))
        for guesser in snakemake.params.guessers
    ]
    store.write_csv(pd.concat(plans), snakemake.output.plan)
