"""How often the 95 % intervals of curves, slopes and matches hold the truth, over simulated studies.

    python benchmarks/cover_curves.py            measure and print the table (20 minutes)
    python benchmarks/cover_curves.py --write    replace workflow/calscore/curves_coverage.csv as well

The studies are those of benchmarks/coverage.py: 240 questions, 8 clues, 17 teams. Here they are laid out as
the tables that the workflow reads, and every interval comes from the function that the workflow calls.
The truth is the mean of the estimate over further studies, drawn apart; for calibration slopes it is the
estimate on all further studies pooled, as a slope is biased on one study. Every function has 500
replicates (2,000 in a study by default) and quartiles 40 halves of the packets (200).
"""

from __future__ import annotations

import coverage
import numpy as np
import pandas as pd
from calscore.buzzing import matches, thresholds
from calscore.human import cumulative, incidence, quartiles
from calscore.human import curves as human
from calscore.inference import regressions
from coverage import CLUES, LEVEL, PACKETS, QUESTIONS, TEAMS

TABLE = coverage.ROOT / "benchmarks" / "coverage" / "curves_coverage.csv"
REPLICATES, HALVES = 500, 40
WORDS = 10
"""Words of each clue."""
IDS = np.array([f"q{i:03d}" for i in range(QUESTIONS)])
PACKET = np.repeat(np.arange(1, PACKETS + 1), QUESTIONS // PACKETS)
MODEL = "M"
CONFIDENT = 0.6
"""The model buzzes at the first clue with at least this confidence."""
HUMANS = [f"H{i:02d}" for i in range(TEAMS)]


# --- a study as tables -----------------------------------------------------------------------


def _meetings(heard, rng):
    """(packet, one side, other side) of every match, sides as columns of ``heard`` (Q, sides).

    The sides that heard a packet meet in pairs at random; an odd one meets nobody.
    """
    found = []
    for packet in range(1, PACKETS + 1):
        there = rng.permutation(np.flatnonzero(heard[packet == PACKET][0]))
        found += [(packet, a, b) for a, b in zip(there[::2], there[1::2], strict=False)]
    return found


def tabled(one, rng) -> dict[str, pd.DataFrame]:
    """The tables (questions, clues, buzzes, exposures) of a study of ``coverage.study``.

    The first model plays too, on every packet. In a match a right buzz ends the question: the opponent
    does not buzz after it. The word within a clue is drawn; at the same word either side may be first.
    """
    g, c = one["g"][0].astype(bool), one["c"][0]
    confident = c >= CONFIDENT
    ready = np.where(confident.any(axis=1), confident.argmax(axis=1), CLUES)
    clue = np.column_stack([one["when"], ready])
    at_clue = np.minimum(ready, CLUES - 1)
    right = np.column_stack([one["knows"], g[np.arange(QUESTIONS), at_clue]])
    heard = np.column_stack([one["heard"], np.ones(QUESTIONS, dtype=bool)])
    names = np.array([*HUMANS, MODEL])
    word = clue * WORDS + rng.integers(0, WORDS, clue.shape)
    time = np.where(heard & (clue < CLUES), word + rng.random(clue.shape) / 2, np.inf)
    match = np.full((PACKETS + 1, len(names)), "", dtype=object)
    final = time.copy()
    for packet, a, b in _meetings(heard, rng):
        match[packet, [a, b]] = f"{packet}: {names[a]} – {names[b]}"
        of = packet == PACKET
        for mine, theirs in ((a, b), (b, a)):
            after = of & right[:, theirs] & (time[:, theirs] < time[:, mine])
            final[after, mine] = np.inf
    kind = np.where(names == MODEL, "model", "human")
    q, t = np.nonzero(np.isfinite(final))
    buzzes = pd.DataFrame(
        {
            "question_id": IDS[q],
            "packet": PACKET[q],
            "team": names[t],
            "kind": kind[t],
            "word_index": word[q, t],
            "correct": right[q, t],
            "match": match[PACKET[q], t],
        }
    )
    buzzes["match"] = buzzes["match"].where(buzzes["match"] != "", None)
    q, t = np.nonzero(heard)
    exposures = pd.DataFrame(
        {
            "question_id": IDS[q],
            "packet": PACKET[q],
            "team": names[t],
            "kind": kind[t],
            "source": "declared",
        }
    )
    questions = {"question_id": IDS, "packet": PACKET, "n_words": CLUES * WORDS}
    clues = {
        "segmentation": "given",
        "question_id": np.repeat(IDS, CLUES),
        "clue": np.tile(np.arange(1, CLUES + 1), QUESTIONS),
        "end_word": np.tile(np.arange(1, CLUES + 1) * WORDS, QUESTIONS),
    }
    return {
        "questions": pd.DataFrame(questions),
        "clues": pd.DataFrame(clues),
        "buzzes": buzzes,
        "exposures": exposures,
    }


# --- intervals of one study: (quantity, method) → (estimate, low, high) ------------------------


def _cells(row, *names):
    """(value, low, high) as arrays of one row, or of a frame's columns."""
    return tuple(np.atleast_1d(np.asarray(row[name], dtype=float)) for name in names)


def _incidence(data, teams, replicates: int, seed: int) -> dict:
    """Bands of the cumulative incidence, of all humans, of two quartiles and of the model."""
    opponents = incidence.opponents(data["questions"], data["buzzes"], data["exposures"])
    members = cumulative.group_members(teams)
    groups = {
        ("all", "human"): "all humans, questions × teams",
        ("paper", "Q1"): "Q1, questions × teams",
        ("paper", "Q4"): "Q4, questions × teams",
        ("model", MODEL): "model, questions",
    }
    table = incidence.incidence(
        *data.values(), opponents, {key: members[key] for key in groups}, replicates, seed, LEVEL
    )
    table = table[(table["exposure"] == "recorded") & (table["scale"] == "share")]
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
        found[f"{name}, end", method] = _cells(at.loc[1.0], *cells)
        if rule != "paper":
            found[f"{name}, half of the words", method] = _cells(at.loc[0.5], *cells)
            found[f"{name}, every point at once", method] = _cells(of, *cells)
    return found


def _cumulative(data, teams, replicates: int, seed: int, drawn: str) -> dict:
    """Bounds of figure 4's cumulative right buzzes at the last clue."""
    table = cumulative.cumulative_buzzes(
        data["clues"], data["buzzes"], data["exposures"], teams, replicates, seed, LEVEL
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
            found[quantity, "questions"] = _cells(row, *one)
            continue
        found[quantity, f"questions; {drawn}"] = _cells(row, *one)
        found[quantity, f"two-way; {drawn}"] = _cells(row, *two)
        if rule == "all":
            for unit in ("match", "clue"):
                cells = f"per_{unit}", f"per_{unit}_low", f"per_{unit}_high"
                found[f"right buzzes per {unit}, {name}", f"questions; {drawn}"] = _cells(
                    row, *cells
                )
    return found


def _quartiles(data, replicates: int, seed: int, drawn: str) -> dict:
    """Bounds of fair quartiles at the last clue, of gaps between them and of shrinkage."""
    curves, shrinkage = quartiles.fair_quartiles(
        quartiles.play(*data.values()), HALVES, replicates, seed, LEVEL
    )
    at = curves[curves["clue"] == CLUES].set_index(["score", "drawn", "group"])
    gaps = shrinkage.set_index("score")
    found = {}
    for score in ("total", "rate"):
        for group in ("Q1", "Q4"):
            row = at.loc[(score, "other_half", group)]
            quantity = f"fair quartile {group} by {score}, other half"
            found[quantity, f"questions; {drawn}"] = _cells(row, "right", "low", "high")
        for name in ("gap_all", "gap_same_half", "gap_other_half", "shrinkage"):
            cells = _cells(gaps.loc[score], name, f"{name}_low", f"{name}_high")
            quantity = f"{name.replace('_', ' ')} by {score}"
            if name != "shrinkage":
                quantity = quantity.replace("gap ", "Q4 − Q1, ")
            found[quantity, f"questions; {drawn}"] = cells
    return found


def _correlations(data, teams, replicates: int, seed: int) -> dict:
    table = quartiles.exposure_correlations(
        teams, data["exposures"], data["questions"], replicates, seed, LEVEL
    )
    at = table.set_index(["score", "exposure"])
    found = {}
    for score in ("total correct buzzes", "correct per question recorded as heard"):
        row = at.loc[(score, "questions heard, recorded")]
        for name in ("spearman", "pearson"):
            cells = _cells(row, name, f"{name}_low", f"{name}_high")
            found[f"{name.title()}, {score} and questions heard", "teams"] = cells
    return found


def _matches(one, data, replicates: int, seed: int, drawn: str) -> dict:
    """Margins of the second model, replayed against every team, and their mean."""
    g, c = one["g"][1].astype(bool), one["c"][1]
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
        matches.pairs(points_of, data["buzzes"], data["exposures"], data["questions"]),
        {"right": 10, "wrong": -5},
    )
    table = matches.matches(played[played["ties"] == "human"], {}, replicates, seed, LEVEL)
    if drawn == "teams anew":
        row = matches.win_matrix(table, LEVEL).iloc[0]
        cells = "mean_margin", "mean_margin_low", "mean_margin_high"
        return {
            ("mean margin of replayed matches", f"Student, teams; {drawn}"): _cells(row, *cells)
        }
    cells = table.set_index("team").reindex(HUMANS)[["margin", "low", "high"]]
    return {
        ("margin of a replayed match", f"questions; {drawn}"): _cells(
            cells, "margin", "low", "high"
        )
    }


def by_team(anew: bool, seed: int = 31):
    """A function (rng, replicates, seed) → intervals of one study, its teams drawn anew or not."""
    skills = None if anew else np.random.default_rng(seed).normal(0, 0.7, TEAMS)
    drawn = "teams anew" if anew else "same teams"

    def intervals(rng, replicates: int, number: int) -> dict:
        one = coverage.study(rng, skills)
        data = tabled(one, rng)
        teams = human.rank_teams(data["clues"], data["buzzes"], data["exposures"])
        found = _cumulative(data, teams, replicates, number, drawn)
        found |= _quartiles(data, replicates, number, drawn)
        found |= _matches(one, data, replicates, number, drawn)
        if anew:
            found |= _incidence(data, teams, replicates, number)
            found |= _correlations(data, teams, replicates, number)
        else:
            found.pop(("right buzzes per question, model", "questions"))
            found = {key: cells for key, cells in found.items() if "two-way" not in key[1]}
        return found

    return intervals


def _row(quantity, method, studies, truth, bias, share) -> dict:
    return {
        "quantity": quantity,
        "method": method,
        "studies": studies,
        "truth": truth,
        "bias": bias,
        "coverage": share,
    }


def _covered(intervals, count: int, further: int, replicates: int, seed: int) -> pd.DataFrame:
    """Coverage of what ``intervals`` (rng, replicates, seed) gives of ``count`` studies.

    The truth is the mean of the estimate over ``further`` studies. A study counts where it has the
    estimate. Of a whole curve, all points must be held. Estimates of several things at once have a
    truth each, and their coverage is a mean over them.
    """
    rng = np.random.default_rng(seed + 1)
    apart: dict[tuple[str, str], list] = {}
    for _ in range(further):
        for key, cells in intervals(rng, 1, 0).items():
            apart.setdefault(key, []).append(cells[0])
    rng = np.random.default_rng(seed + 2)
    measured: dict[tuple[str, str], list] = {}
    for number in range(count):
        for key, cells in intervals(rng, replicates, number).items():
            measured.setdefault(key, []).append(cells)
    rows = []
    for key, cells in measured.items():
        truth = np.nanmean(apart[key], axis=0)
        value, low, high = np.array(cells).swapaxes(0, 1)
        known = np.isfinite(value)
        # Rounding must not decide where a curve is the same in all studies.
        inside = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
        bias = np.nanmean(value, axis=0) - truth
        if "every point" in key[0]:
            share, shown = inside.all(axis=1).mean(), (np.nan, np.nan)
        else:
            share, shown = inside[known].mean(), (truth.mean(), bias.mean())
        rows.append(_row(*key, int(known.any(axis=1).sum()), *shown, float(share)))
    return pd.DataFrame(rows)


def of_curves(count: int, further: int, replicates: int, anew: bool, seed: int = 31):
    """Coverage of every interval of :func:`by_team`."""
    return _covered(by_team(anew, seed), count, further, replicates, seed)


# --- expected wins ---------------------------------------------------------------------------

GIVEN = -0.5
"""The given threshold on the mean log-probability (a confidence of .61)."""
FOLDS = 5
RULES = (f"given {GIVEN:g}", "tuned", "trained", "optimal")


def _wins(one, replicates: int, seed: int) -> dict:
    """Expected wins of the first model under every rule, and at the threshold that is best on the study."""
    right = pd.Series(one["g"][0].ravel() > 0)
    logarithm = np.log(one["c"][0].ravel())
    guesses = pd.DataFrame(
        {
            "model": "a",
            "elicitation": "logit",
            "question_id": np.repeat(IDS, CLUES),
            "position": np.tile(np.arange(1, CLUES + 1) * WORDS, QUESTIONS),
            "guess": np.where(right, "this", "that"),
            "confidence": np.nan,
            "mean_logprob": logarithm,
            "token_logprobs": [np.array([value]) for value in logarithm],
            "buzzed": pd.array([None] * len(right), "boolean"),
        }
    )
    questions = pd.DataFrame(
        {"question_id": IDS, "text": "word " * (CLUES * WORDS), "n_words": CLUES * WORDS}
    )
    states = thresholds.states(guesses, right, questions, "study")
    curve = thresholds.Opponents("protobowl", thresholds.PROTOBOWL)
    found = thresholds.analyse(states, [curve], [GIVEN], FOLDS, replicates, seed, LEVEL)
    cells = "expected_wins", "low", "high"
    at = found["thresholds"].set_index("rule")
    wins = {(f"expected wins, {rule}", "questions"): _cells(at.loc[rule], *cells) for rule in RULES}
    drawn = found["expected_wins"]
    best = drawn[drawn["best"]].iloc[0]
    wins["expected wins, best threshold of the study itself", "questions"] = _cells(best, *cells)
    return wins


def of_wins(count: int, further: int, replicates: int, seed: int = 71) -> pd.DataFrame:
    """Coverage of the intervals of expected wins; the truth is a mean over ``further`` studies."""
    return _covered(
        lambda rng, replicates, number: _wins(coverage.study(rng), replicates, number),
        count,
        further,
        replicates,
        seed,
    )


# --- calibration slopes ----------------------------------------------------------------------

KINDS = {
    "overconfident": ("omit",),
    "calibrated": ("omit",),
    "tenths": tuple(regressions.ENDS),
}
"""What the confidences of a study are → the rules for 0 and 1 shown. In tenths some are exactly 1; the
others are never 0 or 1, so that the rules do the same."""
TERMS = ("slope", "intercept", "offset")


def _responses(one, kind: str) -> pd.DataFrame:
    """Responses of the first model of a study of ``coverage.study``."""
    c = one["c"][0].ravel()
    return pd.DataFrame(
        {
            "segmentation": "given",
            "model": "a",
            "elicitation": "logit",
            "reduction": "mean_prob",
            "question_id": np.repeat(np.arange(QUESTIONS), CLUES),
            "clue": np.tile(np.arange(1, CLUES + 1), QUESTIONS),
            "confidence": np.round(c, 1) if kind == "tenths" else c,
            "correct": one["g"][0].ravel() > 0,
        }
    )


def of_slopes(count: int, further: int, kind: str, seed: int = 51) -> pd.DataFrame:
    """Coverage of the calibration regressions' intervals.

    The truth is the estimate on ``further`` studies pooled; where ``kind`` is ``tenths`` it is the mean
    of their estimates, as what becomes of 1 hangs on the number of rows.
    """

    def slopes(rows):
        table = regressions.calibration_slopes(rows, LEVEL)
        table = table[table["ends"].isin(KINDS[kind]) & (table["status"] == "estimated")]
        return table.set_index(["scope", "ends"])

    def draw(rng):
        return _responses(coverage.study(rng, calibrated=kind == "calibrated"), kind)

    rng = np.random.default_rng(seed + 1)
    studies = [draw(rng) for _ in range(further)]
    if kind == "tenths":
        apart = pd.concat([slopes(rows)[list(TERMS)] for rows in studies])
        truth = apart.groupby(level=["scope", "ends"]).mean()
    else:
        pooled = [
            rows.assign(question_id=rows["question_id"] + QUESTIONS * number)
            for number, rows in enumerate(studies)
        ]
        truth = slopes(pd.concat(pooled, ignore_index=True))[list(TERMS)]
    rng = np.random.default_rng(seed)
    found = pd.concat([slopes(draw(rng)) for _ in range(count)])
    rows = []
    for scope in regressions.SCOPES:
        for ends in KINDS[kind]:
            of = found.loc[[(scope, ends)]]
            label = f"{kind} models" if kind != "tenths" else "confidences in tenths"
            where = f"{scope.replace('_', ' ')}, {label}"
            method = "t, clustered by question"
            method += f"; 0 and 1: {ends}" if kind == "tenths" else ""
            for term in TERMS:
                target = truth.loc[(scope, ends), term]
                inside = (of[f"{term}_low"] <= target) & (target <= of[f"{term}_high"])
                cells = (len(of), target, of[term].mean() - target, float(inside.mean()))
                rows.append(_row(f"calibration {term}, {where}", method, *cells))
            if kind == "calibrated":
                share = float((of["p_calibrated"] >= 1 - LEVEL).mean())
                cells = (len(of), np.nan, np.nan, share)
                rows.append(
                    _row(f"calibration test keeps what is true, {where}", "Wald, F", *cells)
                )
    return pd.DataFrame(rows)


STUDIES = {
    "teams anew": (300, 200),
    "same teams": (1000, 500),
    "slopes": (1000, 500),
    "wins": (1000, 500),
}
"""Studies measured, and further ones for the truth, of each part."""


def measure(studies=STUDIES, replicates: int = REPLICATES) -> pd.DataFrame:
    """Every row of the table."""
    parts = [
        of_curves(*studies["teams anew"], replicates, anew=True),
        of_curves(*studies["same teams"], replicates, anew=False),
        *(of_slopes(*studies["slopes"], kind) for kind in KINDS),
        of_wins(*studies["wins"], replicates),
    ]
    return pd.concat(parts, ignore_index=True)


if __name__ == "__main__":
    coverage.show(measure(), TABLE)
