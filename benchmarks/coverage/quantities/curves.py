"""Curves of humans, quartiles, correlations over teams, and replayed matches."""

from __future__ import annotations

import numpy as np
import pandas as pd
from calscore.buzz_policy import matches
from calscore.human import cumulative, incidence, quartiles
from calscore.human import curves as human
from calscore.stats.bootstrap import Bootstrap

from ..engine import LEVEL, taken
from ..worlds.models import CLUES, QUESTIONS
from ..worlds.tournament import CONFIDENT, HUMANS, IDS, MODEL, WORDS

HALVES = 10
"""Halves of the packets that fair quartiles draw (200 in a study by default)."""


def _incidence(study, teams, replicates: int, seed: int) -> dict:
    """Bands of the cumulative incidence, of all humans, of two quartiles and of the model."""
    pairings = incidence.pairings(study.questions, study.buzzes, study.exposures)
    members = cumulative.group_members(teams)
    groups = {
        ("all", "human"): "all humans, questions × teams",
        ("paper", "Q1"): "Q1, questions × teams",
        ("paper", "Q4"): "Q4, questions × teams",
        ("model", MODEL): "model, questions",
    }
    table = incidence.cumulative_incidence(
        *study.tables,
        pairings,
        {key: members[key] for key in groups},
        Bootstrap(replicates, seed, LEVEL),
    )
    found = {}
    key = ["rule", "group", "estimator", "cause"]
    for (rule, group, estimator, cause), of in table.groupby(key, sort=False):
        shown = {
            ("competing", "right"): "incidence of right buzzes, all ends compete",
            ("competing_known", "beaten"): "incidence of being beaten, all ends compete",
            ("opponent_censors", "right"): "incidence of right buzzes, opponent censors",
        }
        name = shown.get((estimator, cause))
        if name is None or (rule == "paper" and cause == "beaten"):
            continue
        method = groups[rule, group]
        at = of.set_index("time")
        cells = ("incidence", "low", "high")
        found[f"{name}, end", method] = taken(at.loc[1.0], *cells)
        if rule != "paper":
            found[f"{name}, half of the words", method] = taken(at.loc[0.5], *cells)
            found[f"{name}, every point at once", method] = taken(of, *cells)
    return found


OPPONENTS = {
    ("competing", "right"): "right buzzes, all questions",
    ("competing_known", "right"): "right buzzes, opponent known",
    ("competing_known", "wrong"): "wrong buzzes, opponent known",
    ("competing_known", "beaten"): "being beaten, opponent known",
    ("opponent_censors", "right"): "right buzzes, opponent censors",
}


def with_opponents(study, replicates: int, number: int, hidden: bool = False) -> dict:
    """Bounds of incidences at the end of questions; ``hidden``: opponents are inferred, not recorded."""
    teams = human.rank_teams(*study.humans)
    questions, clues, buzzes, exposures = study.tables
    if hidden:
        buzzes = buzzes.assign(match=None)
    data = questions, clues, buzzes, exposures
    members = cumulative.group_members(teams)
    groups = {("all", "human"): "all humans", ("paper", "Q1"): "Q1", ("paper", "Q4"): "Q4"}
    met = incidence.pairings(questions, buzzes, exposures)
    table = incidence.cumulative_incidence(
        *data, met, {key: members[key] for key in groups}, Bootstrap(replicates, number, LEVEL)
    )
    at = table[table["time"] == 1.0].set_index(["rule", "group", "estimator", "cause"])
    found = {}
    for place, who in groups.items():
        for shown, words in OPPONENTS.items():
            cells = (np.full(1, np.nan),) * 3
            if (*place, *shown) in at.index:
                cells = taken(at.loc[(*place, *shown)], "incidence", "low", "high")
            found[f"incidence of {words}, {who}", "questions × teams"] = cells
    return found


