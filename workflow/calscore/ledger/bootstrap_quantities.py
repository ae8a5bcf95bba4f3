"""The estimates behind statements in resampled studies: each number of a quantity as an array of draws.

Questions are drawn anew for everyone, human teams too where several are pooled, with the same weights for all groups: a
difference of two places is a difference of the same drawn study. Quartiles are taken as they are. Shares by category are as
much farther from the share itself as Student's t is wider.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..clues import segment
from ..stats import resample
from ..stats.proportions import ratio
from .filters import (
    FIFTHS,
    QUARTILES,
    at_percents,
    curve_members,
    first_quarter,
    group_of,
    guesses_before_first_buzz,
    logit_answers,
    on_released_axis,
    paper_rows,
    primary,
    seen_by_release,
)


class _Drawn:
    """Sums over questions and teams in R drawn studies."""

    def __init__(self, tables, replicates: int, seed: int):
        self.questions = pd.Index(sorted(tables["questions"]["question_id"]))
        # by what they did, not by name: teams under pseudonyms get the same draws
        buzzes = tables.get("buzzes", pd.DataFrame(columns=["team", "question_id", "word_index"]))
        did = {
            team: of.to_records(index=False).tolist()
            for team, of in buzzes.groupby("team")[["question_id", "word_index"]]
        }
        kind = tables["teams"].set_index("team")["kind"]
        humans = sorted(kind.index[kind == "human"], key=lambda team: sorted(did.get(team, [])))
        self.teams = pd.Index([*humans, *sorted(kind.index[kind == "model"])])
        self.humans = len(humans)
        size = len(self.questions), max(self.humans, 1)
        self.w, self.v = resample.two_way_weights(*size, replicates, seed)

    def coded(self, rows):
        """Rows with places of their question and team."""
        return rows.assign(
            q=self.questions.get_indexer(rows["question_id"]),
            t=self.teams.get_indexer(rows["team"]),
        )

    def sums(self, rows, members, values=None, clue=None, last: int = 1) -> np.ndarray:
        """Σ of ``values`` (1 each if none) of the members' coded rows by clue (no later than ``last``), shape (R, last)."""
        members = self.teams.get_indexer(list(members))
        pooled = len(members) > 1 and bool((members < self.humans).all())
        place = np.full(len(self.teams), -1)
        place[members] = np.arange(len(members))
        place = place[rows["t"].to_numpy()]
        at = np.zeros(len(rows), dtype=int) if clue is None else clue.to_numpy() - 1
        kept = (place >= 0) & (at < last)
        shape = len(self.questions), len(members) if pooled else 1, last
        index = np.ravel_multi_index(
            (rows["q"].to_numpy()[kept], place[kept] * pooled, at[kept]), shape
        )
        weight = None if values is None else np.asarray(values, dtype=float)[kept]
        cells = np.bincount(index, weight, np.prod(shape)).reshape(shape[0], -1)
        found = (self.w @ cells).reshape(len(self.w), *shape[1:])
        if not pooled:
            return found[:, 0]
        return np.einsum("rtk,rt->rk", found, self.v[:, members])

    def ratio(self, rows, *values) -> list[np.ndarray]:
        """Σ w_q of each of some values of rows (question_id) over Σ w_q of the rows, (R,) each."""
        at, size = self.questions.get_indexer(rows["question_id"]), len(self.questions)
        cells = [np.bincount(at, one, size) for one in (*values, np.ones(len(rows)))]
        *tops, bottom = (self.w @ np.column_stack(cells)).T
        return [ratio(top, bottom) for top in tops]


def _tally(drawn, right, every, members) -> dict:
    good, n = drawn.sums(right, members)[:, 0], drawn.sums(every, members)[:, 0]
    return {"correct": good, "incorrect": n - good, "accuracy": ratio(good, n)}


def small_sample_inflation(tally: dict, of, level: float) -> dict:
    """The tally of a category's buzzes ``of``, its accuracy as wide as Student's t has it."""
    value, n = of["correct"].mean(), of["question_id"].nunique()
    return tally | {"accuracy": resample.inflate_to_t(value, tally["accuracy"], n, level)}


def _live(tables, drawn, level: float) -> dict:
    """Right shares of live buzzes, overall, by category and by quartile; mean share heard at a buzz."""
    q = tables["questions"].set_index("question_id")
    buzzes = drawn.coded(tables["buzzes"].join(q[["category", "n_words"]], on="question_id"))
    groups = {g: sorted(of["team"].unique()) for g, of in buzzes.groupby(group_of(buzzes))}
    models = [g for g in groups if g != "H"]
    right = buzzes[buzzes["correct"]]
    found = {"tally": {}, "by_category": {}, "buzz_revealed": {}, "quartile_tally": {}}
    if models:
        found["tally"]["M"] = _tally(drawn, right, buzzes, models)
    heard = (buzzes["word_index"] + 1) / buzzes["n_words"]
    for group, members in groups.items():
        found["tally"][group] = _tally(drawn, right, buzzes, members)
        share = drawn.sums(buzzes, members, heard)[:, 0]
        found["buzz_revealed"][group] = ratio(share, drawn.sums(buzzes, members)[:, 0])
        mine = buzzes[buzzes["team"].isin(members)]
        found["by_category"][group] = {
            category: small_sample_inflation(
                _tally(drawn, of[of["correct"]], of, members), of, level
            )
            for category, of in mine.groupby("category")
        }
    for name, rule in QUARTILES.items():
        if f"quartile_{rule}" not in tables["teams"]:
            continue
        members = curve_members(tables["teams"], rule)
        found["quartile_tally"][name] = {
            group: _tally(drawn, right, buzzes, members[group])
            for group in ("Q1", "Q2", "Q3", "Q4")
            if members[group]
        }
    return found


