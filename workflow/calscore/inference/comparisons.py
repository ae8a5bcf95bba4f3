"""Who is better than whom, and how sure that is: paired differences, permutation tests, ranks.

Options as in :mod:`calscore.scores.tables`."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..core import store
from ..core.mark_sources import first_judge
from ..human import curves
from ..scores import metrics, score, two_way_bootstrap
from ..scores.score import SERIES
from ..scores.tables import primary_rows
from ..stats import proportions, resample
from ..stats.bootstrap import Bootstrap
from ..stats.ranks import holm_adjust, rank_draws

ALL = "all"
DECLARED = "declared"
EXPLORATORY = "exploratory"


def _iter_cells(
    tally: score.Tally, questions: pd.DataFrame, primary_segmentation: str
) -> Iterator[tuple[str, str, resample.Sums]]:
    """Yields (category, metric, sums) to compare: over ``all`` questions; in the primary segmentation some by category."""
    compared = [name for name in metrics.metric_names("comparisons") if name in tally.sums]
    for metric in compared:
        yield ALL, metric, tally.sums[metric]
    if tally.segmentation != primary_segmentation:
        return
    category = questions.set_index("question_id")["category"].reindex(tally.questions)
    for name in sorted(category.dropna().unique()):
        mask = (category == name).to_numpy()
        for metric in metrics.metric_names("categories"):
            if metric in compared:
                yield name, metric, resample.restrict(tally.sums[metric], slice(None), mask)


def _two_way_columns(
    tally: score.Tally,
    crowd: curves.TeamClueCounts,
    pairs: np.ndarray,
    cells: list[tuple],
    wanted: str,
    bootstrap: Bootstrap,
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """(two-way columns of differences in the metric ``wanted``, the draws of every series (S, R)).

    ``cells``: from :func:`_iter_cells`; ``pairs``: of series, (P, 2). Columns are category → (4, P): standard error, lower
    and upper percentile, share of replicates in which a is lower, over the questions that both have; nan for fewer than two.
    """
    everything = np.ones(len(tally.questions), dtype=bool), np.arange(len(tally.series))
    shared = [
        (category, mask, positions)
        for category, metric, sums in cells
        if metric == wanted and len(pairs)
        for mask, positions in resample.pairwise_complete(sums, pairs)
        if mask.sum() > 1
    ]
    parts = [everything, *((mask, np.unique(pairs[positions])) for _, mask, positions in shared)]
    weights = bootstrap.two_way_weights(len(tally.questions), len(crowd.teams))
    drawn = [
        two_way_bootstrap.two_way_draws(
            tally.clues.restrict(mask, series),
            crowd,
            tally.definition,
            (weights[0][:, mask], weights[1]),
            (wanted,),
        )[wanted]
        for mask, series in parts
    ]
    columns = {category: np.full((4, len(pairs)), np.nan) for category, *_ in cells}
    for (category, _, positions), (_, members), draws_of_part in zip(
        shared, parts[1:], drawn[1:], strict=True
    ):
        a, b = np.searchsorted(members, pairs[positions]).T
        difference = draws_of_part[a] - draws_of_part[b]
        complete = difference[:, np.isfinite(difference).all(axis=0)]
        if complete.shape[1] > 1:
            columns[category][0, positions] = np.nanstd(complete, axis=1, ddof=1)
            columns[category][1:3, positions] = bootstrap.percentile(complete)
            columns[category][3, positions] = resample.prob_less(complete)
    return columns, drawn[0]


def _declared_p_values(
    sums: resample.Sums, pairs: np.ndarray, permutations: int, size: int, seed: int | list[int], level: float
) -> np.ndarray:
    """Unadjusted sign-flip p values (P,) of the declared ``pairs``, from at least ``permutations`` exchanges.

    There are enough of them for Holm's correction of ``size`` tests, which multiplies the least p value by that: from 2,000
    none of 105 pairs could come below .052.
    """
    needed = max(permutations, int(np.ceil(2 * size / (1 - level))))
    signs = resample.random_signs(sums.numerator.shape[1], needed, seed)
    return resample.permutation_p(*resample.sign_flips(sums, pairs, signs))


def paired_differences(
    rows: pd.DataFrame,
    questions: pd.DataFrame,
    crowds: dict[str, curves.TeamClueCounts],
    primary_segmentation: str,
    primary_definition: str,
    reductions: list[str],
    declared_metrics: list[str],
    permutations: int,
    bootstrap: Bootstrap,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Tables (differences, ranks): a − b of each metric over the questions that both series have, and how often each rank.

    ``rows``: of :func:`.score.scored_rows`; ``crowds``: segmentation → teams; ``permutations``: least exchanges of a test.

    The declared family, corrected by Holm, holds pairs of models over all questions on ``declared_metrics``, by first
    judge and under the primary segmentation, definition and reduction. The rest is one exploratory family, corrected by
    max-T. Bounds resample questions (by category Student's t), ``two_way_…``, for metrics of human behaviour, teams too;
    ``simultaneous_…`` hold for all declared pairs at once (max-t). Others are nan. A pair without a shared question has no row.
    """
    parts, ranks, family = [], [], []
    observed, largest = [], np.zeros(permutations)
    for tally in (tally for clues in score.clues_of(rows) for tally in score.iter_tallies(clues)):
        size = len(tally.questions)
        weights = bootstrap.question_weights(size)
        pairs = score.series_pairs(tally.series, reductions)
        both = pairs[["a", "b"]].to_numpy()
        judge = tally.series.index.isin(first_judge(tally.series).index)
        crowd = crowds[tally.segmentation]
        cells = list(_iter_cells(tally, questions, primary_segmentation))
        two_way, drawn = {}, {}
        for metric in metrics.metrics_for("comparisons"):
            if metric.human and metric.name in tally.sums:
                two_way[metric.name], drawn[metric.name] = _two_way_columns(
                    tally, crowd, both, cells, metric.name, bootstrap
                )
        ranks += rank_frequencies(tally, weights, drawn)
        if pairs.empty:
            continue
        sides = {
            f"{name}_{side}": tally.series[name].array[pairs[side].to_numpy()]
            for side in ("a", "b")
            for name in SERIES
        }
        signs = resample.random_signs(size, permutations, [bootstrap.seed, 2])
        unknown = np.full((4, len(both)), np.nan)
        for category, metric, sums in cells:
            value, count, lower, bounds, changes = resample.series_differences(
                sums, both, weights, bootstrap.level
            )
            flipped, permuted = resample.sign_flips(sums, both, signs)
            if category != ALL:
                low, high = resample.t_interval_differences(sums, both, value, bootstrap.level)
                bounds = bounds._replace(low=low, high=high)
            better = 1 - lower if metrics.METRICS[metric].higher else lower
            declared = (
                (pairs["kind"] == "models").to_numpy()
                & judge[pairs["a"]]
                & pairs["shown"].to_numpy()
                & (category == ALL)
                & (metric in declared_metrics)
                & (tally.segmentation == primary_segmentation)
                & (tally.definition == primary_definition)
            )
            scaled, spread = resample.studentise(flipped, permuted)
            tried = ~declared & np.isfinite(flipped)
            if tried.any():
                np.maximum(largest, spread[tried].max(axis=0), out=largest)
            observed.append(np.where(tried, scaled, np.nan))
            p = resample.permutation_p(flipped, permuted)
            if declared.any():
                members = declared.sum() * len(declared_metrics)
                p[declared] = _declared_p_values(
                    sums, both[declared], len(signs), members, [bootstrap.seed, 2], bootstrap.level
                )
                family.append((value[declared], changes[declared]))
            se, *ends, share = two_way.get(metric, {}).get(category, unknown)
            ends = bootstrap.two_way_interval(value, *ends, count, len(crowd.teams))
            part = {
                "segmentation": tally.segmentation,
                "definition": tally.definition,
                "category": category,
                "metric": metric,
                "kind": pairs["kind"],
                "difference": value,
                **bounds._asdict(),
                "n_questions": count,
                "draws_a_better": better,
                "equivalent_within": resample.equivalent_within(changes, bootstrap.level),
                "p": p,
                "family": np.where(declared, DECLARED, EXPLORATORY),
                "two_way_se": se,
                "two_way_low": ends[0],
                "two_way_high": ends[1],
                "two_way_draws_a_better": share,
            }
            parts.append(pd.DataFrame(part | sides))
    ranked = pd.concat(ranks, ignore_index=True)[store.columns("ranks")]
    if not parts:
        return store.empty("differences"), ranked
    table = pd.concat(parts, ignore_index=True)
    table["p_adjusted"] = resample.max_t_p_values(np.concatenate(observed), largest)
    declared = table["family"] == DECLARED
    table.loc[declared, "p_adjusted"] = holm_adjust(table.loc[declared, "p"])
    table[["simultaneous_low", "simultaneous_high"]] = np.nan
    if family:
        values, changes = (np.concatenate(parts_of_family) for parts_of_family in zip(*family, strict=True))
        ends = resample.simultaneous_intervals(changes, values, bootstrap.level)
        table.loc[declared, ["simultaneous_low", "simultaneous_high"]] = ends.T
    # A category in which the two share no question says nothing.
    return table.loc[table["n_questions"] > 0, store.columns("differences")], ranked


