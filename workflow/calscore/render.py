"""Final tables as people print them: rounded, as Markdown and as LaTeX (booktabs)."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

METRIC_NAMES = {"brier": "Brier", "ece": "ECE", "mce": "MCE", "calscore": "CalScore"}


def _interval(value: float, low: float, high: float, digits: int = 3) -> str:
    if pd.isna(value):
        return "–"
    return f"{value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def table1(table):
    """Table 1 for print: score, interval and rank of each metric."""
    shown = table[["definition", "elicitation", "name"]].copy()
    for metric, name in METRIC_NAMES.items():
        values = zip(table[metric], table[f"{metric}_low"], table[f"{metric}_high"], strict=True)
        shown[name] = [_interval(*three) for three in values]
        shown[f"{name} rank"] = table[f"{metric}_rank"]
    return shown.rename(
        columns={"definition": "Definition", "elicitation": "Confidence", "name": "Model"}
    )


def table2(table):
    """Table 2 for print: accuracy in per cent with its interval."""
    shown = table[["reading", "elicitation", "name"]].copy()
    for column in table.columns:
        if column.endswith("%"):
            parts = (
                table[column] * 100,
                table[f"{column}_low"] * 100,
                table[f"{column}_high"] * 100,
            )
            shown[column] = [_interval(*three, digits=1) for three in zip(*parts, strict=True)]
    return shown.rename(
        columns={"reading": "Reading", "elicitation": "Confidence", "name": "Model"}
    )


def table5(table):
    """Table 5 for print: CalScore, categories down, model and elicitation across."""
    columns = table["name"] + ", " + table["elicitation"]
    wide = (
        table.assign(column=columns)
        .pivot(
            index=["definition", "level", "category", "n_questions"],
            columns="column",
            values="calscore",
        )
        .sort_index(level=[0, 1, 2], ascending=[True, False, True])
        .reset_index()
    )
    for column in columns.unique():
        wide[column] = [f"{value:.4f}" if pd.notna(value) else "–" for value in wide[column]]
    names = {
        "definition": "Definition",
        "level": "Level",
        "category": "Category",
        "n_questions": "n",
    }
    return wide.rename(columns=names).rename_axis(columns=None)


def write(table, markdown, latex) -> None:
    """Write a rounded table as Markdown and as a LaTeX tabular that needs only booktabs."""
    Path(markdown).write_text(
        table.to_markdown(index=False, disable_numparse=True) + "\n", encoding="utf-8"
    )
    escaped = table.rename(columns=_latex).map(lambda value: _latex(str(value)))
    body = escaped.to_latex(index=False, escape=False, column_format="l" * table.shape[1])
    Path(latex).write_text(body, encoding="utf-8")


def _latex(text: str) -> str:
    for raw, escaped in (
        ("\\", r"\textbackslash{}"),
        ("&", r"\&"),
        ("%", r"\%"),
        ("_", r"\_"),
        ("#", r"\#"),
        ("–", "--"),
    ):
        text = text.replace(raw, escaped)
    return text
