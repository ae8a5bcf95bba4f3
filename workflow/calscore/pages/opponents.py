"""Models against human teams and against each other, one row per model, from tables/leaderboard_pairs."""

import pandas as pd

from ..leaderboard.pairs import CROWD, MEETINGS
from ..leaderboard.replay import MARK
from .wording import outcome, percent, percent_span

KINDS = ("live", "submitted", "replayed")
"""How a model took part, the form that stands for the model first."""
_RULES = ("as stated", "given", "tuned")


def meetings(pairs: pd.DataFrame) -> pd.DataFrame:
    """Rows of tables/leaderboard_pairs that count meetings on questions: with ``share`` that ``a`` won and its bounds ``low``, ``high``."""
    met = pairs[pairs["metric"] == MEETINGS["metric"]]
    return met.assign(share=met["a_value"], low=(1 + met["low"]) / 2, high=(1 + met["high"]) / 2)


def fields(table: pd.DataFrame) -> list[pd.DataFrame]:
    """Rows of :func:`meetings` among live models and teams, then those among all other models and teams, each where there are any.

    A live model may meet an opponent who is first, a submitted or replayed one never does: the two are not compared.
    """
    live, humans = table["a_kind"] == "live", table["b_kind"].str.startswith("human")
    alike = table[humans | (live == (table["b_kind"] == "live"))]
    return [part for _, part in alike.groupby(alike["a_kind"] != "live")]


def kinds_in_words(kinds: set[str]) -> str:
    """How models took part: "live", "submitted or replayed"."""
    return " or ".join(kind for kind in KINDS if kind in kinds)


def both_sides(table: pd.DataFrame) -> pd.DataFrame:
    """The table with every pair of models twice, the second time turned round, so that each model stands as ``a``."""
    pairs = table[~table["b_kind"].str.startswith("human")]
    swap = {c: "ba"[c[0] == "b"] + c[1:] for c in table if c[:2] in ("a", "b", "a_", "b_")}
    turned = pairs.rename(columns=swap)
    turned["share"], turned["low"], turned["high"] = (1 - pairs[c] for c in ("share", "high", "low"))
    turned["p_better"] = 1 - pairs["p_better"]
    return pd.concat([table, turned], ignore_index=True)


def _way(name: str, kind: str) -> str:
    """How a model of that name took part: "live", "replayed, tuned"."""
    return f"{kind}, {name.partition(MARK)[2][:-1]}" if MARK in name else kind


def base_name(name: str) -> str:
    """The name or key of a model without the parenthesis that says how it was replayed."""
    return name.split(MARK)[0]


def _rule(key: str) -> str:
    """How a key says that a model was replayed: "as stated", "tuned" or a threshold; "" where it was not."""
    return key.partition(MARK)[2].rstrip(")").split(", ")[-1]


def _precedence(key: str, kind: str, given: int) -> tuple[int, int, str]:
    """Sort key among the variants of a model: live, submitted, then replayed as stated, as given, as tuned.

    ``given``: number of thresholds that the model is replayed at; several are those of other models, and come last.
    """
    rule = _rule(key)
    place = _RULES.index(rule) if rule in _RULES else 1 if given == 1 else len(_RULES)
    return KINDS.index(kind), place, key


def main_variants(table: pd.DataFrame) -> dict[str, str]:
    """Base name of a model → the key of its variant that comes first by :func:`_precedence`."""
    keys = set(zip(table["a"], table["a_kind"], strict=True))
    models = table[~table["b_kind"].str.startswith("human")]
    keys |= set(zip(models["b"], models["b_kind"], strict=True))
    given: dict[str, set] = {}
    for key, _ in keys:
        given.setdefault(base_name(key), set()).update({_rule(key)}.difference(("", *_RULES)))
    chosen: dict[str, str] = {}
    for key, _ in sorted(keys, key=lambda pair: _precedence(*pair, len(given[base_name(pair[0])]))):
        chosen.setdefault(base_name(key), key)
    return chosen


