"""How often the 95 % intervals of scores, shares, humans, survey and leaderboard hold the truth.

    python benchmarks/cover_tables.py            measure and print the table (15 minutes)
    python benchmarks/cover_tables.py --write    replace workflow/calscore/tables_coverage.csv as well

The studies are those of benchmarks/cover_curves.py, with per-clue answers of two models, four categories, and a
survey of 15 players on 37 questions. Every interval comes from the function that the workflow calls, with
500 replicates. The truth of a share is right answers over all answers of further studies, drawn apart; of
everything else the mean of its estimate over them.
"""

from __future__ import annotations

import cover_curves
import coverage
import numpy as np
import pandas as pd
from calscore.answers import verification
from calscore.human import curves, players
from calscore.human import precision as crowd
from calscore.leaderboard import tossups
from calscore.scores import proper_tables, score, tables
from cover_curves import CONFIDENT, HUMANS, IDS, MODEL, WORDS, _row
from coverage import CLUES, LEVEL, QUESTIONS, TEAMS, sigmoid

TABLE = coverage.ROOT / "benchmarks" / "coverage" / "tables_coverage.csv"
REPLICATES = 500
STUDIES = {
    "teams anew": (300, 100),
    "same teams": (150, 40),
    "survey": (150, 40),
    "leaderboard, teams anew": (100, 40),
    "leaderboard, same teams": (100, 40),
    "judges": (100, 40),
}
"""Studies measured, and further ones for the truth, of each part."""
SEGMENTATION, REDUCTION = "given", "mean_prob"
CATEGORIES = np.tile(["A", "B", "C", "D"], QUESTIONS // 4)
SERIES = {"segmentation": SEGMENTATION, "elicitation": "logit", "reduction": REDUCTION}
STRICT, LENIENT = 0.15, 0.05
"""Shares of right and of wrong answers, per model and question, on which the second judge differs."""
PLAYERS, ASKED = 15, 37
NAMES = {MODEL: "Model", "a": "First", "b": "Second"}


# --- studies as tables -----------------------------------------------------------------------


def responses(one) -> pd.DataFrame:
    """Per-clue answers of models a and b of a study of ``coverage.study``."""
    parts = [
        pd.DataFrame(
            {
                **SERIES,
                "model": name,
                "question_id": np.repeat(IDS, CLUES),
                "clue": np.tile(np.arange(1, CLUES + 1), QUESTIONS),
                "confidence": c.ravel(),
                "correct": g.ravel() > 0,
                "buzz": c.ravel() >= CONFIDENT,
            }
        )
        for name, g, c in zip("ab", one["g"], one["c"], strict=True)
    ]
    return pd.concat(parts, ignore_index=True)


def tabled(one, rng) -> dict[str, pd.DataFrame]:
    """The tables of :func:`cover_curves.tabled` with categories, and responses."""
    data = cover_curves.tabled(one, rng)
    data["questions"] = data["questions"].assign(category=CATEGORIES, category_fine="all")
    return data | {"responses": responses(one)}


def judged_again(table, rng):
    """Responses as a second judge has them: some right answers rejected, some wrong ones accepted."""
    draw = rng.random((2, QUESTIONS, 1))
    right = table["correct"].to_numpy().reshape(2, QUESTIONS, CLUES)
    second = np.where(right, draw >= STRICT, draw < LENIENT)
    return table.assign(correct=second.ravel())


def surveyed(rng) -> pd.DataFrame:
    """Survey responses with quartile and half of each player, all drawn anew.

    A player knows a question from some clue on, stops after the first buzz in half of the cases, and
    sometimes writes nothing.
    """
    shape = (PLAYERS, ASKED, CLUES)
    shown = np.linspace(0, 1, CLUES)
    skill, difficulty = rng.normal(0, 0.7, PLAYERS), rng.normal(0, 1, ASKED)
    probability = sigmoid(skill[:, None, None] - difficulty[:, None] + 3.0 * shown - 1.2)
    right = rng.random((*shape[:2], 1)) < probability
    noise = rng.normal(0, 0.7, (*shape[:2], 1)) + rng.normal(0, 0.4, shape)
    confidence = sigmoid(1.4 * (probability - 0.4) * 3 + noise + 0.3)
    buzz = confidence >= sigmoid(rng.normal(0.4, 0.4, PLAYERS))[:, None, None]
    stops = np.arange(PLAYERS) % 2 == 0
    after = (np.cumsum(buzz, axis=2) - buzz > 0) & stops[:, None, None]
    buzz &= ~after
    empty = after | (~buzz & ~right & (rng.random(shape) < 0.3))
    player, question, clue = (index.ravel() for index in np.indices(shape))
    table = pd.DataFrame(
        {
            "player": np.char.add("P", player.astype(str)),
            "question_id": IDS[question],
            "clue": clue + 1,
            "guess": np.where(empty.ravel(), None, "this"),
            "buzz": buzz.ravel(),
        }
    )
    verdicts = pd.Series(right.ravel(), dtype="boolean").mask(empty.ravel())
    filled, _ = players.survey_responses(table, verdicts)
    return filled.merge(players.rank_players(filled)[["player", "quartile", "half"]], on="player")


# --- intervals of one study: (quantity, method) → (value, low, high, weight) arrays -------------


def _cells(table, *names, weight: str | None = None):
    """(values, lows, highs, weights) of a frame's columns; ``weight``: what a value is a share of."""
    found = tuple(table[name].to_numpy(dtype=float) for name in names)
    return (*found, np.ones(len(table)) if weight is None else table[weight].to_numpy(float))


def _on(table, **grid):
    """The rows of ``table`` at each point of ``grid`` (column → values), nan where there is none."""
    points = pd.MultiIndex.from_product(list(grid.values()), names=list(grid)).to_frame(index=False)
    return points.merge(table, on=list(grid), how="left", validate="one_to_one")


def _scores(rows, made, crowds, replicates: int, seed: int, drawn: str) -> dict:
    """Bounds of SH and of the share right, model minus human."""
    found = {}
    of = made["model_scores"].set_index(["definition", "model", "metric"])
    for form in score.SH_FORMS:
        row = of.loc[[("paper", "a", f"sh_{form}")]]
        name = f"SH, {form.replace('_', ' ')}"
        found[name, f"percentile, questions; {drawn}"] = _cells(row, "value", "low", "high")
        found[name, f"BCa, questions; {drawn}"] = _cells(row, "value", "bca_low", "bca_high")
        found[name, f"two-way; {drawn}"] = _cells(row, "value", "two_way_low", "two_way_high")
    minus = crowd.answers(rows, crowds[SEGMENTATION], replicates, seed, LEVEL)
    for scope, part in minus[minus["model"] == "a"].groupby("scope"):
        name = f"share right, model minus human, {scope}"
        for method, shown in (("question", "questions"), ("two_way", "two-way")):
            cells = _cells(part, "difference", f"{method}_low", f"{method}_high")
            found[name, f"{shown}; {drawn}"] = cells
    return found


def _pools(data, replicates: int, seed: int, drawn: str) -> dict:
    """Bounds of the buzzes of all humans, and of the live model, whose buzzes hang on its opponents."""
    found = {}
    precision = crowd.precision(data["questions"], data["buzzes"], NAMES, replicates, seed, LEVEL)
    whole = precision["category"] == crowd.ALL
    for place, part in (("", precision[whole]), (", by category", precision[~whole])):
        model, people = (part[part["group"] == group] for group in (MODEL, crowd.HUMANS))
        for of, name in ((people, "human"), (model, "live model")):
            cells = _cells(of, "value", "low", "high", weight="buzzes")
            method = "two-way" if name == "human" else "questions"
            found[f"{name} P(correct | buzz){place}", f"{method}; {drawn}"] = cells
        cells = _cells(model, "difference", "difference_low", "difference_high")
        found[f"P(correct | buzz), live model minus human{place}", f"two-way; {drawn}"] = cells
    margins = tables.category_margins(data["questions"], data["buzzes"], NAMES, LEVEL)
    margins = margins[(margins["level"] == "merged") & (margins["group_kind"] == "pool")]
    margins = margins.assign(buzzes=margins["correct"] + margins["incorrect"])
    positions = tables.buzz_positions(
        data["questions"], data["buzzes"], NAMES, replicates, seed, LEVEL
    )
    for group, key, name, wilson, resampled in (
        ("human", "human", "human", "questions and teams", "two-way"),
        ("model", MODEL, "live model", "questions", "questions"),
    ):
        of = margins[margins["group"] == group]
        cells = _cells(of, "precision", "low", "high", weight="buzzes")
        found[f"{name} P(correct | buzz), by category", f"Wilson, {wilson}; {drawn}"] = cells
        of = positions[positions["group"] == key]
        cells = _cells(of, "buzzes", "low", "high")
        found[f"{name} buzzes in a twentieth of the question", f"{resampled}; {drawn}"] = cells
    return found


def _models(data, rows, made, replicates: int, seed: int) -> dict:
    """Bounds of what rests on the models alone."""
    found = {}
    bins = made["reliability"]
    for definition, of in bins[bins["model"] == "a"].groupby("definition"):
        cells = _cells(of, "accuracy", "accuracy_low", "accuracy_high", weight="n")
        found[f"share right in a bin of confidence, {definition}", "Wilson, questions"] = cells
    states = tables.model_states(data["responses"], data["clues"], SEGMENTATION, [REDUCTION])
    accuracy = tables.accuracy_by_share(
        states, ["elicitation", "model"], tables.DECILES, LEVEL, ["question_id"]
    )
    accuracy = accuracy[accuracy["model"] == "a"]
    for reading, of in accuracy.groupby("reading"):
        cells = _cells(of, "accuracy", "low", "high", weight="n")
        found[f"share right by share of clues, {reading}", "Wilson, questions"] = cells
    wide = tables.table2(accuracy, NAMES)
    for share in ("20%", "60%", "100%"):
        cells = _cells(wide[wide["reading"] == "at"], share, f"{share}_low", f"{share}_high")
        found[f"share right at {share} of the clues (table 2)", "Wilson, questions"] = cells
    given = tables.buzz_given(
        tables.as_agents(states), ["model", "elicitation"], replicates, seed, LEVEL
    )
    given = _on(
        given[given["model"] == "a"], given=["correct", "incorrect"], revealed=tables.DECILES
    )
    cells = _cells(given, "p", "low", "high", weight="n")
    found["P(buzz | right or wrong), a model", "Wilson, answers"] = cells
    risk = proper_tables.risk_coverage(rows, SEGMENTATION, [REDUCTION], replicates, seed, LEVEL)
    for definition, of in risk[risk["model"] == "a"].groupby("definition"):
        for share in (0.2, 0.5, 1.0):
            name = f"risk at coverage {share:g}, {definition}"
            found[name, "questions"] = _cells(of[of["coverage"] == share], "risk", "low", "high")
        name = f"risk at every coverage at once, {definition}"
        found[name, "questions"] = _cells(of, "risk", "low", "high")
    return found


def of_judges(rng, replicates: int, number: int) -> dict:
    """Bounds of what a second judge moves (tables/matchers)."""
    data = tabled(coverage.study(rng), rng)
    curve = curves.human_curve(data["clues"], data["buzzes"], data["exposures"])
    both = {}
    for name, table in (
        ("first", data["responses"]),
        ("second", judged_again(data["responses"], rng)),
    ):
        # Only the values of these tables are used: the bounds asked for are those below.
        made = score.score_all(table, curve, 2, number, LEVEL)
        both[name] = score.scored_rows(table, curve), made
    studies = {
        name: list(score.studies(of, made["question_scores"], made["sh_scores"]))
        for name, (of, made) in both.items()
    }
    bounds = verification.bounds(studies, "first", replicates, number, LEVEL)
    headlines = {
        name: verification.headline(made["model_scores"], SEGMENTATION, [REDUCTION])
        for name, (_, made) in both.items()
    }
    table = verification.differences(headlines, "first", bounds)
    table = table[(table["judging"] == "second") & (table["model"] == "a")]
    found = {}
    for metric in verification.HEADLINE:
        row = table[(table["metric"] == metric) & (table["definition"] == "paper")]
        cells = _cells(row, "difference", "low", "high")
        found[f"{metric}, moved by another judge", "questions"] = cells
    return found


def _leaderboard(data, replicates: int, seed: int, drawn: str) -> dict:
    """Bounds of the leaderboard and of head-to-head shares, models a and b submitted."""
    table = data["responses"]
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
    human_buzzes = data["buzzes"][data["buzzes"]["kind"] == "human"]
    plays = pd.DataFrame(
        {
            "question_id": human_buzzes["question_id"],
            "position": human_buzzes["word_index"] + 1,
            "correct": human_buzzes["correct"],
            "neg": ~human_buzzes["correct"],
        }
    ).reset_index(drop=True)
    firsts = tossups.first_buzzes(runs, runs[["submission", "question_id"]])
    board = tossups.leaderboard(
        tossups.against_humans(firsts, plays),
        tossups.calibration_sums(runs, plays),
        tossups.early_stopped(runs),
        replicates,
        seed,
        LEVEL,
    )
    board = board[board["submission"] == "a"]
    found = {}
    for row in board.itertuples():
        name = f"leaderboard, {row.metric.replace('_', ' ')} ({row.reading.replace('_', ' ')})"
        cells = tuple(np.array([x], dtype=float) for x in (row.value, row.low, row.high, 1))
        if row.metric in ("expected_score", "win_rate", "calscore"):
            found[name, f"questions; {drawn}"] = cells
        elif drawn == "teams anew":
            found[name, "questions"] = cells
    others = tossups.team_firsts(data["buzzes"], data["exposures"], data["questions"])
    pairs = tossups.head_to_head(firsts, others, LEVEL)
    pairs = pairs[pairs["a"] == "a"].assign(decided=pairs["questions"] - pairs["neither"])
    columns = ("a_share", "low", "high")
    if drawn == "teams anew":
        models = pairs[pairs["b_kind"] == "submission"]
        cells = _cells(models, *columns, weight="decided")
        found["head to head, two submissions", "Wilson, questions"] = cells
    else:
        teams = _on(pairs[pairs["b_kind"] == "human team"], b=HUMANS)
        cells = _cells(teams, *columns, weight="decided")
        found["head to head, a submission and a human team", f"Wilson, questions; {drawn}"] = cells
    return found


def _teams(data) -> dict:
    """Bounds of each human team's own shares, which are the same teams in every study."""
    teams = curves.rank_teams(data["clues"], data["buzzes"], data["exposures"])
    made = tables.team_summary(teams, data["buzzes"], data["questions"], NAMES, LEVEL)
    made = _on(made, team=HUMANS)
    found = {}
    for name, column, shown, weight in (
        ("precision", "precision", "P(correct | buzz) of a team", "buzzes"),
        ("rate", "score_rate", "right buzzes per question heard, of a team", "questions_heard"),
    ):
        cells = _cells(made, column, f"{name}_low", f"{name}_high", weight=weight)
        found[shown, "Wilson, buzzes as independent; same teams"] = cells
    return found


def _drawn(anew: bool, seed: int):
    """(skills of the teams, None where they are drawn anew; what to call that)."""
    if anew:
        return None, "teams anew"
    return np.random.default_rng(seed).normal(0, 0.7, TEAMS), "same teams"


def by_team(anew: bool, seed: int = 131):
    """A function (rng, replicates, seed) → intervals of one study, its teams drawn anew or not."""
    skills, drawn = _drawn(anew, seed)

    def intervals(rng, replicates: int, number: int) -> dict:
        data = tabled(coverage.study(rng, skills), rng)
        of = data["clues"], data["buzzes"], data["exposures"]
        crowds, curve = curves.crowds(*of), curves.human_curve(*of)
        rows = score.scored_rows(data["responses"], curve)
        # Teams that stay are no sample of teams: their two-way bounds are not asked for.
        resampled = crowds if anew else None
        made = score.score_all(data["responses"], curve, replicates, number, LEVEL, resampled)
        found = _scores(rows, made, crowds, replicates, number, drawn)
        if anew:
            found |= _pools(data, replicates, number, drawn)
            return found | _models(data, rows, made, replicates, number)
        found |= _teams(data)
        return {key: cells for key, cells in found.items() if "two-way" not in key[1]}

    return intervals


def of_leaderboard(anew: bool, seed: int = 131):
    """A function (rng, replicates, seed) → intervals of the leaderboard of one study."""
    skills, drawn = _drawn(anew, seed)

    def intervals(rng, replicates: int, number: int) -> dict:
        data = tabled(coverage.study(rng, skills), rng)
        return _leaderboard(data, replicates, number, drawn)

    return intervals


def of_survey(rng, replicates: int, number: int) -> dict:
    """Bounds of shares right of quartiles of players, and of their buzzing when right and wrong."""
    ranked = surveyed(rng)
    ranked["group"] = "Q" + ranked["quartile"].astype(str)
    accuracy = tables.accuracy_by_share(
        ranked, ["group"], tables.DECILES, LEVEL, ["player", "question_id"]
    )
    found = {}
    for group in ("Q1", "Q4"):
        of = _on(
            accuracy[accuracy["group"] == group], reading=tables.READINGS, revealed=tables.DECILES
        )
        cells = _cells(of, "accuracy", "low", "high", weight="n")
        name = f"share right by share of clues, {group} of players"
        found[name, "Wilson, players and questions"] = cells
    halves = ranked.assign(agent=ranked["player"], correct=ranked["observed"])
    given = tables.buzz_given(halves, ["half"], replicates, number, LEVEL)
    given = _on(
        given, half=["bottom", "top"], given=["correct", "incorrect"], revealed=tables.DECILES
    )
    cells = _cells(given, "p", "low", "high")
    found["P(buzz | right or wrong), half of the players", "players"] = cells
    return found


def collected(intervals, count: int, replicates: int, seed: int):
    """Yield what ``intervals`` (rng, replicates, seed) gives of each of ``count`` studies."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        yield intervals(rng, replicates, number)


def summarised(apart, measured) -> pd.DataFrame:
    """Coverage of the intervals of the studies ``measured``, the truth from those ``apart``.

    The truth is the weighted mean of the estimate. Values of several things at once have a truth each,
    and their coverage is a mean over them; where the quantity says ``at once``, all must be held.
    """
    apart, measured = list(apart), list(measured)
    rows = []
    for key in measured[0]:
        value, weight = np.array([(one[key][0], one[key][3]) for one in apart]).swapaxes(0, 1)
        weight = np.where(np.isfinite(value), weight, 0)
        total = weight.sum(axis=0)
        truth = np.divide(
            (weight * np.nan_to_num(value)).sum(axis=0),
            total,
            out=np.full(total.shape, np.nan),
            where=total > 0,
        )
        value, low, high = np.array([one[key][:3] for one in measured]).swapaxes(0, 1)
        known = np.isfinite(value) & np.isfinite(low) & np.isfinite(truth)
        # Rounding must not decide where a value is the same in all studies.
        inside = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
        studies = int(known.any(axis=1).sum())
        if "at once" in key[0]:
            rows.append(_row(*key, studies, np.nan, np.nan, inside.all(axis=1).mean()))
            continue
        bias = (value - truth)[known].mean()
        rows.append(_row(*key, studies, np.nanmean(truth), bias, inside[known].mean()))
    return pd.DataFrame(rows)


PARTS = {
    "teams anew": by_team(True),
    "same teams": by_team(False),
    "survey": of_survey,
    "leaderboard, teams anew": of_leaderboard(True),
    "leaderboard, same teams": of_leaderboard(False),
    "judges": of_judges,
}


def measure(studies=STUDIES, replicates: int = REPLICATES, seed: int = 131) -> pd.DataFrame:
    """Every row of the table."""
    parts = []
    for name, of in PARTS.items():
        count, further = studies[name]
        apart = collected(of, further, 2, seed + 1)
        parts.append(summarised(apart, collected(of, count, replicates, seed + 2)))
    return pd.concat(parts, ignore_index=True)


if __name__ == "__main__":
    coverage.show(measure(), TABLE)