def primary_comparisons(compared: pd.DataFrame, segmentation: str, reductions: list[str]) -> pd.DataFrame:
    """Rows of ``compared`` (differences) in one segmentation, both sides with their first reduction of ``reductions``."""
    rows = compared[compared["segmentation"] == segmentation]
    sides = [rows[[f"{name}_{side}" for name in SERIES]].set_axis(SERIES, axis=1) for side in ("a", "b")]
    mask = score.has_shown_reduction(pd.concat(sides, ignore_index=True), reductions)
    return rows[mask.reshape(2, -1).all(axis=0)]


def named_comparisons(
    compared: pd.DataFrame, segmentation: str, reductions: list[str], names: dict[str, str]
) -> pd.DataFrame:
    """Table comparisons: :func:`primary_comparisons` with ``name_a``, ``name_b`` (of ``names``, else the model's key), sorted
    by definition, kind, category, metric, elicitation, judges and models."""
    rows = primary_comparisons(compared, segmentation, reductions).drop(columns="segmentation")
    for side in ("b", "a"):
        model = rows[f"model_{side}"]
        rows.insert(4, f"name_{side}", model.replace(names))
    order = ["definition", "kind", "category", "metric", "elicitation_a", "marks_a", "marks_b"]
    return rows.sort_values([*order, "model_a", "model_b"], ignore_index=True)