def _cumulative(study, teams, replicates: int, seed: int, drawn: str) -> dict:
    """Bounds of figure 4's cumulative right buzzes at the last clue."""
    table = cumulative.cumulative_buzzes(
        study.clues, study.buzzes, study.exposures, teams, Bootstrap(replicates, seed, LEVEL)
    )
    table = table[(table["outcome"] == "correct") & (table["clue"] == CLUES)]
    at = table.set_index(["rule", "group"])
    found = {}
    for rule, group, name in (
        ("all", "human", "all humans"),
        ("paper", "Q1", "Q1 by total"),
        ("paper", "Q4", "Q4 by total"),
        ("rate", "Q1", "Q1 by rate"),
        ("rate", "Q4", "Q4 by rate"),
        ("model", MODEL, "model"),
    ):
        row = at.loc[(rule, group)]
        one = "per_question", "per_question_low", "per_question_high"
        two = "per_question", "per_question_two_way_low", "per_question_two_way_high"
        quantity = f"right buzzes per question, {name}"
        if rule == "model":
            found[quantity, "questions"] = taken(row, *one)
            continue
        found[quantity, f"questions; {drawn}"] = taken(row, *one)
        found[quantity, f"two-way; {drawn}"] = taken(row, *two)
        if rule == "all":
            for unit in ("match", "clue"):
                cells = f"per_{unit}", f"per_{unit}_low", f"per_{unit}_high"
                found[f"right buzzes per {unit}, {name}", f"questions; {drawn}"] = taken(row, *cells)
    return found


def fair_quartiles(study, replicates: int, number: int, anew: bool) -> dict:
    """Bounds of fair quartiles at the last clue, of gaps between them and of shrinkage.

    Those of these teams, and those of teams like these where teams differ between studies.
    """
    curves, shrinkage = quartiles.fair_quartiles(
        quartiles.team_record(*study.tables), HALVES, Bootstrap(replicates, number, LEVEL)
    )
    at = curves[curves["clue"] == CLUES].set_index(["score", "drawn", "group"])
    gaps = shrinkage.set_index("score")
    # Beside the bounds of teams like these, those of these teams stand for what they are not.
    forms = {"questions": ""} | ({"questions and teams": "_two_way"} if anew else {})
    found = {}
    for score in ("total", "rate"):
        for method, form in forms.items():
            for group in ("Q1", "Q4"):
                row = at.loc[(score, "other_half", group)]
                ends = [f"{form}_{end}".strip("_") for end in ("low", "high")]
                quantity = f"fair quartile {group} by {score}, other half"
                found[quantity, method] = taken(row, "right", *ends)
            for name in ("gap_all", "gap_same_half", "gap_other_half", "shrinkage"):
                cells = taken(gaps.loc[score], name, f"{name}{form}_low", f"{name}{form}_high")
                quantity = f"{name.replace('_', ' ')} by {score}"
                if name != "shrinkage":
                    quantity = quantity.replace("gap ", "Q4 − Q1, ")
                found[quantity, method] = cells
    return found


def _matches(study, replicates: int, seed: int, drawn: str) -> dict:
    """Margins of the second model, replayed against every team, and their mean."""
    g, c = study.one["g"][1].astype(bool), study.one["c"][1]
    confident = c >= CONFIDENT
    at = confident.argmax(axis=1)
    points_of = pd.DataFrame(
        {
            "rule": "threshold",
            "model": "R",
            "elicitation": "",
            "question_id": IDS,
            "word": np.where(confident.any(axis=1), (at + 1) * WORDS - 1.0, np.nan),
            "right": g[np.arange(QUESTIONS), at],
        }
    )
    played = matches.replay(
        matches.team_model_rows(points_of, study.buzzes, study.exposures, study.questions),
        {"right": 10, "wrong": -5},
    )
    table = matches.match_results(played[played["ties"] == "human"], {}, Bootstrap(replicates, seed, LEVEL))
    if drawn == "teams anew":
        row = matches.win_matrix(table, LEVEL).iloc[0]
        cells = "mean_margin", "mean_margin_low", "mean_margin_high"
        return {("mean margin of replayed matches", f"Student, teams; {drawn}"): taken(row, *cells)}
    cells = table.set_index("team").reindex(HUMANS)[["margin", "low", "high"]]
    return {("margin of a replayed match", f"questions; {drawn}"): taken(cells, "margin", "low", "high")}


def by_team(study, replicates: int, number: int, anew: bool) -> dict:
    """Intervals of one study; ``anew``: teams differ between studies."""
    drawn = "teams anew" if anew else "same teams"
    teams = human.rank_teams(*study.humans)
    found = _cumulative(study, teams, replicates, number, drawn)
    found |= _matches(study, replicates, number, drawn)
    if anew:
        return found | _incidence(study, teams, replicates, number)
    found.pop(("right buzzes per question, model", "questions"))
    return {key: of for key, of in found.items() if "two-way" not in key[1]}
