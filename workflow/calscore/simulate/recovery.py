"""What a simulated study was made with beside what was estimated from its files: tables/recovery.

One function a kind of study; each takes only what the simulator and the study both count.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd

from ..core import store
from ..scores.metrics import question_errors
from .tournament import part_chance

CHANGE = "right, change by options"
SETTINGS = {"N": "without options", "D": "with options"}
"""Letter of the columns of option_scores → words; in the order normal, distractor of the truth."""


def _read(truth) -> dict:
    return json.loads(Path(truth).read_text(encoding="utf-8"))


def _table(rows) -> dict:
    return {"recovery": store.frame(rows, "recovery")}


def of_buzzes(
    truth, responses, human_curve, model_scores, team_summary, replies, primary_segmentation
) -> dict:
    """A study in the formats of the release: accuracy and CalScore by the simulator's marks in place of the judged ones
    (the paper's definition), replies that cannot be read, packets that teams played.

    Marks are one 0 or 1 a guess in the order of positions; where clues are not the positions of guesses a model has no row.
    """
    known, at = _read(truth), {"segmentation": primary_segmentation, "marks": "engine"}
    h = human_curve[human_curve["h_definition"] == "buzzed_so_far"]
    by = ["segmentation", "question_id", "clue"]
    mine = _at(responses, at).merge(h[[*by, "h"]], on=by).sort_values(["question_id", "clue"])
    scores = _at(model_scores, at | {"definition": "paper"})
    rows = []
    for (elicitation, model), of in mine.groupby(["elicitation", "model"]):
        of = of[of["reduction"] == of["reduction"].min()]
        marks = known["correct"].get(elicitation, {}).get(model, {})
        clues = of.groupby("question_id")["clue"].size()
        if any(len(marks.get(question, "")) != n for question, n in clues.items()):
            continue
        right = np.array([*"".join(marks[question] for question in clues.index)]) == "1"
        scored = of["confidence"].notna().to_numpy()
        of, marked = of[scored], right[scored]
        starts = np.flatnonzero(~of["question_id"].duplicated())
        _, errors = question_errors(marked, of["confidence"], of["h"], starts, "paper")
        found = _at(
            scores,
            {"elicitation": elicitation, "model": model, "reduction": of["reduction"].iloc[0]},
        )
        for metric, true, n in (
            ("accuracy", right.mean(), "n_rows"),
            ("calscore", errors.mean(), "n_questions"),
        ):
            one = found[found["metric"] == metric].iloc[0]
            rows.append(_row(metric, f"{model}, {elicitation}", true, one["value"], one[n], one["low"], one["high"]))  # fmt: skip
    lost = pd.Series([model for model, *_ in known["unparsable"]], dtype=object).value_counts()
    for one in _at(replies, {"elicitation": "verbalized"}).itertuples():
        if one.model in known["models"]:
            rows.append(_row("replies not read", one.model, lost.get(one.model, 0), one.unparsed, one.replies))  # fmt: skip
    for one in team_summary[team_summary["team"].isin([*known["packets_played"]])].itertuples():
        played = len(known["packets_played"][one.team])
        rows.append(_row("packets played", one.team, played, one.packets, one.packets))
    return _table(rows)


def of_options(truth, option_scores, judge_agreement, judge_verdicts) -> dict:
    """Answer options: shares right and their change, calibration error, verdicts of annotators and of models on themselves."""
    known = _read(truth)
    given = known["parameters"]
    rows = []
    scores = _at(option_scores, {"judging": "shared", "reading": "as_wrong"}).set_index("model")
    for model, of in known["models"].items():
        one = scores.loc[model]
        for letter, true in zip(SETTINGS, of.values(), strict=True):
            for says, key, column in (
                ("right", "right", "right_share"),
                ("ECE", "ece_as_wrong", "ece"),
            ):
                column = f"{letter}_{column}"
                ends = one[f"{column}_low"], one[f"{column}_high"]
                rows.append(_row(f"{says}, {SETTINGS[letter]}", model, true[key], one[column], one[f"{letter}_n"], *ends))  # fmt: skip
        change = of["distractor"]["right"] - of["normal"]["right"]
        ends = one["right_change_low"], one["right_change_high"]
        rows.append(_row(CHANGE, model, change, one["right_change"], one["n_paired"], *ends))
    against = _at(judge_agreement, {"scope": "annotated", "second": "shared judge"})
    for one in against[against["first"].isin(given["annotators"]["names"])].itertuples():
        rows.append(_row("agrees with the shared judge", one.first, 1 - given["annotators"]["slip"], one.agreed, one.n))  # fmt: skip
    none = _at(judge_verdicts, {"shared_judge": "not attempted"})
    n = none["n"].sum()
    if n:
        called = none.loc[none["own_judge"] != "not attempted", "n"].sum()
        rows.append(_row("not attempted, called an answer by the own judge", "all", given["own_judge"]["none_wrong"], called / n, n))  # fmt: skip
    return _table(rows)


def of_tournament(truth, bonuses, findings) -> dict:
    """A tournament: hazards that were planted and are found; bonus parts and whole bonuses that submissions have right."""
    planted = _read(truth)["hazards"]
    found = len({*planted} & {*findings["finding"]})
    rows = [_row("hazards found", "all", len(planted), found, len(planted))]
    chances = [part_chance(part) for part in (1, 2, 3)]
    expected = {"part_accuracy": np.mean(chances), "question_accuracy": np.prod(chances)}
    for one in _at(bonuses, {"reading": "manual"}).itertuples():
        if one.metric in expected:
            rows.append(_row(one.metric.replace("_", " "), one.submission, expected[one.metric], one.value, one.parts_used, one.low, one.high))  # fmt: skip
    return _table(rows)


def _at(table, where: dict):
    """Rows of a table with these values."""
    return table[(table[[*where]] == pd.Series(where)).all(axis=1)]


def _row(quantity, name, truth, estimate, n, low=np.nan, high=np.nan) -> dict:
    row = {"quantity": quantity, "name": name, "truth": float(truth), "estimate": float(estimate)}
    return row | {"low": low, "high": high, "n": int(n)}
