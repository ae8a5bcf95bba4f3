"""The ledger: every checkable statement of a paper against the study's own tables.

A claim is a row of ``claims:`` in config/published/<study>.yaml; every number of the paper's tables
makes a row by itself. Its ``predicate`` is an expression over

- quantities that this module computes from the study's tables (:func:`quantities`), and
- ``printed``: the numbers of the paper, which are compared with but never computed from.

Nothing printed enters a recomputed number: :func:`quantities` does not see the published file.

Where the released data leave something open (the matches of a model, say), a claim's predicate
gives one truth value for each possibility, and ``undecided`` says what would settle it: the claim
has a verdict only where all possibilities agree. ``{{expression}}`` in a note is evaluated.
"""

from __future__ import annotations

import ast
import itertools
import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from ..clues import segment as clues_module
from ..core.errors import DataError, Fault
from ..human import curves as human
from ..scores.metrics import renormalise
from . import ranges

COLUMNS = [
    "id",
    "section",
    "statement",
    "predicate",
    "published",
    "recomputed",
    "tolerance",
    "status",
    "evidence",
    "intervals",
    "note",
]

REPRODUCED = "reproduced"
CONTRADICTED = "contradicted"
INCONSISTENT = "internally inconsistent"
UNPUBLISHED = "needs unpublished data"
SIMULATED = "not applicable (simulated)"
STATUSES = (REPRODUCED, CONTRADICTED, INCONSISTENT, UNPUBLISHED, SIMULATED)

#: ``published``: printed numbers alone decide, so a false one means that the paper disagrees with
#: itself. ``consistency``: two statements of the paper against each other, on the study's data.
#: ``fact``: against something known outside the study. ``study`` (the default): the study's data.
KINDS = ("study", "published", "consistency", "fact")

RELEASE = "the released questions and buzzes"
OUTPUTS = "per-clue model outputs"
SURVEY = "offline survey"


class Missing(Exception):
    """A quantity that this study's tables do not give; the message says which."""


