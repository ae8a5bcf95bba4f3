"""The GRACE paper, its released tables by plain counting, and made ones for tests of the ledger."""

from __future__ import annotations

import pickle
import re
from functools import cache

import grace_release
import numpy as np
import pandas as pd
import yaml
from calscore.clues import segment
from calscore.ledger import claims, quantities
from calscore.scores import metrics
from calscore.stats.bootstrap import Bootstrap
from support import ROOT


@cache
def published() -> dict:
    with (ROOT / "config" / "published" / "grace.yaml").open(encoding="utf-8") as handle:
        return yaml.safe_load(handle)


def _team_rows(questions, buzzes, declared):
    heard = {
        (key, team)
        for key, entry in zip(questions["question_id"], declared, strict=True)
        for team in entry["total_human_teams"]
        if re.fullmatch(r"[HM]\d+", team)
    }
    heard |= set(zip(buzzes["question_id"], buzzes["team"], strict=True))
    frame = pd.DataFrame(sorted(heard), columns=["question_id", "team"])
    frame["packet"] = frame["question_id"].str[1:3].astype(int)
    frame["kind"] = np.where(frame["team"].str.startswith("H"), "human", "model")
    return frame.assign(source="declared")


def _curve(cut, buzzes, exposures):
    """h of every clue by plain counting, apart from the package's own code."""
    parts = []
    humans = buzzes[buzzes["kind"] == "human"]
    heard = exposures[exposures["kind"] == "human"].groupby("question_id").size()
    by_question = {key: part for key, part in humans.groupby("question_id")}
    for row in cut.itertuples():
        mine = by_question.get(row.question_id, humans.iloc[:0])
        last = row.revealed == 1
        so_far = mine if last else mine[mine["word_index"] < row.end_word]
        right = int(so_far["correct"].sum())
        for name, total in (
            ("buzzed_so_far", len(so_far)),
            ("buzzed_on_question", len(mine)),
            ("heard", int(heard.get(row.question_id, 0))),
        ):
            key = (row.segmentation, name, row.question_id, row.clue)
            parts.append((*key, right, total, right / total if total else 0.0))
    names = ["segmentation", "h_definition", "question_id", "clue", "correct", "total", "h"]
    return pd.DataFrame(parts, columns=names)


def _seen(questions, combined) -> pd.DataFrame:
    """Table combined of the participation tables, keyed by tossup_index as the released code reads it."""
    rows = [
        ("combined", key, source, team, bool(re.fullmatch(r"[HM]\d+", team)))
        for key, source in zip(questions["question_id"], questions["source_id"], strict=True)
        for team in combined.get(source, {"seen": ()})["seen"]
    ]
    return pd.DataFrame(rows, columns=["table", "question_id", "source_id", "team", "is_team"])


def _teams(cut, buzzes, exposures):
    """Counts and the three quartile rules that the ledger uses."""
    at = buzzes.assign(clue=segment.assign(cut, buzzes))
    last = cut["clue"].max()
    rows = []
    for (team, kind), part in at.groupby(["team", "kind"]):
        right = part[part["correct"]]
        rows.append((team, kind, len(right), int((last + 1 - right["clue"]).sum())))
    teams = pd.DataFrame(rows, columns=["team", "kind", "score_paper", "score_release"])
    heard = exposures.groupby("team").size()
    teams["score_rate"] = teams["score_paper"] / teams["team"].map(heard)
    human = teams["kind"] == "human"
    for rule in ("paper", "release", "rate"):
        score = teams.loc[human, f"score_{rule}"]
        edges = np.percentile(score, [25, 50, 75])
        quartile = 1 + (score.to_numpy()[:, None] > edges).sum(axis=1)
        teams[f"quartile_{rule}"] = pd.array([None] * len(teams), dtype="Int64")
        teams.loc[human, f"quartile_{rule}"] = quartile
    return teams


