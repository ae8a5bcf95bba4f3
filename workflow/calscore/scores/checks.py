"""Invariants of score tables: counts against responses, means of parts, ranks, bins and bounds."""

import pandas as pd

from ..core.check_result import (
    Outcome,
    bounds_around,
    compare_tables,
    failing_rows,
    first_failure,
    is_close,
    outside_bounds,
)
from ..human.checks import shares, shares_of_buzzes

__all__ = ["bounds_around", "shares", "shares_of_buzzes"]

_SERIES = ["model", "elicitation", "reduction", "marks"]
_PLACE = ["segmentation", "definition", *_SERIES]


def clues_counted(question_scores: pd.DataFrame, responses: pd.DataFrame) -> Outcome:
    """A question is scored on as many clues as it has answers with a confidence."""
    key = ["segmentation", *_SERIES, "question_id"]
    rows = responses[responses["confidence"].notna()]
    counts = rows.groupby(key).size().rename("n_clues").reset_index()
    return first_failure(
        *(
            compare_tables(scores, counts, key, ["n_clues"])
            for _, scores in question_scores.groupby("definition")
        )
    )


def sh_of_scored_questions(sh_scores: pd.DataFrame, question_scores: pd.DataFrame) -> Outcome:
    """Every question with an MCE has one SH of each form, and no other question has any."""
    key = ["segmentation", *_SERIES, "question_id"]
    scored = question_scores[key].drop_duplicates()
    pairs = scored.merge(sh_scores[["form"]].drop_duplicates(), how="cross")
    return compare_tables(sh_scores, pairs, [*key, "form"], [])


def means_of_questions(model_scores, question_scores, sh_scores) -> Outcome:
    """MCE, CalScore and SH of a model are the means of its questions; every metric has the same rows."""
    long = question_scores.melt(_PLACE, ["mce", "calscore"], "metric")
    sh = sh_scores.assign(metric="sh_" + sh_scores["form"], value=sh_scores["sh"])
    sh = sh.merge(question_scores[_PLACE].drop_duplicates())
    long = pd.concat([long, sh[[*_PLACE, "metric", "value"]]], ignore_index=True)
    means = long.groupby([*_PLACE, "metric"])["value"].agg(value="mean", n_questions="size")
    scores = model_scores[model_scores["metric"].isin(long["metric"].unique())]
    n_rows = model_scores.groupby(_PLACE)["n_rows"].transform("median")
    wrong = (model_scores["n_rows"] != n_rows) | (model_scores["se"] < 0)
    columns = ["value", "n_questions"]
    return first_failure(
        compare_tables(scores, means.reset_index(), [*_PLACE, "metric"], columns),
        failing_rows(model_scores, wrong, *_PLACE, "metric", "n_rows"),
    )


def ranks_follow_values(model_scores: pd.DataFrame) -> Outcome:
    """A rank is one more than the number of better models under the same metric."""
    race = [name for name in (*_PLACE, "metric") if name != "model"]
    higher = model_scores["metric"].isin(["accuracy", "sh_as_printed", "sh_completed"])
    best = model_scores["value"].where(~higher, -model_scores["value"]).round(12)
    rank = best.groupby([model_scores[name] for name in race]).rank(method="min")
    wrong = model_scores["rank"].notna() & ~is_close(model_scores["rank"], rank)
    return failing_rows(model_scores, wrong, *race, "model", "value", "rank")


def bins_hold_all(reliability, responses, model_scores) -> Outcome:
    """Bins hold every answer once, a mean lies in its bin, and ECE is the mean gap over the bins.

    Under ``release`` only last answers count, and bin 9 also holds confidences of exactly 0: its mean may be anywhere.
    """
    series = ["segmentation", *_SERIES]
    answers = responses[responses["confidence"].notna()].groupby(series)
    counts = answers.agg(paper=("clue", "size"), release=("question_id", "nunique"))
    wanted = counts.melt(var_name="definition", value_name="n", ignore_index=False).reset_index()
    bins = reliability.groupby(_PLACE, as_index=False)["n"].sum()
    full = reliability["n"] > 0
    low = reliability["low"].mask((reliability["definition"] == "release") & (reliability["bin"] == 9), 0)
    wrong = full & ~reliability["confidence"].between(low - 1e-9, reliability["high"] + 1e-9)
    wrong |= full != reliability["accuracy"].notna()
    wrong |= reliability["n_effective"] > reliability["n"] + 1e-9
    gap = (reliability["accuracy"] - reliability["confidence"]).abs() * reliability["n"]
    gap = gap.groupby([reliability[name] for name in _PLACE]).sum()
    ece = (gap / bins.set_index(_PLACE)["n"]).rename("value").reset_index()
    scores = model_scores[model_scores["metric"] == "ece"]
    return first_failure(
        compare_tables(bins, wanted, _PLACE, ["n"]),
        failing_rows(reliability, wrong, *_PLACE, "bin"),
        compare_tables(ece, scores, _PLACE, ["value"], 1e-9),
    )


