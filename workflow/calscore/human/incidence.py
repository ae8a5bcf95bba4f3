"""Cumulative incidence of a right buzz when chances compete (Aalen and Johansen 1978).

A team's chance at a question ends in one of four ways (:data:`CAUSES`): it buzzes and is right, it buzzes and
is wrong (a team has one try), its opponent answers right first, or the question is over. Time is the share of
the question's words heard. Where nothing is censored, the cumulative incidence of a right buzz equals right
buzzes so far over questions heard, figure 4's ratio per question. Buzzes past the end count at the end. The two part
where an opponent's right answer censors: what would a team have done had nobody been before it?
"""

import itertools
from collections.abc import Iterator

import numpy as np
import pandas as pd

from ..clues import segment as clues_module
from ..core import store
from ..stats import resample
from ..stats.bootstrap import Bootstrap
from ..stats.proportions import ratio
from .cumulative import group_members
from .curves import first_buzz_rows, share_heard

CAUSES = ("right", "wrong", "beaten", "over")
SHARES = tuple(k / 20 for k in range(1, 21))
ALPHA = 0.05
_CELLS = 4_000_000


def _contradicts(right_a, at_a, right_b, at_b) -> np.ndarray:
    """Boolean array: whether two buzzes on a question cannot be of one match. No buzz is at infinity.

    ``right_…``: bool, ``at_…``: share of words heard, arrays that broadcast. After a right answer the question is over:
    nobody buzzes later, and not both are right.
    """
    both = np.isfinite(at_a) & np.isfinite(at_b)
    later = (right_a & (at_b > at_a)) | (right_b & (at_a > at_b))
    return both & (later | (right_a & right_b))


def pairings(questions, buzzes, exposures) -> pd.DataFrame:
    """Table pairings: pairs of teams that played each other on a packet, in both directions.

    Arguments are tables. Columns packet, team, opponent, source, n_both, contradictions, chance. A pair shares a
    ``match`` in the buzzes. Where a packet has none recorded, it is ``inferred`` from buzzes that never contradict a
    match: ``chance`` that teams that did not meet show none, held against other questions, is below :data:`ALPHA` over
    the packet's pairs. Each human team is then paired once at most, models with several; pairs that buzz little are not
    found.
    """
    matched = buzzes[buzzes["match"].notna()]
    kinds = exposures.drop_duplicates("team").set_index("team")["kind"]
    placed_buzzes = first_buzz_rows(buzzes)
    placed_buzzes = placed_buzzes.assign(at=share_heard(questions, placed_buzzes))
    parts = []
    for packet, heard in exposures.groupby("packet", sort=True):
        ids = pd.Index(sorted(heard["question_id"].unique()))
        packet_buzzes = placed_buzzes[placed_buzzes["packet"] == packet]
        teams = sorted(heard["team"].unique())
        grid = _packet_arrays(ids, teams, packet_buzzes, heard)
        packet_matches = matched[matched["packet"] == packet].groupby("match")["team"].unique()
        pairs = {p for m in packet_matches for p in itertools.combinations(sorted(m), 2)}
        pair_rows = [
            (a, b, "match", *_pair_evidence(grid, teams.index(a), teams.index(b))) for a, b in sorted(pairs)
        ] or _infer_pairs((np.ones_like(grid[0]), *grid[1:]), teams, kinds)
        for a, b, *evidence in pair_rows:
            parts += [(packet, a, b, *evidence), (packet, b, a, *evidence)]
    table = pd.DataFrame(parts, columns=store.columns("pairings"))
    return table.astype({"packet": "int64", "n_both": "int64", "contradictions": "int64"})


