"""Final tables as people print them: rounded, with a caption, as Markdown and as LaTeX."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pandas as pd

DEFINITIONS = {
    "paper": "as the paper defines them (g = 1/-1; ECE and Brier over every clue)",
    "release": "as the released code computes them (g = 1/0; ECE and Brier over the last clue of each question)",
}
READINGS = {
    "at": "the answer after the last clue within the share",
    "released": "every clue in the tenth of the question that it ends in, as the released plot bins it",
}


class Printed(NamedTuple):
    """One table for print: caption and a frame of text."""

    caption: str
    frame: pd.DataFrame


def _interval(value: float, low: float, high: float, digits: int = 3) -> str:
    if pd.isna(value):
        return "–"
    shown = f"{value:.{digits}f}"
    return shown if pd.isna(low) else f"{shown} [{low:.{digits}f}, {high:.{digits}f}]"


def table1(table, labels: dict[str, str], level: float) -> list[Printed]:
    """Table 1 for print, one table per definition: score, interval and rank of each metric.

    ``labels``: metric → its name. Ranks are left out where only one model was asked in a way.
    """
    printed = []
    for definition, of in table.groupby("definition", sort=True):
        shown = of[["elicitation", "name"]].copy()
        alone = of.groupby("elicitation")["model"].transform("size") == 1
        for metric, name in labels.items():
            values = zip(of[metric], of[f"{metric}_low"], of[f"{metric}_high"], strict=True)
            cells = pd.Series([_interval(*three) for three in values], index=of.index)
            ranks = " (" + of[f"{metric}_rank"].astype(str) + ")"
            shown[name] = cells + ranks.mask(alone | of[metric].isna(), "")
        shown["n"] = of["n_questions"]
        caption = (
            f"Calibration errors {DEFINITIONS[definition]}, lower is better, with {level:.0%} intervals from "
            "resampling questions and the rank in parentheses; n is the number of questions."
        )
        names = {"elicitation": "Confidence", "name": "Model"}
        printed.append(Printed(caption, shown.rename(columns=names)))
    return printed


def table2(table, level: float) -> list[Printed]:
    """Table 2 for print, one table per reading: accuracy in per cent with its interval and n."""
    printed = []
    shares = [name for name in table.columns if name.endswith("%")]
    for reading, of in table.groupby("reading", sort=True):
        shown = of[["elicitation", "name"]].copy()
        for share in shares:
            parts = (of[share] * 100, of[f"{share}_low"] * 100, of[f"{share}_high"] * 100)
            shown[share] = [_interval(*three, digits=1) for three in zip(*parts, strict=True)]
            shown[f"n ({share})"] = [f"{n:.0f}" if pd.notna(n) else "–" for n in of[f"{share}_n"]]
        caption = (
            f"Share right (%) by share of clues revealed: {READINGS[reading]}; {level:.0%} Wilson intervals, "
            "n is the number of answers."
        )
        names = {"elicitation": "Confidence", "name": "Model"}
        printed.append(Printed(caption, shown.rename(columns=names)))
    return printed


def table5(table) -> list[Printed]:
    """Table 5 for print: CalScore, categories down, model and confidence across.

    One table per definition and level of categories.
    """
    printed = []
    for (definition, group), of in table.groupby(["definition", "level"], sort=True):
        wide = of.assign(column=of["name"] + ", " + of["elicitation"]).pivot(
            index=["category", "n_questions"], columns="column", values="calscore"
        )
        shown = wide.map(lambda value: f"{value:.4f}" if pd.notna(value) else "–").reset_index()
        caption = f"CalScore {DEFINITIONS[definition].split(' (')[0].replace('them', 'it')} by {group} category; n is the number of questions."
        names = {"category": "Category", "n_questions": "n"}
        printed.append(Printed(caption, shown.rename(columns=names).rename_axis(columns=None)))
    return printed


def _aligned(text) -> list[str]:
    """The side that each column of text stands on: words left, numbers right."""
    return ["left" if _is_words(text[name]) else "right" for name in text]


def markdown(printed: list[Printed]) -> str:
    """Printed tables as Markdown."""
    parts = []
    for caption, frame in printed:
        text = frame.astype(str)
        table = text.to_markdown(index=False, disable_numparse=True, colalign=_aligned(text))
        parts.append(f"{caption}\n\n{table}\n")
    return "\n".join(parts)


def latex(printed: list[Printed]) -> str:
    """Printed tables as LaTeX that needs booktabs and graphicx."""
    parts = []
    for caption, frame in printed:
        text = frame.astype(str)
        columns = "".join(side[0] for side in _aligned(text))
        escaped = text.rename(columns=_latex).map(_latex)
        body = escaped.to_latex(index=False, escape=False, column_format=columns).strip()
        parts.append(
            "\\begin{table}\n\\centering\n"
            f"\\caption{{{_latex(caption)}}}\n\\resizebox{{\\linewidth}}{{!}}{{%\n{body}}}\n\\end{{table}}\n"
        )
    return "\n".join(parts)


def write(printed: list[Printed], to_markdown, to_latex) -> None:
    """Write printed tables as Markdown and as LaTeX."""
    Path(to_markdown).write_text(markdown(printed), encoding="utf-8")
    Path(to_latex).write_text(latex(printed), encoding="utf-8")


def _is_words(column) -> bool:
    return bool(column.str.match(r"[A-Za-z]").any())


def _latex(text: str) -> str:
    text = str(text)
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
