"""Intervals behind the ledger: for each recomputed number that a claim compares, how sure it is."""

from __future__ import annotations

import numpy as np
import pandas as pd

from . import inference
from .claims import _PERCENTS, _group_of, _members, _paper_rows

_BOTH = "questions and teams resampled"
_QUESTIONS = "questions resampled"


def _text(value: float, low: float, high: float, how: str) -> str:
    return f"{value:.3f} [{low:.3f}, {high:.3f}] ({how})"


def _precision(tables, found):
    """P(correct | buzz) of the pools and of each live model, overall and by category."""
    names = {"human": "H", "model": "M"}
    for row in tables["precision"].itertuples():
        how = _BOTH if row.kind == "human" else _QUESTIONS
        text = f"P(correct | buzz) {_text(row.value, row.low, row.high, how)}"
        if row.kind == "model" and pd.notna(row.difference):
            ends = row.difference, row.difference_low, row.difference_high
            text += f", minus humans {_text(*ends, _BOTH)}"
        group = names.get(row.group, row.group)
        key = ("tally", group) if row.category == "all" else ("by_category", group, row.category)
        found[key] = text


def _quartiles(tables, level, found):
    """P(correct | buzz) of each quartile, its buzzes clustered by question and team."""
    buzzes, teams = tables["buzzes"], tables["teams"]
    for reading, rule in (("total-correct", "paper"), ("release", "release")):
        for group, names in _members(teams, rule).items():
            mine = buzzes[buzzes["team"].isin(names)]
            if not group.startswith("Q") or mine.empty:
                continue
            clusters = [mine["question_id"], mine["team"]]
            worth, low, high = inference.clustered_wilson(mine["correct"], clusters, level)
            how = f"Wilson's on the {worth:.0f} independent buzzes that {len(mine)} are worth"
            value = mine["correct"].mean()
            found["quartile_tally", reading, group] = (
                f"P(correct | buzz) {_text(value, low, high, how)}"
            )


def _positions(tables, replicates, seed, level, found):
    """Mean share of the question heard at a buzz, of each group."""
    words = tables["questions"].set_index("question_id")["n_words"]
    buzzes = tables["buzzes"]
    share = (buzzes["word_index"] + 1) / buzzes["question_id"].map(words)
    ids = pd.Index(words.index)
    for group, at in buzzes.groupby(_group_of(buzzes)).indices.items():
        of, shares = buzzes.iloc[at], share.iloc[at]
        teams = pd.Index(sorted(of["team"].unique()))
        w, v = inference.two_way_weights(len(ids), len(teams), replicates, seed)
        place = ids.get_indexer(of["question_id"]) * len(teams) + teams.get_indexer(of["team"])
        top, bottom = (
            np.bincount(place, weights, len(ids) * len(teams)).reshape(len(ids), len(teams))
            for weights in (shares.to_numpy(), None)
        )
        v = v if group == "H" else None
        under = inference.crossed_draws(bottom, w, v)
        draws = inference.crossed_draws(top, w, v)[under > 0] / under[under > 0]
        low, high = inference.percentile_interval(draws, level)
        how = _BOTH if group == "H" else _QUESTIONS
        found["buzz_revealed", group] = f"mean share heard {_text(shares.mean(), low, high, how)}"


def _curves(tables, found):
    """The end of each curve of figure 4."""
    table = tables["cumulative_buzzes"]
    table = table[table["clue"] == table["clue"].max()]
    for row in table.itertuples():
        for reading, rule, column in (
            ("per-question", "paper", "per_question"),
            ("release", "release", "per_clue"),
        ):
            if row.rule not in (rule, "model", "all"):
                continue
            low, high = getattr(row, f"{column}_low"), getattr(row, f"{column}_high")
            how = _QUESTIONS
            if column == "per_question" and pd.notna(row.per_question_two_way_low):
                low, high = row.per_question_two_way_low, row.per_question_two_way_high
                how = _BOTH
            group = "H" if row.group == "human" else row.group
            text = _text(getattr(row, column), low, high, how)
            found["curves", reading, row.outcome, group] = f"at the last clue {text}"


def _scores(tables, segmentation, found):
    """Scores with both kinds of interval, and how often each rank is the one that was found."""
    for definition, name in (("paper", "scores"), ("release", "release_scores")):
        frame = tables["model_scores"]
        rows, _ = _paper_rows(frame[frame["definition"] == definition], segmentation)
        for row in rows.itertuples():
            text = _text(row.value, row.low, row.high, _QUESTIONS)
            if pd.notna(row.two_way_low):
                text += f", [{row.two_way_low:.3f}, {row.two_way_high:.3f}] ({_BOTH})"
            found[name, row.elicitation, row.model, row.metric] = text
    frame = tables["rank_probabilities"]
    models = tables["model_scores"]["model"].unique()
    frame = frame[(frame["definition"] == "paper") & frame["model"].isin(models)]
    rows, _ = _paper_rows(frame, segmentation)
    for key, of in rows.groupby(["elicitation", "model", "metric"]):
        of = of[of["probability"] >= 0.005]
        shares = ", ".join(f"rank {r.rank}: {r.probability:.2f}" for r in of.itertuples())
        found["score_ranks", *key] = f"share of replicates with {shares}"


def _categories(tables, found):
    table = tables["table5"]
    table = table[(table["level"] == "merged") & (table["definition"] == "paper")]
    for row in table.itertuples():
        for metric in ("calscore", "mce"):
            ends = (getattr(row, f"{metric}{end}") for end in ("", "_low", "_high"))
            key = ("category_scores", row.elicitation, row.model, row.category, metric)
            found[key] = _text(*ends, _QUESTIONS)


def _accuracy(tables, segmentation, level, found):
    """Share right at clue ⌈p·T⌉, one answer a question."""
    rows, _ = _paper_rows(tables["responses"], segmentation)
    rows = rows[rows["elicitation"] == "logit"]
    total = rows.groupby(["model", "question_id"])["clue"].transform("max")
    for percent in _PERCENTS:
        at = rows[rows["clue"] == -(-percent * total // 100)]
        for model, of in at.groupby("model"):
            low, high = inference.wilson([of["correct"].sum()], [len(of)], level)
            text = _text(of["correct"].mean(), low[0], high[0], f"Wilson's, {len(of)} questions")
            found["accuracy", model, percent] = f"at {percent} % of the clues {text}"


def intervals(
    tables: dict, segmentation: str, replicates: int, seed: int, level: float
) -> dict[tuple, str]:
    """Place of a quantity of ``calscore.claims`` → its value and interval as text.

    ``tables``: those of the ledger, with precision, cumulative_buzzes, rank_probabilities and table5
    where the study has them. A place is the quantity's name and the keys that lead to a part.
    """
    found: dict[tuple, str] = {}
    # A study may have guesses of none of the paper's models.
    have = {name for name, table in tables.items() if len(table)}
    if "precision" in have:
        _precision(tables, found)
    if {"buzzes", "teams", "questions"} <= have:
        _quartiles(tables, level, found)
        _positions(tables, replicates, seed, level, found)
    if "cumulative_buzzes" in have:
        _curves(tables, found)
    if {"model_scores", "rank_probabilities"} <= have:
        _scores(tables, segmentation, found)
    if "table5" in have:
        _categories(tables, found)
    if "responses" in have:
        _accuracy(tables, segmentation, level, found)
    return found
