"""Every final table has bounds beside what it estimates, or stands here with the reason why not.

A number is taken for an estimate where it has fractions, is a rank, or has the unit of a measurement in the
schemas (:data:`MEASURED`); so a new table or column without bounds fails until it is listed.
"""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
from calscore.core import glossary
from calscore.core.study import read_csv

END = re.compile(r"(^|_)(low|high)$")
ERROR = re.compile(r"(^|_)se(_|$)|standard_error$|^n_effective$")
"""How sure a number is, in other words than two bounds."""
PROBABILITY = re.compile(r"^p$|^p_|_p(_|$)|(^|_)rank_\d+$")
"""What a test or resampling says of a comparison: it says itself how sure that is."""
COORDINATE = re.compile(r"^(revealed|coverage|threshold|predicted)$")
"""Where on a curve the row lies."""
RANK = re.compile(r"^rank$|_rank$")
MEASURED = re.compile(
    r"share|ratio|to 1|most 1|logits|nats| per |(score|ECE) points|is best|better"
)
"""Units of measurements; other units count."""
NO_BOUNDS = {"flat": "thresholds that do nearly as well, no interval of the best"}
"""Stems of pairs that are no bounds."""
OWNERS = {("team_summary", "rate"): "score_rate"}
"""Whose bounds a pair is, where neither its name nor its place says it."""
COUNTED = {"win_matrix": ("wins", "losses"), "buzz_positions": ("buzzes",)}
"""Counts that rank or compare, and have bounds."""

LEDGER = "what was printed, and what the data make of it: exact statements, and columns that say what range each may lie in"
SPECIFIED = "every specification of the same rows: a count over them; the one shown has its interval in shown_low, shown_high"
SURE = "ranks of one table: how sure they are stands in rank_probabilities"
# Table → reason and the columns that have no bounds; * for all.
UNBOUNDED: dict[str, tuple[str, str]] = {
    "category_margins": ("functions of precision and the number of buzzes; precision has its bounds", "margin ratio"),
    "claims": (LEDGER, "*"),
    "conclusions": (SPECIFIED, "highest_difference lowest_difference median_difference published_a published_b share_a_better share_holding"),
    "dataset": ("counts and lengths of what is there", "*"),
    "extreme_questions": ("each question is fixed: ranges over models, and ranks with one left out; no sampling", "calscore highest lowest rank"),
    "fair_quartiles": ("one split, beside the distribution of splits; counts of what is behind a curve, means over halves", "n_teams odd_even questions_heard"),
    "forensics": (LEDGER, "*"),
    "forensics_cells": (LEDGER, "*"),
    "irt_clusters": ("what the items of a cluster of the fitted model are like, the clusters having been made from it; shares right by cluster have bounds in irt_cluster_accuracy", "effective_difficulty relevance"),
    "irt_pairs": ("sides of the gain, which has bounds, and what it would be were the two independent", "ai_right either_right gain_independent human_right"),
    "irt_q3": ("quartiles and means of a distribution over pairs of items, which shows its own spread", "above_0.2 mean median q25 q75"),
    "irt_skills": ("its level is only weakly identified, what has bounds is the centred skill", "skill"),
    "irt_stability": ("restarts of the optimiser on the same responses: nothing is sampled", "cluster_ari difficulty_correlation objective relevance_correlation skill_correlation tau"),
    "irt_verdict": ("two sides of a difference that has bounds", "log_loss reference_log_loss"),
    "leaderboard": ("ranks of values with bounds; how sure they are stands in leaderboard_ranks", "rank"),
    "matchers": ("the difference from the judge used has bounds, and that judge's values have theirs in table1", "value"),
    "model_minus_human": ("two sides of a difference that has bounds", "accuracy human"),
    "opponents": ("coefficients of the curve, whose bounds are pi_low, pi_high", "c0 c1 c2 c3"),
    "quartile_shrinkage": ("a count over splits, which are not a sample of anything further", "order_kept"),
    "rank_probabilities": ("a mean over the resampled ranks, whose distribution is the table", "expected_rank two_way_expected_rank"),
    "specifications": (SPECIFIED, "value"),
    "table1": (SURE, "brier_rank calscore_rank ece_rank mce_rank"),
    "thresholds": ("what was chosen, not estimated: a setting, and how far it varies over folds", "best threshold_least threshold_most"),
    "to_verify": ("a list of work in order of its weight; scores of the engine", "impact score uncertainty"),
}  # fmt: skip
# Column with bounds → why some of its values have none.
EMPTY: dict[tuple[str, str], str] = {
    ("opponents", "pi"): "curves of others are taken as they are",
    ("thresholds", "mean_revealed"): "one buzz has no spread",
    ("thresholds", "mean_words"): "one buzz has no spread",
    ("leaderboard_classes", "mean_gap"): "one question has no spread",
    ("leaderboard_classes", "median_gap"): "few questions have no order statistics so far apart",
    ("leaderboard_ranks", "rank"): "ranks by a metric that nobody live or submitted has",
    ("verification", "value"): "counts; shares have Wilson's bounds once somebody has verified",
}


