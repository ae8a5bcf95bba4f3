"""Scores, shares of models and of humans, judges and the leaderboard, as the tables have them."""

from __future__ import annotations

import numpy as np
import pandas as pd
from calscore.human import curves
from calscore.human import precision as pools
from calscore.human import tables as human
from calscore.inference import comparisons
from calscore.inference import judges as by_judge
from calscore.leaderboard import bonuses, pairs, tossups
from calscore.scores import metrics, proper_tables, score, streaming, tables
from calscore.stats import shares_revealed
from calscore.stats.bootstrap import Bootstrap

from ..engine import LEVEL, taken
from ..worlds.models import CLUES
from ..worlds.tournament import HUMANS, MODEL, NAMES, REDUCTION, SEGMENTATION, WORDS


def on_grid(table, **grid):
    """The rows of ``table`` at each point of ``grid`` (column → values), nan where there is none."""
    points = pd.MultiIndex.from_product(list(grid.values()), names=list(grid)).to_frame(index=False)
    return points.merge(table, on=list(grid), how="left", validate="one_to_one")


def _scores(rows, made, crowds, replicates: int, seed: int, drawn: str) -> dict:
    """Bounds of SH and of the share right, model minus human."""
    found = {}
    of = made["model_scores"].set_index(["definition", "model", "metric"])
    for form in metrics.SH_FORMS:
        row = of.loc[[("paper", "a", f"sh_{form}")]]
        name = f"SH, {form.replace('_', ' ')}"
        found[name, f"percentile, questions; {drawn}"] = taken(row, "value", "low", "high")
        found[name, f"BCa, questions; {drawn}"] = taken(row, "value", "bca_low", "bca_high")
        found[name, f"two-way; {drawn}"] = taken(row, "value", "two_way_low", "two_way_high")
    minus = comparisons.model_minus_human(rows, crowds[SEGMENTATION], Bootstrap(replicates, seed, LEVEL))
    for scope, part in minus[minus["model"] == "a"].groupby("scope"):
        name = f"share right, model minus human, {scope}"
        for method, shown in (("question", "questions"), ("two_way", "two-way")):
            cells = taken(part, "difference", f"{method}_low", f"{method}_high")
            found[name, f"{shown}; {drawn}"] = cells
    return found


def _pools(study, replicates: int, seed: int, drawn: str) -> dict:
    """Bounds of the buzzes of all humans, and of the live model, whose buzzes hang on its opponents."""
    found = {}
    bootstrap = Bootstrap(replicates, seed, LEVEL)
    precision = pools.buzz_precision(study.questions, study.buzzes, NAMES, bootstrap)
    whole = precision["category"] == pools.ALL
    for place, part in (("", precision[whole]), (", by category", precision[~whole])):
        model, people = (part[part["group"] == group] for group in (MODEL, pools.HUMANS))
        for of, name in ((people, "human"), (model, "live model")):
            cells = taken(of, "value", "low", "high", weight="buzzes")
            method = "two-way" if name == "human" else "questions"
            found[f"{name} P(correct | buzz){place}", f"{method}; {drawn}"] = cells
        cells = taken(model, "difference", "difference_low", "difference_high")
        found[f"P(correct | buzz), live model minus human{place}", f"two-way; {drawn}"] = cells
    margins = human.category_margins(study.questions, study.buzzes, NAMES, LEVEL)
    margins = margins[(margins["level"] == "merged") & (margins["group_kind"] == "pool")]
    margins = margins.assign(buzzes=margins["correct"] + margins["incorrect"])
    positions = human.buzz_positions(study.questions, study.buzzes, NAMES, bootstrap)
    for group, key, name, wilson, resampled in (
        ("human", "human", "human", "questions and teams", "two-way"),
        ("model", MODEL, "live model", "questions", "questions"),
    ):
        of = margins[margins["group"] == group]
        cells = taken(of, "precision", "low", "high", weight="buzzes")
        found[f"{name} P(correct | buzz), by category", f"Wilson, {wilson}; {drawn}"] = cells
        of = positions[positions["group"] == key]
        cells = taken(of, "buzzes", "low", "high")
        found[f"{name} buzzes in a twentieth of the question", f"{resampled}; {drawn}"] = cells
    return found


