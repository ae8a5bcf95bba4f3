"""The estimates behind statements in resampled studies: each number of a quantity as an array of replicates.

Questions are resampled, and human teams where several are pooled, with the same weights for all groups: a difference
of two numbers is a difference within one resampled study. Quartiles are taken as they are. Shares by category are
widened from the normal to Student's t.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..clues import segment
from ..stats import resample
from ..stats.bootstrap import Bootstrap
from ..stats.proportions import ratio
from .expressions import Events
from .filters import (
    FIFTHS,
    QUARTILES,
    at_percents,
    curve_members,
    first_quarter,
    group_of,
    guesses_before_first_buzz,
    logit_answers,
    paper_rows,
    primary,
)


class _Resampled:
    """Sums over questions and teams in R resampled studies."""

    def __init__(self, tables, bootstrap: Bootstrap):
        self.questions = pd.Index(sorted(tables["questions"]["question_id"]))
        # by what they did, not by name: teams under pseudonyms get the same draws
        buzzes = tables.get("buzzes", pd.DataFrame(columns=["team", "question_id", "word_index"]))
        did = {
            team: rows.to_records(index=False).tolist()
            for team, rows in buzzes.groupby("team")[["question_id", "word_index"]]
        }
        kind = tables["teams"].set_index("team")["kind"]
        humans = sorted(kind.index[kind == "human"], key=lambda team: sorted(did.get(team, [])))
        self.teams = pd.Index([*humans, *sorted(kind.index[kind == "model"])])
        self.humans = len(humans)
        self.w, self.v = bootstrap.two_way_weights(len(self.questions), max(self.humans, 1))

    share = rate = mean = staticmethod(ratio)
    """Of a part that occurs or not, of occurrences per chance to occur, and of a number."""

    widen = staticmethod(resample.inflate_to_t)

    def coded(self, rows):
        """Rows with places of their question and team."""
        return rows.assign(
            q=self.questions.get_indexer(rows["question_id"]),
            t=self.teams.get_indexer(rows["team"]),
        )

    def sums(self, rows, members, values=None, clue=None, n_clues: int = 1) -> np.ndarray:
        """Σ of ``values`` (1 each if none) of the members' coded rows by clue (no later than ``last``), shape (R, last)."""
        members = self.teams.get_indexer(list(members))
        pooled = len(members) > 1 and bool((members < self.humans).all())
        place = np.full(len(self.teams), -1)
        place[members] = np.arange(len(members))
        place = place[rows["t"].to_numpy()]
        clue_index = np.zeros(len(rows), dtype=int) if clue is None else clue.to_numpy() - 1
        inside = (place >= 0) & (clue_index < n_clues)
        shape = len(self.questions), len(members) if pooled else 1, n_clues
        index = np.ravel_multi_index(
            (rows["q"].to_numpy()[inside], place[inside] * pooled, clue_index[inside]), shape
        )
        weight = None if values is None else np.asarray(values, dtype=float)[inside]
        cells = np.bincount(index, weight, np.prod(shape)).reshape(shape[0], -1)
        sums = (self.w @ cells).reshape(len(self.w), *shape[1:])
        if not pooled:
            return sums[:, 0]
        return np.einsum("rtk,rt->rk", sums, self.v[:, members])

    def over(self, form, rows, values) -> np.ndarray:
        """``form`` (share or mean) of the values of rows (question_id), (R,)."""
        question, size = self.questions.get_indexer(rows["question_id"]), len(self.questions)
        cells = [np.bincount(question, column, size) for column in (values, np.ones(len(rows)))]
        return form(*(self.w @ np.column_stack(cells)).T)


class _EventCounts(_Resampled):
    """In place of estimates, the events behind them in the study itself: those of the rarer outcome."""

    def __init__(self, tables):
        super().__init__(tables, Bootstrap(1, 0, 0.95))
        self.w, self.v = np.ones_like(self.w), np.ones_like(self.v)

    @staticmethod
    def share(events, total):
        return np.minimum(events, total - events)

    @staticmethod
    def rate(events, chances):
        return events

    @staticmethod
    def mean(total, size):
        return size

    @staticmethod
    def widen(value, events, n, level):
        return events