def _figure4(tables, segmentation, drawn) -> dict:
    """Cumulative buzzes by clue, as in :func:`.quantities._figure4`; per match scaled to the matches that there were."""
    buzzes, teams = drawn.coded(tables["buzzes"]), tables["teams"]
    exposures = drawn.coded(tables["exposures"])
    clues, _ = primary(tables["clues"], segmentation)
    lengths = clues.groupby("question_id")["clue"].max()
    at = buzzes.assign(clue=segment.assign(clues, buzzes).to_numpy())
    last = int(lengths.max())
    curves = {name: {"correct": {}, "incorrect": {}} for name in ("per-question", "release")}
    counts, early_wrong, early_counts = {"correct": {}, "incorrect": {}}, {}, {}
    early = first_quarter(at[~at["correct"]], lengths)
    seen = seen_by_release(tables)
    reached = drawn.coded(seen.merge(clues[["question_id", "clue"]], on="question_id"))
    pairs = exposures[["team", "packet"]].drop_duplicates()
    questions = tables["questions"][["question_id", "packet"]]
    # a question stands for its part of a match of one packet
    part = 1 / questions["packet"].value_counts()
    met = drawn.coded(pairs.merge(questions, on="packet"))
    share = met["packet"].map(part)
    pools = {"H", *teams.loc[teams["kind"] == "model", "team"]}
    outcomes = {"correct": at[at["correct"]], "incorrect": at[~at["correct"]]}
    for rule in ("paper", "release"):
        for group, members in curve_members(teams, rule).items():
            if not members:
                continue
            matches = int(pairs["team"].isin(members).sum())
            heard = drawn.sums(exposures, members)
            played = drawn.sums(met, members, share) / max(matches, 1)
            if rule == "release":
                run = drawn.sums(reached, members, clue=reached["clue"], last=last).cumsum(axis=1)
            for outcome, rows in outcomes.items():
                total = drawn.sums(rows, members, clue=rows["clue"], last=last).cumsum(axis=1)
                if rule == "release":
                    over = on_released_axis((total / np.maximum(run, 1)).T)
                    curves["release"][outcome][group] = over
                    continue
                curves["per-question"][outcome][group] = list(ratio(total, heard).T)
                counts[outcome][group] = list(ratio(total, played).T)
            if rule == "paper" and group in pools:
                wrong = drawn.sums(early, members)
                early_wrong[group] = ratio(wrong, heard)[:, 0]
                early_counts[group] = ratio(wrong, played)[:, 0]
    return {
        "curves": curves,
        "buzz_counts": counts,
        "early_wrong": early_wrong,
        "early_counts": early_counts,
    }


def _answers(tables, segmentation, drawn) -> dict:
    """Right guesses by share of the clues, and P(buzz | right or wrong) in fifths, models by questions."""
    answers, _ = logit_answers(tables["responses"], segmentation)
    accuracy, buzzing = {}, {}
    for model, of in answers.groupby("model"):
        accuracy[model] = {}
        for percent, at in at_percents(of):
            accuracy[model][percent] = drawn.ratio(at, at["correct"].to_numpy(float))[0]
        if not of["buzz"].notna().any():
            continue
        kept = guesses_before_first_buzz(of, "model")
        for given in ("right", "wrong"):
            fifths = []
            for fifth in range(1, FIFTHS + 1):
                mine = kept[(kept["given"] == given) & (kept["fifth"] == fifth)]
                fifths.append(drawn.ratio(mine, mine["buzz"].to_numpy(float))[0])
            buzzing.setdefault(model, {})[given] = fifths
    return {"accuracy": accuracy, "model_buzz": buzzing}


def _scores(tables, segmentation, drawn) -> dict:
    """MCE and CalScore by the paper's definition, means over drawn questions."""
    frame = tables["question_scores"]
    rows, _ = paper_rows(frame[frame["definition"] == "paper"], segmentation)
    found: dict = {}
    for (elicitation, model), of in rows.groupby(["elicitation", "model"]):
        mce, calscore = drawn.ratio(of, of["mce"].to_numpy(), of["calscore"].to_numpy())
        found.setdefault(elicitation, {})[model] = {"mce": mce, "calscore": calscore}
    return {"scores": found}


def draws(tables: dict, segmentation: str, replicates: int, seed: int, level: float) -> dict:
    """Name of a quantity → its value as in :func:`.quantities.quantities`, an array of draws (R,) for each number.

    Of what ``tables`` allow; a quantity that is not here has no draws, and what is said of it is decided as it stands.
    """
    have = {name for name, table in tables.items() if len(table)}
    if not {"questions", "teams"} <= have:
        return {}
    drawn, found = _Drawn(tables, replicates, seed), {}
    if "buzzes" in have:
        found |= _live(tables, drawn, level)
        if {"exposures", "clues"} <= have:
            found |= _figure4(tables, segmentation, drawn)
    if "responses" in have:
        found |= _answers(tables, segmentation, drawn)
    if "question_scores" in have:
        found |= _scores(tables, segmentation, drawn)
    return found