def _packet_arrays(ids, teams, buzzes, heard) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(heard, right, position) of each team on each question, arrays (teams, questions); position is inf without a buzz."""
    shape = len(teams), len(ids)
    names = pd.Index(teams)
    was = np.zeros(shape, dtype=bool)
    was[names.get_indexer(heard["team"]), ids.get_indexer(heard["question_id"])] = True
    right, position = np.zeros(shape, dtype=bool), np.full(shape, np.inf)
    place = names.get_indexer(buzzes["team"]), ids.get_indexer(buzzes["question_id"])
    right[place], position[place] = buzzes["correct"], buzzes["at"]
    return was, right, position


def _pair_evidence(grid, a: int, b: int) -> tuple[int, int, float]:
    """(number of questions that both buzzed on, contradictions, chance of none) of teams ``a`` and ``b`` (indices).

    ``grid``: of :func:`_packet_arrays`.
    """
    heard, right, position = grid
    both = heard[a] & heard[b]
    ra, ta, rb, tb = right[a, both], position[a, both], right[b, both], position[b, both]
    contradictions = int(_contradicts(ra, ta, rb, tb).sum())
    crossed = _contradicts(ra[:, None], ta[:, None], rb[None, :], tb[None, :])
    # The question itself is left out: it is the one that is tested.
    n = len(ta)
    share = (crossed.sum(axis=1) - np.diag(crossed)) / max(n - 1, 1)
    chance = float(np.prod(1 - share)) if n else 1.0
    return int((np.isfinite(ta) & np.isfinite(tb)).sum()), contradictions, chance


def _infer_pairs(grid, teams: list[str], kinds: pd.Series) -> list[tuple]:
    """Accepted pairs (team, team, "inferred", n_both, contradictions, chance) of a packet, least chance first.

    ``grid``: of :func:`_packet_arrays` for ``teams``; ``kinds``: team → human or model.
    """
    pairs = []
    for a, b in itertools.combinations(range(len(teams)), 2):
        if "human" in (kinds[teams[a]], kinds[teams[b]]):
            n_both, contradictions, chance = _pair_evidence(grid, a, b)
            pairs.append((chance, teams[a], teams[b], n_both, contradictions))
    accepted, taken = [], set()
    for chance, a, b, n_both, contradictions in sorted(pairs):
        if contradictions or chance * len(pairs) >= ALPHA or {a, b} & taken:
            continue
        accepted.append((a, b, "inferred", n_both, contradictions, chance))
        taken |= {team for team in (a, b) if kinds[team] == "human"}
    return accepted


def competing_events(questions, clues, buzzes, exposures, pairings) -> pd.DataFrame:
    """How each team's chance at each question that it heard ended, a row each.

    Arguments are tables, ``clues`` of one segmentation. Columns question_id, team, kind, cause (1 right, 2 wrong, 3 beaten,
    4 over), share (of words heard, above 1 past the end) and clue of the end, and known: whether its one opponent on the
    packet is known. Where not, beaten counts as over. Inferred opponents of models do not count, as there may be others.
    """
    heard = exposures[["question_id", "packet", "team", "kind"]]
    last_clues = clues.sort_values("clue").drop_duplicates("question_id", keep="last")
    first_buzz = first_buzz_rows(buzzes)
    first_buzz = first_buzz.assign(
        share=share_heard(questions, first_buzz),
        clue=clues_module.assign_clues(clues, first_buzz),
        right=first_buzz["correct"].astype(bool),
    )[["question_id", "team", "share", "clue", "right"]]
    rows = heard.merge(first_buzz, on=["question_id", "team"], how="left")
    models = set(exposures.loc[exposures["kind"] == "model", "team"])
    several = pairings.duplicated(["packet", "team"], keep=False)
    partial = pairings["team"].isin(models) & (pairings["source"] == "inferred")
    certain = pairings[~several & ~partial]
    rows = rows.merge(certain[["packet", "team", "opponent"]], on=["packet", "team"], how="left")
    opposing = first_buzz[first_buzz["right"]].rename(
        columns={"team": "opponent", "share": "their_share", "clue": "their_clue"}
    )
    rows = rows.merge(opposing.drop(columns="right"), on=["question_id", "opponent"], how="left")
    own = rows["share"].notna()
    beaten = rows["their_share"].notna() & ~(rows["share"] <= rows["their_share"])
    end_clue = rows["question_id"].map(last_clues.set_index("question_id")["clue"])
    return pd.DataFrame(
        {
            "question_id": rows["question_id"],
            "team": rows["team"],
            "kind": rows["kind"],
            "cause": np.select([beaten, own & rows["right"].eq(True), own], [3, 1, 2], default=4).astype(
                "int64"
            ),
            "share": rows["their_share"].where(beaten, rows["share"]).fillna(1.0),
            "clue": rows["their_clue"].where(beaten, rows["clue"]).fillna(end_clue).astype("int64"),
            "known": rows["opponent"].notna(),
        }
    )


def aalen_johansen(ended: np.ndarray) -> np.ndarray:
    """Cumulative incidence by cause and time, (R, causes, times); nan where a replicate has no weight at all.

    ``ended``: weights that ended at each time, (1 + causes, R, times), those censored first. At equal times events come
    before censoring. I_j(t) = Σ_{u ≤ t} S(u−) d_j(u) / Y(u), S the Kaplan-Meier curve of all causes together.
    """
    # Everybody with a time of at least u is at risk at u.
    risk = ended.sum(axis=0)[:, ::-1].cumsum(axis=1)[:, ::-1]
    hazards = ratio(ended[1:], risk, 0.0)
    survival = np.cumprod(1 - hazards.sum(axis=0), axis=1)
    before = np.concatenate([np.ones((len(risk), 1)), survival[:, :-1]], axis=1)
    incidence = (before * hazards).cumsum(axis=2).transpose(1, 0, 2)
    incidence[risk[:, 0] <= 0] = np.nan
    return incidence


def _step_values(times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """``values`` (…, times) of step functions from 0 that step at ``times``, read at :data:`SHARES`: (…, shares)."""
    place = np.searchsorted(times, np.asarray(SHARES) + 1e-9, side="right")
    zero = np.zeros((*values.shape[:-1], 1))
    return np.concatenate([zero, values], axis=-1)[..., place]


def _iter_end_weights(rows, time: np.ndarray, draws: np.ndarray, bootstrap: Bootstrap) -> Iterator:
    """Yields blocks (causes, replicates, times) of weights by cause and distinct time; the first replicate is the data.

    ``draws``: weights of questions, (R, Q). Teams of a group are resampled too, independently (the product of the two
    weights, Owen 2007: on the careful side).
    """
    teams, code = np.unique(rows["team"], return_inverse=True)
    distinct, time_index = np.unique(time, return_inverse=True)
    team_draws = bootstrap.team_weights(len(teams))
    weights = [np.vstack([np.ones((1, counts.shape[1])), counts]) for counts in (draws, team_draws)]
    place = rows["question"].to_numpy(), code
    count = len(CAUSES) * len(distinct)
    bins = (rows["cause"].to_numpy() - 1) * len(distinct) + time_index
    step = max(1, _CELLS // count)
    for start in range(0, len(weights[0]), step):
        part = [counts[start : start + step] for counts in weights]
        blocks = resample.binned_draws(place, bins, count, *part)
        yield blocks.reshape(-1, len(CAUSES), len(distinct)).swapaxes(0, 1)


def _estimate_incidence(estimator: str, times: np.ndarray, ended: np.ndarray) -> tuple:
    """(causes, values (R, causes, shares)) of one ``estimator``, from a block of :func:`_iter_end_weights`."""
    if estimator == "opponent_censors":
        # Being beaten, the third end, censors.
        order = np.concatenate([ended[2:3], ended[:2], np.zeros_like(ended[:1]), ended[3:]])
        return CAUSES[:1], _step_values(times, aalen_johansen(order)[:, :1])
    # Nothing is censored: the estimator is the weighted share that has ended so by each time.
    # Where opponents are unknown, beaten and over cannot be told apart.
    shown_causes = CAUSES[: 3 if estimator == "competing_known" else 2]
    sums = _step_values(times, ended[: len(shown_causes)].cumsum(axis=2)).swapaxes(0, 1)
    total = ended.sum(axis=(0, 2))[:, None, None]
    return shown_causes, ratio(sums, total)


def cumulative_incidence(
    questions, clues, buzzes, exposures, pairings, groups, bootstrap: Bootstrap
) -> pd.DataFrame:
    """Table incidence: cumulative incidence in each of ``groups`` ((rule, group) → teams) by estimator, cause and share.

    Other arguments are tables, ``clues`` of one segmentation. ``competing``: all ends compete, on all
    questions heard. On questions with a known opponent, if any: ``competing_known``, and ``opponent_censors``,
    whose right answer censors. That one has right alone, the others have right and wrong, ``competing_known``
    beaten too. Bounds resample questions, and teams where a group has several; quartiles stay as assigned.
    """
    ids = pd.Index(sorted(questions["question_id"]))
    draws = bootstrap.question_weights(len(ids))
    everything = competing_events(questions, clues, buzzes, exposures, pairings)
    everything["question"] = ids.get_indexer(everything["question_id"])
    parts = []
    for (rule, group), members in groups.items():
        group_events = everything[everything["team"].isin(members)]
        opponent_known = group_events[group_events["known"]]
        for rows, estimators in (
            (group_events, ("competing",)),
            (opponent_known, ("competing_known", "opponent_censors")),
        ):
            if len(rows):
                named = {"rule": rule, "group": group}
                parts += _group_frames(rows, estimators, draws, bootstrap, named)
    return pd.concat(parts, ignore_index=True) if parts else store.empty("incidence")


def _group_frames(rows, estimators, draws: np.ndarray, bootstrap: Bootstrap, named: dict) -> list:
    """A frame per estimator and cause from a group's events ``rows``; ``named``: its columns rule and group."""
    blocks_of = {}
    # What is buzzed past the end counts at the end, as in figure 4.
    time = np.minimum(rows["share"].to_numpy(dtype=float), 1.0)
    if "opponent_censors" not in estimators:
        # The curve is asked for at these shares alone.
        time = np.asarray(SHARES)[np.searchsorted(np.asarray(SHARES) + 1e-9, time)]
    times = np.unique(time)
    for ended in _iter_end_weights(rows, time, draws, bootstrap):
        for estimator in estimators:
            causes, values = _estimate_incidence(estimator, times, ended)
            for cause_index, cause in enumerate(causes):
                blocks_of.setdefault((estimator, cause), []).append(values[:, cause_index])
    parts = []
    for (estimator, cause), blocks in blocks_of.items():
        draws = np.concatenate(blocks)
        sampled = draws[1:][np.isfinite(draws[1:]).all(axis=1)]
        low, high = bootstrap.percentile(sampled, axis=0)
        columns = {
            "estimator": estimator,
            "cause": cause,
            "time": SHARES,
            "n_teams": rows["team"].nunique(),
            "n": len(rows),
            "incidence": _clip_to_unit(draws[0]),
            "low": _clip_to_unit(low),
            "high": _clip_to_unit(high),
        }
        parts.append(pd.DataFrame(named | columns))
    return parts


def _clip_to_unit(values: np.ndarray) -> np.ndarray:
    # Sums of products can leave [0, 1] by rounding alone.
    return np.clip(values, 0, 1)


def incidence_tables(questions, clues, buzzes, exposures, teams, bootstrap: Bootstrap) -> dict:
    """Tables pairings and incidence of the groups of ``teams``, by name, from tables; ``clues`` of one segmentation."""
    met = pairings(questions, buzzes, exposures)
    data = questions, clues, buzzes, exposures
    table = cumulative_incidence(*data, met, group_members(teams), bootstrap)
    return {"pairings": met, "incidence": table}