def _tally(drawn, right, all_buzzes, members) -> dict:
    good, n = drawn.sums(right, members)[:, 0], drawn.sums(all_buzzes, members)[:, 0]
    return {"correct": good, "incorrect": n - good, "accuracy": drawn.share(good, n)}


def small_sample_inflation(drawn, tally: dict, buzzes, level: float) -> dict:
    """The tally of a category's buzzes, its accuracy as wide as Student's t has it."""
    value, n = buzzes["correct"].mean(), buzzes["question_id"].nunique()
    return tally | {"accuracy": drawn.widen(value, tally["accuracy"], n, level)}


def _live(tables, drawn, level: float) -> dict:
    """Right shares of live buzzes, overall, by category and by quartile; mean share heard at a buzz."""
    q = tables["questions"].set_index("question_id")
    buzzes = drawn.coded(tables["buzzes"].join(q[["category", "n_words"]], on="question_id"))
    groups = {g: sorted(rows["team"].unique()) for g, rows in buzzes.groupby(group_of(buzzes))}
    models = [g for g in groups if g != "H"]
    right = buzzes[buzzes["correct"]]
    quantities = {"tally": {}, "by_category": {}, "buzz_revealed": {}, "quartile_tally": {}}
    if models:
        quantities["tally"]["M"] = _tally(drawn, right, buzzes, models)
    heard = (buzzes["word_index"] + 1) / buzzes["n_words"]
    for group, members in groups.items():
        quantities["tally"][group] = _tally(drawn, right, buzzes, members)
        share = drawn.sums(buzzes, members, heard)[:, 0]
        quantities["buzz_revealed"][group] = drawn.mean(share, drawn.sums(buzzes, members)[:, 0])
        own_buzzes = buzzes[buzzes["team"].isin(members)]
        quantities["by_category"][group] = {
            category: small_sample_inflation(
                drawn, _tally(drawn, rows[rows["correct"]], rows, members), rows, level
            )
            for category, rows in own_buzzes.groupby("category")
        }
    for name, rule in QUARTILES.items():
        if f"quartile_{rule}" not in tables["teams"]:
            continue
        members = curve_members(tables["teams"], rule)
        quantities["quartile_tally"][name] = {
            group: _tally(drawn, right, buzzes, members[group])
            for group in ("Q1", "Q2", "Q3", "Q4")
            if members[group]
        }
    return quantities


def _figure4(tables, segmentation, drawn) -> dict:
    """Cumulative buzzes by clue, as in :func:`.quantities._figure4`; per match scaled to the matches of the study."""
    buzzes, teams = drawn.coded(tables["buzzes"]), tables["teams"]
    exposures = drawn.coded(tables["exposures"])
    clues, _ = primary(tables["clues"], segmentation)
    lengths = clues.groupby("question_id")["clue"].max()
    buzzes = buzzes.assign(clue=segment.assign(clues, buzzes).to_numpy())
    longest = int(lengths.max())
    curves, counts, early_wrong, early_counts = {}, {}, {}, {}
    early = first_quarter(buzzes[~buzzes["correct"]], lengths)
    pairs = exposures[["team", "packet"]].drop_duplicates()
    questions = tables["questions"][["question_id", "packet"]]
    # a question stands for its part of a match of one packet
    packets = drawn.coded(pairs.merge(questions, on="packet"))
    part = packets["packet"].map(1 / questions["packet"].value_counts())
    pools = {"H", *teams.loc[teams["kind"] == "model", "team"]}
    for group, members in curve_members(teams, "paper").items():
        if not members:
            continue
        matches = int(pairs["team"].isin(members).sum())
        heard = drawn.sums(exposures, members)
        played = drawn.sums(packets, members, part) / max(matches, 1)
        for outcome, rows in (("correct", buzzes["correct"]), ("incorrect", ~buzzes["correct"])):
            rows = buzzes[rows]
            total = drawn.sums(rows, members, clue=rows["clue"], n_clues=longest).cumsum(axis=1)
            curves.setdefault(outcome, {})[group] = list(drawn.rate(total, heard).T)
            counts.setdefault(outcome, {})[group] = list(drawn.rate(total, played).T)
        if group in pools:
            wrong = drawn.sums(early, members)
            early_wrong[group] = drawn.rate(wrong, heard)[:, 0]
            early_counts[group] = drawn.rate(wrong, played)[:, 0]
    return {
        "curves": {"per-question": curves},
        "buzz_counts": counts,
        "early_wrong": early_wrong,
        "early_counts": early_counts,
    }


