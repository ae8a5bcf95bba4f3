"""The leaderboard as one HTML page that needs nothing else."""

from __future__ import annotations

import math
from pathlib import Path

from ..leaderboard.replay import MARK, is_replayed, replay_rules
from ..leaderboard.tossups import early_stopped
from ..scores import metrics
from . import base
from .opponents import both_sides

DEFINITIONS = {
    "Expected Score": "Mean over questions of points · (1 − h): +1 for a right first buzz, −0.5 for a wrong one, 0 without; h is the share of logged human plays that are right before it (0 where nobody played). Both readings agree.",
    "Buzz Precision": "manual: right / buzzed. code: right / all questions.",
    "Buzz Frequency": "Share of questions with a buzz.",
    "Buzz Position": "Mean number of words heard at the first buzz (a count from 1), over questions with a buzz.",
    "Win Rate w/ Humans": "Mean over questions of the share of logged human plays that the submission wins. manual: right, with no earlier right answer of that human. code: right and not later than the human, or the human negged earlier, whatever the submission does then: it may be wrong or silent. code_strict: right and not later than the human. manual_all: right before any human is. Where a source does not tell points, as GRACE, a wrong human buzz counts as a neg. Questions without plays are left out.",
    "Tossup score": "Mean over questions of the points of the first buzz, whatever humans did; 0 without a buzz. code, as the public scorer computes it: 1 right, −0.5 wrong, at the last run of the question 1 and 0. comment, as its comment says: 10 and −5, at the last run 5 and 0. For a live model the question's end stands for the last run.",
    "MCE and CalScore": "1 − r(mean g·c) and 1 − r(mean (1 − h)·g·c) over the runs of a question with g = ±1 and h = right / all plays so far (paper); 1 − mean with g = 0/1 and h = right so far / all plays of the question (release). Lower is better.",
    "ECE and Brier": "Ten equal bins; mean squared difference of confidence and correctness. paper: over every run. release: over the last run of each question.",
    "Early-stopped": "The submission holds only the runs up to its first buzz and the last one. Which runs are missing depends on the buzz, so MCE, CalScore, ECE and Brier would be biased and are not given unless the configuration asks for them.",
    "Classes": "best, late, premature: the buzz at, after, before the first right guess. never buzzed: some guess was right. hopeless: none was. Gap: words from the first right guess to the buzz.",
    "Live": "Buzzes made in a match. An opponent who was first keeps the model from buzzing, so its frequency and scores are lower than its runs alone would give. A live model has no confidences.",
    "Replayed": "A model that came as guesses, buzzing at the first guess whose score is above a threshold: one that is given (a number, on the mean token log-probability), the one tuned on other folds of the questions, or where its source states a buzz. No opponent keeps it from buzzing, so it is held to more questions than a live model and may buzz more often. Its rank is the one that it would have among the live and submitted ones; it moves none of them. Its calibration is that of its beliefs at the end of each clue, as in scores/model_scores, whatever the threshold; its matches with each human team are in tables/matches.csv.",
    "Ranks": "Each two are compared on the questions that both answered or heard (tables/leaderboard_pairs.csv says on how many); a rank is one more than the number of those that beat more than they lose to. Who answered too small a share of the questions (rank_coverage in the configuration) has no rank and moves nobody; the notes below name them. In brackets the bounds of the rank over bootstrap replicates, all submissions resampled together. For Expected Score and Win Rate (manual, code, strict) the replicates resample questions and human teams where the plays name their teams, else questions. tables/leaderboard_ranks.csv also has the share of replicates with rank 1.",
    "Head-to-head": "On common questions the earlier buzz plays first; if it is wrong, the other's own buzz counts. Share: (wins + ties / 2) / decided.",
    "Intervals": "Percentile intervals from resampling questions.",
    "Bonuses": "Effect: mean(final right) − mean(first right) of the player helped. Calibration: mean |correct − confidence| (manual, lower is better), 1 − that (code). Calibrated accuracy: mean of right · (1 − |correct − confidence|). Adoption: share of parts whose final answer is the helper's (manual), or whose decision is not “keep” (code).",
}

COLUMNS = [
    ("expected_score", "manual", "Expected Score ↑"),
    ("win_rate", "manual", "Win Rate ↑"),
    ("buzz_precision", "manual", "Precision ↑"),
    ("buzz_frequency", "manual", "Frequency"),
    ("buzz_position", "manual", "Position, words"),
]
"""What is shown first, the main metric before all; the rest is folded."""
READINGS = [
    ("expected_score", "manual", "Expected Score ↑"),
    ("win_rate", "code", "Win Rate, code ↑"),
    ("win_rate", "code_strict", "Win Rate, strict ↑"),
    ("win_rate", "manual_all", "Win Rate, before all humans ↑"),
    ("buzz_precision", "code", "Precision, code ↑"),
    ("tossup_score", "code", "Tossup score, code ↑"),
    ("tossup_score", "comment", "Tossup score, comment ↑"),
]
MAIN = "calscore"


