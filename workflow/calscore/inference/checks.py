"""Invariants of differences, ranks, regressions, crowds and specifications."""

import numpy as np
import pandas as pd

from ..core.check_result import (
    Outcome,
    compare_tables,
    failing_rows,
    first_failure,
    is_close,
    outside_bounds,
)

_SERIES = ["model", "elicitation", "reduction", "marks"]
_SIDES = [f"{name}_{side}" for side in "ab" for name in _SERIES]


def differences_of_scores(differences: pd.DataFrame, model_scores: pd.DataFrame) -> Outcome:
    """Over all questions a difference is that of the model scores, if both sides have a score on just these questions."""
    table = differences[differences["category"] == "all"].reset_index(drop=True)
    key = ["segmentation", "definition", "metric"]
    scores = model_scores.set_index([*key, *_SERIES])[["value", "n_questions"]]
    a, b = (
        scores.reindex(pd.MultiIndex.from_frame(table[[*key, *(f"{n}_{side}" for n in _SERIES)]]))
        for side in "ab"
    )
    complete = [side["n_questions"].to_numpy() == table["n_questions"] for side in (a, b)]
    gap = a["value"].to_numpy(dtype=float) - b["value"].to_numpy(dtype=float)
    wrong = np.logical_and(*complete) & ~np.isnan(gap) & ~is_close(table["difference"], gap)
    return failing_rows(table, wrong, *key, "model_a", "model_b", "difference")


def adjusted_p_values(differences: pd.DataFrame) -> Outcome:
    """A declared adjusted p is not below the plain p; only declared pairs have simultaneous bounds, around the difference."""
    table = differences
    wrong = (table["p_adjusted"] < table["p"] - 1e-9).where(table["family"] == "declared", False)
    wrong |= table["p_adjusted"].isna() != table["p"].isna()
    wrong |= table["simultaneous_low"].notna() & (table["family"] != "declared")
    wrong |= outside_bounds(table, "difference", "simultaneous_")
    return failing_rows(table, wrong, "metric", "model_a", "model_b", "p", "p_adjusted")


def rank_shares_sum_to_one(ranks: pd.DataFrame) -> Outcome:
    """The shares of a model's ranks add up to 1, and a race has a row for each of its models and as many ranks."""
    race = ["segmentation", "definition", "elicitation", "reduction", "marks", "metric"]
    models = ranks.groupby(race)
    n_models = models["model"].transform("nunique")
    wrong = (models["rank"].transform("size") != n_models**2) | (ranks["rank"] > n_models)
    for column in ("share", "two_way_share"):
        total = ranks.groupby([*race, "model"])[column].transform("sum")
        wrong |= ranks[column].notna() & ~is_close(total, 1)
    return failing_rows(ranks, wrong, *race, "model", "rank")


def buzzes_counted(odds_ratios: pd.DataFrame, buzzes: pd.DataFrame, questions: pd.DataFrame) -> Outcome:
    """Numbers of buzzes over all categories, by population, are those of the log; odds ratios lie in their bounds."""
    key, categorised = ["population", "level"], questions.dropna(subset="category")["question_id"]
    buzzes = buzzes[buzzes["question_id"].isin(categorised)]
    rows = odds_ratios[odds_ratios["term"] == "category"].drop_duplicates(key)
    sums = rows.groupby("population", as_index=False)[["n", "n_correct"]].sum()
    parts = {"all": buzzes["correct"], "human": buzzes.loc[buzzes["kind"] == "human", "correct"]}
    totals = [(name, len(right), right.sum()) for name, right in parts.items()]
    wanted = pd.DataFrame(totals, columns=list(sums)).merge(sums["population"])
    wrong = (odds_ratios["n_correct"] > odds_ratios["n"]) | outside_bounds(odds_ratios, "odds_ratio", "")
    return first_failure(
        compare_tables(sums, wanted, ["population"], ["n", "n_correct"]),
        failing_rows(odds_ratios, wrong, "population", "method", "term", "level"),
    )


