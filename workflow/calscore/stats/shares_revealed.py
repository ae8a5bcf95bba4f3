"""Accuracy and buzzes by share of the clues revealed, of models and of people."""

import numpy as np
import pandas as pd

from . import proportions
from .bootstrap import Bootstrap

DECILES = tuple(k / 10 for k in range(1, 11))
READINGS = ("at", "released")


def rows_at_shares(rows: pd.DataFrame, reading: str) -> pd.DataFrame:
    """``rows`` (question_id, clue, n_clues and more) with ``revealed``, the share of clues revealed, in [0, 1].

    ``reading`` at (or any other): for each of :data:`DECILES` the row of clue ⌊share · clues⌋, if there is
    one; a row may come several times. ``released``: each row once, at ⌊10·clue/clues⌋/10 as the
    released plot has it, so that a question may have several rows at a share or none.
    """
    clue, total = rows["clue"].to_numpy(), rows["n_clues"].to_numpy()
    if reading == "released":
        return rows.assign(revealed=(10 * clue // total) / 10)
    parts = []
    for share in DECILES:
        # s·T in whole tenths, so that .3 of 10 clues is clue 3.
        parts.append(rows[clue == np.round(share * 10).astype(int) * total // 10].assign(revealed=share))
    return pd.concat(parts, ignore_index=True)


def accuracy_by_share(
    rows: pd.DataFrame, group: list[str], level: float, clusters: list[str]
) -> pd.DataFrame:
    """Share of right answers by share of clues revealed: a row per reading (:data:`READINGS`), ``group`` and decile.

    ``rows``: ``group`` columns, correct (nullable; ``unknown`` counts NA) and those of :func:`rows_at_shares`. A
    decile without a judged answer has no row, nor has share 0. Wilson's ``low`` and ``high`` rest on ``n_effective``,
    as answers with one value of ``clusters`` (one or two columns) are correlated. Sorted by reading, group, share.
    """
    parts = []
    key = [*group, "revealed"]
    for reading in READINGS:
        states = rows_at_shares(rows, reading)
        states = states[states["revealed"].isin(DECILES)]
        judged = states["correct"].notna()
        answered = states[judged].assign(correct=states.loc[judged, "correct"].astype(int))
        lines = []
        for place, answers in answered.groupby(key, sort=True):
            bounds = proportions.clustered_wilson(
                answers["correct"], [answers[name] for name in clusters], level
            )
            lines.append((*place, answers["correct"].sum(), len(answers), *bounds))
        table = pd.DataFrame(lines, columns=[*key, "correct", "n", "n_effective", "low", "high"])
        unknown = states[~judged].groupby(key).size()
        unknown = unknown.reindex(pd.MultiIndex.from_frame(table[key]), fill_value=0).to_numpy()
        parts.append(table.assign(reading=reading, unknown=unknown))
    table = pd.concat(parts, ignore_index=True)
    table["accuracy"] = table["correct"] / table["n"]
    columns = ["n", "n_effective", "unknown", "correct", "accuracy", "low", "high"]
    key = ["reading", *key]
    return table[[*key, *columns]].sort_values(key, ignore_index=True)


def buzz_rate_by_share(rows: pd.DataFrame, group: list[str], bootstrap: Bootstrap) -> pd.DataFrame:
    """P(b | g), the rate of buzzes ``p`` per judged clue: a row per ``group``, ``given`` and ``revealed``, in this order.

    ``given``: the answer is correct or incorrect; ``revealed``: share of the clues, rounded up to tenths.
    ``rows``: agent, ``group`` columns, question_id, clue, n_clues, correct, buzz (NA: none). Left out are
    rows whose ``correct`` is NA, then those after an agent's first buzz on a question. ``p`` is the mean over
    ``agents`` of buzzes per clue; ``n`` and ``buzzes`` are counts over all. Bounds ``low`` and ``high``
    resample agents; of a single one they are Wilson's, as if answers were independent.
    """
    rows = rows[rows["correct"].notna()].sort_values([*group, "agent", "question_id", "clue"], kind="stable")
    buzz = rows["buzz"].fillna(False).astype(bool)
    path = [rows[name] for name in dict.fromkeys([*group, "agent", "question_id"])]
    before = buzz.groupby(path).cumsum() - buzz
    until_buzz = rows[before == 0].assign(buzz=buzz[before == 0].astype(int))
    until_buzz["revealed"] = np.ceil(10 * until_buzz["clue"] / until_buzz["n_clues"] - 1e-9) / 10
    until_buzz["given"] = np.where(until_buzz["correct"].astype(bool), "correct", "incorrect")
    per = until_buzz.groupby([*group, "agent", "given", "revealed"])["buzz"].agg(["sum", "size"])
    per = per.reset_index()
    per["p"] = per["sum"] / per["size"]
    key = [*group, "given", "revealed"]
    table = per.groupby(key, as_index=False).agg(
        agents=("agent", "size"), n=("size", "sum"), buzzes=("sum", "sum"), p=("p", "mean")
    )
    table["low"], table["high"] = proportions.wilson(table["buzzes"], table["n"], bootstrap.level)
    for place, agents in per.groupby(key):
        if len(agents) > 1:
            low, high = bootstrap.mean_interval(agents["p"].to_numpy())
            is_place = (table[key] == list(place)).all(axis=1)
            table.loc[is_place, ["low", "high"]] = low, high
    return table
