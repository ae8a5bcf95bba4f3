"""Who is better than whom, and how sure that is: paired differences, permutation tests, ranks."""

from __future__ import annotations

import numpy as np
import pandas as pd

from . import inference, scores, store

METRICS = ("mce", "calscore", "ece", "brier", "accuracy")
BY_CATEGORY = ("mce", "calscore")
"""Metrics that are compared within categories too, in the segmentation shown first (Table 5)."""
ALL = "all"
DECLARED = "declared"
EXPLORATORY = "exploratory"


def _first(series, reductions) -> np.ndarray:
    """Whether a series has the reduction that is shown for its model and elicitation."""
    order = {name: rank for rank, name in enumerate([*reductions, "stated"])}
    rank = series["reduction"].map(order)
    return (
        rank == rank.groupby([series["model"], series["elicitation"]]).transform("min")
    ).to_numpy()


def pairs(series, reductions) -> pd.DataFrame:
    """The pairs that are compared: positions ``a`` and ``b`` in ``series`` and their ``kind``.

    ``models``: two models asked alike, with the same reduction, or each with the one that is shown.
    ``elicitations``: one model asked in two ways, each with the reduction that is shown.
    """
    which = inference.pairs(len(series))
    a, b = series.iloc[which[:, 0]], series.iloc[which[:, 1]]
    a, b = a.reset_index(drop=True), b.reset_index(drop=True)
    first = _first(series, reductions)
    shown = first[which].all(axis=1)
    same = (a == b)[["model", "elicitation", "reduction"]]
    models = ~same["model"] & same["elicitation"] & (same["reduction"] | shown)
    asked = same["model"] & ~same["elicitation"] & shown
    kind = np.where(models, "models", np.where(asked, "elicitations", ""))
    table = pd.DataFrame({"a": which[:, 0], "b": which[:, 1], "kind": kind, "shown": shown})
    return table[table["kind"] != ""].reset_index(drop=True)


def _cells(study, questions, primary_segmentation: str):
    """(category, metric, sums) that are compared in a study: everything, and table 5's categories."""
    for metric in METRICS:
        yield ALL, metric, study.sums[metric]
    if study.segmentation != primary_segmentation:
        return
    category = questions.set_index("question_id")["category"].reindex(study.questions)
    for name in sorted(category.dropna().unique()):
        mask = (category == name).to_numpy()
        for metric in BY_CATEGORY:
            every = slice(None)
            yield name, metric, inference.restrict(study.sums[metric], every, mask)


def _two_way(study, rows, crowd, which, team_seed, replicates: int, level: float):
    """Two-way interval of differences in CalScore, each over the questions that both have."""
    columns = np.full((3, len(which)), np.nan)
    sums = study.sums["calscore"]
    for mask, at in inference.shared(sums, which):
        if mask.sum() < 2:
            continue
        members, local = np.unique(which[at], return_inverse=True)
        keep = study.series.iloc[members]
        of = rows.merge(keep, on=scores.SERIES)
        of = of[of["question_id"].isin(study.questions[mask])].reset_index(drop=True)
        weights = inference.two_way_weights(
            int(mask.sum()), len(crowd.teams), replicates, team_seed
        )
        drawn = dict(scores.two_way_draws(of, crowd, study.definition, *weights, ("calscore",)))
        a, b = local.reshape(-1, 2).T
        difference = drawn["calscore"][a] - drawn["calscore"][b]
        columns[0, at] = np.nanstd(difference, axis=1, ddof=1)
        columns[1:, at] = np.nanquantile(difference, [(1 - level) / 2, (1 + level) / 2], axis=1)
    return columns


