"""Tables of scores and answers that people look at, and the numbers behind their figures.

``segmentation``: the one shown; ``reductions``: in order of preference (:func:`primary_rows`); ``names``: model → name shown."""

import numpy as np
import pandas as pd

from ..clues import segment
from ..core import store
from ..core.mark_sources import first_judge
from ..core.render import texts
from ..human import curves
from ..stats import resample, shares_revealed
from ..stats.bootstrap import Bootstrap
from . import metrics, render, score, two_way_bootstrap

SHARES = (0.2, 0.4, 0.6, 0.8, 1.0)
FEWEST = 5
"""Fewest questions of a category that an interval is given for."""
ENDS = ["low", "high", "two_way_low", "two_way_high"]


def primary_rows(
    table: pd.DataFrame, segmentation: str, reductions: list[str], every_judge: bool = False
) -> pd.DataFrame:
    """Rows of the frame ``table`` shown first: one segmentation, and one reduction and judge for each model and elicitation.

    ``table``: segmentation, model, elicitation, reduction, marks and more; rows and index stay as they are.
    The reduction is the first of ``reductions`` (then ``stated``) that they have, the judge the first of
    :data:`calscore.core.mark_sources.MARKS`; with ``every_judge`` all judges.
    """
    rows = table[table["segmentation"] == segmentation]
    rows = rows[score.has_shown_reduction(rows, reductions)]
    return rows if every_judge else first_judge(rows)


def table1(model_scores, segmentation: str, reductions: list[str], names: dict) -> pd.DataFrame:
    """Table 1: a row per definition, elicitation, model and judge, with value, rank and interval of each of its metrics.

    ``…_low`` and ``…_high`` resample questions, ``…_two_way_…`` human teams too. A metric that a definition lacks is missing
    (nan, a rank NA). Sorted by definition, elicitation (descending), judge and rank of CalScore.
    """
    wanted = metrics.metrics_for("table1")
    rows = primary_rows(model_scores, segmentation, reductions, every_judge=True)
    key = ["definition", "elicitation", "model", "reduction", "marks", "n_questions"]
    table = widen_metrics(rows, wanted, key, ["value", "rank", *ENDS], names)
    order = ["definition", "elicitation", "marks", "calscore_rank", "model"]
    return table.sort_values(order, ascending=[True, False, True, True, True], ignore_index=True)


def widen_metrics(rows, wanted, key: list, columns: list, names: dict) -> pd.DataFrame:
    """A row per ``key`` (model among it), sorted by it: ``name`` after model, and ``columns`` of each metric (object) ``wanted``.

    ``rows``: the key, metric and ``columns``, each metric at least once; nan where a key lacks it. ``value`` stands under the
    metric's name, others as ``<metric>_<column>``; two-way ends only for metrics of human behaviour.
    """
    rows = rows[rows["metric"].isin([metric.name for metric in wanted])]
    wide = rows.pivot(index=key, columns="metric", values=columns)
    table = _with_names(wide.index.to_frame(index=False), names)
    for metric in wanted:
        for column in columns:
            if metric.human or not column.startswith("two_way"):
                name = metric.name if column == "value" else f"{metric.name}_{column}"
                kind = "Int64" if column == "rank" else float
                table[name] = wide[column, metric.name].astype(kind).to_numpy()
    return table


def model_states(responses, clues, segmentation: str, reductions: list[str]) -> pd.DataFrame:
    """Primary responses by every judge, with ``n_clues`` of their question, for :func:`.shares_revealed.rows_at_shares`.

    Under segmentation ``authors`` these are the model's own clues, counted anew from 1.
    """
    rows = primary_rows(responses, segmentation, reductions, every_judge=True)
    if segmentation == segment.OWN:
        series_questions = rows.groupby([*score.SERIES, "question_id"])["clue"]
        return rows.assign(clue=series_questions.cumcount() + 1, n_clues=series_questions.transform("size"))
    own_clues = clues[clues["segmentation"] == segmentation]
    return rows.assign(n_clues=rows["question_id"].map(own_clues.groupby("question_id").size()))


def table2(accuracy: pd.DataFrame, names: dict[str, str]) -> pd.DataFrame:
    """Table 2: ``20%`` (accuracy), ``20%_low``, ``20%_high`` and ``20%_n`` side by side with those at 40, 60, 80 and 100 %.

    ``accuracy``: accuracy_by_share. A row per reading, elicitation, model and judge, so sorted; nan at a share without answers.
    """
    rows = accuracy[accuracy["revealed"].isin(SHARES)]
    key = ["reading", "elicitation", "model", "marks"]
    wide = rows.pivot(index=key, columns="revealed", values=["accuracy", "low", "high", "n"])
    table = _with_names(wide.index.to_frame(index=False), names)
    for share in SHARES:
        label = f"{share:.0%}"
        for column, suffix in (("accuracy", ""), ("low", "_low"), ("high", "_high"), ("n", "_n")):
            table[label + suffix] = (
                wide[column, share].to_numpy(dtype=float) if (column, share) in wide else np.nan
            )
    return table


