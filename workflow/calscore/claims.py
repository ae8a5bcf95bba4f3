"""The ledger: every checkable statement of a paper against the study's own tables.

A claim is a row of ``claims:`` in config/published/<study>.yaml; every number of the paper's tables
makes a row by itself. Its ``predicate`` is an expression over

- quantities that this module computes from the study's tables (:func:`quantities`), and
- ``printed``: the numbers of the paper, which are compared with but never computed from.

Nothing printed enters a recomputed number: :func:`quantities` does not see the published file.
"""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from . import clues as clues_module
from . import ranges
from .errors import DataError, Fault
from .metrics import renormalise

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
    "note",
]

REPRODUCED = "reproduced"
CONTRADICTED = "contradicted"
INCONSISTENT = "internally inconsistent"
UNPUBLISHED = "needs unpublished data"
SIMULATED = "not applicable (simulated)"
STATUSES = (REPRODUCED, CONTRADICTED, INCONSISTENT, UNPUBLISHED, SIMULATED)

#: ``published``: printed numbers alone decide, so a false one means that the paper disagrees with
#: itself. ``consistency``: two printed tables against each other, weighted by the study's data.
#: ``fact``: against something known outside the study. ``study`` (the default): the study's data.
KINDS = ("study", "published", "consistency", "fact")

RELEASE = "the released questions and buzzes"
OUTPUTS = "per-clue model outputs"
SURVEY = "offline survey"


class Missing(Exception):
    """A quantity that this study's tables do not give; the message says which."""


