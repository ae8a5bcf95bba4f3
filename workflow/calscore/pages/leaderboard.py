"""The leaderboard as one HTML page that needs nothing else."""

import math
from itertools import chain

import pandas as pd

from ..leaderboard.ranks import KEY, NO_RANK
from ..leaderboard.replay import MARK, is_replayed, replay_rules
from ..leaderboard.tossups import early_stop_table
from ..scores import metrics
from . import base
from .dot_charts import FORMULAS
from .opponents import KINDS, both_sides, fields, known_share, main_variants, meeting, meetings
from .wording import SHAPES, decimal, percent, span

DEFINITIONS = {
    "Expected Score": "Mean over questions of points · (1 − h), as the public scorer computes it. A right first buzz gives 1 point, a wrong one −0.5, silence 0. h is the share of logged human plays that were right at an earlier word, 0 where no human played. Strict, by the letter of the manual: a model scores only if it buzzes before the human, so h is the share of plays with a human buzz at or before the model's, right or wrong.",
    "Precision": "Right buzzes over all buzzes. Code: over all questions.",
    "Frequency": "Share of questions with a buzz.",
    "Position": "Mean number of words heard at the first buzz, over questions with a buzz.",
    "Win Rate": "Mean over questions of the share of logged human plays that the submission wins. By the manual: right, with no earlier right answer of that human. Code: right and not later than the human; also wherever the human lost points by a wrong buzz earlier, even if the submission is silent or wrong. Strict: right and not later than the human. No human right earlier, a reading of this project: right, and no human was right at an earlier word. Where a source gives no points, each wrong human buzz lost some. Questions without plays are left out; a live model may have been first there.",
    "Tossup score": "Mean over questions of the points of the first buzz, whatever humans did; 0 without a buzz. Code, as the public scorer computes it: 1 right, −0.5 wrong, at the last run 1 and 0. Comment, as a comment in the scorer says: 10 and −5, at the last run 5 and 0. For a live model the question's end stands for the last run.",
    "MCE and CalScore": "Over the runs of a question, c is the confidence, g whether the guess is right, h the share of humans right by then. GRACE's formula: 1 − r(mean g·c) and 1 − r(mean (1 − h)·g·c), with g = ±1 and r the logistic function rescaled to 0 at −1 and 1 at 1. GRACE's released code: 1 − mean, with g = 0 or 1. Lower is better.",
    "ECE and Brier": "ECE has ten equal bins; Brier is the mean squared difference of confidence and correctness. GRACE's formula: over every run. Its released code: over the last run of each question. Lower is better.",
    "Early-stopped": "The submission holds only the runs up to its first buzz and the last one. Its calibration would be biased, so it is not given unless the configuration asks for it.",
    "Classes": "best, late, premature: the buzz at, after, before the first right guess. never buzzed: some guess was right. hopeless: none was. Gap: words from the first right guess to the buzz. An early-stopped submission lacks runs after its buzz, so premature buzzes have too long gaps or pass for hopeless ones.",
    "Live": "Buzzes made in a match. An opponent who was first keeps the model from buzzing, so frequency and scores of live and of replayed models are not comparable. A live model has no confidences.",
    "Replayed": "A model that came as guesses. It buzzes at the first guess that is flagged as a buzz (as stated) or whose score is above a threshold: given as a number, or tuned on other folds of the questions. No opponent keeps it from buzzing, so it has no rank among live models. Its rank among submitted ones moves none of them; without any, replayed models are ranked among themselves. Yours moves no other.",
    "Ranks": "Each two are compared on the questions that both answered or heard (tables/leaderboard_pairs.csv). A rank is one more than the number of those whose wins less losses against all others are higher. The bounds of the rank are over bootstrap replicates, all submissions resampled together; of Expected Score and Win Rate also over resampled human teams, where plays name them. A submission that answered less than the option rank_coverage asks has no rank and moves nobody. Live models are ranked apart. Submissions with a group are ranked among those of their group.",
    "Head to head": "On common questions the earlier buzz plays first. If it is wrong, the other's own buzz counts. A team without a buzz loses to a right one, even where its own opponent was first; this raises the share of the submission. Share: (won + tied / 2) / meetings that either got right. An interval above 50 % means better, below it worse; otherwise it is too close to call.",
    "Intervals": "Percentile intervals from resampling questions; against all human teams together also from resampling teams. Shares of pairs and classes have Wilson's, as have precision, frequency and win rate where all resamples agree.",
    "Bonuses": "Effect: mean(final right) − mean(first right) of the player whose answers the file records; compare submissions that helped the same player. A bonus left out is no part of it. Calibration: mean |correct − confidence| (manual, lower is better), 1 − that (code). Calibrated accuracy: mean of right · (1 − |correct − confidence|). Adoption: share of parts whose final answer is the helper's, also where the player had it before (manual), or whose decision is not “keep” (code).",
}
"""What a heading of the page means, by the name of its anchor."""