CATEGORIES = (("merged", "category"), ("fine", "category_fine"))
"""Level of categories → column of the questions."""


def category_two_way(rows, crowd, questions, reductions, bootstrap: Bootstrap) -> pd.DataFrame:
    """Two-way percentiles of the metrics of human behaviour of table 5: a row per definition, level, category and series.

    Columns ``<metric>_two_way_low`` and ``…_high``, n_teams. ``rows``: :func:`.score.scored_rows` of one segmentation, cut to
    primary ones by ``reductions``; ``crowd``: its :class:`calscore.human.curves.TeamClueCounts`. Replicates are those of the
    scores over all questions, cut to a category's.
    """
    rows = primary_rows(rows, rows["segmentation"].iloc[0], reductions, every_judge=True)
    (clues,) = score.clues_of(rows)
    categories = questions.set_index("question_id").reindex(clues.questions)
    masks = [
        (group_level, category, (categories[column] == category).to_numpy())
        for group_level, column in CATEGORIES
        for category in sorted(categories[column].dropna().unique())
    ]
    weights = bootstrap.two_way_weights(len(clues.questions), len(crowd.teams))
    names = [metric.name for metric in metrics.metrics_for("categories") if metric.human]
    parts = []
    for definition in metrics.DEFINITIONS:
        for group_level, category, mask in masks:
            place = {"definition": definition, "level": group_level, "category": category}
            part = clues.restrict(mask, np.arange(len(clues.series)))
            drawn = two_way_bootstrap.two_way_draws(
                part, crowd, definition, (weights[0][:, mask], weights[1]), names
            )
            table = clues.series.assign(**place)
            for name, draws in drawn.items():
                columns = [f"{name}_two_way_low", f"{name}_two_way_high"]
                table[columns] = [bootstrap.finite_percentile(of_series) for of_series in draws]
            parts.append(table)
    return pd.concat(parts, ignore_index=True).assign(n_teams=len(crowd.teams))


def table5(
    question_scores, questions, segmentation, reductions, names, bootstrap: Bootstrap, two_way
) -> pd.DataFrame:
    """Table 5: mean MCE and CalScore by definition, level (merged or fine), category, elicitation, judge and model, so sorted.

    ``mce_low``, ``calscore_high``, …: Student's intervals over the ``n_questions`` of the category. ``two_way``: of
    :func:`category_two_way`; its bounds are set about the score, widened to Student's t and cut to the metric's range. All
    bounds are nan with fewer than :data:`FEWEST` questions. ``questions``: with question_id, category and category_fine.
    """
    rows = primary_rows(question_scores, segmentation, reductions, every_judge=True)
    rows = rows.merge(questions[["question_id", "category", "category_fine"]], on="question_id")
    series = ["definition", "elicitation", "model", "reduction", "marks"]
    scores = {name: rows[name].to_numpy(dtype=float) for name in metrics.metric_names("categories")}
    parts = []
    for group_level, column in CATEGORIES:
        for (category, *place), places in rows.groupby([column, *series]).indices.items():
            row = dict(zip(series, place, strict=True))
            row |= {"level": group_level, "category": category, "n_questions": len(places)}
            for metric, all_values in scores.items():
                values = all_values[places]
                row |= {metric: values.mean(), f"{metric}_low": np.nan, f"{metric}_high": np.nan}
                if len(places) >= FEWEST:
                    sums = resample.Sums(values[None, :, None], np.ones((1, len(places))))
                    left_out = resample.jackknife(sums)
                    bounds = resample.t_interval_jackknife(row[metric], left_out, bootstrap.level)
                    row[f"{metric}_low"], row[f"{metric}_high"] = np.ravel(bounds)
            parts.append(row)
    table = pd.DataFrame(parts)
    table["name"] = table["model"].replace(names)
    key = ["definition", "level", "category", "elicitation", "model", "reduction", "marks"]
    table = table.merge(two_way, on=key, how="left", validate="one_to_one")
    for metric in [m.name for m in metrics.metrics_for("categories") if m.human]:
        ends = [f"{metric}_two_way_low", f"{metric}_two_way_high"]
        bounds = bootstrap.two_way_interval(
            *(table[name] for name in (metric, *ends, "n_questions", "n_teams"))
        )
        table[ends] = metrics.clip_to_range(metric, np.column_stack(bounds))
        table.loc[table["n_questions"] < FEWEST, ends] = np.nan
    order = ["definition", "level", "category", "elicitation", "marks", "model"]
    return table.drop(columns="n_teams").sort_values(order, ignore_index=True)