@dataclass(frozen=True)
class Quantity:
    """A recomputed ``value`` and the file and rows it comes from.

    ``parts``: for a nested value, the keys on the way to a part → the file and rows of that part.
    """

    value: object
    evidence: str
    parts: dict[tuple, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Source:
    compute: Callable
    tables: tuple[str, ...]
    names: tuple[str, ...]
    needs: str


_SOURCES: list[_Source] = []


def _from(*tables: str, gives: str, needs: str = RELEASE):
    """Register a function of those tables that returns the quantities named in ``gives``."""

    def register(compute):
        _SOURCES.append(_Source(compute, tables, tuple(gives.split()), needs))
        return compute

    return register


# --- Quantities --------------------------------------------------------------------------------

_QUOTES = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")


def _primary(frame, segmentation: str):
    """Rows of ``segmentation``, or of the first one by name where the study lacks it."""
    names = sorted(frame["segmentation"].unique())
    chosen = segmentation if segmentation in names else names[0]
    return frame[frame["segmentation"] == chosen], chosen


def _group_of(frame):
    """``H`` for human rows, the team for models: how buzzes are pooled in §5."""
    return frame["team"].where(frame["kind"] == "model", "H")


def _who(group: str) -> str:
    """The condition that selects a group's rows."""
    return {"H": "kind = human", "M": "kind = model"}.get(group, f"team = {group}")


def _rows(count: int) -> str:
    return f"({count} row{'' if count == 1 else 's'})"


def _tally(correct) -> dict:
    """Right and wrong buzzes, right per wrong (infinite where none is wrong), accuracy."""
    right, n = int(correct.sum()), len(correct)
    ratio = right / (n - right) if n > right else math.inf
    return {"correct": right, "incorrect": n - right, "ratio": ratio, "accuracy": right / n}


@_from(
    "questions",
    gives="n_questions packet_sizes category_mixes category_counts raw_counts question_words"
    " question_chars question_sentences answer_words texts",
)
def _questions(tables, segmentation):
    q = tables["questions"]
    mixes = pd.crosstab(q["packet"], q["category"]).drop_duplicates()
    answers = q["answerline"].str.replace(r"[\[(].*", "", regex=True).str.split().str.len()
    texts = (q["text"] + " ANSWER: " + q["answerline"]).str.translate(_QUOTES)
    rows = f"tidy/questions.parquet: all {len(q)} rows"

    def counted(column):
        counts = q[column].value_counts().sort_index().to_dict()
        parts = {
            (name,): f"tidy/questions.parquet: {column} = {name} {_rows(count)}"
            for name, count in counts.items()
        }
        return counts, f"{rows}, by {column}", parts

    return {
        "n_questions": (len(q), rows),
        "packet_sizes": (q.groupby("packet").size().tolist(), f"{rows}, by packet"),
        "category_mixes": (len(mixes), f"{rows}, category by packet"),
        "category_counts": counted("category"),
        "raw_counts": counted("category_raw"),
        "question_words": (q["n_words"].tolist(), f"{rows}, n_words"),
        "question_chars": (q["n_chars"].tolist(), f"{rows}, n_chars"),
        "question_sentences": (q["n_sentences"].tolist(), f"{rows}, n_sentences"),
        "answer_words": (answers.tolist(), f"{rows}, answerline before its first bracket"),
        "texts": (texts.tolist(), f"{rows}, text and answerline"),
    }


@_from("clues", gives="clue_words clue_chars")
def _clues(tables, segmentation):
    keys = ["segmentation", "question_id"]
    lengths = tables["clues"].groupby(keys)[["clue", "end_word", "end_char"]].max()
    totals = lengths.groupby(level=0).sum()
    questions = lengths.groupby(level=0).size()
    rows = "tidy/clues.parquet: last clue of every question"

    def mean(column):
        parts = {
            (name,): f"tidy/clues.parquet: segmentation = {name}, last clue of every question"
            f" {_rows(count)}, {column} / clue"
            for name, count in questions.items()
        }
        found = (totals[column] / totals["clue"]).to_dict()
        return found, f"{rows}, {column} / clue", parts

    return {"clue_words": mean("end_word"), "clue_chars": mean("end_char")}


@_from("buzzes", gives="n_buzzes human_teams model_teams tally")
def _buzzes(tables, segmentation):
    buzzes = tables["buzzes"]
    by_kind = {kind: buzzes[buzzes["kind"] == kind] for kind in ("human", "model")}
    tally = {group: _tally(part) for group, part in buzzes["correct"].groupby(_group_of(buzzes))}
    models = sorted(by_kind["model"]["team"].unique())
    if models:
        tally["M"] = _tally(by_kind["model"]["correct"])
    rows = f"tidy/buzzes.parquet: all {len(buzzes)} rows"
    count = {kind: _rows(len(part)) for kind, part in by_kind.items()}
    return {
        "n_buzzes": (len(buzzes), rows),
        "human_teams": (
            sorted(by_kind["human"]["team"].unique()),
            f"tidy/buzzes.parquet: kind = human {count['human']}",
        ),
        "model_teams": (models, f"tidy/buzzes.parquet: kind = model {count['model']}"),
        "tally": (
            tally,
            f"{rows}, correct by kind and model",
            {
                (group,): f"tidy/buzzes.parquet: {_who(group)}"
                f" {_rows(one['correct'] + one['incorrect'])}"
                for group, one in tally.items()
            },
        ),
    }


@_from("questions", "buzzes", gives="by_category buzzes_on buzz_revealed earliest_wrong")
def _buzzes_on_questions(tables, segmentation):
    q = tables["questions"].set_index("question_id")
    buzzes = tables["buzzes"].join(q[["category", "n_words"]], on="question_id")
    buzzes["group"] = _group_of(buzzes)
    rows = "tidy/buzzes.parquet with tidy/questions.parquet"
    by_category, places = {}, {}
    for (group, category), part in buzzes.groupby(["group", "category"])["correct"]:
        by_category.setdefault(group, {})[category] = _tally(part)
        where = f"{_who(group)}, category = {category} {_rows(len(part))}"
        places[group, category] = f"{rows}: {where}"
    groups = {
        (group,): f"{rows}: {_who(group)} {_rows(count)}"
        for group, count in buzzes["group"].value_counts().sort_index().items()
    }
    signs = {key: {"right": [], "wrong": []} for key in q.index}
    for row in buzzes.itertuples():
        signs[row.question_id]["right" if row.correct else "wrong"].append(row.team)
    on, marks = [], {}
    for number, one in enumerate(q.itertuples()):
        text = f"{one.text} ANSWER: {one.answerline}".translate(_QUOTES)
        teams = signs[one.Index]
        on.append({"text": text, "packet": int(one.packet), **teams})
        count = _rows(len(teams["right"]) + len(teams["wrong"]))
        for key in teams:
            marks[number, key] = f"tidy/buzzes.parquet: question_id = {one.Index} {count}"
        # text and packet select the question; its buzzes are the evidence
        marks |= {(number, "text"): "", (number, "packet"): ""}
    heard = (buzzes["word_index"] + 1) / buzzes["n_words"]
    wrong = buzzes[~buzzes["correct"]]
    words = (wrong["word_index"] + 1).groupby(wrong["group"]).min()
    everything = f"{rows}: all {len(buzzes)} rows"
    return {
        "by_category": (by_category, f"{everything}, correct by category", groups | places),
        "buzzes_on": (on, f"{everything}, teams right and wrong on each question", marks),
        "buzz_revealed": (
            heard.groupby(buzzes["group"]).mean().to_dict(),
            f"{everything}, mean of (word_index + 1) / n_words",
            groups,
        ),
        "earliest_wrong": (
            {group: int(count) for group, count in words.items()},
            f"tidy/buzzes.parquet: correct = false {_rows(len(wrong))}, least word_index + 1",
        ),
    }


@_from("exposures", gives="n_team_packets n_model_packets team_packets model_packets packets_heard")
def _exposures(tables, segmentation):
    pairs = tables["exposures"][["kind", "team", "packet"]].drop_duplicates()
    count = pairs["kind"].value_counts()
    heard = {
        team: sorted(int(one) for one in part) for team, part in pairs.groupby("team")["packet"]
    }
    models = sorted(pairs.loc[pairs["kind"] == "model", "team"].unique())
    by_group = {team: len(packets) for team, packets in heard.items()}
    if count.get("human", 0):
        by_group["H"] = int(count["human"])
    rows = "tidy/exposures.parquet: distinct team × packet, declared or seen to buzz"
    parts = {(group,): f"{rows}: {_who(group)} ({n} pairs)" for group, n in by_group.items()}
    return {
        "n_team_packets": (int(count.get("human", 0)), f"{rows}: kind = human"),
        "n_model_packets": (int(count.get("model", 0)), f"{rows}: kind = model"),
        "team_packets": (by_group, f"{rows}: all {len(pairs)} pairs", parts),
        "model_packets": (
            {team: by_group[team] for team in models},
            f"{rows}: kind = model ({int(count.get('model', 0))} pairs)",
        ),
        "packets_heard": (heard, f"{rows}: all {len(pairs)} pairs", parts),
    }


def _early(at, lengths):
    """The buzzes in the first quarter of the clues; ``lengths``: question_id → clues."""
    return at[at["clue"].to_numpy() * 4 <= lengths.reindex(at["question_id"]).to_numpy()]


def _curve(counts, heard) -> list[float]:
    """Cumulative buzzes per unit heard; 0 where nothing was heard."""
    total = np.cumsum(counts)
    return np.divide(total, heard, out=np.zeros(len(total)), where=heard > 0).tolist()


@_from(
    "buzzes",
    "exposures",
    "clues",
    "teams",
    gives="curves buzz_counts group_packets quartile_tally quartiles_differ quartile_sizes"
    " early_wrong early_counts",
)
def _figure4(tables, segmentation):
    """Figure 4 by clue number, under each normalisation that the release allows.

    ``per-question``: cumulative buzzes per question heard, quartiles by total correct buzzes
    (§5.1). ``release``: as the released code draws it, cumulative buzzes per clue heard so far,
    quartiles by summed cumulative counts. The paper divides by matches: ``buzz_counts`` are the
    cumulative buzzes and ``group_packets`` the team × packet pairs of each group (quartiles by
    total correct buzzes), which are the matches of human teams if each heard a packet in one match.

    A team heard a question that it is declared to have heard or was seen to buzz on; where
    participation is not declared that is too few, so a rate per question or clue of human teams is
    at most too high.
    """
    buzzes, exposures, teams = tables["buzzes"], tables["exposures"], tables["teams"]
    clues, chosen = _primary(tables["clues"], segmentation)
    lengths = clues.groupby("question_id")["clue"].max()
    last = int(lengths.max())
    at = buzzes.assign(clue=clues_module.assign(clues, buzzes), group=_group_of(buzzes))
    steps = np.arange(1, last + 1)
    clue_counts = exposures["question_id"].map(lengths).to_numpy()
    heard_by = exposures["team"].to_numpy()
    pairs = exposures[["team", "packet"]].drop_duplicates()
    curves, tallies, parts, tally_parts = {}, {}, {}, {}
    totals, total_parts = {"correct": {}, "incorrect": {}}, {}
    packets, packet_parts = {}, {}
    for reading, rule in (("per-question", "paper"), ("release", "release")):
        curves[reading] = {"correct": {}, "incorrect": {}}
        for group, names in _members(teams, rule).items():
            reached = clue_counts[np.isin(heard_by, names)]
            per_clue = (reached[:, None] >= steps).sum(axis=0)
            heard = np.cumsum(per_clue) if reading == "release" else np.full(last, len(reached))
            mine = at[at["team"].isin(names)]
            who = _who(group)
            if group.startswith("Q"):
                who = f"team with human/teams.parquet quartile_{rule} = {group[1]}"
            for kind, right in (("correct", True), ("incorrect", False)):
                where = mine.loc[mine["correct"] == right, "clue"]
                counts = np.bincount(where, minlength=last + 1)[1:]
                curves[reading][kind][group] = _curve(counts, heard)
                buzzed = (
                    f"tidy/buzzes.parquet: {who}, {kind} {_rows(len(where))} by clue ({chosen})"
                )
                heard_rows = f"tidy/exposures.parquet: {who} {_rows(len(reached))}"
                parts[reading, kind, group] = f"{buzzed}; {heard_rows}"
                if rule == "paper":
                    totals[kind][group] = np.cumsum(counts).tolist()
                    total_parts[kind, group] = buzzed
            if rule == "paper":
                packets[group] = int(pairs["team"].isin(names).sum())
                packet_parts[group,] = (
                    "tidy/exposures.parquet: distinct team × packet, declared or seen to buzz,"
                    f" {who} ({packets[group]} pairs)"
                )
            if group.startswith("Q") and len(mine):
                name = "total-correct" if rule == "paper" else rule
                tallies.setdefault(name, {})[group] = _tally(mine["correct"])
                tally_parts[name, group] = f"tidy/buzzes.parquet: {who} {_rows(len(mine))}"
    early = _early(at[~at["correct"]], lengths)
    n_heard = exposures.groupby(_group_of(exposures)).size()
    early_counts = early["group"].value_counts().reindex(sorted(n_heard.index), fill_value=0)
    humans = teams[teams["kind"] == "human"]
    rows = f"tidy/buzzes.parquet: all {len(buzzes)} rows by clue ({chosen})"
    exposed = f"tidy/exposures.parquet: all {len(exposures)} rows"
    quartiles = f"human/teams.parquet: kind = human {_rows(len(humans))}"
    first_quarter = (
        "tidy/buzzes.parquet: correct = false, in the first quarter of the question's clues"
        f" ({chosen}) {_rows(len(early))}"
    )
    sizes = humans["quartile_paper"].value_counts().sort_index()
    return {
        "curves": (curves, f"{rows}; {exposed}; {quartiles}", parts),
        "buzz_counts": (totals, f"{rows}; {quartiles}, quartile_paper", total_parts),
        "group_packets": (
            packets,
            "tidy/exposures.parquet: distinct team × packet, declared or seen to buzz;"
            f" {quartiles}, quartile_paper",
            packet_parts,
        ),
        "quartile_tally": (
            tallies,
            f"tidy/buzzes.parquet: kind = human; {quartiles}, quartiles",
            tally_parts,
        ),
        "quartiles_differ": (
            int((humans["quartile_paper"] != humans["quartile_release"]).fillna(True).sum()),
            f"{quartiles}, quartile_paper against quartile_release",
        ),
        "quartile_sizes": ([int(n) for n in sizes], f"{quartiles}, quartile_paper"),
        "early_wrong": ((early_counts / n_heard).to_dict(), f"{first_quarter}; {exposed}"),
        "early_counts": ({k: int(n) for k, n in early_counts.items()}, first_quarter),
    }


def _members(teams, rule: str) -> dict[str, list[str]]:
    """The teams of each curve of Figure 4: each team, all humans (H), quartiles Q1 to Q4."""
    members = {team: [team] for team in sorted(teams["team"])}
    humans = teams[teams["kind"] == "human"]
    members["H"] = humans["team"].tolist()
    for quartile in range(1, 5):
        mine = (humans[f"quartile_{rule}"] == quartile).fillna(False)
        members[f"Q{quartile}"] = humans.loc[mine, "team"].tolist()
    return members


@_from("buzzes", "exposures", "questions", gives="answered")
def _answered(tables, segmentation):
    """N_t / N of Eq. 2 at t = 0, 0.1, ..., 1 over this study's human buzzes."""
    heard = (tables["exposures"]["kind"] == "human").sum()
    if not heard:
        return {}
    buzzes = tables["buzzes"]
    right = buzzes[(buzzes["kind"] == "human") & buzzes["correct"]]
    right = right.drop_duplicates(["question_id", "team"])
    words = tables["questions"].set_index("question_id")["n_words"]
    length = right["question_id"].map(words).to_numpy(dtype=float)
    revealed = (right["word_index"].to_numpy() + 1) / length
    shares = [float((revealed <= tenth / 10 + 1e-12).sum() / heard) for tenth in range(11)]
    rows = (
        f"tidy/buzzes.parquet: kind = human, correct {_rows(len(right))};"
        f" tidy/exposures.parquet: kind = human {_rows(heard)}"
    )
    return {"answered": (shares, f"{rows}; N_t / N at t = 0, 0.1, ..., 1")}


def _bounds(curve, definition: str) -> dict:
    """Lowest and highest attainable CalScore under each reading of h."""
    return {
        reading: dict(
            zip(("low", "high"), ranges.attainable(curve, definition, reading), strict=True)
        )
        for reading in ranges.H_READINGS[definition]
    }


@_from("human_curve", gives="attainable h_falls h_not_share h_sum_above_one")
def _human_curve(tables, segmentation):
    curve = tables["human_curve"]
    found, parts = {}, {}
    for name, part in curve.groupby("segmentation"):
        found[name] = {one: _bounds(part, one) for one in ranges.H_READINGS}
        counts = part["h_definition"].value_counts()
        for definition, readings in ranges.H_READINGS.items():
            for reading in readings:
                parts[name, definition, reading] = (
                    f"human/human_curve.parquet: segmentation = {name}, h_definition = {reading}"
                    f" {_rows(counts[reading])}"
                )
    rows, chosen = _primary(curve, segmentation)
    wide = rows.pivot(index=["question_id", "clue"], columns="h_definition", values="h")
    steps = wide["buzzed_so_far"].groupby("question_id").diff()
    falls = (steps < 0).groupby("question_id").any()
    differ = (wide["buzzed_so_far"] - wide["heard"]).abs() > 1e-12
    above = wide["heard"].groupby("question_id").sum() > 1
    where = f"human/human_curve.parquet: segmentation = {chosen}, h_definition ="
    count = _rows(len(wide))
    return {
        "attainable": (found, f"human/human_curve.parquet: all {len(curve)} rows", parts),
        "h_falls": (
            int(falls.sum()),
            f"{where} buzzed_so_far {count}: questions where h falls",
        ),
        "h_not_share": (
            float(differ.mean()),
            f"{where} buzzed_so_far and heard {count} each: share of clues where they differ",
        ),
        "h_sum_above_one": (
            int(above.sum()),
            f"{where} heard {count}: questions with sum of h above 1",
        ),
    }


@_from("questions", "buzzes", "exposures", gives="attainable_by_word")
def _finest(tables, segmentation):
    """The attainable range of definition ``paper`` where each word ends a clue: the widest range
    that clues of equal length give."""
    cut = clues_module.cut(tables["questions"], ["words-1"])
    curve = human.human_curve(cut, tables["buzzes"], tables["exposures"])
    return {
        "attainable_by_word": (
            _bounds(curve, "paper"),
            "tidy/questions.parquet, tidy/buzzes.parquet and tidy/exposures.parquet: all rows,"
            " a clue after each word",
        )
    }


_REDUCTIONS = ["stated", "mean_prob", "exp_mean_logprob", "exp_sum_logprob"]


def _paper_rows(frame, segmentation: str):
    """Rows of §3.2.1's confidence under one segmentation: one reduction for each model."""
    rows, chosen = _primary(frame, segmentation)
    order = {name: place for place, name in enumerate(_REDUCTIONS)}
    place = rows["reduction"].map(order).fillna(len(order))
    best = place.groupby([rows["model"], rows["elicitation"]]).transform("min")
    used = ", ".join(sorted(rows.loc[place == best, "reduction"].unique()))
    return rows[place == best], f"{chosen}, {used}"


@_from("model_scores", gives="scores score_ranks release_scores", needs=OUTPUTS)
def _model_scores(tables, segmentation):
    found = {}
    for definition in ("paper", "release"):
        frame = tables["model_scores"]
        frame = frame[frame["definition"] == definition]
        if frame.empty:
            continue
        rows, used = _paper_rows(frame, segmentation)
        where = f"scores/model_scores.parquet: definition = {definition}, {used}"
        values, places, parts = {}, {}, {}
        for row in rows.itertuples():
            keys = (row.elicitation, row.model)
            words = f"elicitation = {keys[0]}, model = {keys[1]}, metric = {row.metric}"
            parts[(*keys, row.metric)] = f"{where}, {words}"
            values.setdefault(keys[0], {}).setdefault(keys[1], {})[row.metric] = float(row.value)
            places.setdefault(keys[0], {}).setdefault(keys[1], {})[row.metric] = int(row.rank)
        if definition == "release":
            found["release_scores"] = (values, where, parts)
        else:
            ranks = {keys: f"{place}, rank" for keys, place in parts.items()}
            found["scores"] = (values, where, parts)
            found["score_ranks"] = (places, f"{where}, rank", ranks)
    return found


@_from("question_scores", "questions", gives="category_scores hardness", needs=OUTPUTS)
def _question_scores(tables, segmentation):
    frame = tables["question_scores"]
    frame = frame[frame["definition"] == "paper"]
    if frame.empty:
        return {}
    rows, used = _paper_rows(frame, segmentation)
    q = tables["questions"].set_index("question_id")
    rows = rows.join(q["category"], on="question_id")
    means = rows.groupby(["elicitation", "model", "category"])[["calscore", "mce"]].mean()
    where = f"scores/question_scores.parquet: definition = paper, {used}"
    nested, parts = {}, {}
    for keys, row in means.iterrows():
        elicitation, model, category = keys
        nested.setdefault(elicitation, {}).setdefault(model, {})[category] = row.to_dict()
        parts[keys] = f"{where}, elicitation = {elicitation}, model = {model}, mean over" + (
            f" tidy/questions.parquet category = {category}"
        )
    place = rows.groupby("question_id")["calscore"].mean().rank(pct=True)
    texts = (q["text"] + " ANSWER: " + q["answerline"]).str.translate(_QUOTES)
    hardness = [{"text": texts[key], "share": float(share)} for key, share in place.items()]
    return {
        "category_scores": (nested, f"{where}, mean by tidy/questions.parquet category", parts),
        "hardness": (hardness, f"{where}, rank of each question's mean CalScore over all models"),
    }


_PERCENTS = tuple(range(10, 101, 10))


def _at_percents(frame, value: str) -> dict:
    """Mean of ``value`` at clue ⌈p·T⌉ for p = 10, 20, ..., 100 % of a question's T clues."""
    found = {}
    for percent in _PERCENTS:
        # whole numbers, as 0.3 · 10 is above 3 in floating point
        wanted = -(-percent * frame["n_clues"] // 100)
        present = frame.loc[frame["clue"] == wanted, value].dropna()
        if len(present):
            found[percent] = float(present.astype(float).mean())
    return found


_FIFTHS = 5


def _until_buzz(frame, unit: str):
    """Guesses up to the first buzz of a unit on a question (footnote 10), in fifths of the clues.

    ``frame``: unit, question_id, clue, n_clues, right, buzz; with columns given (right or wrong),
    fifth (1 to 5) and buzz as 0 or 1.
    """
    frame = frame.dropna(subset=["right", "buzz"]).sort_values([unit, "question_id", "clue"])
    buzz = frame["buzz"].astype(int)
    before = buzz.groupby([frame[unit], frame["question_id"]]).cumsum() - buzz
    frame = frame[before == 0].assign(buzz=buzz)
    return frame.assign(
        fifth=-(-_FIFTHS * frame["clue"] // frame["n_clues"]),
        given=np.where(frame["right"].astype(bool), "right", "wrong"),
    )


def _buzz_given(frame, unit: str) -> dict:
    """P(b | g): buzzes per right (wrong) guess in each fifth of the clues, mean over units.

    ``frame`` as for :func:`_until_buzz`. A fifth without such guesses is None.
    """
    rates = _until_buzz(frame, unit).groupby(["given", unit, "fifth"])["buzz"].mean()
    means = rates.groupby(level=["given", "fifth"]).mean()
    return {
        given: [
            float(means[given, fifth]) if (given, fifth) in means.index else None
            for fifth in range(1, _FIFTHS + 1)
        ]
        for given in ("right", "wrong")
    }


def _logit_answers(responses, segmentation: str):
    """Answers with logit confidence, with n_clues of their question and right; what was chosen."""
    rows, used = _paper_rows(responses, segmentation)
    rows = rows[rows["elicitation"] == "logit"]
    length = rows.groupby(["model", "question_id"])["clue"].transform("max")
    return rows.assign(n_clues=length, right=rows["correct"]), used


@_from("responses", gives="accuracy model_buzz", needs=OUTPUTS)
def _responses(tables, segmentation):
    rows, used = _logit_answers(tables["responses"], segmentation)
    where = f"judged/responses.parquet: {used}, elicitation = logit"
    parts = {(model,): f"{where}, model = {model}" for model in sorted(rows["model"].unique())}
    buzzing = {
        model: _buzz_given(part, "model")
        for model, part in rows.groupby("model")
        if part["buzz"].notna().any()
    }
    return {
        "accuracy": (
            {model: _at_percents(part, "correct") for model, part in rows.groupby("model")},
            f"{where}, at clue ⌈p·T⌉",
            parts,
        ),
        "model_buzz": (buzzing, f"{where}, up to the first buzz, by fifths of the clues", parts),
    }


def _players_in_quartiles(survey, players) -> dict:
    """Answers of all players (H) and of each quartile."""
    quartile = survey["player"].map(players.set_index("player")["quartile"])
    return {"H": survey} | {f"Q{number}": survey[quartile == number] for number in range(1, 5)}


def _players_in_halves(survey, players) -> dict:
    """Answers of each half of the players, right where they were seen to be (nothing filled in)."""
    given = survey.assign(right=survey["observed"])
    half = given["player"].map(players.set_index("player")["half"])
    return dict(list(given.groupby(half)))


@_from(
    "survey_responses",
    "players",
    gives="n_survey_players survey_questions human_accuracy human_buzz",
    needs=SURVEY,
)
def _survey(tables, segmentation):
    survey, players = tables["survey_responses"], tables["players"]
    asked = survey.groupby("player")["question_id"].nunique()
    groups = _players_in_quartiles(survey, players).items()
    accuracy = {name: _at_percents(part, "correct") for name, part in groups if len(part)}
    halves = _players_in_halves(survey, players).items()
    buzz = {half: _buzz_given(part, "player") for half, part in halves}
    rows = f"judged/survey_responses.parquet: all {len(survey)} rows; human/players.parquet"
    return {
        "n_survey_players": (len(asked), "judged/survey_responses.parquet: distinct players"),
        "survey_questions": (
            {"low": int(asked.min()), "high": int(asked.max())},
            "judged/survey_responses.parquet: distinct questions of each player",
        ),
        "human_accuracy": (accuracy, f"{rows}, at clue ⌈p·T⌉, unknown cells left out"),
        "human_buzz": (buzz, f"{rows}, up to the first buzz, by fifths of the clues"),
    }


#: Every quantity that can be had → the input it needs.
KNOWN = {name: source.needs for source in _SOURCES for name in source.names}


def quantities(tables: dict, segmentation: str = "sentence-100") -> dict[str, Quantity]:
    """Every quantity that ``tables`` (name → frame, see workflow/schemas/tables) allow.

    A quantity whose tables are absent or empty is an absent key. ``segmentation`` is used where a
    quantity needs one; a study that lacks it has its first one by name used, and the evidence says
    so. ``DataError`` where a table lacks a column.
    """
    found = {}
    for source in _SOURCES:
        if any(name not in tables or len(tables[name]) == 0 for name in source.tables):
            continue
        try:
            got = source.compute(tables, segmentation)
        except KeyError as error:
            place = ", ".join(source.tables)
            raise DataError(
                Fault(place, "", str(error.args[0]), None, "the column to be present")
            ) from None
        found |= {name: Quantity(*one) for name, one in got.items()}
    return found


def of_the_paper(tables: dict, published: dict) -> dict:
    """``tables`` with the models that the paper has: its statements are not about any other.

    A study's own model or a baseline neither reproduces nor contradicts what is said of them.
    """
    models = list(published["models"])
    return {
        name: table[table["model"].isin(models)] if "model" in table else table
        for name, table in tables.items()
    }


# --- Expressions -------------------------------------------------------------------------------


class _Branch(dict):
    """A nested value that notes in ``log`` which of its parts an expression looks at.

    ``path``: the keys that lead here, the first one the name of the quantity. ``values()`` notes
    nothing, as the evaluator itself walks through what it finds: the branch stands for them.
    """

    def __init__(self, items, path: tuple, log: set):
        super().__init__(items)
        self._path, self._log = path, log

    def __getitem__(self, key):
        found = super().__getitem__(key)
        self._log.add((*self._path, key))
        return found

    def __missing__(self, key):
        # what a quantity lacks is missing from the study, not a fault of the claim
        raise Missing(f"{'.'.join(map(str, self._path))} has no {key}")


class _Printed(_Branch):
    """A nested printed value."""

    def __missing__(self, key):
        # what is not printed is a fault of the claim
        known = ", ".join(map(str, self))
        raise DataError(Fault("published", "", "predicate", key, f"one of {known}"))


def _nested(value, path: tuple, log: set):
    """``value`` with plain numbers and with branches that know where they are.

    A branch stays the one that it is: what is looked at in a claim's ``value`` is looked at in the
    quantity that it names.
    """
    if isinstance(value, _Branch):
        return value
    if isinstance(value, dict):
        inner = {key: _nested(one, (*path, key), log) for key, one in value.items()}
        return _Branch(inner, path, log)
    if isinstance(value, (list, tuple)):
        return [_nested(one, (*path, place), log) for place, one in enumerate(value)]
    return value.item() if isinstance(value, np.generic) else value


def _printed(value, path: tuple, log: set):
    """Printed values as numbers wherever they are numbers."""
    if isinstance(value, dict):
        inner = {key: _printed(one, (*path, key), log) for key, one in value.items()}
        return _Printed(inner, path, log)
    if isinstance(value, list):
        return [_printed(one, (*path, place), log) for place, one in enumerate(value)]
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    return value


def _leaves(log: set, name: str) -> list[tuple]:
    """The deepest places below ``name`` that were looked at, in order of their names."""
    paths = {path[1:] for path in log if path[0] == name}
    inner = {path[:depth] for path in paths for depth in range(len(path))}
    return sorted(paths - inner, key=str)


def _evidence(quantity: Quantity, leaves: list[tuple]) -> list[str]:
    """Files and rows of the parts of a quantity that were looked at; one text if that is all."""
    parts, shown = quantity.parts, []
    for leaf in leaves if parts else ():
        places = (leaf[:depth] for depth in range(len(leaf), 0, -1))
        place = next((one for one in places if one in parts), None)
        if place is None:
            return [quantity.evidence]
        shown.append(parts[place])
    chosen = {one for one in shown if one}
    inner = {place[:depth] for place in parts for depth in range(len(place))}
    for branch in sorted(inner, key=len):
        below = {
            text
            for place, text in parts.items()
            if text and len(place) > len(branch) and place[: len(branch)] == branch
        }
        whole = quantity.evidence if not branch else parts.get(branch)
        if whole and len(below - {whole}) > 1 and below <= chosen:
            chosen = chosen - below | {whole}
            shown = [whole if one in below else one for one in shown]
    return [one for one in dict.fromkeys(shown) if one in chosen] or [quantity.evidence]


#: Names of ``printed`` → the keys they have in the published file; all others are under ``facts``.
_PRINTED_KEYS = {
    "table1": "table1.scores",
    "table1_ranks": "table1.ranks",
    "table2": "table2.accuracy",
    "table5": "table5.calscore",
}
_MANY = 4


def _printed_evidence(leaves: list[tuple], file: str) -> list[str]:
    """The keys of the published file that were looked at; whole tables where they are many."""
    if len(leaves) > _MANY:
        leaves = [leaf[:1] for leaf in leaves]
    keys = {
        ".".join([_PRINTED_KEYS.get(leaf[0], f"facts.{leaf[0]}"), *map(str, leaf[1:])]): None
        for leaf in leaves
    }
    return [f"{file}: {', '.join(keys)}"] if keys else []


def _mean(values) -> float:
    values = list(values)
    if not values or any(one is None for one in values):
        raise Missing("nothing to average over")
    return math.fsum(values) / len(values)


def _weighted_mean(values: dict, weights: dict) -> float:
    """Mean of ``values`` weighted by ``weights``, over the same keys."""
    if set(values) != set(weights):
        raise Missing(f"categories {sorted(values)} weighted by {sorted(weights)}")
    total = math.fsum(values[key] * weights[key] for key in values)
    return total / math.fsum(weights.values())


def _rank(values) -> list[int]:
    """Rank of each value, 1 for the smallest; equal values share the better rank."""
    values = list(values)
    return [1 + sum(other < one for other in values) for one in values]


def _spearman(first, second) -> float:
    """Spearman's rank correlation."""
    first, second = (pd.Series(list(one)).rank() for one in (first, second))
    return float(first.corr(second))


def _polynomial(coefficients, x: float) -> float:
    """Value at x of the polynomial with coefficients of x⁰, x¹, ..."""
    return math.fsum(factor * x**power for power, factor in enumerate(coefficients))


def _counts(percentages, decimals: int, n: int) -> list[int]:
    """How many of ``n`` people each rounded percentage stands for; empty if one fits no number."""
    found = []
    for percentage in percentages:
        k = round(percentage * n / 100)
        if abs(100 * k / n - percentage) > 0.5 * 10.0**-decimals + 1e-9:
            return []
        found.append(k)
    return found


def _splits(least: dict, total: float) -> list[dict]:
    """Every way to share ``total`` among the names of ``least``, each with at least its number."""
    names, spare = list(least), int(total) - sum(least.values())
    if spare < 0 or not names:
        raise Missing(f"no way to share {int(total)} among {names}, each with its least number")
    found = []
    for cuts in itertools.combinations(range(spare + len(names) - 1), len(names) - 1):
        edges = (-1, *cuts, spare + len(names) - 1)
        extra = (after - before - 1 for before, after in itertools.pairwise(edges))
        shares = {name: least[name] + more for name, more in zip(names, extra, strict=True)}
        found.append(_Branch(shares, ("matches",), set()))
    return found


def _rates(counts: dict, least: dict, total: float) -> list[dict]:
    """``counts`` per match under every way to share ``total`` matches, see :func:`_splits`."""
    return [
        _Branch({name: counts[name] / n for name, n in split.items()}, ("rates",), set())
        for split in _splits(least, total)
    ]


def _where(truths: dict) -> str:
    """``yes``, ``no``, or under which of the names it is so."""
    true = [name for name, one in truths.items() if one]
    if len(true) == len(truths):
        return "yes"
    return f"only under {', '.join(true)}" if true else "no"


FUNCTIONS = {
    "abs": abs,
    "min": min,
    "max": max,
    "all": all,
    "any": any,
    "len": len,
    "sum": sum,
    "round": round,
    "set": set,
    "sorted": sorted,
    "range": lambda *ends: list(range(*ends)),
    "mean": _mean,
    "weighted_mean": _weighted_mean,
    "rank": _rank,
    "spearman": _spearman,
    "polynomial": _polynomial,
    "counts": _counts,
    "splits": _splits,
    "rates": _rates,
    "where": _where,
    "renormalise": lambda x: float(renormalise(x)),
}

#: Functions that are what a claim is about → where they stand.
_COMPUTED_BY = {"renormalise": "workflow/calscore/metrics.py: renormalise"}

_LOCAL = ("published", "tolerance", "value")


def _names(expression: str) -> set[str]:
    """Free names of an expression: what it needs, without functions and comprehension variables."""
    names, bound = _all_names(expression)
    return names - bound - set(FUNCTIONS)


def _all_names(expression: str) -> tuple[set[str], set[str]]:
    """All names of an expression, and those that it binds itself."""
    nodes = [
        node
        for node in ast.walk(ast.parse(expression.strip(), mode="eval"))
        if isinstance(node, ast.Name)
    ]
    return {node.id for node in nodes}, {
        node.id for node in nodes if isinstance(node.ctx, ast.Store)
    }


def _evaluate(expression: str, names: dict):
    """Value of the expression, with nothing but ``names`` and FUNCTIONS in reach."""
    from simpleeval import EvalWithCompoundTypes

    return EvalWithCompoundTypes(functions=dict(FUNCTIONS), names=names).eval(expression.strip())


# --- Claims ------------------------------------------------------------------------------------


def _slug(name: str) -> str:
    return name.lower().replace(" ", "-").replace("/", "-")


def _table_claims(published: dict) -> list[dict]:
    """One claim for each number of Tables 1, 2 and 5, and for each rank printed in Table 1."""
    models = published["models"]
    claims = []

    def add(place, section, words, value, printed, tolerance, **more):
        claims.append(
            {
                "id": place,
                "section": section,
                "statement": words,
                "value": value,
                "published": printed,
                "tolerance": tolerance,
                **more,
            }
        )

    table = published["table1"]
    half = 0.5 * 10.0 ** -table["decimals"]
    for elicitation, rows in table["scores"].items():
        for model, metrics in rows.items():
            for metric, printed in metrics.items():
                place = f"table1.{elicitation}.{_slug(models[model])}.{metric}"
                words = f"{models[model]}, {elicitation}: {metric}"
                key = f"{elicitation}.{model}.{metric}"
                add(place, "Table 1", words, f"scores.{key}", printed, half)
                rank = table["ranks"][elicitation][model][metric]
                add(f"{place}.rank", "Table 1", f"{words}, rank", f"score_ranks.{key}", rank, None)
    table = published["table2"]
    half = 0.5 * 10.0 ** -table["decimals"]
    for dataset, rows in table["accuracy"].items():
        for model, row in rows.items():
            for percent, printed in row.items():
                place = f"table2.{_slug(dataset)}.{_slug(models[model])}.{percent}"
                words = f"{models[model]} on {dataset}: accuracy at {percent} % of the clues"
                if dataset == table["study"]:
                    value = f"100 * accuracy.{model}[{percent}]"
                    add(place, "Table 2", words, value, printed, half)
                else:
                    needs = f"{dataset} outputs"
                    add(place, "Table 2", words, None, printed, half, needs=needs)
    table = published["table5"]
    half = 0.5 * 10.0 ** -table["decimals"]
    for elicitation, rows in table["calscore"].items():
        for model, row in rows.items():
            for category, printed in row.items():
                place = f"table5.{elicitation}.{_slug(models[model])}.{_slug(category)}"
                words = f"{models[model]}, {elicitation}: CalScore of {category}"
                value = f"category_scores.{elicitation}.{model}[{category!r}].calscore"
                add(place, "Table 5", words, value, printed, half)
    return claims


#: Reading of h in an id → its name in table human_curve, and where the paper gives it.
_H = {
    "so-far": ("buzzed_so_far", "h of §4.1, correct / all human buzzes so far"),
    "heard": ("heard", "h of §4.3, the share of the human teams that have answered correctly"),
    "on-question": (
        "buzzed_on_question",
        "h of the released code, correct buzzes so far / all human buzzes on the question",
    ),
}


def _range_claims(published: dict) -> list[dict]:
    """Can a model have this CalScore? One claim per row of Table 1, printed or exchanged, and h.

    The range depends on where clues end, which the paper does not say: the predicate has one truth
    value for each segmentation of the study.
    """
    table = published["table1"]
    columns = (
        ("calscore", "range", ""),
        ("mce", "range.exchanged", "; columns MCE and CalScore exchanged"),
    )
    return [
        _range_claim(
            f"{prefix}.{elicitation}.{_slug(published['models'][model])}.{reading}",
            f"{published['models'][model]}, {elicitation}: a model can have this CalScore by Eq. 1"
            f" given the human buzzes ({_H[reading][1]}{how})",
            reading,
            row[metric],
            0.5 * 10.0 ** -table["decimals"],
        )
        for metric, prefix, how in columns
        for elicitation, models in table["scores"].items()
        for model, row in models.items()
        for reading in _H
    ]


def _range_claim(place: str, statement: str, reading: str, printed: str, half: float) -> dict:
    """A printed score against the attainable range; the note says what other readings of h give."""

    def by_segmentation(template: str, h: str) -> str:
        """For each segmentation, with LOW and HIGH the ends of its range under ``h``."""
        for end in ("low", "high"):
            template = template.replace(end.upper(), f"attainable[s].paper.{h}.{end}")
        return "{s: " + template + " for s in attainable}"

    others = []
    for h, words in _H.values():
        if h != _H[reading][0]:
            truths = by_segmentation(f"LOW - {half:g} <= {printed} <= HIGH + {half:g}", h)
            highest = by_segmentation("HIGH", h)
            others.append(f"{words}: {{{{ where({truths}) }}}} (highest {{{{ {highest} }}}})")
    h = _H[reading][0]
    return {
        "id": place,
        "section": "Table 1",
        "statement": statement,
        "value": by_segmentation("[LOW, HIGH]", h),
        "predicate": "[value[s][0] - tolerance <= published <= value[s][1] + tolerance"
        " for s in value]",
        "published": printed,
        "tolerance": half,
        "undecided": "the authors' segmentation into clues",
        "note": "recomputed: lowest and highest attainable by segmentation; the authors' own is not"
        " published, and the highest rises with finer or earlier clues"
        f" (a clue after each word: {{{{ attainable_by_word.{h}.high }}}})."
        f" Attainable under {'; '.join(others)}",
    }


def _readings(claim: dict) -> list[dict]:
    """A claim with ``readings`` (name → what it means) is one claim for each: ``{reading}``."""
    if "readings" not in claim:
        return [claim]
    found = []
    for reading, meaning in claim["readings"].items():
        one = {key: value for key, value in claim.items() if key != "readings"}
        for key in ("predicate", "value"):
            if isinstance(one.get(key), str):
                one[key] = one[key].replace("{reading}", reading)
        one["id"] = f"{claim['id']}.{reading}"
        one["note"] = "; ".join(part for part in (f"read as: {meaning}", claim.get("note")) if part)
        found.append(one)
    return found


_KEYS = {"id", "section", "statement", "predicate", "value", "published"}
_KEYS |= {"tolerance", "needs", "undecided", "kind", "note", "readings"}

_EMBEDDED = re.compile(r"\{\{(.+?)\}\}(?!\})")


def _embedded(claim: dict) -> list[str]:
    """The expressions in a claim's note."""
    return _EMBEDDED.findall(claim.get("note") or "")


def _predicate(claim: dict) -> str | None:
    """The claim's predicate; by default that ``value`` is the published one, within tolerance."""
    if claim.get("predicate") or claim.get("needs"):
        return claim.get("predicate")
    if claim.get("value") is None or claim.get("published") is None:
        return None
    if claim.get("tolerance") is None:
        return f"{claim['value']} == {claim['published']}"
    # a value that lies on the edge of the tolerance in decimal is within it
    return f"abs({claim['value']} - {claim['published']}) <= {claim['tolerance']:g} + 1e-9"


def _faults(claims: list[dict], quantities: dict[str, str] = KNOWN) -> list[Fault]:
    """What is wrong with the claims themselves, before anything is evaluated."""
    found, seen = [], set()
    for claim in claims:
        place = str(claim.get("id", ""))
        faulty = [
            Fault("claims", place, key, None, "a value")
            for key in ("id", "section", "statement")
            if not claim.get(key)
        ]
        faulty += [
            Fault("claims", place, key, key, f"one of {', '.join(sorted(_KEYS))}")
            for key in set(claim) - _KEYS
        ]
        if place in seen:
            faulty.append(Fault("claims", place, "id", place, "an id that occurs once"))
        seen.add(place)
        if claim.get("kind", "study") not in KINDS:
            faulty.append(
                Fault("claims", place, "kind", claim["kind"], f"one of {', '.join(KINDS)}")
            )
        predicate = _predicate(claim)
        if bool(predicate) == bool(claim.get("needs")):
            words = "either a predicate (or value and published) or needs"
            faulty.append(Fault("claims", place, "predicate", predicate, words))
        known = {*quantities, "printed", *_LOCAL}
        written = [("predicate", predicate), ("value", claim.get("value"))]
        written += [("note", expression) for expression in _embedded(claim)]
        for key, expression in written:
            if not expression:
                continue
            try:
                unknown = _names(expression) - known
            except SyntaxError:
                faulty.append(Fault("claims", place, key, expression, "an expression"))
                continue
            faulty += [
                Fault("claims", place, key, name, "a quantity of calscore.claims.KNOWN")
                for name in sorted(unknown)
            ]
            outside = _names(expression) & set(quantities)
            if claim.get("kind") in ("published", "fact") and outside and key != "note":
                words = f"printed values only, as kind is {claim['kind']}"
                faulty.append(Fault("claims", place, key, ", ".join(sorted(outside)), words))
        found += faulty
    return found


def _text(value) -> str:
    """A recomputed value as text: numbers at full precision, lists and tables as JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    return json.dumps(value, ensure_ascii=False, default=list)


def _short(value) -> str:
    """A value inside a note: numbers to four digits."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {_short(one)}" for key, one in value.items())
    if isinstance(value, (list, tuple, set)):
        return ", ".join(map(_short, value)) or "none"
    if isinstance(value, float):
        return f"{value:.4g}"
    return _text(value)


def _by_file(shown: list[str]) -> str:
    """The evidence with each file named once: ``file: rows, rows; file: rows``."""
    files = {}
    for one in "; ".join(shown).split("; ") if shown else ():
        file, _, rows = one.partition(": ")
        files.setdefault(file, {})[rows] = None
    return "; ".join(f"{file}: {' | '.join(rows)}" for file, rows in files.items())


@dataclass
class _Scope:
    """What expressions can see, and which parts of it were looked at."""

    names: dict
    quantities: dict[str, Quantity]
    file: str
    log: set
    known: dict[str, str] = field(default_factory=lambda: KNOWN)
    intervals: dict[tuple, str] = field(default_factory=dict)

    def cited(self, expressions: list[str]) -> str:
        """Intervals of the parts that the expressions, just evaluated, looked at.

        Those of a whole branch where it was looked at as a whole, and of the whole quantity where
        it was named and no part of it looked at.
        """
        used = set().union(*(_all_names(one)[0] for one in expressions), set())
        shown = {}
        for name in sorted(used & {place[0] for place in self.intervals}):
            places = [place for place in self.intervals if place[0] == name]
            for leaf in _leaves(self.log, name) or [()]:
                for place in places:
                    depth = min(len(place) - 1, len(leaf))
                    if place[1 : depth + 1] == leaf[:depth]:
                        shown[".".join(map(str, place))] = self.intervals[place]
        return "; ".join(f"{place}: {text}" for place, text in shown.items())

    def evidence(self, expressions: list[str]) -> str:
        """Files and rows that the expressions, just evaluated, have used."""
        used = set().union(*(_all_names(one)[0] for one in expressions), set())
        shown = []
        for name in sorted(used & set(self.quantities)):
            shown += _evidence(self.quantities[name], _leaves(self.log, name))
        shown += _printed_evidence(_leaves(self.log, "printed"), self.file)
        shown += [place for name, place in _COMPUTED_BY.items() if name in used]
        return _by_file(shown)


def _note(claim: dict, names: dict) -> str:
    """The claim's note, its expressions evaluated; ``unknown here`` where the study lacks them."""
    from simpleeval import InvalidExpression

    def shown(match: re.Match) -> str:
        try:
            return _short(_evaluate(match[1], names))
        except (Missing, InvalidExpression, ArithmeticError, LookupError, TypeError, ValueError):
            return "unknown here"

    return _EMBEDDED.sub(shown, claim.get("note") or "")


def _verdict(found, claim: dict) -> bool | None:
    """The truth of a claim; None where the possibilities that the data leave do not agree."""
    if not claim.get("undecided"):
        return bool(found)
    truths = {bool(one) for one in found}
    return truths.pop() if len(truths) == 1 else None


def _row(claim: dict, scope: _Scope, simulated: bool) -> dict:
    from simpleeval import InvalidExpression

    predicate, value = _predicate(claim), claim.get("value")
    expressions = [one for one in (predicate, value) if one]
    used = set().union(*(_names(one) for one in expressions), set())
    study = sorted(used & set(scope.known))
    local = {
        "published": _printed(claim.get("published"), ("published",), set()),
        "tolerance": claim.get("tolerance"),
    }
    scope.log.clear()
    names = {**scope.names, **local}
    recomputed, verdict, lacking = None, None, claim.get("needs")
    absent = [name for name in study if name not in names]
    if absent and not lacking:
        lacking = ", ".join(dict.fromkeys(scope.known[name] for name in absent))
    elif not lacking:
        try:
            if value:
                recomputed = _nested(_evaluate(value, names), ("value",), set())
            found = _evaluate(predicate, {**names, "value": recomputed})
            verdict = _verdict(found, claim)
            lacking = claim["undecided"] if verdict is None else None
            recomputed = verdict if value is None else recomputed
        except Missing as missing:
            sources = dict.fromkeys(scope.known[name] for name in study)
            lacking = f"{', '.join(sources)} ({missing})"
        except (DataError, InvalidExpression) as error:
            problem = f"an expression that can be evaluated ({error})"
            raise DataError(Fault("claims", claim["id"], "predicate", predicate, problem)) from None
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            problem = f"{type(error).__name__}: {error}"
            if not study:
                fault = Fault("claims", claim["id"], "predicate", predicate, problem)
                raise DataError(fault) from None
            # a small study can leave nothing to divide by or to take the highest of
            sources = dict.fromkeys(scope.known[name] for name in study)
            lacking = f"more of {', '.join(sources)} ({problem})"
    if simulated and (study or claim.get("needs")):
        status = SIMULATED
    elif lacking:
        status = UNPUBLISHED
    elif verdict:
        status = REPRODUCED
    elif claim.get("kind") in ("published", "consistency"):
        status = INCONSISTENT
    else:
        status = CONTRADICTED
    evidence = scope.evidence(expressions)
    # what was not evaluated has looked at nothing, which is not the whole
    cited = "" if recomputed is None else scope.cited(expressions)
    note = _note(claim, {**names, "value": recomputed})
    # without a verdict, the note's numbers are all that there is
    evidence = evidence if expressions else scope.evidence(_embedded(claim))
    return {
        "id": claim["id"],
        "section": claim["section"],
        "statement": claim["statement"],
        "predicate": predicate or "",
        "published": _text(claim.get("published")),
        "recomputed": _text(recomputed),
        "tolerance": _text(claim.get("tolerance")),
        "status": status,
        "evidence": evidence,
        "intervals": cited,
        "note": "; ".join(part for part in (note, f"needs: {lacking}" if lacking else "") if part),
    }


def _printed_names(published: dict, log: set) -> _Printed:
    """What ``printed`` gives: the tables without their frame, and everything under ``facts``."""
    tables = {
        "table1": published["table1"]["scores"],
        "table1_ranks": published["table1"]["ranks"],
        "table2": published["table2"]["accuracy"],
        "table5": published["table5"]["calscore"],
    }
    return _printed({**tables, **published.get("facts", {})}, ("printed",), log)


def all_claims(published: dict) -> list[dict]:
    """The written claims (one for each reading), those of the attainable ranges and one for each
    number of the printed tables.

    ``DataError`` names every claim with an unknown key, quantity or kind, a double id, or neither a
    predicate nor a need.
    """
    claims = [one for claim in published["claims"] for one in _readings(claim)]
    claims += _range_claims(published) + _table_claims(published)
    faults = _faults(claims)
    if faults:
        raise DataError(faults)
    return claims


def evaluate(
    published: dict,
    quantities: dict[str, Quantity],
    simulated: bool,
    intervals: dict[tuple, str] | None = None,
) -> pd.DataFrame:
    """The ledger: one row per claim, columns :data:`COLUMNS`, in the order of the published file.

    ``published``: config/published/grace.yaml as read. ``quantities``: from :func:`quantities`.
    ``intervals``: from :func:`calscore.claim_intervals.intervals`, cited where a claim looks at the
    number that they belong to.
    ``status``: ``reproduced``; ``contradicted`` by the study's data or a known fact; ``internally
    inconsistent`` where printed numbers contradict each other; ``needs unpublished data`` where a
    quantity could not be computed, or where what was not released decides (``undecided``). In a
    ``simulated`` study a claim that needs study data is ``not applicable (simulated)``, with
    recomputed filled all the same.
    """
    unknown = sorted(set(quantities) - set(KNOWN))
    if unknown:
        raise DataError(
            [Fault("quantities", "", name, name, "a quantity of KNOWN") for name in unknown]
        )
    log = set()
    names = {name: _nested(one.value, (name,), log) for name, one in quantities.items()}
    names["printed"] = _printed_names(published, log)
    scope = _Scope(
        names, quantities, published.get("file", "published"), log, intervals=intervals or {}
    )
    rows = [_row(claim, scope, simulated) for claim in all_claims(published)]
    return pd.DataFrame(rows, columns=COLUMNS)


def ledger(
    claims: list[dict],
    facts: dict,
    quantities: dict[str, Quantity],
    known: dict[str, str],
    file: str,
    simulated: bool,
    intervals: dict[tuple, str],
) -> pd.DataFrame:
    """The ledger of any study: claims as in a published file, over quantities of its own.

    ``facts``: what ``printed`` gives. ``known``: every quantity that a claim may name → the input
    that it needs; ``quantities``: those that this study has; ``intervals``: place in one of them → how
    sure the number there is. Columns and statuses as :func:`evaluate`.
    """
    claims = [one for claim in claims for one in _readings(claim)]
    faults = _faults(claims, known)
    if faults:
        raise DataError(faults)
    log = set()
    names = {name: _nested(one.value, (name,), log) for name, one in quantities.items()}
    names["printed"] = _printed(facts, ("printed",), log)
    scope = _Scope(names, quantities, file, log, known, intervals)
    return pd.DataFrame([_row(claim, scope, simulated) for claim in claims], columns=COLUMNS)
