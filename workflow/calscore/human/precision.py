"""How sure the human numbers are: P(correct | buzz) with questions and teams resampled, models beside it."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ..core import store
from ..stats import proportions, resample
from ..stats.bootstrap import Bootstrap

HUMANS = "human"
ALL = "all"


def _iter_groups(buzzes: pd.DataFrame) -> Iterator[tuple]:
    """Yields (category, group, kind, rows): for all and each category the human pool, the pool of models, each model."""
    for category, category_rows in [(ALL, buzzes), *buzzes.groupby("category", sort=True)]:
        for kind, rows in category_rows.groupby("kind", sort=True):
            yield category, kind, kind, rows
            if kind != HUMANS:
                for model, own in rows.groupby("team", sort=True):
                    yield category, model, kind, own


def buzz_precision(questions, buzzes, names: dict[str, str], bootstrap: Bootstrap) -> pd.DataFrame:
    """Table precision: P(correct | buzz) per category and group, humans, models or a model, and model − human.

    Rows are sorted by category (one is ``all``), kind and group. ``names``: model → name shown. ``se_naive``
    takes buzzes as independent; ``se_question``, ``se_team`` and ``se_two_way`` resample; teams only those of
    humans. Bounds are two-way for humans; for models Wilson's over all categories, by category from questions.
    By category they are as wide as Student's t on the questions, and nan where all buzzes are right, all
    wrong, or on one question. ``draws_better``: share of replicates in which models are above humans.
    """
    rows = buzzes.merge(questions[["question_id", "category"]], on="question_id")
    ids = pd.Index(sorted(questions["question_id"]))
    teams = pd.Index(sorted(rows.loc[rows["kind"] == HUMANS, "team"].unique()))
    w, v = bootstrap.two_way_weights(len(ids), len(teams))
    level = bootstrap.level
    parts, humans = [], {}
    for category, group, kind, group_rows in sorted(_iter_groups(rows), key=lambda g: (g[0], g[2], g[1])):
        own = teams if kind == HUMANS else pd.Index(sorted(group_rows["team"].unique()))
        right = resample.question_team_cells(
            group_rows, ids, own, group_rows["correct"].to_numpy(dtype=float)
        )
        all_cells = resample.question_team_cells(group_rows, ids, own)
        value = right.sum() / all_cells.sum()
        units = {"question": (w, None)}
        if kind == HUMANS:
            units |= {"team": (None, v), "two_way": (w, v)}
        draws = {
            name: proportions.ratio(
                *(resample.two_way_replicates(x, *group_rows) for x in (right, all_cells))
            )
            for name, group_rows in units.items()
        }
        widest = draws.get("two_way", draws["question"])
        wide = widest
        if category != ALL:
            wide = resample.inflate_to_t(value, widest, group_rows["question_id"].nunique(), level)
        if kind == HUMANS:
            humans[category] = value, widest, wide
        row = {
            "category": category,
            "group": group,
            "name": names.get(group, group),
            "kind": kind,
            "teams": group_rows["team"].nunique(),
            "buzzes": int(all_cells.sum()),
            "correct": int(right.sum()),
            "value": value,
            "se_naive": float(np.sqrt(value * (1 - value) / all_cells.sum())),
            "method": "questions and teams" if kind == HUMANS else "questions",
        }
        for name in ("question", "team", "two_way"):
            row[f"se_{name}"] = np.nanstd(draws[name], ddof=1) if name in draws else np.nan
        row["low"], row["high"] = np.clip(bootstrap.finite_percentile(wide), 0, 1)
        if kind != HUMANS and category == ALL:
            by_question = [group_rows["question_id"].to_numpy()]
            row["method"] = "Wilson, buzzes clustered by question"
            row["low"], row["high"] = proportions.clustered_wilson(group_rows["correct"], by_question, level)[
                1:
            ]
        if kind != HUMANS and category in humans:
            gap = bootstrap.finite_percentile(wide - humans[category][2])
            low, high = np.clip(gap, -1, 1)
            difference = widest - humans[category][1]
            row |= {
                "difference": value - humans[category][0],
                "difference_low": low,
                "difference_high": high,
                "draws_better": float(np.nanmean(np.where(np.isnan(difference), np.nan, difference > 0))),
            }
        parts.append(row)
    columns = store.columns("precision")
    return pd.DataFrame(parts).reindex(columns=columns)


def buzz_precision_table(
    questions, buzzes, names: dict[str, str], replicates: int, seed: int, level: float
) -> dict[str, pd.DataFrame]:
    """``{"precision": table}``: :func:`buzz_precision`."""
    return {"precision": buzz_precision(questions, buzzes, names, Bootstrap(replicates, seed, level))}