def rank_extreme_questions(question_scores, questions, segmentation, reductions, count: int = 10):
    """Table extreme_questions: the ``count`` best and worst by CalScore, averaged over models, per definition, elicitation.

    Sorted by definition, elicitation, ``end``, which says best (lowest) or worst, and ``rank``; only :func:`primary_rows`
    count. Of few questions some are at both ends. ``lowest`` and ``highest``: range over models; ``rank_least`` and
    ``rank_greatest``: over ranks with any one model left out, NA with one alone. Neither is an interval.
    """
    rows = primary_rows(question_scores, segmentation, reductions)
    mean = rows.groupby(["definition", "elicitation", "question_id"])["calscore"].agg(
        ["mean", "min", "max", "size"]
    )
    mean = mean.rename(
        columns={"mean": "calscore", "min": "lowest", "max": "highest", "size": "n_models"}
    ).reset_index()
    mean["rank"] = (
        mean.groupby(["definition", "elicitation"])["calscore"].rank(method="first").astype("int64")
    )
    mean = mean.merge(_ranks_left_out(rows), how="left", on=["definition", "elicitation", "question_id"])
    size = mean.groupby(["definition", "elicitation"])["calscore"].transform("size")
    best, worst = mean["rank"] <= count, mean["rank"] > size - count
    table = pd.concat([mean[best].assign(end="best"), mean[worst].assign(end="worst")], ignore_index=True)
    table = table.merge(questions[["question_id", "category", "answerline"]], on="question_id")
    order = ["definition", "elicitation", "end", "rank"]
    return store.frame(table, "extreme_questions").sort_values(order, ignore_index=True)


def _ranks_left_out(rows: pd.DataFrame) -> pd.DataFrame:
    """rank_least and rank_greatest of each question with any one model left out; NA where there is but one."""
    parts = []
    for key, rows_of_series in rows.groupby(["definition", "elicitation"]):
        wide = rows_of_series.pivot(index="question_id", columns="model", values="calscore")
        # Means in another order differ in the last bits; equal must be equal.
        means = pd.DataFrame({m: wide.drop(columns=m).mean(axis=1).round(12) for m in wide})
        ranks = means.rank(method="first")
        ends = pd.DataFrame({"rank_least": ranks.min(axis=1), "rank_greatest": ranks.max(axis=1)})
        ends = ends.astype("Int64").reset_index()
        parts.append(ends.assign(definition=key[0], elicitation=key[1]))
    return pd.concat(parts, ignore_index=True)


def as_agents(states: pd.DataFrame) -> pd.DataFrame:
    """Rows of ``states`` whose ``buzz`` is known, the model also as ``agent``, for :func:`.shares_revealed.buzz_rate_by_share`."""
    return states[states["buzz"].notna()].assign(agent=lambda rows: rows["model"])


def share_tables(states, names: dict[str, str], bootstrap: Bootstrap) -> dict[str, pd.DataFrame]:
    """Tables accuracy_by_share and buzz_given of ``states`` (see :func:`model_states`), by name."""
    accuracy = shares_revealed.accuracy_by_share(
        states, ["elicitation", "model", "marks"], bootstrap.level, ["question_id"]
    )
    buzz_rates = shares_revealed.buzz_rate_by_share(
        as_agents(states), ["model", "elicitation", "marks"], bootstrap
    )
    return {
        "accuracy_by_share": _with_names(accuracy, names),
        "buzz_given": _with_names(buzz_rates, names),
    }


def model_tables(
    questions: pd.DataFrame,
    clues: pd.DataFrame,
    crowd: pd.DataFrame,
    human_curve: pd.DataFrame,
    responses: pd.DataFrame,
    question_scores: pd.DataFrame,
    model_scores: pd.DataFrame,
    primary_segmentation: str,
    reductions: list[str],
    extreme_questions: int,
    names: dict[str, str],
    replicates: int,
    seed: int,
    level: float,
) -> dict[str, pd.DataFrame | str]:
    """Name → table table1, table2, table5, extreme_questions, accuracy_by_share, buzz_given; texts ``table1_md`` and so on.

    Each of the three is printed as Markdown (``…_md``) and LaTeX (``…_tex``). ``names``: model → name shown.
    """
    primary_choice = primary_segmentation, reductions
    bootstrap = Bootstrap(replicates, seed, level)
    by_share = share_tables(model_states(responses, clues, *primary_choice), names, bootstrap)
    primary_tables = [
        table[table["segmentation"] == primary_segmentation] for table in (responses, human_curve, clues)
    ]
    rows = score.scored_rows(*primary_tables[:2])
    humans = curves.team_clue_counts_from_table(crowd, primary_tables[2])[primary_segmentation]
    two_way = category_two_way(rows, humans, questions, reductions, bootstrap)
    table_1 = table1(model_scores, *primary_choice, names)
    second = table2(by_share["accuracy_by_share"], names)
    fifth = table5(question_scores, questions, *primary_choice, names, bootstrap, two_way=two_way)
    printed = {
        "table1": render.table1(table_1, level),
        "table2": render.table2(second, level),
        "table5": render.table5(fifth),
    }
    return {
        "table1": table_1,
        "table2": second,
        "table5": fifth,
        **texts(printed),
        "extreme_questions": rank_extreme_questions(
            question_scores, questions, *primary_choice, extreme_questions
        ),
        **by_share,
    }


def _with_names(table: pd.DataFrame, names: dict[str, str]) -> pd.DataFrame:
    """The table with the column ``name`` inserted after ``model``, in place; a model without one has its key."""
    position = table.columns.get_loc("model") + 1
    table.insert(position, "name", table["model"].replace(names))
    return table