def _answers(tables, segmentation, drawn) -> dict:
    """Right guesses by share of the clues, and P(buzz | right or wrong) in fifths, models by questions."""
    answers, _ = logit_answers(tables["responses"], segmentation)
    accuracy, buzzing = {}, {}
    for model, own_answers in answers.groupby("model"):
        accuracy[model] = {
            percent: drawn.over(drawn.share, rows, rows["correct"].to_numpy(float))
            for percent, rows in at_percents(own_answers)
        }
        if own_answers["buzz"].notna().any():
            before_buzz = guesses_before_first_buzz(own_answers, "model")
            buzzing[model] = {
                outcome: [
                    drawn.over(drawn.share, rows, rows["buzz"].to_numpy(float))
                    for fifth in range(1, FIFTHS + 1)
                    for rows in [
                        before_buzz[
                            (before_buzz["given"] == outcome) & (before_buzz["fifth"] == fifth)
                        ]
                    ]
                ]
                for outcome in ("right", "wrong")
            }
    return {"accuracy": accuracy, "model_buzz": buzzing}


def _scores(tables, segmentation, drawn) -> dict:
    """MCE and CalScore by the paper's definition, means over drawn questions."""
    frame = tables["question_scores"]
    rows, _ = paper_rows(frame[frame["definition"] == "paper"], segmentation)
    scores: dict = {}
    for (elicitation, model), own_scores in rows.groupby(["elicitation", "model"]):
        scores.setdefault(elicitation, {})[model] = {
            metric: drawn.over(drawn.mean, own_scores, own_scores[metric].to_numpy())
            for metric in ("mce", "calscore")
        }
    return {"scores": scores}


def _evaluate(tables, segmentation, make, level) -> dict:
    have = {name for name, table in tables.items() if len(table)}
    if not {"questions", "teams"} <= have:
        return {}
    drawn, computed = make(), {}
    if "buzzes" in have:
        computed |= _live(tables, drawn, level)
        if {"exposures", "clues"} <= have:
            computed |= _figure4(tables, segmentation, drawn)
    if "responses" in have:
        computed |= _answers(tables, segmentation, drawn)
    if "question_scores" in have:
        computed |= _scores(tables, segmentation, drawn)
    return computed


def draws(tables: dict, segmentation: str, bootstrap: Bootstrap) -> dict:
    """Name of a quantity → its value as in :func:`.quantities.quantities`, with replicates (R,) for each number.

    It has what ``tables`` allow. A quantity that is not here has no replicates.
    """
    return _evaluate(tables, segmentation, lambda: _Resampled(tables, bootstrap), bootstrap.level)


def event_counts(tables: dict, segmentation: str) -> dict:
    """The same quantities with the events behind each number: of a share those of its rarer side."""
    counts = _evaluate(tables, segmentation, lambda: _EventCounts(tables), 0.95)
    return _as_events(counts)


def _as_events(value):
    if isinstance(value, dict):
        return {key: _as_events(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_as_events(part) for part in value]
    return Events(value[0])