def scores_of_table_1(table1: pd.DataFrame, model_scores: pd.DataFrame, options: dict) -> Outcome:
    """A cell of Table 1 is that score of the segmentation shown first, with its rank and intervals."""
    key = ["definition", "elicitation", "model", "reduction", "marks"]
    scores = model_scores[model_scores["segmentation"] == options["primary_segmentation"]]
    outcomes = []
    for metric in scores["metric"].unique():
        if metric not in table1:
            continue
        ends = ("rank", "low", "high", "two_way_low", "two_way_high")
        columns = {f"{metric}_{end}": end for end in ends if f"{metric}_{end}" in table1}
        columns = {metric: "value", "n_questions": "n_questions"} | columns
        cells = table1[[*key, *columns]].rename(columns=columns).astype({"rank": float})
        wanted = scores.loc[scores["metric"] == metric, [*key, *columns.values()]]
        wanted = cells[key].merge(wanted.astype({"rank": float}), how="left", on=key)
        outcomes.append(compare_tables(cells, wanted, key, list(columns.values())))
    return first_failure(*outcomes)


def shares_of_table_2(table2: pd.DataFrame, accuracy_by_share: pd.DataFrame) -> Outcome:
    """A cell of Table 2 is the accuracy at that share of the clues, with its interval and answers."""
    key = ["reading", "elicitation", "model", "marks"]
    columns = {"accuracy": "", "low": "_low", "high": "_high", "n": "_n"}
    parts = []
    for percent in (name for name in table2 if name.endswith("%")):
        names = {percent + suffix: column for column, suffix in columns.items()}
        cells = table2[[*key, *names]].rename(columns=names)
        parts.append(cells.assign(percent=int(percent[:-1])).dropna(subset=["accuracy"]))
    cells = pd.concat(parts, ignore_index=True)
    wanted = accuracy_by_share.assign(percent=(accuracy_by_share["revealed"] * 100).round())
    wanted = wanted[wanted["percent"].isin(cells["percent"].unique())]
    return compare_tables(cells, wanted, [*key, "percent"], list(columns))


def means_of_categories(table5, question_scores, questions, options: dict) -> Outcome:
    """A score of a category is the mean over its questions, those of the segmentation shown first. Fewer than five have no interval."""
    key = ["definition", "elicitation", "model", "reduction", "marks"]
    scores = question_scores[question_scores["segmentation"] == options["primary_segmentation"]]
    scores = scores.merge(table5[key].drop_duplicates(), on=key)
    names = {"category": "merged", "category_fine": "fine"}
    levels = questions[["question_id", *names]].rename(columns=names)
    levels = levels.melt("question_id", var_name="level", value_name="category")
    rows = scores.merge(levels.dropna(subset=["category"]), on="question_id")
    key += ["level", "category"]
    means = rows.groupby(key).agg(
        mce=("mce", "mean"), calscore=("calscore", "mean"), n_questions=("mce", "size")
    )
    wrong = (table5["n_questions"] < 5) != table5["mce_low"].isna()
    return first_failure(
        compare_tables(table5, means.reset_index(), key, list(means)),
        failing_rows(table5, wrong, *key),
    )


def categories_make_up_all(table5: pd.DataFrame, table1: pd.DataFrame) -> Outcome:
    """Questions of the categories add up to all questions, at either level."""
    key = ["definition", "elicitation", "model", "reduction", "marks"]
    sums = table5.groupby(["level", *key], as_index=False)["n_questions"].sum()
    return first_failure(
        *(compare_tables(counts, table1, key, ["n_questions"]) for _, counts in sums.groupby("level"))
    )


def brier_terms_add_up(proper: pd.DataFrame) -> Outcome:
    """The Brier score is reliability − resolution + uncertainty + variance within bins − covariance within bins."""
    signs = {
        "reliability": 1,
        "resolution": -1,
        "uncertainty": 1,
        "within_variance": 1,
        "within_covariance": -1,
    }
    wide = proper.pivot(index=_PLACE, columns="metric", values="value").reset_index()
    if wide.empty:
        return failing_rows(wide, [])
    total = sum(sign * wide[f"brier_{term}"] for term, sign in signs.items())
    return failing_rows(wide, ~is_close(wide["brier"], total), *_PLACE, "brier")


def thresholds_fall(risk_coverage: pd.DataFrame) -> Outcome:
    """The threshold falls as coverage grows, and a risk lies between its bounds."""
    key = ["definition", *_SERIES]
    ordered = risk_coverage.sort_values([*key, "coverage"], kind="stable")
    rising = ordered.groupby(key)["threshold"].diff() > 1e-12
    wrong = rising.reindex(risk_coverage.index) | outside_bounds(risk_coverage, "risk", "")
    return failing_rows(risk_coverage, wrong, *key, "coverage")