COLUMNS = [
    ("expected_score", "manual", "Expected Score ↑"),
    ("win_rate", "manual", "Win Rate ↑"),
    ("buzz_precision", "manual", "Precision ↑"),
    ("buzz_frequency", "manual", "Frequency"),
    ("buzz_position", "manual", "Position, words"),
    ("win_rate", "code", "Win Rate, code ↑"),
    ("win_rate", "code_strict", "Win Rate, strict ↑"),
    ("win_rate", "manual_all", "Win Rate, no human right earlier ↑"),
    ("buzz_precision", "code", "Precision, code ↑"),
    ("expected_score", "manual_strict", "Expected Score, strict ↑"),
    ("tossup_score", "code", "Tossup score, code ↑"),
    ("tossup_score", "comment", "Tossup score, comment ↑"),
]
"""Columns of the table of tossups, the main metric before all."""
FIRST_SHOWN = 5
"""How many of them are shown; the reader can choose the others."""
MAIN = "calscore"


def _calibration(definition: str) -> list[tuple[str, str, str]]:
    """(metric, ``definition``, heading) of each metric of calibration, :data:`MAIN` first."""
    panels = sorted(metrics.panel_metrics("leaderboard"), key=lambda metric: metric.name != MAIN)
    return [(m.name, definition, f"{m.label} {'↑' if m.higher else '↓'}") for m in panels]


BONUSES = [
    ("effect", "manual", "Effect ↑"),
    ("question_accuracy", "manual", "Question Acc ↑"),
    ("part_accuracy", "manual", "Part Acc ↑"),
    ("calibrated_accuracy", "code", "Calibrated Acc, code ↑"),
    ("calibration", "manual", "Calibration, manual ↓"),
    ("calibration", "code", "Calibration, code ↑"),
    ("adoption", "manual", "Adoption, manual"),
    ("adoption", "code", "Adoption, code"),
]
MISSING = {
    "no_buzz": "A question that a submission leaves out, or lists without outputs, counts as silence: 0 points. Its rank counts that question as a wrong buzz at the first word, so leaving out wrong answers gains no rank. Ranks by calibration ask for an answer to every question (option missing_questions: no_buzz).",
    "leave_out": "A question that a submission leaves out is out of its scores, so leaving out wrong answers can gain ranks (option missing_questions: leave_out).",
}
"""What is said beside the board of questions that a submission lacks."""
HELP = {
    **{"expected_score": "Expected Score", "win_rate": "Win Rate", "buzz_precision": "Precision"},
    **{"buzz_frequency": "Frequency", "buzz_position": "Position", "tossup_score": "Tossup score"},
    **{"mce": "MCE and CalScore", "calscore": "MCE and CalScore"},
    **{"ece": "ECE and Brier", "brier": "ECE and Brier"},
    **dict.fromkeys((metric for metric, _, _ in BONUSES), "Bonuses"),
}
"""Metric → its entry of :data:`DEFINITIONS`."""
PERCENT = {"win_rate", "buzz_precision", "buzz_frequency", "question_accuracy"}
PERCENT |= {"part_accuracy", "calibrated_accuracy", "adoption"}
"""Metrics shown in per cent."""


def _cell(metric: str, row, ends: tuple[float, float]) -> dict:
    """One cell: text, sort key, interval, bar in per cent of the axis ``ends``, rank with bounds, note; "–" and the note if missing."""
    cell = {"text": "–", "key": "", "interval": "", "bar": None, "rank": ""}
    cell["note"] = "" if row is None else row.note
    if row is None or not math.isfinite(row.value):
        return cell
    digits = 1 if metric == "buzz_position" else 3
    cell["text"] = percent(row.value) if metric in PERCENT else decimal(row.value, digits)
    cell["key"] = repr(float(row.value))
    if math.isfinite(row.low) and math.isfinite(row.high) and metrics.has_interval(metric):
        in_percent = metric in PERCENT
        cell["interval"] = span(row.low, row.high, *((0, 100) if in_percent else (digits,)))
        width = (ends[1] - ends[0]) or 1.0
        low, place, high = (
            round(100 * (value - ends[0]) / width, 1) for value in (row.low, row.value, row.high)
        )
        cell["bar"] = {"left": low, "width": round(high - low, 1), "at": place}
    if not pd.isna(row.rank):
        bounds = "" if pd.isna(row.rank_low) else f" ({row.rank_low:.0f}–{row.rank_high:.0f})"
        cell["rank"] = f"#{row.rank:.0f}{bounds}"
    elif NO_RANK in row.note:
        cell["rank"] = f"no rank: {row.note.split('; ')[-1].split(NO_RANK)[0]}"
    return cell