def compare(
    rows,
    question_scores,
    sh_scores,
    questions,
    crowds,
    primary_segmentation: str,
    primary_definition: str,
    reductions,
    declared_metrics,
    replicates: int,
    permutations: int,
    seed: int,
    level: float,
):
    """inference/comparisons and inference/rank_probabilities.

    Differences are a − b over the questions that both have, with bootstrap intervals that resample
    questions (CalScore also questions and human teams), and the sign-flip test's p value. The
    declared family, corrected by Holm, holds the pairs of models in the segmentation, definition
    and reduction shown first, over all questions, on ``declared_metrics``; everything else is one
    exploratory family, corrected by max-T over the same permutations.
    """
    parts, ranks = [], []
    observed, largest = [], np.zeros(permutations)
    for study in scores.studies(rows, question_scores, sh_scores):
        size = len(study.questions)
        weights = inference.bootstrap_weights(size, replicates, seed)
        ranks += _ranks(study, weights)
        which = pairs(study.series, reductions)
        if which.empty:
            continue
        both = which[["a", "b"]].to_numpy()
        signs = inference.random_signs(size, permutations, [seed, 2])
        segment = rows[rows["segmentation"] == study.segmentation]
        crowd = crowds[study.segmentation]
        two_way = _two_way(study, segment, crowd, both, seed, replicates, level)
        for category, metric, sums in _cells(study, questions, primary_segmentation):
            value, count, lower, bounds = inference.differences(sums, both, weights, level)
            seen, permuted = inference.sign_flips(sums, both, signs)
            better = lower if metric not in scores.BEST_HIGH else 1 - lower
            declared = (
                (which["kind"] == "models").to_numpy()
                & which["shown"].to_numpy()
                & (category == ALL)
                & (metric in declared_metrics)
                & (study.segmentation == primary_segmentation)
                & (study.definition == primary_definition)
            )
            scaled, spread = inference.studentised(seen, permuted)
            tried = ~declared & np.isfinite(seen)
            if tried.any():
                np.maximum(largest, spread[tried].max(axis=0), out=largest)
            observed.append(np.where(tried, scaled, np.nan))
            part = pd.DataFrame(
                {
                    "segmentation": study.segmentation,
                    "definition": study.definition,
                    "category": category,
                    "metric": metric,
                    "kind": which["kind"],
                    "difference": value,
                    **bounds._asdict(),
                    "n_questions": count,
                    "p_a_better": better,
                    "p": inference.permutation_p(seen, permuted),
                    "family": np.where(declared, DECLARED, EXPLORATORY),
                }
            )
            names = ["two_way_se", "two_way_low", "two_way_high"]
            if metric == "calscore" and category == ALL:
                part[names] = two_way.T
            else:
                part[names] = np.nan
            for side in ("a", "b"):
                one = study.series.iloc[which[side]].reset_index(drop=True)
                for name in scores.SERIES:
                    part[f"{name}_{side}"] = one[name]
            parts.append(part)
    columns = list(store.schema("comparisons")["columns"])
    if not parts:
        return store.empty("comparisons"), pd.DataFrame(ranks)
    table = pd.concat(parts, ignore_index=True)
    table["p_adjusted"] = inference.max_t(np.concatenate(observed), largest)
    declared = table["family"] == DECLARED
    table.loc[declared, "p_adjusted"] = inference.holm(table.loc[declared, "p"])
    # A category in which the two share no question says nothing.
    table = table[table["n_questions"] > 0]
    ranked = pd.DataFrame(ranks)
    return table[columns], ranked[list(store.schema("rank_probabilities")["columns"])]


def first_shown(compared, segmentation: str, reductions):
    """The comparisons in one segmentation where both sides have the reduction shown for them."""
    rows = compared[compared["segmentation"] == segmentation]
    sides = [
        rows[[f"{name}_{side}" for name in scores.SERIES]].set_axis(scores.SERIES, axis=1)
        for side in ("a", "b")
    ]
    series = pd.concat(sides).drop_duplicates(ignore_index=True)
    kept = pd.MultiIndex.from_frame(series[_first(series, reductions)])
    shown = [pd.MultiIndex.from_frame(side).isin(kept) for side in sides]
    return rows[shown[0] & shown[1]]


def shown(compared, segmentation: str, reductions, names: dict[str, str]):
    """tables/comparisons: :func:`first_shown` with the names of the models."""
    rows = first_shown(compared, segmentation, reductions).drop(columns="segmentation")
    for side in ("b", "a"):
        model = rows[f"model_{side}"]
        rows.insert(4, f"name_{side}", model.map(names).fillna(model))
    order = ["definition", "kind", "category", "metric", "elicitation_a", "model_a", "model_b"]
    return rows.sort_values(order, ignore_index=True)


def ranks_shown(ranks, segmentation: str, reductions, names: dict[str, str]):
    """tables/rank_probabilities: one row per model, one column per rank, and the expected rank."""
    rows = ranks[ranks["segmentation"] == segmentation]
    series = rows[scores.SERIES].drop_duplicates(ignore_index=True)
    kept = pd.MultiIndex.from_frame(series[_first(series, reductions)])
    rows = rows[pd.MultiIndex.from_frame(rows[scores.SERIES]).isin(kept)]
    key = ["definition", "elicitation", "reduction", "metric", "model"]
    wide = rows.pivot(index=key, columns="rank", values="probability")
    table = wide.index.to_frame(index=False)
    table["name"] = table["model"].map(names).fillna(table["model"])
    table["expected_rank"] = (wide * wide.columns.to_numpy()).sum(axis=1).to_numpy()
    for rank in wide.columns:
        table[f"rank_{rank}"] = wide[rank].to_numpy()
    return table.sort_values(
        ["definition", "elicitation", "metric", "expected_rank", "model"], ignore_index=True
    )


def _ranks(study, weights) -> list[dict]:
    """Share of replicates in which each model of an elicitation and reduction has each rank."""
    found = []
    for metric in METRICS:
        sums = study.sums[metric]
        drawn = inference.draws(sums, weights)
        for key, members in study.series.groupby(["elicitation", "reduction"]).indices.items():
            rank = inference.rank_draws(drawn[members], metric in scores.BEST_HIGH)
            for position, number in enumerate(members):
                known = np.isfinite(drawn[number])
                share = np.bincount(rank[position][known], minlength=len(members) + 1)[1:]
                for place, times in enumerate(share / max(known.sum(), 1), start=1):
                    found.append(
                        {
                            "segmentation": study.segmentation,
                            "definition": study.definition,
                            "elicitation": key[0],
                            "reduction": key[1],
                            "metric": metric,
                            "model": study.series["model"].iloc[number],
                            "rank": place,
                            "probability": times,
                        }
                    )
    return found