def _calibration(definition: str) -> list[tuple[str, str, str]]:
    """Metrics of calibration under a definition, the main one first."""
    panels = sorted(metrics.panels("leaderboard"), key=lambda metric: metric.name != MAIN)
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
    "no_buzz": "A question that a submission leaves out counts as silence (option missing_questions: no_buzz).",
    "leave_out": "A question that a submission leaves out is out of its scores, so leaving out wrong answers can gain ranks (option missing_questions: leave_out).",
}
"""What is said beside the board of questions that a submission lacks."""
PERCENT = {
    "win_rate",
    "buzz_precision",
    "buzz_frequency",
    "question_accuracy",
    "part_accuracy",
    "calibrated_accuracy",
    "adoption",
}


def _format_value(metric: str, value: float) -> str:
    if metric in PERCENT:
        return f"{100 * value:.1f} %"
    return f"{value:.1f}" if metric == "buzz_position" else f"{value:.3f}"


def _cell(metric: str, row, bounds=None) -> dict:
    """One cell: text, its sort key, interval, rank with its ``bounds`` (low, high) and note."""
    if row is None or not math.isfinite(row.value):
        return {
            "text": "–",
            "key": "",
            "interval": "",
            "rank": "",
            "note": "" if row is None else row.note,
        }
    ends = [_format_value(metric, bound).removesuffix(" %") for bound in (row.low, row.high)]
    has_interval = math.isfinite(row.low) and metrics.has_interval(metric)
    interval = " to ".join(ends) if has_interval else ""
    rank = "" if str(row.rank) in ("<NA>", "nan") else f"#{int(row.rank)}"
    if rank and bounds:
        rank += f" ({bounds[0]}–{bounds[1]})"
    if not rank and "ranks ask for" in row.note:
        rank = f"no rank: {row.note.split('; ')[-1].split(', ranks')[0]}"
    return {
        "text": _format_value(metric, row.value),
        "key": repr(float(row.value)),
        "interval": interval,
        "rank": rank,
        "note": row.note,
    }


def _rank_bounds(ranks) -> dict:
    """(submission, metric, reading) → bounds of the rank; readings with equal values share them."""
    bounded = ranks[ranks["rank_low"].notna()]
    return {
        (r.submission, r.metric, r.reading): (int(r.rank_low), int(r.rank_high))
        for r in bounded.itertuples()
    }


def _table(
    board, columns, counts: list[str], bounds: dict | None = None, order_by: str = "rank"
) -> dict:
    """Rows of submissions in the order of the first column's ``by``, of counts (``first``) and cells."""
    by_cell = {(r.submission, r.metric, r.reading): r for r in board.itertuples()}
    rows = []
    order = board[
        (board["metric"] == columns[0][0]) & (board["reading"] == columns[0][1])
    ].sort_values([order_by, "submission"])["submission"]
    heads = board.drop_duplicates("submission").set_index("submission")
    for submission in order:
        cells = [
            _cell(
                metric,
                by_cell.get((submission, metric, reading)),
                (bounds or {}).get((submission, metric, reading)),
            )
            for metric, reading, _ in columns
        ]
        head = heads.loc[submission]
        rows.append(
            {
                "name": head.get("name", submission),
                "first": [int(head[c]) for c in counts],
                "cells": cells,
            }
        )
    return {"heads": [title for _, _, title in columns], "first": counts, "rows": rows}


def _calibrated(board, rules):
    """Rows of the board that have calibration; of replayed ones one for each series, whatever the threshold.

    ``rules``: :func:`calscore.leaderboard.replay.replay_rules`.
    """
    series = rules.groupby(["model", "elicitation"])["submission"].first().reset_index()
    several = series["model"].duplicated(keep=False)
    names = dict(zip(board["submission"], board["name"], strict=True))
    series_names = {
        row.submission: names[row.submission].split(MARK)[0]
        + (f" ({row.elicitation})" if many else "")
        for row, many in zip(series.itertuples(), several, strict=True)
        if row.submission in names
    }
    rows = board[~is_replayed(board["submission"]) | board["submission"].isin(list(series_names))]
    calibrated = rows.loc[(rows["metric"] == MAIN) & rows["value"].notna(), "submission"]
    rows = rows[rows["submission"].isin(calibrated)]
    return rows.assign(name=[(names | series_names)[key] for key in rows["submission"]])