def _table(board, columns, counts: list[str], lowest_first: bool = False) -> dict:
    """Heads, counts and rows of a table: one row per submission with the first column's metric, a cell for
    each of ``columns``.

    Sorted by that column: ranked before unranked, the best first (``lowest_first``: the lowest is best).
    Further columns of :data:`COLUMNS` than :data:`FIRST_SHOWN` are hidden at first."""
    by_cell = {(r.submission, r.metric, r.reading): r for r in board.itertuples()}
    groups = dict(iter(board.groupby(["metric", "reading"])))
    numbers = {pair: rows[["value", "low", "high"]] for pair, rows in groups.items()}
    axes = {pair: (part.min(axis=None), part.max(axis=None)) for pair, part in numbers.items()}
    leading = groups.get(columns[0][:2], board.iloc[:0])
    order = leading.assign(unranked=leading["rank"].isna()).sort_values(
        ["unranked", "value", "submission"], ascending=[True, lowest_first, True]
    )
    rows = []
    for head in order.to_dict("records"):
        submission = head["submission"]
        cells = [
            _cell(metric, by_cell.get((submission, metric, reading)), axes.get((metric, reading)))
            for metric, reading, _ in columns
        ]
        group = head["group"] if isinstance(head.get("group"), str) else ""
        row = {"name": head.get("name", submission), "group": group, "cells": cells}
        rows.append(row | {"counts": [int(head[name]) for name in counts]})
    titles = [
        {"title": title, "help": HELP.get(metric, ""), "hidden": place >= FIRST_SHOWN and columns is COLUMNS}
        for place, (metric, _, title) in enumerate(columns)
    ]
    grouped = any(row["group"] for row in rows)
    return {"heads": titles, "counts": counts, "rows": rows, "grouped": grouped}


def _without_lone_ranks(board):
    """``board`` without the ranks of those who are alone under a metric and reading in their group, live ones apart."""
    field = [name for name in (*KEY[1:], "group", "live") if name in board]
    ranked = board.groupby(field, dropna=False)["rank"].transform("count")
    return board.assign(rank=board["rank"].where(ranked > 1))


def _calibrated(board, rules):
    """Rows of the submissions that have a value of :data:`MAIN`; of those replayed from one series, whatever
    the threshold, only the first.

    ``rules``: :func:`calscore.leaderboard.replay.replay_rules`."""
    series = rules.groupby(["model", "elicitation"])["submission"].first().reset_index()
    several = series["model"].duplicated(keep=False)
    names = dict(zip(board["submission"], board["name"], strict=True))
    series_names = {
        row.submission: names[row.submission].split(MARK)[0] + (f" ({row.elicitation})" if many else "")
        for row, many in zip(series.itertuples(), several, strict=True)
        if row.submission in names
    }
    rows = board[~is_replayed(board["submission"]) | board["submission"].isin(list(series_names))]
    calibrated = rows.loc[(rows["metric"] == MAIN) & rows["value"].notna(), "submission"]
    rows = rows[rows["submission"].isin(calibrated)]
    return rows.assign(name=[(names | series_names)[key] for key in rows["submission"]])


def _pairs(common) -> list[dict]:
    """One entry per model and field (its main variant), the user's own first, with a row for each opponent there.

    Rows: all human teams, then models, then teams, the best share first; ``teams`` counts outcomes against teams.
    """
    mains = {key for field in fields(common) for key in main_variants(field).values()}
    entries: dict[str, dict] = {}
    for row in chain.from_iterable(both_sides(field).itertuples() for field in fields(common)):
        human = row.b_kind.startswith("human")
        if row.a not in mains or not (human or row.b in mains):
            continue
        record = meeting(row) | {
            "opponent": row.b_name,
            "opponent_kind": row.b_kind,
            "decided": int(row.decided),
            "counted": f"{row.a_wins:.0f}–{row.b_wins:.0f}–{row.ties:.0f}",
        }
        head = {key: record[key] for key in ("name", "kind", "yours")}
        entries.setdefault(row.a, head | {"rows": []})["rows"].append(record)
    places = {"human teams": 0, "human team": 2}
    for model in entries.values():
        model["rows"].sort(
            key=lambda row: (places.get(row["opponent_kind"], 1), -known_share(row["share"]), row["opponent"])
        )
        teams = [row["outcome"] for row in model["rows"] if row["opponent_kind"] == "human team"]
        model["teams"] = {name: teams.count(name) for name in SHAPES if name in teams}
    return sorted(entries.values(), key=lambda m: (not m["yours"], KINDS.index(m["kind"]), m["name"]))


