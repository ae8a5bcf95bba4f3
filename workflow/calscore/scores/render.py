"""Tables 1, 2 and 5 as people print them."""

import numpy as np
import pandas as pd

from ..core.render import Printed, interval
from . import metrics

DEFINITIONS = {
    "paper": "as the paper defines them (g = 1/-1; ECE and Brier over every clue)",
    "release": "as the released code computes them (g = 1/0; ECE and Brier over the last clue of each question)",
}
NAMES = {"elicitation": "Confidence", "marks": "Judged by", "name": "Model"}
READINGS = {
    "at": "the answer after the last clue within the share",
    "released": "every clue in the tenth of the question that it ends in, as the released plot bins it",
}


def _judges(table: pd.DataFrame) -> list[str]:
    """``["marks"]``, the column that says who judged, where there is more than one; else empty."""
    return ["marks"] if table["marks"].nunique() > 1 else []


def table1(table: pd.DataFrame, level: float) -> list[Printed]:
    """Table 1 for print, one per definition, ``paper`` first: score, interval, rank of each metric, a row per row of ``table``.

    ``table``: of :func:`.tables.table1`; ``level``: of its intervals, for the caption. No rank where only one model was asked
    in a way, no interval where the metric has none to print.
    """
    printed = []
    for definition, rows in table.groupby("definition", sort=True):
        cells_table = rows[["elicitation", *_judges(table), "name"]].copy()
        alone = rows.groupby(["elicitation", "marks"])["model"].transform("size") == 1
        for metric_entry in metrics.metrics_for("table1"):
            metric, name = metric_entry.name, metric_entry.label
            ends = [
                rows[f"{metric}_{end}"] * (1 if metric_entry.interval else np.nan) for end in ("low", "high")
            ]
            values = zip(rows[metric], *ends, strict=True)
            cells = pd.Series([interval(*three) for three in values], index=rows.index)
            ranks = " (" + rows[f"{metric}_rank"].astype(str) + ")"
            cells_table[name] = cells + ranks.mask(alone | rows[metric].isna(), "")
        cells_table["n"] = rows["n_questions"]
        caption = (
            f"Calibration errors {DEFINITIONS[definition]}, lower is better, with {level:.0%} intervals from "
            "resampling questions and the rank in parentheses; n is the number of questions. ECE is biased upward and has "
            "no interval: debiased it stands with one in tables/proper_scores.csv."
        )
        printed.append(Printed(caption, cells_table.rename(columns=NAMES)))
    return printed


def table2(table: pd.DataFrame, level: float) -> list[Printed]:
    """Table 2 for print, one per reading, ``at`` first: accuracy in per cent with its interval and n, a row per row of ``table``.

    ``table``: of :func:`.tables.table2`; ``level``: of its intervals, for the caption.
    """
    printed = []
    shares = [name for name in table.columns if name.endswith("%")]
    for reading, rows in table.groupby("reading", sort=True):
        cells_table = rows[["elicitation", *_judges(table), "name"]].copy()
        for share in shares:
            parts = (rows[share] * 100, rows[f"{share}_low"] * 100, rows[f"{share}_high"] * 100)
            cells_table[share] = [interval(*three, digits=1) for three in zip(*parts, strict=True)]
            cells_table[f"n ({share})"] = [f"{n:.0f}" if pd.notna(n) else "–" for n in rows[f"{share}_n"]]
        caption = (
            f"Share right (%) by share of clues revealed: {READINGS[reading]}; {level:.0%} Wilson intervals, "
            "n is the number of answers."
        )
        printed.append(Printed(caption, cells_table.rename(columns=NAMES)))
    return printed


def table5(table: pd.DataFrame) -> list[Printed]:
    """Table 5 for print: CalScore to four decimals without intervals, categories down, model and confidence across.

    ``table``: of :func:`.tables.table5`. One per definition, level of categories and judge, in this order; a dash where a
    category has no score.
    """
    printed = []
    key = ["definition", "level", "marks"]
    for (definition, group, marks), rows in table.groupby(key, sort=True):
        judged = f", judged by: {marks}" if _judges(table) else ""
        wide = rows.assign(column=rows["name"] + ", " + rows["elicitation"]).pivot(
            index=["category", "n_questions"], columns="column", values="calscore"
        )
        cells_table = wide.map(lambda value: f"{value:.4f}" if pd.notna(value) else "–").reset_index()
        caption = f"CalScore {DEFINITIONS[definition].split(' (')[0].replace('them', 'it')} by {group} category{judged}; n is the number of questions."
        names = {"category": "Category", "n_questions": "n"}
        printed.append(Printed(caption, cells_table.rename(columns=names).rename_axis(columns=None)))
    return printed