def rank_shares_table(
    ranks: pd.DataFrame, segmentation: str, reductions: list[str], names: dict[str, str]
) -> pd.DataFrame:
    """Table rank_shares: by definition, elicitation, judge, metric, model ``rank_1`` (best), … and ``expected_rank``, the mean.

    Sorted by the first four and the mean. Only :func:`.primary_rows` of ``ranks`` (table), under every judge. Columns
    ``two_way_…``, nan but for metrics of human behaviour, draw human teams too.
    """
    rows = primary_rows(ranks, segmentation, reductions, every_judge=True)
    key = ["definition", "elicitation", "reduction", "marks", "metric", "model"]
    both = rows.pivot(index=key, columns="rank", values=["share", "two_way_share"])
    table = both.index.to_frame()
    table["name"] = table["model"].replace(names)
    for values, prefix in (("share", ""), ("two_way_share", "two_way_")):
        wide = both[values]
        table[f"{prefix}expected_rank"] = (wide * wide.columns).sum(axis=1, min_count=1)
        table[[f"{prefix}rank_{rank}" for rank in wide]] = wide
    order = ["definition", "elicitation", "marks", "metric", "expected_rank", "model"]
    return table.reset_index(drop=True).sort_values(order, ignore_index=True)


def _rank_shares(drawn: np.ndarray, high_is_best: bool) -> np.ndarray:
    """Share of replicates in which each series of ``drawn`` (S, R) has each rank: (S, S); nan if none has all series."""
    rank = rank_draws(drawn, high_is_best)
    places = np.arange(1, len(drawn) + 1)
    return proportions.ratio((rank[:, :, None] == places).sum(axis=1), rank.shape[1])


