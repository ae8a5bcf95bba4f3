"""Quartiles of human teams that reward neither having played more nor the luck of the draw.

Total correct buzzes ranks teams largely by how much they played, and any ranking by the very buzzes
that are then drawn sets the quartiles apart even where all teams are equal. So: quartiles by rate, and
quartiles assigned on half of the packets and drawn on the other half.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from ..clues import segment as clues_module
from ..core import store
from ..stats import means, ranks, resample
from .curves import as_seen

SCORES = {
    "total": "total correct buzzes",
    "rate": "correct buzzes per question heard",
    "seen_rate": "correct buzzes per question declared or seen to be heard",
}
"""``seen_rate``: where a team is known of only by its buzzes, it counts no question that the team heard in silence."""
DRAWN = {
    "all": "assigned and drawn on all packets",
    "same_half": "assigned and drawn on the same half",
    "other_half": "assigned on one half, drawn on the other",
}
QUARTILES = ("Q1", "Q2", "Q3", "Q4")
_SPLITS_PER_REPLICATE = 4


class Play(NamedTuple):
    """What human teams did, by question: Q questions, M teams, T clue numbers."""

    teams: list[str]
    packet: np.ndarray
    """(Q,) index of the packet of each question."""
    heard: np.ndarray
    """(Q, M) questions heard, 0 or 1."""
    seen: np.ndarray
    """(Q, M) of these, declared or seen to buzz on, 0 or 1."""
    right: np.ndarray
    """(Q, M, T) right buzzes up to each clue number."""


def play(questions, clues, buzzes, exposures) -> Play:
    """:class:`Play` of the human teams; ``clues`` are those of one segmentation."""
    buzzes = buzzes[(buzzes["kind"] == "human") & buzzes["correct"].astype(bool)]
    heard = exposures[exposures["kind"] == "human"]
    ids = questions.sort_values("question_id")
    index, teams = pd.Index(ids["question_id"]), pd.Index(sorted(heard["team"].unique()))
    packet = pd.factorize(ids["packet"], sort=True)[0]
    known = np.zeros((2, len(index), len(teams)))
    for place, of in zip(known, (heard, as_seen(heard)), strict=True):
        place[index.get_indexer(of["question_id"]), teams.get_indexer(of["team"])] = 1
    right = np.zeros((len(index), len(teams), int(clues["clue"].max())))
    at = clues_module.assign(clues, buzzes).to_numpy() - 1
    np.add.at(right, (index.get_indexer(buzzes["question_id"]), teams.get_indexer(buzzes["team"]), at), 1)  # fmt: skip
    right = right.cumsum(axis=2)
    # By what they heard and did, not by name: teams under pseudonyms get the same bounds.
    order = sorted(range(len(teams)), key=lambda t: (known[:, :, t].tobytes(), right[:, t].tobytes()))  # fmt: skip
    return Play(list(teams[order]), packet, *known[:, :, order], right[:, order])


def quartiles(scores: np.ndarray) -> np.ndarray:
    """Quartile 0 (bottom) to 3 (top) of each team in each row, −1 where the score is nan.

    ``scores``: (R, M). The cuts of ``calscore.human.quartile``: 25/50/75 percentiles, linear, ≤ goes
    below. Rows with no score at all have no quartile.
    """
    ordered = np.sort(scores, axis=1)  # nan last
    n = np.isfinite(scores).sum(axis=1)
    found = np.full(scores.shape, -1)
    some = n > 0
    rows = np.flatnonzero(some)
    group = np.zeros((len(rows), scores.shape[1]), dtype=int)
    for share in (0.25, 0.5, 0.75):
        place = share * (n[some] - 1)
        low = np.floor(place).astype(int)
        high = np.minimum(low + 1, n[some] - 1)
        a, b = ordered[rows, low], ordered[rows, high]
        part = place - low
        # As NumPy interpolates, so that ties at a cut fall on the same side.
        cut = np.where(part >= 0.5, b - (b - a) * (1 - part), a + (b - a) * part)
        group += scores[some] > cut[:, None]
    found[some] = np.where(np.isfinite(scores[some]), group, -1)
    return found


def _sums(play: Play, weights: np.ndarray):
    """Weighted sums over questions: heard (R, M), seen (R, M), right (R, M, T)."""
    n, teams, last = play.right.shape
    right = (weights @ play.right.reshape(n, -1)).reshape(len(weights), teams, last)
    return weights @ play.heard, weights @ play.seen, right


def _scores(sums, score: str) -> np.ndarray:
    heard, seen, right = sums
    total = right[:, :, -1]
    by = {"total": np.ones_like(total), "rate": heard, "seen_rate": seen}[score]
    # A team that was not there has no score, whatever the rule.
    return np.divide(total, by, out=np.full(total.shape, np.nan), where=(heard > 0) & (by > 0))


def _curves(sums, group, score: str) -> np.ndarray:
    """Right buzzes per question heard of each quartile by clue number, (R, 4, T); nan without any."""
    heard, seen, right = sums
    heard = seen if score == "seen_rate" else heard
    member = (group[:, None, :] == np.arange(4)[None, :, None]).astype(float)
    top = np.einsum("rqm,rmt->rqt", member, right, optimize=True)
    bottom = np.einsum("rqm,rm->rq", member, heard)[:, :, None]
    return np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom > 0)


def halves(n_packets: int, count: int, rng) -> np.ndarray:
    """``count`` random halves of the packets, (count, n_packets) bool; an odd packet goes to the other."""
    order = rng.random((count, n_packets)).argsort(axis=1)
    return order < n_packets // 2


def _of_teams(sums, teams):
    """The sums of the teams drawn, (R, M) places of teams; all of them as they are where None."""
    if teams is None:
        return sums
    heard, seen, right = sums
    teams = np.broadcast_to(teams, (max(len(heard), len(teams)), teams.shape[1]))
    heard, seen, right = (np.broadcast_to(x, (len(teams), *x.shape[1:])) for x in sums)
    return (
        np.take_along_axis(heard, teams, axis=1),
        np.take_along_axis(seen, teams, axis=1),
        np.take_along_axis(right, teams[:, :, None], axis=1),
    )


def _on_all(play: Play, weights, teams=None):
    """(score, all) → curves (R, 4, T) of weighted questions; quartiles are those of the questions as they are."""
    plain = _of_teams(_sums(play, np.ones((1, len(play.packet)))), teams)
    drawn = _of_teams(_sums(play, weights), teams)
    groups = {score: quartiles(_scores(plain, score)) for score in SCORES}
    shape = len(weights), len(play.teams)
    return {
        (score, "all"): _curves(drawn, np.broadcast_to(group, shape), score)
        for score, group in groups.items()
    }


def _both_directions(play: Play, weights, half, teams=None):
    """(score, drawn) → curves (R, 2, 4, T): assigned on ``half`` and on the other half.

    ``weights``: (R, Q) question weights of what is drawn, ``half``: (R, packets) bool, ``teams``: (R, M) teams
    drawn. Quartiles are assigned from the questions as they are, to the teams drawn.
    """
    inside = half[:, play.packet]
    plain = [_of_teams(_sums(play, side.astype(float)), teams) for side in (inside, ~inside)]
    drawn = [_of_teams(_sums(play, weights * side), teams) for side in (inside, ~inside)]
    found = {}
    for score in SCORES:
        groups = [quartiles(_scores(sums, score)) for sums in plain]
        for way, to in (("same_half", (0, 1)), ("other_half", (1, 0))):
            both = [
                _curves(drawn[side], group, score) for side, group in zip(to, groups, strict=True)
            ]
            found[score, way] = np.stack(both, axis=1)
    return found


def _sizes(play: Play, sides):
    """(score, drawn) → teams and questions heard of each quartile, (2, 4): means over the rows of ``sides``.

    ``sides``: two arrays (R, Q) of questions, 0 or 1, that share them out: a half and the other one.
    Quartiles are assigned on each side and counted on the same side and on the other one.
    """
    plain = [_sums(play, side) for side in sides]
    found = {}
    for score in SCORES:
        groups = [quartiles(_scores(sums, score)) for sums in plain]
        for way, to in (("same_half", (0, 1)), ("other_half", (1, 0))):
            parts = []
            for side, group in zip(to, groups, strict=True):
                heard = plain[side][score == "seen_rate"]
                member = group[:, None, :] == np.arange(4)[None, :, None]
                there = member & (heard > 0)[:, None, :]
                parts.append([there.sum(axis=2), np.einsum("rqm,rm->rq", member, heard)])
            found[score, way] = np.array(parts, dtype=float).mean(axis=(0, 2))
    return found


def fair_quartiles(play: Play, n_halves: int, replicates: int, seed: int, level: float):
    """(curves, shrinkage): fair_quartiles.csv and quartile_shrinkage.csv.

    Curves: right buzzes per question heard (for ``seen_rate``: declared or seen to be heard) of each quartile by clue number, under each score and way of drawing (:data:`SCORES`,
    :data:`DRAWN`). Halves: means over ``n_halves`` random halves of the packets, both directions; the
    lowest and highest 2.5 % of single splits (``split_low``, ``split_high`` at ``level``) stand beside,
    and the split in odd and even packets as ``odd_even``. A team that has heard nothing on a half gets
    no quartile there. ``n_teams`` and ``questions_heard`` are those behind a curve, on halves their
    means over halves and directions. ``low`` and ``high`` resample the questions that are drawn, teams and
    their quartiles being as they are: they speak of these teams. ``two_way_low`` and ``two_way_high`` draw
    teams too and cut those drawn into quartiles: they speak of teams like these. Each replicate has 4
    random halves, whose chance is in the bounds too.

    Shrinkage, per score: gap of Q4 over Q1 at the last clue drawn on the same half and on the other
    one, and the share of the gap that is lost, 1 − other / same; how often the other half keeps the
    order Q1 ≤ Q2 ≤ Q3 ≤ Q4.
    """
    n_questions, _, last = play.right.shape
    n_packets = int(play.packet.max()) + 1
    rng = np.random.default_rng([seed, 2])
    ones = np.ones((1, n_questions))
    curves, spread = [], {}

    # With all questions on both sides, either way of drawing is drawing on all of them.
    sizes = {(score, "all"): n for (score, _), n in _sizes(play, (ones, ones)).items()}
    draws = resample.bootstrap_weights(n_questions, replicates, seed)
    n_teams = len(play.teams)
    teams = np.random.default_rng([seed, 4]).integers(max(n_teams, 1), size=(replicates, n_teams))
    point = {key: values[0] for key, values in _on_all(play, ones).items()}
    drawn, crossed = _on_all(play, draws), _on_all(play, draws, teams)
    if n_packets >= 2:
        half = halves(n_packets, n_halves, rng)
        spread = _both_directions(play, np.repeat(ones, n_halves, axis=0), half)
        inside = half[:, play.packet]
        sizes |= _sizes(play, (inside.astype(float), (~inside).astype(float)))
        point |= {key: means.finite_mean(values, (0, 1)) for key, values in spread.items()}
        odd = _both_directions(play, ones, (np.arange(n_packets) % 2 == 0)[None, :])
        k = _SPLITS_PER_REPLICATE
        parts: dict = {}
        others: dict = {}
        for rows in np.array_split(np.arange(replicates), max(1, replicates // 250)):
            half = halves(n_packets, k * len(rows), rng)
            weights = np.repeat(draws[rows], k, axis=0)
            for found, who in ((parts, None), (others, np.repeat(teams[rows], k, axis=0))):
                for key, values in _both_directions(play, weights, half, who).items():
                    split = values.reshape(len(rows), k, 2, 4, last)
                    found.setdefault(key, []).append(means.finite_mean(split, (1, 2)))
        drawn |= {key: np.concatenate(blocks) for key, blocks in parts.items()}
        crossed |= {key: np.concatenate(blocks) for key, blocks in others.items()}
    for (score, way), values in point.items():
        low, high = _bounds(drawn[score, way], level)
        both_low, both_high = _bounds(crossed[score, way], level)
        outer = np.full((2, 4, last), np.nan)
        parity = np.full((4, last), np.nan)
        if (score, way) in spread:
            outer = np.stack(_bounds(spread[score, way].reshape(-1, 4, last), level))
            parity = means.finite_mean(odd[score, way], (0, 1))
        for at, name in enumerate(QUARTILES):
            curves.append(
                pd.DataFrame(
                    {
                        "score": score,
                        "drawn": way,
                        "group": name,
                        "n_teams": sizes[score, way][0, at],
                        "questions_heard": sizes[score, way][1, at],
                        "clue": np.arange(1, last + 1),
                        "right": values[at],
                        "low": low[at],
                        "high": high[at],
                        "two_way_low": both_low[at],
                        "two_way_high": both_high[at],
                        "split_low": outer[0, at],
                        "split_high": outer[1, at],
                        "odd_even": parity[at],
                    }
                )
            )
    return pd.concat(curves, ignore_index=True), _shrinkage(
        point, (drawn, crossed), spread, n_halves, level
    )


def _bounds(draws, level: float):
    """Percentile bounds over the first axis of what is finite; nan where nothing is."""
    low = np.full(draws.shape[1:], np.nan)
    high = low.copy()
    for place in np.ndindex(draws.shape[1:]):
        values = draws[(slice(None), *place)]
        values = values[np.isfinite(values)]
        if len(values):
            low[place], high[place] = resample.percentile_interval(values, level)
    return low, high


def _gap(curves) -> np.ndarray:
    """Q4 − Q1 at the last clue."""
    return curves[..., 3, -1] - curves[..., 0, -1]


def _lost(drawn, score: str):
    """Share of the same-half gap that is lost on the other half, in each replicate."""
    same, other = (_gap(drawn[score, way]) for way in ("same_half", "other_half"))
    return 1 - np.divide(other, same, out=np.full(same.shape, np.nan), where=same > 0)


def _shrinkage(point, resampled, spread, n_halves: int, level: float):
    """quartile_shrinkage.csv; ``resampled``: draws of questions, and of questions and teams."""
    parts = []
    for score in SCORES:
        row = {"score": score, "n_halves": n_halves if spread else 0}

        def add(name, value, draws, row=row):
            row[name] = value
            for stem, of in zip((name, f"{name}_two_way"), draws, strict=True):
                low, high = (np.nan, np.nan) if of is None else _bounds(of, level)
                row[f"{stem}_low"], row[f"{stem}_high"] = float(low), float(high)

        for way in DRAWN:
            value, draws = np.nan, (None, None)
            if (score, way) in point:
                value = float(_gap(point[score, way]))
                draws = [_gap(of[score, way]) for of in resampled]
            add(f"gap_{way}", value, draws)
        value, draws = np.nan, (None, None)
        row["order_kept"] = np.nan
        if spread and row["gap_same_half"] > 0:
            value = 1 - row["gap_other_half"] / row["gap_same_half"]
            draws = [_lost(of, score) for of in resampled]
            ends = spread[score, "other_half"][..., -1].reshape(-1, 4)
            ends = ends[np.isfinite(ends).all(axis=1)]
            if len(ends):
                row["order_kept"] = float((np.diff(ends, axis=1) >= 0).all(axis=1).mean())
        add("shrinkage", value, draws)
        parts.append(row)
    return pd.DataFrame(parts)[store.columns("quartile_shrinkage")]


# --- does the ranking follow exposure? --------------------------------------------------------


def exposure_correlations(teams, exposures, replicates: int, seed: int, level: float):
    """exposure_correlation.csv: how each team score goes with each count of exposure.

    Spearman (ties at mean ranks) and Pearson correlation over human teams, with bounds from resampling
    teams. nan where there are fewer than three teams or one of the two does not vary.
    """
    humans = teams[teams["kind"] == "human"].set_index("team").sort_index()
    known = as_seen(exposures), exposures[exposures["source"].isin(["declared", "match"])]
    seen, declared = (of.groupby("team").size().reindex(humans.index) for of in known)
    measures = {
        "questions heard": humans["questions_heard"],
        "questions heard, declared or seen": seen.fillna(0),
        "questions heard, declared": declared.fillna(0),
        "packets": humans["packets"],
        "buzzes": humans["buzzes"],
    }
    scores = {
        "total correct buzzes": humans["score_paper"],
        "summed cumulative correct buzzes": humans["score_release"],
        "correct per question heard": humans["score_rate"],
        "correct per question declared or seen to be heard": humans["correct"] / seen,
    }
    draws = np.random.default_rng([seed, 3]).integers(
        max(len(humans), 1), size=(replicates, len(humans))
    )
    parts = []
    for score, y in scores.items():
        for measure, x in measures.items():
            both = (y.notna() & x.notna()).to_numpy()
            row = {"score": score, "exposure": measure, "n_teams": int(both.sum())}
            pair = np.where(both, np.stack([y, x]).astype(float), np.nan)
            for name, correlation in (("spearman", ranks.spearman), ("pearson", ranks.pearson)):
                value, bounds = np.nan, (np.nan, np.nan)
                if both.sum() > 2:
                    value = float(correlation(pair[:, both]))
                    if both.all():
                        bounds = _bounds(correlation(pair[:, draws]), level)
                row[name] = value
                row |= {f"{name}_low": float(bounds[0]), f"{name}_high": float(bounds[1])}
            parts.append(row)
    return pd.DataFrame(parts)


def compared(
    questions,
    clues,
    buzzes,
    exposures,
    teams,
    halves: int,
    replicates: int,
    seed: int,
    level: float,
) -> dict:
    """Quartiles by total and by rate, on the same and on other packets, and scores against exposure.

    ``clues`` are those of one segmentation.
    """
    resampling = replicates, seed, level
    played = play(questions, clues, buzzes, exposures)
    curves, shrinkage = fair_quartiles(played, halves, *resampling)
    correlations = exposure_correlations(teams, exposures, *resampling)
    return {
        "fair_quartiles": curves,
        "quartile_shrinkage": shrinkage,
        "exposure_correlation": correlations,
    }