def owners(name: str, table: pd.DataFrame) -> dict[str, list[tuple[str, str]]]:
    """Column → its pairs of bounds.

    ``x_low`` and ``x_high`` belong to ``x``, ``x_two_way_low`` too; ``low`` or ``two_way_low``, where nothing
    has such a name, to the nearest number before.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    before = None
    for column in table:
        if not END.search(column):
            number = pd.api.types.is_numeric_dtype(table[column])
            before = column if number and not ERROR.search(column) else before
            continue
        stem, high = column[:-3].rstrip("_"), column[:-3] + "high"
        if not column.endswith("low") or high not in table or stem in NO_BOUNDS:
            continue
        named = [c for c in table if stem == c or stem.startswith(f"{c}_")]
        owner = OWNERS.get((name, stem)) or max(named, key=len, default=before)
        found.setdefault(owner, []).append((column, high))
    return found


def estimates(name: str, table: pd.DataFrame) -> set[str]:
    """Columns that are taken for estimates."""
    found = set(COUNTED.get(name, ()))
    for column, values in table.items():
        number = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
        # A column without values may be one of numbers: its unit tells.
        if not number and values.notna().any():
            continue
        if any(kind.search(column) for kind in (END, ERROR, PROBABILITY, COORDINATE)):
            continue
        unit = glossary.column(column).get("unit", "")
        fractions = number and (values.dropna() % 1 != 0).any()
        if fractions or RANK.search(column) or MEASURED.search(unit):
            found.add(column)
    return found


def faults(name: str, table: pd.DataFrame) -> list[str]:
    """Estimates without bounds, values whose bounds are empty, bounds in the wrong order."""
    if table.empty:
        return []
    of, found = owners(name, table), []
    columns = UNBOUNDED.get(name, ("", ""))[1]
    for column in sorted(estimates(name, table)):
        if column not in of and columns != "*" and column not in columns.split():
            found.append(f"{name}.{column}: no bounds")
    for column, pairs in of.items():
        bounded = pd.Series(False, index=table.index)
        for low, high in pairs:
            both = table[[low, high]].notna().all(axis=1)
            bounded |= both
            if (table.loc[both, low] > table.loc[both, high]).any():
                found.append(f"{name}.{low}: above {high}")
        if (table[column].notna() & ~bounded).any() and (name, column) not in EMPTY:
            found.append(f"{name}.{column}: values with empty bounds")
    return found


def final_tables(folder: Path) -> dict[str, pd.DataFrame]:
    return {path.stem: read_csv(path) for path in sorted((folder / "tables").glob("*.csv"))}


def unneeded(tables: dict[str, pd.DataFrame]) -> set[tuple[str, str]]:
    """What :data:`UNBOUNDED` lists of these tables and is not there, or has bounds, or is no estimate."""
    found = set()
    for name in UNBOUNDED.keys() & tables.keys():
        needed = estimates(name, tables[name]) - owners(name, tables[name]).keys()
        columns = set(UNBOUNDED[name][1].split())
        found |= {(name, c) for c in columns - needed if c != "*" or not needed}
    return found


def test_every_estimate_of_the_demo_study_has_bounds(demo):
    tables = final_tables(demo)
    assert len(tables) > 30
    assert [fault for name, table in tables.items() for fault in faults(name, table)] == []
    assert unneeded(tables) == set()


def test_every_estimate_of_the_release_has_bounds(grace):
    tables = final_tables(grace)
    assert [fault for name, table in tables.items() for fault in faults(name, table)] == []
    # What both studies have is held against the list in the richer one.
    assert unneeded({n: table for n, table in tables.items() if n.startswith("irt_")}) == set()


def test_what_lacks_bounds_is_named():
    whole = pd.DataFrame({"model": ["a", "b"], "n": [3, 4], "accuracy": [0.5, 0.25], "low": [0.1, 0.1], "high": [0.9, 0.8]})  # fmt: skip
    assert faults("new", whole) == []
    assert faults("new", whole.drop(columns="low")) == ["new.accuracy: no bounds"]
    assert faults("new", whole.assign(gain=[0.1, 0.2])) == ["new.gain: no bounds"]
    # Whole by chance, but the schemas know the unit.
    assert faults("new", whole.assign(precision=1)) == ["new.precision: no bounds"]
    assert faults("new", whole.assign(rank=[1, 2])) == ["new.rank: no bounds"]
    assert faults("new", whole.assign(high=[0.9, None])) == [
        "new.accuracy: values with empty bounds"
    ]
    assert faults("new", whole.assign(high=[0.9, 0.05])) == ["new.low: above high"]
    assert faults("win_matrix", pd.DataFrame({"wins": [3], "losses": [1]})) == [
        "win_matrix.losses: no bounds",
        "win_matrix.wins: no bounds",
    ]
