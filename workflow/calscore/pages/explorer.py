"""explorer.html: questions, models and teams to look at, in one page that needs no network."""

from __future__ import annotations

import json
from pathlib import Path

from ..core import theme
from ..core.study import Study
from ..scores import metrics
from ..scores.judges import first_judge
from ..scores.tables import primary
from .audit import Pool, _plain
from .base import TEMPLATES, embed, render, source
from .texts import Shown

VENDOR = TEMPLATES.parent / "vendor"
SYMBOLS = {
    "s": "square",
    "^": "triangle",
    "D": "diamond",
    "v": "triangle2",
    "P": "cross",
    "X": "circle",
    "*": "star",
    "p": "hexagon",
}
"""Markers of the figures → symbols of the page's charts."""
DIGITS = 4


def libraries() -> str:
    """The bundled charting libraries, in the order in which they build on each other."""
    parts = []
    for entry in json.loads((VENDOR / "vendor.json").read_text(encoding="utf-8")):
        code = (VENDOR / entry["file"]).read_text(encoding="utf-8")
        parts.append(f"/* {entry['name']} {entry['version']}, {entry['licence']} */\n{code}")
    return "\n".join(parts)


def _round(values, digits: int = DIGITS) -> list:
    return [None if _plain(v) is None else round(float(v), digits) for v in values]


def data(study) -> dict:
    """What the page shows, from the tables of a study (:class:`calscore.audit.study.Study`).

    Segmentation and reductions are those shown first in the printed tables; confidences and scores are
    rounded to 4 decimals, for looking; the audit page has them in full.
    """
    options = study.options
    segmentation, pool = options["primary_segmentation"], Pool()
    questions = study["questions"]
    ids = questions["question_id"].to_list()
    place = {q: i for i, q in enumerate(ids)}
    clues = study["clues"]
    clues = clues[clues["segmentation"] == segmentation].sort_values(["question_id", "clue"])
    ends = clues.groupby("question_id")["end_word"].apply(list)
    curve = study["human_curve"]
    curve = curve[curve["segmentation"] == segmentation].sort_values("clue", kind="stable")
    h = {
        name: of.groupby("question_id")["h"].apply(list)
        for name, of in curve.groupby("h_definition", sort=True)
    }
    shown = {key: model["name"] for key, model in options["models"].items()}
    buzzes: list[list] = [[] for _ in ids]
    ordered = study["buzzes"].sort_values(["question_id", "word_index", "team"], kind="stable")
    # A wrong buzz that a source says cost nothing is no neg.
    negs = ~ordered["correct"].astype(bool) & ~(ordered["value"].astype(float) >= 0)
    for b, neg in zip(ordered.itertuples(), negs, strict=True):
        buzzes[place[b.question_id]].append(
            [pool(b.team), int(b.kind == "human"), int(b.word_index), int(b.correct), int(neg)]
        )
    heard = study["exposures"].groupby(["kind", "question_id"]).size().to_dict()
    result = {
        "study": study.provenance["study"]["name"],
        "segmentation": segmentation,
        "definition": options["primary_definition"],
        "questions": [
            {
                "id": q.question_id,
                "category": q.category,
                "fine": q.category_fine,
                "answer": q.answerline,
                "text": q.text,
                "ends": list(map(int, ends[q.question_id])),
                "words": int(q.n_words),
                "heard": int(heard.get(("human", q.question_id), 0)),
                "models": int(heard.get(("model", q.question_id), 0)),
            }
            for q in questions.itertuples()
        ],
        "h": {name: [_round(of[q]) for q in ids] for name, of in h.items()},
        "buzzes": buzzes,
        "teams": _teams(study, shown),
        "live": _live(study),
        "margins": _margins(study),
        "rooms": _rooms(study, ids),
        "metrics": [
            {"name": one.name, "label": one.label, "higher": bool(one.higher)}
            for one in metrics.panels("explorer")
        ],
        "series": [],
    }
    if "responses" in study:
        result["series"] = _series(study, segmentation, shown, place, pool)
    named = list(options["models"])
    found = {one["model"] for one in result["series"]}
    found |= {team["team"] for team in result["teams"] if team["kind"] == "model"}
    styles = theme.model_styles([m for m in named if m in found], found)
    result["styles"] = {
        model: {"color": color, "symbol": SYMBOLS[marker], "name": shown.get(model, model)}
        for model, (color, marker) in styles.items()
    }
    result["pool"] = pool.texts
    return result


def _teams(study, shown: dict) -> list[dict]:
    import numpy as np

    columns = ["team", "kind", "packets", "questions_heard", "buzzes", "correct", "incorrect"]
    columns += [name for name in study["teams"] if name.startswith("quartile_")]
    rows = [
        {name: _plain(getattr(row, name)) for name in columns}
        | {"name": shown.get(row.team, row.team)}
        for row in study["teams"].itertuples()
    ]
    words = study["questions"].set_index("question_id")["n_words"]
    b = study["buzzes"]
    share = (b["word_index"] + 1) / b["question_id"].map(words)
    median = share.groupby(b["team"]).median()
    for row in rows:
        value = median.get(row["team"], np.nan)
        row["median"] = None if np.isnan(value) else round(float(value), DIGITS)
    return rows


LIVE = ("expected_score", "win_rate", "buzz_frequency")
"""Metrics of the leaderboard, as its manual reads them, on the page of models that played live."""