def meeting(row) -> dict:
    """One comparison as pages show it, from a row of :func:`both_sides`: ``a`` is the model, ``b`` the
    opponent. Keys: ``model`` and ``opponent``; name, kind and yours of the model; questions, decided, share,
    low, high, p_better; share and interval as text (percent, span); outcome (:func:`.wording.outcome`)."""
    return {
        "model": row.a,
        "opponent": row.b,
        "name": row.a_name,
        "kind": row.a_kind,
        "yours": bool(row.a_yours),
        "questions": int(row.questions),
        "decided": row.decided,
        "share": row.share,
        "low": row.low,
        "high": row.high,
        "p_better": row.p_better,
        "percent": percent(row.share),
        "span": percent_span(row.low, row.high),
        "outcome": outcome(row.low, row.high, 0.5, row.share),
    }


def against_teams(table: pd.DataFrame) -> list[dict]:
    """One entry per model, its main variant against all human teams; the user's own first, then by share,
    missing ones last. ``variants``: the :func:`meeting` of each of its other variants. Models that have not
    met the teams are left out."""
    mains = set(main_variants(table).values())
    rows = [meeting(row) for row in table[table["b_kind"] == "human teams"].itertuples()]
    models = [row for row in rows if row["model"] in mains]
    for model in models:
        model["label"], model["way"] = base_name(model["name"]), _way(model["name"], model["kind"])
        alike = (row for row in rows if base_name(row["model"]) == base_name(model["model"]))
        model["variants"] = [row for row in alike if row["model"] not in mains]
    models.sort(key=lambda row: (not row["yours"], -known_share(row["share"]), row["label"]))
    return models


def own_matches(table: pd.DataFrame) -> list[list[dict]]:
    """For each of the user's models, best against the teams first, its main variant's meetings: with the
    teams, then each model. Models that have not met the teams come last. ``yours``: whether the opponent is
    the user's too."""
    mains = main_variants(table)
    sides = both_sides(table)
    yours = sides.loc[sides["a_yours"].astype(bool), "a"]
    own = [m["model"] for m in against_teams(table) if m["yours"]]
    own += sorted({*yours} & {*mains.values()} - {*own})
    met = sides[sides["b"].isin(mains.values()) | (sides["b_kind"] == "human teams")]
    models = []
    for model in own:
        rows = []
        for row in met[met["a"] == model].itertuples():
            teams = row.b_kind == "human teams"
            label = "all human teams" if teams else base_name(row.b_name)
            extras = {"label": label, "kind": "" if teams else row.b_kind, "teams": teams}
            extras["way"] = "" if teams else _way(row.b_name, row.b_kind)
            rows.append(meeting(row) | extras | {"yours": bool(row.b_yours)})
        rows.sort(key=lambda row: (not row["teams"], -known_share(row["share"]), row["label"]))
        models.append(rows)
    return models


def win_matrix(table: pd.DataFrame, most: int = 8) -> dict:
    """Meetings of the ``most`` best models (rows) with the human teams and each other (columns). The user's
    own are taken first, as in :func:`against_teams`. Keys: ``kinds`` (how these models took part), ``heads``
    (names of columns), ``rows`` (``label``; ``cells``: :func:`meeting`, None where two have no row)."""
    mains = main_variants(table)
    sides = both_sides(table)
    names = dict(zip(sides["a"], sides["a_name"], strict=True))
    order = [model["model"] for model in against_teams(table)]
    order += sorted(set(mains.values()) - set(order))
    order = order[:most]
    heads = {CROWD: "human teams"} if (sides["b"] == CROWD).any() else {}
    heads |= {key: base_name(names[key]) for key in order}
    cells = {(row.a, row.b): meeting(row) for row in sides.itertuples()}
    kinds = dict(zip(sides["a"], sides["a_kind"], strict=True))
    return {
        "kinds": kinds_in_words({kinds[key] for key in order}),
        "heads": [*heads.values()],
        "rows": [
            {"label": heads[key], "cells": [cells.get((key, opponent)) for opponent in heads]}
            for key in order
        ],
    }


def known_share(share: float) -> float:
    """The share, −1 for nan, so that those without one sort last."""
    return share if share == share else -1.0
