"""Quartiles of human teams that reward neither having played more nor the luck of the draw.

Total correct buzzes ranks teams largely by how much they played, and any ranking by the very buzzes
that are then drawn sets the quartiles apart even where all teams are equal. So: quartiles by rate, and
quartiles assigned on half of the packets and drawn on the other half.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import pandas as pd

from ..clues import segment as clues_module
from ..core import store
from ..stats import intervals
from ..stats.bootstrap import Bootstrap
from ..stats.proportions import ratio
from .curves import first_buzz_rows, observed_exposures, team_order

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
_CELLS = 2_000_000
"""Sums of teams in replicates that are held at once."""


@dataclass(frozen=True)
class TeamRecord:
    """What human teams did, by question: Q questions, M teams, T clue numbers; counts are floats."""

    teams: list[str]
    packet: np.ndarray
    """(Q,) index of the packet of each question."""
    heard: np.ndarray
    """(Q, M) questions heard, 0 or 1."""
    observed: np.ndarray
    """(Q, M) of these, those that :func:`.curves.observed_exposures` keeps, 0 or 1."""
    right: np.ndarray
    """(Q, M, T) right buzzes up to each clue number."""

    @cached_property
    def cells(self):
        """Sparse (M·(2 + T), Q), rows of each team: heard, observed, and right buzzes in (not up to) each clue number."""
        from scipy.sparse import csr_array

        heard_pair = np.stack([self.heard, self.observed], axis=2)
        increments = np.diff(self.right, axis=2, prepend=0)
        places = [np.nonzero(counts) for counts in (heard_pair, increments)]
        question, team, column = (
            np.concatenate([heard_place, two]) for heard_place, two in zip(*places, strict=True)
        )
        column[len(places[0][0]) :] += 2
        values = np.concatenate([heard_pair[places[0]], increments[places[1]]])
        each = 2 + self.right.shape[2]
        shape = len(self.teams) * each, len(self.packet)
        # Sums of whole numbers that are exact in either.
        kind = np.float32 if len(self.packet) * len(self.teams) < 2**24 else np.float64
        return csr_array((values.astype(kind), (team * each + column, question)), shape=shape)


def team_record(questions, clues, buzzes, exposures) -> TeamRecord:
    """:class:`TeamRecord` of the human teams, in :func:`.curves.team_order`, from tables; ``clues`` of one segmentation."""
    buzzes = first_buzz_rows(buzzes[(buzzes["kind"] == "human") & buzzes["correct"].astype(bool)])
    heard = exposures[exposures["kind"] == "human"]
    ids = questions.sort_values("question_id")
    index, teams = pd.Index(ids["question_id"]), pd.Index(sorted(heard["team"].unique()))
    packet = pd.factorize(ids["packet"], sort=True)[0]
    heard_pair = np.zeros((2, len(index), len(teams)))
    for place, part in zip(heard_pair, (heard, observed_exposures(heard)), strict=True):
        place[index.get_indexer(part["question_id"]), teams.get_indexer(part["team"])] = 1
    right = np.zeros((len(index), len(teams), int(clues["clue"].max())))
    clue_index = clues_module.assign_clues(clues, buzzes).to_numpy() - 1
    question, team = index.get_indexer(buzzes["question_id"]), teams.get_indexer(buzzes["team"])
    np.add.at(right, (question, team, clue_index), 1)
    right = right.cumsum(axis=2)
    done = (
        [np.nonzero(part.T) for part in heard_pair],
        (team, question * right.shape[2] + clue_index),
    )
    order = team_order(len(teams), *done[0], done[1])
    return TeamRecord(list(teams[order]), packet, *heard_pair[:, :, order], right[:, order])


def quartiles_by_row(scores: np.ndarray, among: np.ndarray | None = None) -> np.ndarray:
    """Quartile 0 (bottom) to 3 (top) of each team in each row of ``scores`` (R, M), −1 where that is nan.

    Cut as by :func:`.curves.quartile`, at the percentiles of the same row of ``among`` (by default the scores).
    """
    ordered = np.sort(scores if among is None else among, axis=1)  # nan last
    n = np.isfinite(ordered).sum(axis=1)
    quartile = np.full(scores.shape, -1, dtype=np.int8)
    nonempty = n > 0
    rows = np.flatnonzero(nonempty)
    group = np.zeros((len(rows), scores.shape[1]), dtype=np.int8)
    for share in (0.25, 0.5, 0.75):
        place = share * (n[nonempty] - 1)
        low = np.floor(place).astype(int)
        high = np.minimum(low + 1, n[nonempty] - 1)
        a, b = ordered[rows, low], ordered[rows, high]
        part = place - low
        # As NumPy interpolates, so that ties at a cut fall on the same side.
        cut = np.where(part >= 0.5, b - (b - a) * (1 - part), a + (b - a) * part)
        group += scores[nonempty] > cut[:, None]
    quartile[nonempty] = np.where(np.isfinite(scores[nonempty]), group, -1)
    return quartile


def _weighted_team_sums(play: TeamRecord, weights: np.ndarray) -> np.ndarray:
    """Sums over questions with ``weights`` (R, Q), (R, M, 2 + T): heard, observed, right up to each clue number."""
    each = 2 + play.right.shape[2]
    sums = (play.cells @ np.ascontiguousarray(weights.T, dtype=play.cells.dtype)).T
    sums = np.ascontiguousarray(sums).reshape(len(weights), len(play.teams), each)
    np.cumsum(sums[:, :, 2:], axis=2, out=sums[:, :, 2:])
    return sums


def _team_scores(sums: np.ndarray) -> dict[str, np.ndarray]:
    """Score (:data:`SCORES`) → (R, M) from :func:`_weighted_team_sums`; nan where the team heard nothing to divide by."""
    heard, observed, total = (sums[:, :, column].astype(float) for column in (0, 1, -1))
    denominators = {"total": heard > 0, "rate": heard, "seen_rate": observed}
    return {score: ratio(total, denominators[score]) for score in SCORES}


def _times_drawn(teams: np.ndarray) -> np.ndarray:
    """How often each team is drawn, (R, M); ``teams`` (R, M): indices of those drawn."""
    n, size = teams.shape
    flat = teams + np.arange(n)[:, None] * size
    return np.bincount(flat.ravel(), minlength=n * size).reshape(n, size)


def random_halves(n_packets: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """``count`` random halves of the packets, boolean masks (count, n_packets); an odd packet is in the other half."""
    order = rng.random((count, n_packets)).argsort(axis=1)
    return order < n_packets // 2


def _quartile_curves(play: TeamRecord, weights, sides, teams=None) -> list[dict]:
    """(score, drawn) → right buzzes per question heard, (R, directions, 4, T), nan without any; in a list.

    ``sides``: (R, Q) questions, 0 or 1: one array on which quartiles are assigned and drawn, or two halves, drawn on the
    same and the other in both directions. ``weights``: (R, Q), of what is drawn. With ``teams``, (R, M) indices of teams
    drawn, the list has a second mapping for these.
    """
    step = max(1, _CELLS // max(1, play.cells.shape[0]))
    parts = [
        _quartile_curves_of_block(
            play, weights[rows], [side[rows] for side in sides], None if teams is None else teams[rows]
        )
        for rows in (slice(start, start + step) for start in range(0, len(weights), step))
    ]
    return [
        {key: np.concatenate([part[mapping][key] for part in parts]) for key in parts[0][mapping]}
        for mapping in range(len(parts[0]))
    ]


def _quartile_curves_of_block(play: TeamRecord, weights: np.ndarray, sides, teams) -> list[dict]:
    """:func:`_quartile_curves` of few enough rows to hold their sums."""
    plain = [_team_scores(_weighted_team_sums(play, side)) for side in sides]
    drawn = [_weighted_team_sums(play, weights * side) for side in sides]
    single = np.ones((len(weights), len(play.teams)), dtype=np.int8)
    counts = [single] if teams is None else [single, _times_drawn(teams)]
    groups = {}
    for side, scores in enumerate(plain):
        for score, values in scores.items():
            groups[side, score, 0] = quartiles_by_row(values)
            if teams is not None:
                among = np.take_along_axis(values, teams, axis=1)
                groups[side, score, 1] = quartiles_by_row(values, among)
    ways = {"all": 1} if len(sides) == 1 else {"same_half": 1, "other_half": -1}
    curves: list[dict] = [{} for _ in counts]
    for direction in range(len(sides)):
        for way, turn in ways.items():
            target = drawn[direction if turn > 0 else 1 - direction]
            keys = [(score, mapping) for score in SCORES for mapping in range(len(counts))]
            member = np.empty((len(target), 4 * len(keys), len(play.teams)), dtype=target.dtype)
            for place, (score, mapping) in enumerate(keys):
                for quartile in range(4):
                    members = groups[direction, score, mapping] == quartile
                    np.multiply(members, counts[mapping], out=member[:, 4 * place + quartile])
            sums = (member @ target).astype(float).reshape(len(target), len(keys), 4, target.shape[2])
            for place, (score, mapping) in enumerate(keys):
                top, bottom = sums[:, place, :, 2:], sums[:, place, :, int(score == "seen_rate")]
                curve = ratio(top, bottom[:, :, None])
                curves[mapping].setdefault((score, way), []).append(curve)
    return [{key: np.stack(members[key], axis=1) for key in product(SCORES, ways)} for members in curves]


def _quartile_sizes(play: TeamRecord, sides: tuple) -> dict:
    """(score, drawn) → (number of teams, questions heard) of each quartile, (2, 4): means over the rows of ``sides``.

    ``sides``: two arrays (R, Q) of questions, 0 or 1, that share them out: a half and the other one.
    Quartiles are assigned on each side and counted on the same side and on the other one.
    """
    plain = [_weighted_team_sums(play, side) for side in sides]
    scores = [_team_scores(sums) for sums in plain]
    sizes = {}
    for score in SCORES:
        groups = [quartiles_by_row(side_scores[score]) for side_scores in scores]
        for way, targets in (("same_half", (0, 1)), ("other_half", (1, 0))):
            parts = []
            for side, group in zip(targets, groups, strict=True):
                heard = plain[side][:, :, int(score == "seen_rate")].astype(float)
                member = group[:, None, :] == np.arange(4)[None, :, None]
                present = member & (heard > 0)[:, None, :]
                parts.append([present.sum(axis=2), np.einsum("rqm,rm->rq", member, heard)])
            sizes[score, way] = np.array(parts, dtype=float).mean(axis=(0, 2))
    return sizes


def fair_quartiles(play: TeamRecord, n_halves: int, bootstrap: Bootstrap) -> tuple:
    """Tables (fair_quartiles, quartile_shrinkage): right buzzes per question heard of quartiles by clue number; their gaps.

    Each score of :data:`SCORES` is drawn in each way of :data:`DRAWN`; halves (absent with one packet) are
    means over ``n_halves`` random halves of the packets and both directions. A team that heard nothing on a
    half has no quartile there; for ``seen_rate`` only what is observed counts as heard. Bounds ``low`` and
    ``high`` resample questions and halves; ``two_way_…`` also teams, cut into quartiles anew.
    """
    n_questions, _, n_numbers = play.right.shape
    n_packets = int(play.packet.max()) + 1
    replicates, seed = bootstrap.replicates, bootstrap.seed
    rng = np.random.default_rng([seed, 2])
    everyone = np.ones((1, n_questions))
    curves = []

    # With all questions on both sides, either way of drawing is drawing on all of them.
    sizes = {(score, "all"): n for (score, _), n in _quartile_sizes(play, (everyone, everyone)).items()}
    draws = bootstrap.question_weights(n_questions)
    n_teams = len(play.teams)
    teams = np.random.default_rng([seed, 4]).integers(max(n_teams, 1), size=(replicates, n_teams))
    point = {key: values[0, 0] for key, values in _quartile_curves(play, everyone, [everyone])[0].items()}
    everything = np.ones_like(draws)
    drawn, crossed = (
        {key: values[:, 0] for key, values in part.items()}
        for part in _quartile_curves(play, draws, [everything], teams)
    )
    if n_packets >= 2:

        def shared_out(half):
            inside = half[:, play.packet]
            return [inside.astype(float), (~inside).astype(float)]

        sides = shared_out(random_halves(n_packets, n_halves, rng))
        (spread,) = _quartile_curves(play, np.ones_like(sides[0]), sides)
        sizes |= _quartile_sizes(play, sides)
        point |= {key: intervals.finite_mean(values, (0, 1)) for key, values in spread.items()}
        k = _SPLITS_PER_REPLICATE
        parts: tuple[dict, dict] = {}, {}
        for rows in np.array_split(np.arange(replicates), max(1, replicates // 250)):
            sides = shared_out(random_halves(n_packets, k * len(rows), rng))
            weights, team_places = (np.repeat(part[rows], k, axis=0) for part in (draws, teams))
            for blocks_of, part in zip(
                parts, _quartile_curves(play, weights, sides, team_places), strict=True
            ):
                for key, values in part.items():
                    split = values.reshape(len(rows), k, 2, 4, n_numbers)
                    blocks_of.setdefault(key, []).append(intervals.finite_mean(split, (1, 2)))
        drawn |= {key: np.concatenate(blocks) for key, blocks in parts[0].items()}
        crossed |= {key: np.concatenate(blocks) for key, blocks in parts[1].items()}
    for (score, way), values in point.items():
        n_teams, heard = np.repeat(sizes[score, way], n_numbers, axis=1)
        columns = {
            "score": score,
            "drawn": way,
            "group": np.repeat(QUARTILES, n_numbers),
            "n_teams": n_teams,
            "questions_heard": heard,
            "clue": np.tile(np.arange(1, n_numbers + 1), len(QUARTILES)),
            "right": values.ravel(),
        }
        for form, part in (("", drawn), ("two_way_", crossed)):
            low, high = _bounds(part[score, way], bootstrap)
            columns |= {f"{form}low": low.ravel(), f"{form}high": high.ravel()}
        curves.append(pd.DataFrame(columns))
    halved = n_halves if n_packets >= 2 else 0
    return pd.concat(curves, ignore_index=True), _shrinkage_table(point, (drawn, crossed), halved, bootstrap)


def _bounds(draws: np.ndarray, bootstrap: Bootstrap) -> np.ndarray:
    """Percentile bounds (2, …) of the finite ``draws`` over their first axis; nan where there are none."""
    return np.apply_along_axis(bootstrap.finite_percentile, 0, draws)


def _top_bottom_gap(curves: np.ndarray) -> np.ndarray:
    """Q4 − Q1 at the last clue; ``curves`` (…, 4, T)."""
    return curves[..., 3, -1] - curves[..., 0, -1]


def _shrinkage_draws(drawn, score: str) -> np.ndarray:
    """1 − other-half gap / same-half gap in each replicate, nan where the latter is not above 0."""
    same_half, other_half = (_top_bottom_gap(drawn[score, way]) for way in ("same_half", "other_half"))
    return 1 - ratio(other_half, same_half)


def _shrinkage_table(point, resampled, n_halves: int, bootstrap: Bootstrap) -> pd.DataFrame:
    """Table quartile_shrinkage, a row per score: gaps of Q4 over Q1 at the last clue, and the share of the gap that is lost.

    That is nan unless the same-half gap is above 0. ``resampled``: draws of questions, and of questions and teams.
    """
    parts = []
    for score in SCORES:
        row = {"score": score, "n_halves": n_halves}
        cells = {
            f"gap_{way}": (
                float(_top_bottom_gap(point[score, way])),
                [_top_bottom_gap(part[score, way]) for part in resampled],
            )
            for way in DRAWN
            if (score, way) in point
        }
        if cells.get("gap_same_half", (0,))[0] > 0:
            value = 1 - cells["gap_other_half"][0] / cells["gap_same_half"][0]
            cells["shrinkage"] = value, [_shrinkage_draws(part, score) for part in resampled]
        for name, (value, draws) in cells.items():
            row[name] = value
            for stem, part in zip((name, f"{name}_two_way"), draws, strict=True):
                row[f"{stem}_low"], row[f"{stem}_high"] = map(float, _bounds(part, bootstrap))
        parts.append(row)
    return pd.DataFrame(parts).reindex(columns=store.columns("quartile_shrinkage"))


def quartile_tables(questions, clues, buzzes, exposures, halves: int, bootstrap: Bootstrap) -> dict:
    """By name: tables fair_quartiles, quartile_shrinkage, from tables, ``clues`` of one segmentation.

    ``halves``: number of random halves of the packets.
    """
    played = team_record(questions, clues, buzzes, exposures)
    curves, shrinkage = fair_quartiles(played, halves, bootstrap)
    return {"fair_quartiles": curves, "quartile_shrinkage": shrinkage}