def _live(study) -> dict:
    """Models that played live and the humans: group → metric → value and interval; ``pairs``, who beat whom."""
    precision = study["precision"]
    found: dict = {
        one.group: {"precision": _round([one.value, one.low, one.high]), "buzzes": int(one.buzzes)}
        for one in precision[precision["category"] == "all"].itertuples()
    }
    board, pairs = study.get("leaderboard"), study.get("head_to_head")
    if board is not None:
        of = board[board["metric"].isin(LIVE) & (board["reading"] == "manual")]
        for one in of.itertuples():
            if one.submission in found:
                found[one.submission][one.metric] = _round([one.value, one.low, one.high])
    found["pairs"] = []
    if pairs is not None:
        columns = ["questions", "a_wins", "b_wins", "ties", "neither", "a_share", "low", "high"]
        of = pairs[pairs["a"].isin(list(found))]
        found["pairs"] = [
            [a, b, kind, *_round(row)]
            for a, b, kind, row in zip(
                of["a"], of["b"], of["b_kind"], of[columns].itertuples(index=False), strict=True
            )
        ]
    return found


ROOMS = ["heard", "gets", "negs", "first_correct", "average_correct"]


def _rooms(study, ids: list[str]) -> list | None:
    """Per question what quizbowl counts over rooms, as in tables/quizbowl_questions; None where no rooms are known."""
    table = study.get("quizbowl_questions")
    if table is None:
        return None
    known = table.set_index("question_id")[ROOMS]
    return [_round(known.loc[q]) if q in known.index else None for q in ids]


def _margins(study) -> list[list]:
    """Right and wrong buzzes per category of the pools and of each live model, with P(right | buzz)."""
    table = study["category_margins"]
    models = study["teams"].query("kind == 'model'")["team"]
    table = table[(table["group_kind"] == "pool") | table["group"].isin(list(models))]
    columns = ["correct", "incorrect", "precision", "low", "high"]
    return [
        [level, category, group, *_round(row)]
        for level, category, group, row in zip(
            table["level"],
            table["category"],
            table["group"],
            table[columns].itertuples(index=False),
            strict=True,
        )
    ]


def _series(study, segmentation, shown, place, pool) -> list[dict]:
    """One entry per model and elicitation: answers, scores, reliability, categories."""
    reductions = study.options["reductions"]
    answers = primary(study["responses"], segmentation, reductions)
    scored = primary(study["question_scores"], segmentation, reductions)
    bins = primary(study["reliability"], segmentation, reductions)
    benchmark = primary(study["model_scores"], segmentation, reductions)
    categories = study.get("table5")
    categories = None if categories is None else first_judge(categories)
    found = []
    for key, rows in answers.groupby(["elicitation", "model"], sort=True):
        elicitation, model = key

        def mine(table, key=key):
            return table[(table["elicitation"] == key[0]) & (table["model"] == key[1])]

        one = {
            "model": model,
            "elicitation": elicitation,
            "name": shown.get(model, model),
            "reduction": rows["reduction"].iloc[0],
            "answers": [],
            "scores": {},
            "bins": {},
            "benchmark": {},
            "categories": {},
        }
        rows = rows.sort_values(["question_id", "clue"], kind="stable")
        # clue, confidence, right, guess, carried from an earlier position, buzz
        of_question: dict[str, list] = {}
        for q, t, c, g, guess, carried, b in zip(
            rows["question_id"],
            rows["clue"],
            _round(rows["confidence"]),
            rows["correct"],
            rows["guess"],
            rows["carried"],
            rows["buzz"].fillna(False),
            strict=True,
        ):
            told = [int(t), c, int(g), pool(guess), int(carried), int(b)]
            of_question.setdefault(q, []).append(told)
        one["answers"] = [of_question.get(q) for q in place]
        for definition, of in mine(scored).groupby("definition"):
            values: list = [None] * len(place)
            for q, mce, calscore in zip(
                of["question_id"], _round(of["mce"]), _round(of["calscore"]), strict=True
            ):
                values[place[q]] = [mce, calscore]
            one["scores"][definition] = values
        for definition, of in mine(bins).groupby("definition"):
            columns = [
                "low",
                "high",
                "n",
                "confidence",
                "accuracy",
                "accuracy_low",
                "accuracy_high",
            ]
            one["bins"][definition] = [
                _round(row) for row in of.sort_values("bin")[columns].itertuples(index=False)
            ]
        for definition, of in mine(benchmark).groupby("definition"):
            one["benchmark"][definition] = {
                m: _round(v if metrics.has_interval(m) else [v[0], float("nan"), float("nan")])
                for m, *v in zip(of["metric"], of["value"], of["low"], of["high"], strict=True)
            }
        if categories is not None:
            merged = mine(categories)
            for definition, of in merged[merged["level"] == "merged"].groupby("definition"):
                columns = ["n_questions", "calscore", "calscore_low", "calscore_high", "mce"]
                one["categories"][definition] = [
                    [name, *_round(row)]
                    for name, row in zip(
                        of["category"], of[columns].itertuples(index=False), strict=True
                    )
                ]
        found.append(one)
    return found


def build(study, masthead: dict) -> str:
    """The page as HTML."""
    return render(
        "explorer.html.j2",
        masthead,
        "explorer.html",
        texts=True,
        data=embed(data(Shown(study, masthead["hidden"])) | {"title": masthead["title"]}),
        script=libraries() + "\n</script>\n<script>\n" + source("explorer.js"),
    )


def page(provenance: Path, masthead: dict) -> dict:
    """explorer.html of the study that a record (audit/provenance.json) belongs to."""
    return {"explorer": build(Study(provenance.parent.parent), masthead)}