def rank_frequencies(
    tally: score.Tally, weights: np.ndarray, two_way: dict[str, np.ndarray]
) -> list[pd.DataFrame]:
    """Frames of the table ranks, one per metric and race: share of replicates in which each model has each rank.

    A race is the models of an elicitation, reduction and judge. ``weights``: of questions, (R, Q); ``two_way``: metric →
    draws of each series with teams resampled, (S, R).
    """
    entries = []
    races = tally.series.groupby(["elicitation", "reduction", "marks"]).indices
    models = tally.series["model"].to_numpy()
    for metric in metrics.metric_names("comparisons"):
        if metric not in tally.sums:
            continue
        drawn = resample.bootstrap_replicates(tally.sums[metric], weights)
        high = metrics.METRICS[metric].higher
        for key, members in races.items():
            shares = _rank_shares(drawn[members], high)
            both = np.full(shares.shape, np.nan)
            if metric in two_way:
                both = _rank_shares(two_way[metric][members], high)
            frame = pd.DataFrame(
                {
                    "model": np.repeat(models[members], len(members)),
                    "rank": np.tile(np.arange(1, len(members) + 1), len(members)),
                    "share": shares.ravel(),
                    "two_way_share": both.ravel(),
                }
            )
            about = dict(zip(("elicitation", "reduction", "marks"), key, strict=True))
            about |= {"segmentation": tally.segmentation, "definition": tally.definition}
            entries.append(frame.assign(metric=metric, **about))
    return entries


_AT_ONCE = 64


class _TeamSums(NamedTuple):
    """What human teams knew at the clues of a series.

    ``place``: index of each clue among the crowd's; ``count``: clues of each question, (Q,); ``heard_weight`` (Q, R):
    weight of a question that a team of the replicate heard, else 0; ``right`` (R,): Σ h over them, so weighted.
    """

    place: np.ndarray
    count: np.ndarray
    heard_weight: np.ndarray
    right: np.ndarray


def _team_sums(
    place: np.ndarray, number: np.ndarray, weights: np.ndarray, h: np.ndarray, heard: np.ndarray
) -> _TeamSums:
    """:class:`_TeamSums` of clues with indices ``place`` among the crowd's and ``number`` of their questions.

    ``weights``: of questions (R, Q); ``h`` and ``heard``: of the crowd's clues (N, R).
    """
    replicates, questions = weights.shape
    count = np.bincount(number, minlength=questions).astype(float)
    order = np.argsort(number, kind="stable")
    starts = np.flatnonzero(np.diff(number[order], prepend=-1))
    question, place_of = number[order][starts], place[order]
    human = np.zeros((questions, replicates))
    # Some replicates at a time, so that their curves stay in the processor's cache.
    for start in range(0, replicates, _AT_ONCE):
        block = slice(start, start + _AT_ONCE)
        human[question, block] = np.add.reduceat(h[place_of, block], starts, axis=0)
    # Questions that no team of a replicate heard are left out on both sides.
    weighted = np.zeros((questions, replicates))
    weighted[question] = heard[place_of[starts]]
    weighted *= weights.T
    return _TeamSums(place, count, weighted, (human * weighted).sum(axis=0))