def _pairs(common, counts) -> list[dict]:
    """Each model with its opponents on common questions, the user's own first; ``counts``: tables/head_to_head.

    Opponents: all human teams, models, teams, the best share first.
    """
    won = {(r.a, r.b): (r.a_wins, r.b_wins, r.ties) for r in counts.itertuples()}
    won |= {(b, a): (losses, wins, ties) for (a, b), (wins, losses, ties) in won.items()}
    columns = ["name", "kind", "questions", "decided", "share", "low", "high", "counted"]
    table = both_sides(common).astype({"decided": int})
    table["name"], table["kind"] = table["b_name"], table["b_kind"]
    met = zip(table["a"], table["b"], strict=True)
    table["counted"] = ["–".join(map(str, won.get(pair, ()))) for pair in met]
    table["place"] = table["kind"].map({"human teams": 0, "human team": 2}).fillna(1)
    table = table.sort_values(["place", "share", "name"], ascending=[True, False, True])
    models = {
        key: {"name": name, "kind": kind, "yours": yours, "rows": rows[columns].to_dict("records")}
        for (key, name, kind, yours), rows in table.groupby(["a", "a_name", "a_kind", "a_yours"])
    }
    for model in models.values():
        teams = [r for r in model["rows"] if r["kind"] == "human team"]
        model["below"] = sum(r["low"] > 0.5 for r in teams)
        model["above"] = sum(r["high"] < 0.5 for r in teams)
        model["teams"] = len(teams)
    kinds = ["live", "submitted", "replayed"]
    return sorted(
        models.values(),
        key=lambda model: (not model["yours"], kinds.index(model["kind"]), model["name"]),
    )


def render(
    masthead,
    board,
    ranks,
    classes,
    pairs,
    common,
    stopped,
    live,
    rules,
    chart_svg,
    level,
    replicates,
    bonuses=None,
    missing_questions="no_buzz",
) -> str:
    """The page as text. ``ranks``: tables/leaderboard_ranks; ``common``: tables/common_questions; ``chart_svg``: its
    figure; ``live``: submissions that are live models; ``rules`` as for :func:`_calibrated`."""
    again = is_replayed(board["submission"])
    bounds = _rank_bounds(ranks)
    counts = ["questions", "buzzes", "right"]
    names = dict(zip(board["submission"], board["name"], strict=True))
    # What those replayed lack is said once, in their definition.
    notes = board[~again & (board["note"] != "")].drop_duplicates(["submission", "note"])
    note_list = list(zip(notes["name"], notes["note"], strict=True))
    if bonuses is not None:
        missing = bonuses[bonuses["note"] != ""].drop_duplicates(["submission", "metric", "note"])
        note_list += [
            (f"{s} (bonus), {m}", note)
            for s, m, note in zip(
                missing["submission"], missing["metric"], missing["note"], strict=True
            )
        ]
    tables = {
        kind: {
            "main": _table(rows, COLUMNS, counts, bounds),
            "readings": _table(rows, READINGS, [], bounds),
        }
        for kind, rows in (("tossups", board[~again]), ("replays", board[again]))
        if len(rows)
    }
    calibrated = _calibrated(board, rules)
    return base.render(
        "leaderboard.html.j2",
        masthead,
        "leaderboard.html",
        tables=tables,
        calibration=[
            (
                definition,
                _table(
                    calibrated, _calibration(definition), ["questions"], bounds, order_by="value"
                ),
            )
            for definition in metrics.DEFINITIONS
            if len(calibrated)
        ],
        bonuses=None
        if bonuses is None
        else _table(bonuses, BONUSES, ["bonuses", "parts"], _rank_bounds(bonuses)),
        classes=classes.to_dict("records"),
        pairs=_pairs(common, pairs),
        stopped=[
            {**row, "name": names.get(row["submission"], row["submission"])}
            for row in stopped.to_dict("records")
            if row["early_stopped"] or row["partly"]
        ],
        live=[names.get(name, name) for name in live],
        notes=note_list,
        svg=chart_svg[chart_svg.index("<svg") :],
        definitions=DEFINITIONS,
        level=level,
        replicates=replicates,
        missing=MISSING[missing_questions],
    )


def page(
    leaderboard,
    leaderboard_ranks,
    leaderboard_classes,
    head_to_head,
    common_questions,
    bonuses,
    runs,
    buzzpoints,
    leaderboard_ranks_svg: Path,
    masthead: dict,
    own: dict[str, float],
    opponents: str,
    level: float,
    replicates: int,
    missing_questions: str,
) -> dict:
    """The page of a study: its tables (bonuses None without them) and the file of its figure.

    ``buzzpoints``, ``own`` and ``opponents`` as for :func:`calscore.leaderboard.replay.replay_rules`.
    """
    text = render(
        masthead,
        leaderboard.fillna({"note": ""}),
        leaderboard_ranks,
        leaderboard_classes,
        head_to_head,
        common_questions,
        early_stopped(runs),
        sorted(set(runs.loc[runs["live"], "submission"])),
        replay_rules(buzzpoints, own, opponents),
        leaderboard_ranks_svg.read_text(encoding="utf-8"),
        level,
        replicates,
        None if bonuses is None else bonuses.fillna({"note": ""}),
        missing_questions,
    )
    return {"leaderboard_page": text}