@cache
def release_tables() -> dict[str, pd.DataFrame]:
    """The tidy tables straight from the raw JSON."""
    questions, buzzes = [], []
    for key, raw in grace_release.questions():
        text = raw["question"]
        questions.append(
            {
                "question_id": key,
                "packet": int(key[1:3]),
                "source_id": str(raw["tossup_index"]),
                "category": grace_release.category(raw["category"]),
                "category_raw": raw["category"],
                "text": text,
                "answerline": raw["answer"],
                "n_words": len(text.split()),
                "n_chars": len(text),
                "n_sentences": len(segment.sentences(text)),
            }
        )
        for team, right, word in grace_release.buzzes(raw):
            kind = "human" if team.startswith("H") else "model"
            buzzes.append((key, team, kind, word, right))
    folder = grace_release.folder()
    questions = pd.DataFrame(questions)
    names = ["question_id", "team", "kind", "word_index", "correct"]
    buzzes = pd.DataFrame(buzzes, columns=names)
    with (folder / "human_team_per_question.pkl").open("rb") as handle:
        exposures = _team_rows(questions, buzzes, pickle.load(handle))
    with (folder / "human_model_team_per_question.pkl").open("rb") as handle:
        seen = _seen(questions, {str(key): one for key, one in pickle.load(handle).items()})
    cut = segment.cut(questions, ["sentence-100", "sentence-35"])
    main = cut[cut["segmentation"] == "sentence-100"]
    return {
        "questions": questions,
        "buzzes": buzzes,
        "exposures": exposures,
        "participation": seen,
        "clues": cut,
        "human_curve": _curve(cut, buzzes, exposures),
        "teams": _teams(main, buzzes, exposures),
    }


@cache
def release_quantities() -> dict:
    return quantities.quantities(release_tables())


def statuses(paper: dict, quantities: dict, simulated: bool = False) -> dict[str, str]:
    ledger = claims.evaluate(paper, quantities, simulated)
    return dict(zip(ledger["id"], ledger["status"], strict=True))


@cache
def grace_ledger() -> pd.DataFrame:
    return claims.evaluate(published(), release_quantities(), False).set_index("id")


@cache
def drawn_ledger() -> pd.DataFrame:
    """The ledger with verdicts from drawn studies."""
    bootstrap = Bootstrap(300, 3, 0.95)
    found = quantities.quantities(release_tables(), "sentence-100", bootstrap)
    return claims.evaluate(published(), found, False, level=0.95, min_n=10).set_index("id")


def with_claim(**claim) -> dict:
    """The published file with one claim instead of its own."""
    return {**published(), "claims": [{"section": "§0", "statement": "a statement", **claim}]}


def models() -> list[tuple[str, str]]:
    scores = published()["table1"]["scores"]
    return [(elicitation, model) for elicitation in scores for model in scores[elicitation]]


def simulated_scores(shift: float = 0.0) -> dict[str, pd.DataFrame]:
    """model_scores and question_scores that hold the printed numbers, shifted."""
    rows, per_question = [], []
    paper = published()
    questions = pd.DataFrame(
        {
            "question_id": [f"q{i}" for i in range(6)],
            "packet": 1,
            "category": sorted(paper["table5"]["calscore"]["logit"]["M1"]),
            "category_raw": "x",
            "text": "one two three",
            "answerline": "one",
            "n_words": 3,
            "n_chars": 13,
            "n_sentences": 1,
        }
    )
    for elicitation, model in models():
        where = {"segmentation": "sentence-100", "definition": "paper", "model": model}
        where |= {"elicitation": elicitation, "reduction": "stated"}
        for metric, value in paper["table1"]["scores"][elicitation][model].items():
            rank = paper["table1"]["ranks"][elicitation][model][metric]
            rows.append({**where, "metric": metric, "value": float(value) + shift, "rank": rank})
        for q in questions.itertuples():
            score = float(paper["table5"]["calscore"][elicitation][model][q.category]) + shift
            per_question.append(
                {**where, "question_id": q.question_id, "calscore": score, "mce": score}
            )
    return {
        "questions": questions,
        "model_scores": pd.DataFrame(rows),
        "question_scores": pd.DataFrame(per_question),
    }


def model(n, rng, definition):
    """Signed confidences of some model: uniform, or mostly sure."""
    low = -1.0 if definition == "paper" else 0.0
    x = rng.uniform(low, 1.0, n)
    sure = rng.random(n) < rng.random()
    return np.where(sure, rng.choice([low, 1.0], n), x)


def scores(x, h, starts, definition):
    """Benchmark MCE and CalScore, by the package's own metric, of a model with signed confidence x."""
    mce, calscore = metrics.question_errors(x > 0, np.abs(x), h, starts, definition)
    return float(mce.mean()), float(calscore.mean())