def page(
    leaderboard: pd.DataFrame,
    leaderboard_ranks: pd.DataFrame,
    leaderboard_classes: pd.DataFrame,
    leaderboard_pairs: pd.DataFrame,
    bonuses: pd.DataFrame | None,
    runs: pd.DataFrame,
    buzzpoints: pd.DataFrame,
    masthead: dict,
    own: dict[str, float],
    opponents: str,
    level: float,
    replicates: int,
    missing_questions: str,
) -> dict[str, str]:
    """``leaderboard_page``: the text of leaderboard.html. ``bonuses`` is None where the study has none.

    ``buzzpoints``, ``own`` and ``opponents`` as for :func:`calscore.leaderboard.replay.replay_rules`;
    ``level``, ``replicates`` and ``missing_questions``: options of the study."""
    bounds = leaderboard_ranks[[*KEY, "rank_low", "rank_high"]]
    board = leaderboard.fillna({"note": ""}).merge(bounds, on=KEY, how="left")
    common = meetings(leaderboard_pairs)
    again = is_replayed(board["submission"])
    yours = {*common.loc[common["a_yours"].astype(bool), "a"]} & {*main_variants(common).values()}
    live = sorted(set(runs.loc[runs["live"], "submission"]))
    is_listed = ~again | (board["submission"].isin(yours) & (not live))
    board = _without_lone_ranks(board.assign(live=board["submission"].isin(live)))
    counts = ["questions", "buzzes", "right"]
    tables = {
        kind: _table(rows, COLUMNS, counts)
        for kind, rows in (("tossups", board[is_listed]), ("replays", board[again]))
        if len(rows)
    }
    submitted = bool((~again & ~board["live"]).any())
    calibrated = _calibrated(board, replay_rules(buzzpoints, own, opponents))
    if not submitted:
        # Ranks among replayed models count a series once for each of its thresholds.
        calibrated["rank"] = calibrated["rank"].mask(is_replayed(calibrated["submission"]))
    calibration = [
        (
            FORMULAS[definition][0],
            _table(calibrated, _calibration(definition), counts[:1], lowest_first=True),
        )
        for definition in metrics.DEFINITIONS
        if len(calibrated)
    ]
    # What those replayed lack is said once, in their definition.
    notes = board[~again & (board["note"] != "")].drop_duplicates(["submission", "note"])
    note_list = list(zip(notes["name"], notes["note"], strict=True))
    if bonuses is not None:
        bonuses = _without_lone_ranks(bonuses.fillna({"note": ""}))
        lacking = bonuses[bonuses["note"] != ""].drop_duplicates(["submission", "metric", "note"])
        places = lacking["submission"] + " (bonus), " + lacking["metric"]
        note_list += zip(places, lacking["note"], strict=True)
    names = dict(zip(board["submission"], board["name"], strict=True))
    stopped = early_stop_table(runs)
    stopped = stopped[stopped["early_stopped"] | stopped["partly"]]
    lists = {"Bonuses": bonuses, "Early-stopped": stopped, "Classes": leaderboard_classes}
    lists |= {"Live": live, "Replayed": board[again], "Head to head": common}
    lists |= dict.fromkeys(("MCE and CalScore", "ECE and Brier"), calibration)
    absent = {name for name, rows in lists.items() if rows is None or not len(rows)}
    text = base.render(
        "leaderboard.html.j2",
        masthead,
        "leaderboard.html",
        tables=tables,
        yours=bool(yours),
        submitted=submitted,
        calibration=calibration,
        bonuses=None if bonuses is None else _table(bonuses, BONUSES, ["bonuses", "parts"]),
        classes=leaderboard_classes.to_dict("records"),
        pairs=_pairs(common),
        stopped=stopped.assign(name=stopped["submission"].replace(names)).to_dict("records"),
        live=[names.get(name, name) for name in live],
        notes=note_list,
        script=base.tables_script(),
        definitions={name: DEFINITIONS[name] for name in DEFINITIONS if name not in absent},
        level=level,
        replicates=replicates,
        missing=MISSING[missing_questions],
    )
    return {"leaderboard_page": text}