@dataclass(frozen=True)
class Quantity:
    """A recomputed ``value`` and the table and rows it comes from."""

    value: object
    evidence: str


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
    rows = f"tidy/questions: all {len(q)} rows"
    return {
        "n_questions": (len(q), rows),
        "packet_sizes": (q.groupby("packet").size().tolist(), f"{rows}, by packet"),
        "category_mixes": (len(mixes), f"{rows}, category by packet"),
        "category_counts": (q["category"].value_counts().sort_index().to_dict(), rows),
        "raw_counts": (q["category_raw"].value_counts().sort_index().to_dict(), rows),
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
    rows = "tidy/clues: last clue of every question, by segmentation"
    return {
        "clue_words": ((totals["end_word"] / totals["clue"]).to_dict(), f"{rows}, end_word / clue"),
        "clue_chars": ((totals["end_char"] / totals["clue"]).to_dict(), f"{rows}, end_char / clue"),
    }


@_from("buzzes", gives="n_buzzes human_teams model_teams tally")
def _buzzes(tables, segmentation):
    buzzes = tables["buzzes"]
    humans = buzzes[buzzes["kind"] == "human"]
    tally = {group: _tally(part) for group, part in buzzes["correct"].groupby(_group_of(buzzes))}
    models = sorted(buzzes.loc[buzzes["kind"] == "model", "team"].unique())
    if models:
        tally["M"] = _tally(buzzes.loc[buzzes["kind"] == "model", "correct"])
    return {
        "n_buzzes": (len(buzzes), f"tidy/buzzes: all {len(buzzes)} rows"),
        "human_teams": (sorted(humans["team"].unique()), "tidy/buzzes: rows of kind human"),
        "model_teams": (models, "tidy/buzzes: rows of kind model"),
        "tally": (tally, "tidy/buzzes: correct by human (H), model (M) and model team"),
    }


@_from("questions", "buzzes", gives="by_category buzzes_on buzz_revealed")
def _buzzes_on_questions(tables, segmentation):
    q = tables["questions"].set_index("question_id")
    buzzes = tables["buzzes"].join(q[["category", "n_words"]], on="question_id")
    buzzes["group"] = _group_of(buzzes)
    by_category = {}
    for (group, category), part in buzzes.groupby(["group", "category"])["correct"]:
        by_category.setdefault(group, {})[category] = _tally(part)
    signs = {key: {"right": [], "wrong": []} for key in q.index}
    for row in buzzes.itertuples():
        signs[row.question_id]["right" if row.correct else "wrong"].append(row.team)
    on = [
        {"text": f"{one.text} ANSWER: {one.answerline}".translate(_QUOTES), **signs[one.Index]}
        for one in q.itertuples()
    ]
    heard = (buzzes["word_index"] + 1) / buzzes["n_words"]
    rows = "tidy/buzzes: all rows, joined with tidy/questions"
    return {
        "by_category": (by_category, f"{rows}, correct by category"),
        "buzzes_on": (on, f"{rows}, teams right and wrong on each question"),
        "buzz_revealed": (
            heard.groupby(buzzes["group"]).mean().to_dict(),
            f"{rows}, mean of (word_index + 1) / n_words",
        ),
    }


@_from("exposures", gives="n_team_packets n_model_packets")
def _exposures(tables, segmentation):
    pairs = tables["exposures"][["kind", "team", "packet"]].drop_duplicates()
    count = pairs["kind"].value_counts()
    rows = "tidy/exposures: distinct team × packet, declared or seen to buzz"
    return {
        "n_team_packets": (int(count.get("human", 0)), f"{rows}, kind human"),
        "n_model_packets": (int(count.get("model", 0)), f"{rows}, kind model"),
    }


def _curve(counts, heard) -> list[float]:
    """Cumulative buzzes per unit heard; 0 where nothing was heard."""
    total = np.cumsum(counts)
    return np.divide(total, heard, out=np.zeros(len(total)), where=heard > 0).tolist()


@_from(
    "buzzes",
    "exposures",
    "clues",
    "teams",
    gives="curves quartile_tally quartiles_differ quartile_sizes first_clue_wrong early_wrong",
)
def _figure4(tables, segmentation):
    """Figure 4 by clue number, as the text reads (``paper``) and as the released code draws it.

    ``paper``: cumulative buzzes per question heard, quartiles by total correct buzzes. ``release``:
    cumulative buzzes per clue heard so far, quartiles by summed cumulative counts. A team heard a
    question that it is declared to have heard or was seen to buzz on; where participation is not
    declared that is too few, so a rate of human teams is at most too high.
    """
    buzzes, exposures, teams = tables["buzzes"], tables["exposures"], tables["teams"]
    clues, chosen = _primary(tables["clues"], segmentation)
    lengths = clues.groupby("question_id")["clue"].max()
    last = int(lengths.max())
    at = buzzes.assign(clue=clues_module.assign(clues, buzzes), group=_group_of(buzzes))
    steps = np.arange(1, last + 1)
    clue_counts = exposures["question_id"].map(lengths).to_numpy()
    heard_by = exposures["team"].to_numpy()
    curves, tallies = {}, {}
    for reading in ("paper", "release"):
        members = {team: [team] for team in sorted(teams["team"])}
        humans = teams[teams["kind"] == "human"]
        members["H"] = humans["team"].tolist()
        for quartile in range(1, 5):
            mine = humans[f"quartile_{reading}"] == quartile
            members[f"Q{quartile}"] = humans.loc[mine.fillna(False), "team"].tolist()
        curves[reading] = {"correct": {}, "incorrect": {}}
        for group, names in members.items():
            reached = clue_counts[np.isin(heard_by, names)]
            per_clue = (reached[:, None] >= steps).sum(axis=0)
            heard = np.cumsum(per_clue) if reading == "release" else np.full(last, len(reached))
            mine = at[at["team"].isin(names)]
            for kind, right in (("correct", True), ("incorrect", False)):
                where = mine.loc[mine["correct"] == right, "clue"]
                counts = np.bincount(where, minlength=last + 1)[1:]
                curves[reading][kind][group] = _curve(counts, heard)
            if group.startswith("Q") and len(mine):
                tallies.setdefault(reading, {})[group] = _tally(mine["correct"])
    wrong = at[~at["correct"]]
    early = wrong[wrong["clue"] * 4 <= wrong["question_id"].map(lengths)]
    n_heard = exposures.groupby(_group_of(exposures)).size()
    humans = teams[teams["kind"] == "human"]
    groups = sorted(n_heard.index)
    first = wrong.loc[wrong["clue"] == 1, "group"].value_counts().reindex(groups, fill_value=0)
    share = early["group"].value_counts().reindex(groups, fill_value=0) / n_heard
    rows = f"tidy/buzzes, tidy/exposures, tidy/clues ({chosen}): all rows; human/teams: quartiles"
    sizes = humans["quartile_paper"].value_counts().sort_index()
    return {
        "curves": (curves, rows),
        "quartile_tally": (tallies, f"{rows}; correct by quartile"),
        "quartiles_differ": (
            int((humans["quartile_paper"] != humans["quartile_release"]).fillna(True).sum()),
            "human/teams: rows of kind human, quartile_paper against quartile_release",
        ),
        "quartile_sizes": ([int(n) for n in sizes], "human/teams: quartile_paper"),
        "first_clue_wrong": (first.to_dict(), f"{rows}; wrong buzzes in clue 1"),
        "early_wrong": (
            share.to_dict(),
            f"{rows}; wrong buzzes in the first quarter of the clues per question heard",
        ),
    }


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
    rows = "tidy/buzzes: right human buzzes; tidy/exposures: rows of kind human"
    return {"answered": (shares, f"{rows}; N_t / N at t = 0, 0.1, ..., 1")}


@_from("human_curve", gives="attainable h_falls h_not_share h_sum_above_one")
def _human_curve(tables, segmentation):
    curve = tables["human_curve"]
    found = {}
    for name, part in curve.groupby("segmentation"):
        for definition in ranges.DEFINITIONS:
            low, high = ranges.attainable(part, definition)
            found.setdefault(name, {})[definition] = {"low": low, "high": high}
    rows, chosen = _primary(curve, segmentation)
    wide = rows.pivot(index=["question_id", "clue"], columns="h_definition", values="h")
    steps = wide["buzzed_so_far"].groupby("question_id").diff()
    falls = (steps < 0).groupby("question_id").any()
    differ = (wide["buzzed_so_far"] - wide["heard"]).abs() > 1e-12
    above = wide["heard"].groupby("question_id").sum() > 1
    where = f"human/human_curve: {chosen}"
    return {
        "attainable": (found, "human/human_curve: h of every segmentation and definition"),
        "h_falls": (int(falls.sum()), f"{where}, buzzed_so_far: questions where h falls"),
        "h_not_share": (
            float(differ.mean()),
            f"{where}: share of clues where buzzed_so_far and heard differ",
        ),
        "h_sum_above_one": (int(above.sum()), f"{where}, heard: questions with sum of h above 1"),
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
        values, places = {}, {}
        for row in rows.itertuples():
            keys = (row.elicitation, row.model)
            values.setdefault(keys[0], {}).setdefault(keys[1], {})[row.metric] = float(row.value)
            places.setdefault(keys[0], {}).setdefault(keys[1], {})[row.metric] = int(row.rank)
        where = f"scores/model_scores: definition {definition}, {used}"
        if definition == "release":
            found["release_scores"] = (values, where)
        else:
            found |= {"scores": (values, where), "score_ranks": (places, f"{where}, rank")}
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
    nested = {}
    for (elicitation, model, category), row in means.iterrows():
        nested.setdefault(elicitation, {}).setdefault(model, {})[category] = row.to_dict()
    place = rows.groupby("question_id")["calscore"].mean().rank(pct=True)
    texts = (q["text"] + " ANSWER: " + q["answerline"]).str.translate(_QUOTES)
    hardness = [{"text": texts[key], "share": float(share)} for key, share in place.items()]
    where = f"scores/question_scores: definition paper, {used}"
    return {
        "category_scores": (nested, f"{where}, mean by tidy/questions category"),
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


def _buzz_given(frame, unit: str) -> dict:
    """P(b | g): buzzes per right (wrong) guess in each fifth of the clues, mean over units.

    ``frame``: unit, question_id, clue, n_clues, right, buzz. Only clues up to the first buzz of a
    unit on a question count (footnote 10). A fifth without such guesses is None.
    """
    frame = frame.dropna(subset=["right", "buzz"]).sort_values([unit, "question_id", "clue"])
    buzz = frame["buzz"].astype(int)
    before = buzz.groupby([frame[unit], frame["question_id"]]).cumsum() - buzz
    frame = frame[before == 0].assign(buzz=buzz)
    fifth = -(-_FIFTHS * frame["clue"] // frame["n_clues"])
    found = {}
    for name, right in (("right", True), ("wrong", False)):
        mine = frame["right"].astype(bool) == right
        rates = frame[mine].groupby([frame[unit], fifth])["buzz"].mean()
        means = rates.groupby(level=1).mean().reindex(range(1, _FIFTHS + 1))
        found[name] = [None if pd.isna(one) else float(one) for one in means]
    return found


@_from("responses", gives="accuracy model_buzz", needs=OUTPUTS)
def _responses(tables, segmentation):
    rows, used = _paper_rows(tables["responses"], segmentation)
    rows = rows[rows["elicitation"] == "logit"]
    length = rows.groupby(["model", "question_id"])["clue"].transform("max")
    rows = rows.assign(n_clues=length, right=rows["correct"])
    where = f"judged/responses: {used}, elicitation logit"
    buzzing = {
        model: _buzz_given(part, "model")
        for model, part in rows.groupby("model")
        if part["buzz"].notna().any()
    }
    return {
        "accuracy": (
            {model: _at_percents(part, "correct") for model, part in rows.groupby("model")},
            f"{where}, at clue ⌈p·T⌉",
        ),
        "model_buzz": (buzzing, f"{where}, up to the first buzz, by fifths of the clues"),
    }


@_from(
    "survey_responses",
    "players",
    gives="n_survey_players survey_questions human_accuracy human_buzz",
    needs=SURVEY,
)
def _survey(tables, segmentation):
    survey, players = tables["survey_responses"], tables["players"].set_index("player")
    asked = survey.groupby("player")["question_id"].nunique()
    groups = {"H": survey}
    for quartile in range(1, 5):
        names = players.index[players["quartile"] == quartile]
        groups[f"Q{quartile}"] = survey[survey["player"].isin(names)]
    accuracy = {name: _at_percents(part, "correct") for name, part in groups.items() if len(part)}
    given = survey.assign(right=survey["observed"])
    buzz = {
        half: _buzz_given(given[given["player"].isin(rows.index)], "player")
        for half, rows in players.groupby("half")
    }
    rows = "judged/survey_responses: all rows; human/players: quartile and half"
    return {
        "n_survey_players": (len(asked), "judged/survey_responses: distinct players"),
        "survey_questions": (
            {"low": int(asked.min()), "high": int(asked.max())},
            "judged/survey_responses: distinct questions of each player",
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
        found |= {name: Quantity(value, where) for name, (value, where) in got.items()}
    return found


# --- Expressions -------------------------------------------------------------------------------


class _Branch(dict):
    """A nested quantity: what it lacks is missing from the study, not a fault of the claim."""

    def __init__(self, items, name: str):
        super().__init__(items)
        self._name = name

    def __missing__(self, key):
        raise Missing(f"{self._name} has no {key}")


class _Printed(dict):
    """A nested printed value: what it lacks is a fault of the claim."""

    def __missing__(self, key):
        known = ", ".join(map(str, self))
        raise DataError(Fault("published", "", "predicate", key, f"one of {known}"))


def _nested(value, name: str):
    """``value`` with plain numbers and with branches that know their name."""
    if isinstance(value, dict):
        return _Branch({key: _nested(one, f"{name}.{key}") for key, one in value.items()}, name)
    if isinstance(value, (list, tuple)):
        return [_nested(one, name) for one in value]
    return value.item() if isinstance(value, np.generic) else value


def _printed(value):
    """Printed values as numbers wherever they are numbers."""
    if isinstance(value, dict):
        return _Printed({key: _printed(one) for key, one in value.items()})
    if isinstance(value, list):
        return [_printed(one) for one in value]
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    return value


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
    "renormalise": lambda x: float(renormalise(x)),
}

_LOCAL = ("published", "tolerance", "value")


def _names(expression: str) -> set[str]:
    """Free names of an expression: what it needs, without functions and comprehension variables."""
    tree = ast.parse(expression.strip(), mode="eval")
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    bound = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return names - bound - set(FUNCTIONS)


def _printed_parts(expression: str) -> set[str]:
    """``table1`` of ``printed.table1``, for the evidence."""
    return {
        node.attr
        for node in ast.walk(ast.parse(expression.strip(), mode="eval"))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "printed"
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
_KEYS |= {"tolerance", "needs", "kind", "note", "readings"}


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


def _faults(claims: list[dict]) -> list[Fault]:
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
        known = {*KNOWN, "printed", *_LOCAL}
        for key, expression in (("predicate", predicate), ("value", claim.get("value"))):
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
            outside = _names(expression) & set(KNOWN)
            if claim.get("kind") in ("published", "fact") and outside:
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


def _row(claim: dict, names: dict, evidence: dict[str, str], simulated: bool) -> dict:
    from simpleeval import InvalidExpression

    predicate, value = _predicate(claim), claim.get("value")
    expressions = [one for one in (predicate, value) if one]
    used = set().union(*(_names(one) for one in expressions)) if expressions else set()
    study = sorted(used & set(KNOWN))
    local = {"published": _printed(claim.get("published")), "tolerance": claim.get("tolerance")}
    scope = {**names, **local}
    recomputed, verdict, lacking = None, None, claim.get("needs")
    absent = [name for name in study if name not in names]
    if absent and not lacking:
        lacking = ", ".join(dict.fromkeys(KNOWN[name] for name in absent))
    elif not lacking:
        try:
            recomputed = _nested(_evaluate(value, scope), "value") if value else None
            verdict = bool(_evaluate(predicate, {**scope, "value": recomputed}))
        except Missing as missing:
            sources = dict.fromkeys(KNOWN[name] for name in study)
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
            sources = dict.fromkeys(KNOWN[name] for name in study)
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
    parts = sorted(set().union(*(_printed_parts(one) for one in expressions), set()))
    shown = [evidence[name] for name in study if name in evidence]
    shown += [f"published: {', '.join(parts)}"] if parts else []
    note = [claim.get("note"), f"needs: {lacking}" if lacking else None]
    if value is None and verdict is not None:
        recomputed = verdict
    return {
        "id": claim["id"],
        "section": claim["section"],
        "statement": claim["statement"],
        "predicate": predicate or "",
        "published": _text(claim.get("published")),
        "recomputed": _text(recomputed),
        "tolerance": _text(claim.get("tolerance")),
        "status": status,
        "evidence": "; ".join(dict.fromkeys(shown)),
        "note": "; ".join(part for part in note if part),
    }


def _printed_names(published: dict) -> _Printed:
    """What ``printed`` gives: the tables without their frame, and everything under ``facts``."""
    tables = {
        "table1": published["table1"]["scores"],
        "table1_ranks": published["table1"]["ranks"],
        "table2": published["table2"]["accuracy"],
        "table5": published["table5"]["calscore"],
    }
    return _printed({**tables, **published.get("facts", {})})


def all_claims(published: dict) -> list[dict]:
    """The written claims (one for each reading) and one for each number of the printed tables.

    ``DataError`` names every claim with an unknown key, quantity or kind, a double id, or neither a
    predicate nor a need.
    """
    claims = [one for claim in published["claims"] for one in _readings(claim)]
    claims += _table_claims(published)
    faults = _faults(claims)
    if faults:
        raise DataError(faults)
    return claims


def evaluate(published: dict, quantities: dict[str, Quantity], simulated: bool) -> pd.DataFrame:
    """The ledger: one row per claim, columns :data:`COLUMNS`, in the order of the published file.

    ``published``: config/published/grace.yaml as read. ``quantities``: from :func:`quantities`.
    ``status``: ``reproduced``; ``contradicted`` by the study's data or a known fact; ``internally
    inconsistent`` where printed numbers contradict each other; ``needs unpublished data`` where a
    quantity could not be computed. In a ``simulated`` study a claim that needs study data is ``not
    applicable (simulated)``, with recomputed filled all the same.
    """
    unknown = sorted(set(quantities) - set(KNOWN))
    if unknown:
        raise DataError(
            [Fault("quantities", "", name, name, "a quantity of KNOWN") for name in unknown]
        )
    names = {name: _nested(one.value, name) for name, one in quantities.items()}
    names["printed"] = _printed_names(published)
    evidence = {name: one.evidence for name, one in quantities.items()}
    rows = [_row(claim, names, evidence, simulated) for claim in all_claims(published)]
    return pd.DataFrame(rows, columns=COLUMNS)