def _models(study, rows, made, replicates: int, seed: int) -> dict:
    """Bounds of what rests on the models alone."""
    found = {}
    bins = made["reliability"]
    for definition, of in bins[bins["model"] == "a"].groupby("definition"):
        cells = taken(of, "accuracy", "accuracy_low", "accuracy_high", weight="n")
        found[f"share right in a bin of confidence, {definition}", "Wilson, questions"] = cells
    states = tables.model_states(study.responses, study.clues, SEGMENTATION, [REDUCTION])
    accuracy = shares_revealed.accuracy_by_share(
        states, ["elicitation", "model", "marks"], LEVEL, ["question_id"]
    )
    accuracy = accuracy[accuracy["model"] == "a"]
    for reading, of in accuracy.groupby("reading"):
        cells = taken(of, "accuracy", "low", "high", weight="n")
        found[f"share right by share of clues, {reading}", "Wilson, questions"] = cells
    wide = tables.table2(accuracy, NAMES)
    for share in ("20%", "60%", "100%"):
        cells = taken(wide[wide["reading"] == "at"], share, f"{share}_low", f"{share}_high")
        found[f"share right at {share} of the clues (table 2)", "Wilson, questions"] = cells
    given = shares_revealed.buzz_rate_by_share(
        tables.as_agents(states), ["model", "elicitation"], Bootstrap(replicates, seed, LEVEL)
    )
    given = on_grid(
        given[given["model"] == "a"],
        given=["correct", "incorrect"],
        revealed=shares_revealed.DECILES,
    )
    cells = taken(given, "p", "low", "high", weight="n")
    found["P(buzz | right or wrong), a model", "Wilson, answers"] = cells
    risk = proper_tables.risk_coverage(rows, SEGMENTATION, [REDUCTION], Bootstrap(replicates, seed, LEVEL))
    for definition, of in risk[risk["model"] == "a"].groupby("definition"):
        for share in (0.2, 0.5, 1.0):
            name = f"risk at coverage {share:g}, {definition}"
            found[name, "questions"] = taken(of[of["coverage"] == share], "risk", "low", "high")
        name = f"risk at every coverage at once, {definition}"
        found[name, "questions"] = taken(of, "risk", "low", "high")
    return found


def _teams(study) -> dict:
    """Bounds of each human team's own shares, which are the same teams in every study."""
    teams = curves.rank_teams(study.clues, study.buzzes, study.exposures)
    made = human.team_summary(teams, study.buzzes, study.questions, NAMES, LEVEL)
    made = on_grid(made, team=HUMANS)
    found = {}
    for name, column, shown, weight in (
        ("precision", "precision", "P(correct | buzz) of a team", "buzzes"),
        ("rate", "score_rate", "right buzzes per question heard, of a team", "questions_heard"),
    ):
        cells = taken(made, column, f"{name}_low", f"{name}_high", weight=weight)
        found[shown, "Wilson, buzzes as independent; same teams"] = cells
    return found


def by_team(study, replicates: int, number: int, anew: bool) -> dict:
    """Intervals of one study; ``anew``: teams differ between studies."""
    drawn = "teams anew" if anew else "same teams"
    crowds, curve = (
        curves.team_clue_counts_from_table(curves.team_clue_counts(*study.humans), study.clues),
        curves.human_curve(*study.humans),
    )
    rows = score.scored_rows(study.responses, curve)
    # Teams that stay are no sample of teams: their two-way bounds are not asked for.
    resampled = crowds if anew else None
    made = streaming.score_tables(
        score.scored_rows(study.responses, curve), Bootstrap(replicates, number, LEVEL), resampled
    )
    found = _scores(rows, made, crowds, replicates, number, drawn)
    if anew:
        found |= _pools(study, replicates, number, drawn)
        return found | _models(study, rows, made, replicates, number)
    found |= _teams(study)
    return {key: cells for key, cells in found.items() if "two-way" not in key[1]}