def one_printed_number(conclusions: pd.DataFrame) -> Outcome:
    """A model has one printed number of a metric; ``published_order`` is the order of the two numbers."""
    sides = [
        conclusions[["metric", "elicitation", f"model_{side}", f"published_{side}"]].set_axis(
            ["metric", "elicitation", "model", "printed"], axis=1
        )
        for side in "ab"
    ]
    # A pair that is not printed says nothing of what is printed of either model.
    counts = pd.concat(sides).groupby(["metric", "elicitation", "model"])["printed"].nunique()
    wrong = np.zeros(len(conclusions), dtype=bool)
    for side in sides:
        model = pd.MultiIndex.from_frame(side[["metric", "elicitation", "model"]])
        wrong |= counts.reindex(model).to_numpy() > 1
    a, b = conclusions["published_a"], conclusions["published_b"]
    lower = np.where(a < b, conclusions["model_a"], conclusions["model_b"])
    higher = np.where(a < b, conclusions["model_b"], conclusions["model_a"])
    order = pd.Series(lower, conclusions.index) + " < " + higher
    wrong |= a.notna() & b.notna() & (a != b) & (conclusions["published_order"] != order)
    wrong |= conclusions["published_order"].notna() & (a.isna() | b.isna())
    return failing_rows(conclusions, wrong, "metric", "elicitation", "model_a", "model_b")


def scores_within_attainable(
    crowd_sizes: pd.DataFrame,
    options: dict,
    question_scores: pd.DataFrame | None = None,
    clues: pd.DataFrame | None = None,
) -> Outcome:
    """Values lie in their bounds; those of a model scored on every clue lie between ``least`` and ``greatest``."""
    table = crowd_sizes
    complete = np.zeros(len(table), dtype=bool)
    if question_scores is not None:
        segmentation = options["primary_segmentation"]
        scores = question_scores[question_scores["segmentation"] == segmentation]
        n_clues = scores.groupby(["definition", *_SERIES])["n_clues"].sum()
        series = pd.MultiIndex.from_frame(table[["definition", *_SERIES]])
        n_clues = n_clues.reindex(series).to_numpy()
        complete = n_clues == (clues["segmentation"] == segmentation).sum()
    place = ["definition", "h_definition", "teams"]
    ends = table.pivot_table(index=place, columns="quantity", values="value")
    ends = ends.reindex(pd.MultiIndex.from_frame(table[place]))
    least, greatest = (ends[end].to_numpy() for end in ("least", "greatest"))
    inside = table["value"].between(least - 1e-9, greatest + 1e-9)
    wrong = outside_bounds(table, "value", "") | (complete & ~inside)
    return failing_rows(table, wrong, *place, "quantity", "model", "value")


def buzz_rates_counted(
    buzz_effects: pd.DataFrame, questions: pd.DataFrame, buzzes: pd.DataFrame, exposures: pd.DataFrame
) -> Outcome:
    """Questions heard and first buzzes of each participant and category are those of the log; estimates lie in their bounds."""
    category = questions[["question_id", "category"]].fillna({"category": "none"})
    first_buzz = buzzes.sort_values("word_index").groupby(["team", "question_id"])["correct"].first()
    rows = exposures[["team", "question_id", "kind"]].drop_duplicates().merge(category)
    buzz = first_buzz.reindex(pd.MultiIndex.from_frame(rows[["team", "question_id"]]))
    buzz = buzz.astype("boolean").to_numpy(dtype=object, na_value=None)
    rows = rows.assign(right=buzz == True, wrong=buzz == False)  # noqa: E712
    rows = pd.concat([rows, rows[rows["kind"] == "human"].assign(team="all teams")])
    rows = pd.concat([rows, rows.assign(category="all")])
    rows = rows.melt(["team", "kind", "category"], ["right", "wrong"], "outcome")
    key = ["outcome", "kind", "unit", "category"]
    counts = rows.rename(columns={"team": "unit"}).groupby(key)["value"]
    counts = counts.agg(heard="size", buzzes="sum")
    counts = counts.reindex(pd.MultiIndex.from_frame(buzz_effects[key]), fill_value=0)
    wrong = (buzz_effects[["heard", "buzzes"]].to_numpy() != counts.to_numpy()).any(axis=1)
    wrong |= ~is_close(buzz_effects["rate"].fillna(0) * buzz_effects["heard"], buzz_effects["buzzes"])
    wrong |= outside_bounds(buzz_effects, "estimate", "")
    return failing_rows(buzz_effects, wrong, *key)


def judges_score_as_in_table_1(judges: pd.DataFrame, table1: pd.DataFrame) -> Outcome:
    """Table judges has the scores of table 1 under each judge that table 1 has."""
    key = ["definition", "elicitation", "marks", "model"]
    rows = judges[judges["marks"].isin(table1["marks"].unique())]
    rows = rows[rows["metric"].isin(table1.columns)]
    scores = table1.melt(key, sorted(rows["metric"].unique()), "metric").dropna(subset="value")
    return compare_tables(rows, scores, [*key, "metric"], ["value"])
