"""Cumulative buzzes of groups of teams by clue number (figure 4), counted once for table and ledger."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..clues import segment
from ..stats import resample
from ..stats.bootstrap import Bootstrap
from .curves import RULES, team_order
from .quartiles import quartiles_by_row

OUTCOMES = {"correct": True, "incorrect": False}


class GroupCounts(NamedTuple):
    """What one group of teams did on Q questions with at most T clues.

    ``buzzes``: outcome (correct, incorrect) → its buzzes, with their clue; ``exposures``: its rows. ``cumulative``: outcome
    → buzzes up to each clue, (Q, T). What they are divided by: ``heard``, teams that heard each question, (Q,);
    ``reached``, team × clue exposures up to each clue, (Q, T); ``matches``, number of team × packet pairs, the matches as
    far as the release tells them.
    """

    buzzes: dict[str, pd.DataFrame]
    exposures: pd.DataFrame
    cumulative: dict[str, np.ndarray]
    heard: np.ndarray
    reached: np.ndarray
    matches: int


def group_members(teams: pd.DataFrame) -> dict[tuple[str, str], list[str]]:
    """(rule, group) → teams: (all, human), (paper | release | rate, Q1 … Q4), and (model, its id) for each model."""
    humans = teams[teams["kind"] == "human"]
    groups = {("all", "human"): humans["team"].to_list()}
    for rule in RULES:
        for quartile, rows in humans.groupby(f"quartile_{rule}"):
            groups[rule, f"Q{int(quartile)}"] = rows["team"].to_list()
    for team in teams.loc[teams["kind"] == "model", "team"]:
        groups["model", team] = [team]
    return groups


def cumulative_counts(clues, buzzes, exposures, groups) -> Iterator[GroupCounts]:
    """Yields the :class:`GroupCounts` of each of ``groups`` (lists of teams), in turn; tables, ``clues`` of one segmentation."""
    questions = pd.Index(sorted(clues["question_id"].unique()))
    n_numbers = int(clues["clue"].max())
    placed_buzzes = buzzes.assign(clue=segment.assign_clues(clues, buzzes).to_numpy())
    n_clues = clues.groupby("question_id").size().reindex(questions).to_numpy()
    reaches = n_clues[:, None] >= np.arange(1, n_numbers + 1)[None, :]
    for members in groups:
        own_exposures = exposures[exposures["team"].isin(members)]
        heard = np.bincount(
            questions.get_indexer(own_exposures["question_id"]), minlength=len(questions)
        ).astype(float)
        own_buzzes = placed_buzzes[placed_buzzes["team"].isin(members)]
        outcome_buzzes, cumulative = {}, {}
        for outcome, right in OUTCOMES.items():
            outcome_buzzes[outcome] = rows = own_buzzes[own_buzzes["correct"] == right]
            place = questions.get_indexer(rows["question_id"]), rows["clue"].to_numpy() - 1
            counts = np.zeros((len(questions), n_numbers))
            np.add.at(counts, place, 1)
            cumulative[outcome] = counts.cumsum(axis=1)
        reached = (heard[:, None] * reaches).cumsum(axis=1)
        matches = len(own_exposures.drop_duplicates(["team", "packet"]))
        yield GroupCounts(outcome_buzzes, own_exposures, cumulative, heard, reached, matches)


def cumulative_buzzes(clues, buzzes, exposures, teams, bootstrap: Bootstrap) -> pd.DataFrame:
    """Table cumulative_buzzes, the numbers of figure 4, per rule, group, outcome and clue number.

    Arguments are tables, ``clues`` of one segmentation. Counts are divided by ``per_question`` (questions
    heard, summed over teams), ``per_match`` (team × packet pairs) and ``per_clue`` (team × clue exposures up
    to that clue, as in the released code), by 1 where these are 0. Bounds resample questions;
    ``per_question_two_way_…`` also teams, which for quartiles are cut anew and as wide as Student's t on
    teams; nan for a model or a single human team. Groups are those of :func:`group_members`.
    """
    groups = group_members(teams)
    questions = pd.Index(sorted(clues["question_id"].unique()))
    n_numbers = int(clues["clue"].max())
    layout = questions, n_numbers
    of_questions = bootstrap.question_weights(len(questions))
    weights = np.vstack([np.ones(len(questions)), of_questions])
    parts = []
    redrawn: dict = {}
    if any(rule in RULES for rule, _ in groups):
        humans = teams.loc[teams["kind"] == "human", "team"].to_list()
        (everyone,) = cumulative_counts(clues, buzzes, exposures, [humans])
        order = _order_members(questions, everyone, humans, list(OUTCOMES), n_numbers)
        redrawn = _quartile_weights(teams.set_index("team").loc[order], bootstrap)
    group_counts = cumulative_counts(clues, buzzes, exposures, groups.values())
    for (rule, group), members, totals in zip(groups, groups.values(), group_counts, strict=True):
        denominators = {
            "per_question": weights @ np.repeat(totals.heard[:, None], n_numbers, axis=1),
            "per_match": np.full((len(weights), n_numbers), float(totals.matches)),
            "per_clue": weights @ totals.reached,
        }
        for outcome, counts in totals.cumulative.items():
            columns = {
                "rule": rule,
                "group": group,
                "n_teams": len(members),
                "outcome": outcome,
                "clue": np.arange(1, n_numbers + 1),
                "cumulative": counts.sum(axis=0).astype("int64"),
                "questions_heard": int(totals.heard.sum()),
                "matches": totals.matches,
            }
            drawn = weights @ counts
            for name, denominator in denominators.items():
                draws = drawn / np.maximum(denominator, 1)
                low, high = bootstrap.percentile(draws[1:], axis=0)
                columns |= {name: draws[0], f"{name}_low": low, f"{name}_high": high}
            low = high = np.full(n_numbers, np.nan)
            if (rule, group) in redrawn:
                both = of_questions, redrawn[rule, group]
                low, high = _two_way_bounds(everyone, outcome, layout, order, both, bootstrap)
                # As wide as Student's t on the teams has it: a replicate has no team that is better than all seen.
                value = columns["per_question"]
                wider = resample.student_factor(len(order), bootstrap.level)
                low = np.minimum(value, np.maximum(value - wider * (value - low), 0))
                high = np.maximum(value, value + wider * (high - value))
                # Cumulative counts rise, and so do their bounds.
                low = np.minimum.accumulate(low[::-1])[::-1]
                high = np.maximum.accumulate(high)
            elif len(members) > 1:
                own = _order_members(questions, totals, members, [outcome], n_numbers)
                both = of_questions, bootstrap.team_weights(len(own))
                low, high = _two_way_bounds(totals, outcome, layout, own, both, bootstrap)
            columns |= {"per_question_two_way_low": low, "per_question_two_way_high": high}
            parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def _order_members(questions, totals: GroupCounts, members, outcomes, n_numbers: int) -> list[str]:
    """``members`` in the order of :func:`.curves.team_order`, by questions heard and buzzes of ``outcomes``."""
    teams, heard = pd.Index(members), totals.exposures
    done = [(teams.get_indexer(heard["team"]), questions.get_indexer(heard["question_id"]))]
    for rows in (totals.buzzes[outcome] for outcome in outcomes):
        place = questions.get_indexer(rows["question_id"]) * n_numbers + rows["clue"].to_numpy() - 1
        done.append((teams.get_indexer(rows["team"]), place))
    return list(teams[team_order(len(teams), *done)])


def _quartile_weights(teams, bootstrap: Bootstrap) -> dict[tuple[str, str], np.ndarray]:
    """(rule, quartile Q1 … Q4) → how often each of ``teams`` (rows of the table teams) is drawn into it, (R, T).

    In each replicate the teams drawn are cut into quartiles anew by their scores.
    """
    drawn = bootstrap.team_weights(len(teams)).astype(int)
    replicates = len(drawn)
    places = np.repeat(np.tile(np.arange(len(teams)), replicates), drawn.ravel())
    weights = {}
    for rule in RULES:
        scores = np.tile(teams[f"score_{rule}"].to_numpy(float), (replicates, 1))
        among = np.take_along_axis(scores, places.reshape(replicates, -1), axis=1)
        group = quartiles_by_row(scores, among)
        weights |= {(rule, f"Q{n + 1}"): drawn * (group == n) for n in range(4)}
    return weights


def _two_way_bounds(totals: GroupCounts, outcome, layout, teams, weights, bootstrap: Bootstrap):
    """(low, high) by clue number of cumulative buzzes per question heard: percentiles over replicates that heard any.

    nan where none did. ``layout``: questions and the number of clue numbers; ``weights``: of questions (R, Q) and of
    ``teams`` (R, T).
    """
    questions, n_numbers = layout
    buzzes, place_of = totals.buzzes[outcome], pd.Index(teams)
    heard, buzzed = (
        (questions.get_indexer(rows["question_id"]), place_of.get_indexer(rows["team"]))
        for rows in (totals.exposures, buzzes)
    )
    clue = buzzes["clue"].to_numpy() - 1
    (under,), over = (
        resample.binned_draws(places, bins, count, *(part.astype(float) for part in weights)).T
        for places, bins, count in (
            (heard, np.zeros(len(heard[0]), dtype=int), 1),
            (buzzed, clue, n_numbers),
        )
    )
    positive = under > 0
    if not positive.any():
        # No replicate has a team of the group that heard anything.
        return np.full((2, n_numbers), np.nan)
    draws = over.cumsum(axis=0)[:, positive] / under[positive]
    return bootstrap.percentile(draws)