def model_minus_human(rows: pd.DataFrame, crowd: curves.TeamClueCounts, bootstrap: Bootstrap) -> pd.DataFrame:
    """Table model_minus_human: per series and scope, share of clues answered right minus the share of teams that were right.

    ``rows``: :func:`calscore.scores.score.scored_rows` of one segmentation. The human share is h under ``heard``: a team
    that knew but did not buzz counts as not right. ``scope``: every clue, or each question's last. Bounds resample
    questions, ``two_way_…`` human teams too.
    """
    parts = []
    questions = pd.Index(sorted(rows["question_id"].unique()))
    w, v = bootstrap.two_way_weights(len(questions), len(crowd.teams))
    curves_by_name, heard = crowd.curves(["heard"], v)
    for scope, definition in (("every clue", "paper"), ("last clue", "release")):
        answers = score.scored_clues(rows, definition)
        place = pd.MultiIndex.from_frame(crowd.rows).get_indexer(
            pd.MultiIndex.from_frame(answers[["question_id", "clue"]])
        )
        numbers = questions.get_indexer(answers["question_id"])
        teams = None
        for key, indices in answers.groupby(SERIES).indices.items():
            own_rows, number = answers.iloc[indices], numbers[indices]
            # Most series have the same clues.
            if teams is None or not np.array_equal(place[indices], teams.place):
                teams = _team_sums(place[indices], number, w, curves_by_name["heard"], heard)
            count = teams.count
            right = np.bincount(number, own_rows["correct"].astype(float), len(questions))
            human = np.bincount(number, own_rows["heard"], len(questions))
            under = w @ count
            accuracy = proportions.ratio(w @ right, under)
            one_way = accuracy - proportions.ratio(w @ human, under)
            two_way = proportions.ratio(right @ teams.heard_weight - teams.right, count @ teams.heard_weight)
            row = dict(zip(SERIES, key, strict=True))
            row |= {
                "scope": scope,
                "n_questions": int((count > 0).sum()),
                "n_rows": len(own_rows),
                "accuracy": right.sum() / count.sum(),
                "human": human.sum() / count.sum(),
            }
            row["difference"] = row["accuracy"] - row["human"]
            for name, drawn in (("question", one_way), ("two_way", two_way)):
                low, high = np.nanquantile(drawn, bootstrap.tails)
                row |= {f"{name}_low": low, f"{name}_high": high}
            parts.append(row)
    return pd.DataFrame(parts)[store.columns("model_minus_human")]


def comparison_tables(
    questions: pd.DataFrame,
    clues: pd.DataFrame,
    crowd: pd.DataFrame,
    responses: pd.DataFrame,
    human_curve: pd.DataFrame,
    primary_segmentation: str,
    primary_definition: str,
    reductions: list[str],
    declared_metrics: list[str],
    permutations: int,
    replicates: int,
    seed: int,
    level: float,
    names: dict[str, str],
) -> dict[str, pd.DataFrame]:
    """Tables differences, ranks, model_minus_human, comparisons, rank_shares; options as :func:`paired_differences`."""
    bootstrap = Bootstrap(replicates, seed, level)
    crowds = curves.team_clue_counts_from_table(crowd, clues)
    rows = score.scored_rows(responses, human_curve)
    differences, ranks = paired_differences(
        rows,
        questions,
        crowds,
        primary_segmentation,
        primary_definition,
        reductions,
        declared_metrics,
        permutations,
        bootstrap,
    )
    shown_rows = rows[rows["segmentation"] == primary_segmentation].reset_index(drop=True)
    against = model_minus_human(shown_rows, crowds[primary_segmentation], bootstrap)
    shown_first = primary_segmentation, reductions, names
    return {
        "differences": differences,
        "ranks": ranks,
        "model_minus_human": against,
        "comparisons": named_comparisons(differences, *shown_first),
        "rank_shares": rank_shares_table(ranks, *shown_first),
    }