def judges(study, replicates: int, number: int) -> dict:
    """Intervals of what a second judge moves (tables/judges)."""
    curve = curves.human_curve(*study.humans)
    rows = pd.concat([study.responses.assign(marks="authors"), study.second.assign(marks="engine")])
    table = by_judge.scores_by_judge(rows, curve, {}, replicates, number, LEVEL)
    table = table[(table["marks"] == "engine") & (table["model"] == "a")]
    found = {}
    for metric in metrics.metric_names("judges"):
        row = table[(table["metric"] == metric) & (table["definition"] == "paper")]
        cells = taken(row, "difference", "low", "high")
        found[f"{metric}, moved by another judge", "questions"] = cells
    return found


def entered(study, table):
    """Runs of the answers ``table`` as submissions, and the human plays."""
    runs = pd.DataFrame(
        {
            "submission": table["model"],
            "question_id": table["question_id"],
            "run": table["clue"] - 1,
            "position": table["clue"] * WORDS,
            "n_words": CLUES * WORDS,
            "guess": "this",
            "confidence": table["confidence"],
            "buzz": table["buzz"],
            "correct": table["correct"],
            "error": False,
            "live": False,
        }
    )
    human_buzzes = study.buzzes[study.buzzes["kind"] == "human"]
    plays = pd.DataFrame(
        {
            "question_id": human_buzzes["question_id"],
            "team": human_buzzes["team"],
            "position": human_buzzes["word_index"] + 1,
            "correct": human_buzzes["correct"],
            "neg": ~human_buzzes["correct"],
            "censored": False,
        }
    ).reset_index(drop=True)
    return runs, plays


def leaderboard(study, replicates: int, number: int, anew: bool) -> dict:
    """Intervals of the leaderboard and of head-to-head shares, models a and b submitted."""
    drawn = "teams anew" if anew else "same teams"
    runs, plays = entered(study, study.responses)
    firsts = tossups.first_buzzes(runs, runs[["submission", "question_id"]])
    scored = tossups.Field(
        firsts,
        tossups.score_against_humans(firsts, plays),
        tossups.early_stop_table(runs),
        tossups.calibration_sums(runs, plays),
        runs[["submission", "question_id"]],
    )
    board = tossups.leaderboard_metrics([scored], Bootstrap(replicates, number, LEVEL))
    board = board[board["submission"] == "a"]
    found = {}
    for row in board.itertuples():
        name = f"leaderboard, {row.metric.replace('_', ' ')} ({row.reading.replace('_', ' ')})"
        cells = tuple(np.array([x], dtype=float) for x in (row.value, row.low, row.high, 1))
        if row.metric in ("expected_score", "win_rate", "calscore"):
            found[name, f"questions; {drawn}"] = cells
        elif anew:
            found[name, "questions"] = cells
    others = pairs.team_first_buzzes(study.buzzes, study.exposures, study.questions)
    met = pd.DataFrame(pairs.meeting_rows(firsts, others, Bootstrap(2, number, LEVEL)))
    met = met[(met["a"] == "a") & (met["b"] != pairs.CROWD)].astype({"decided": float})
    met = met.assign(low=(1 + met["low"]) / 2, high=(1 + met["high"]) / 2)
    columns = ("a_value", "low", "high")
    if anew:
        models = met[met["b_kind"].isna()]
        cells = taken(models, *columns, weight="decided")
        found["head to head, two submissions", "Wilson, questions"] = cells
    else:
        teams = on_grid(met[met["b_kind"] == "human team"], b=HUMANS)
        cells = taken(teams, *columns, weight="decided")
        found["head to head, a submission and a human team", f"Wilson, questions; {drawn}"] = cells
    return found


def bonus_metrics(parts, replicates: int, number: int) -> dict:
    """Every metric of bonuses of the first submission."""
    board = bonuses.bonus_table(parts, Bootstrap(replicates, number, LEVEL), 0.5, "no_buzz")
    # A mean over parts as accuracy is, which stands for it.
    board = board[board["metric"] != "calibrated_accuracy"]
    return {
        (f"bonuses, {row.metric.replace('_', ' ')} ({row.reading})", "bonuses"): tuple(
            np.array([x], dtype=float) for x in (row.value, row.low, row.high)
        )
        for row in board[board["submission"] == "a"].itertuples()
    }
