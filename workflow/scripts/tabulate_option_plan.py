"""Requests, tokens and price of every file of requests that a guesser is sent."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.choices import asking, sending
    from calscore.core import store
    from calscore.guess import ask

    plans = []
    for guesser, path in zip(snakemake.params.guessers, snakemake.input.requests, strict=True):
        rows = asking.read_lines(path, asking.REQUEST_KEYS)
        plans.append(ask.plan(guesser, {Path(path).stem: sending.requests(guesser, rows)}))
    store.write_csv(pd.concat(plans), snakemake.output.plan)
