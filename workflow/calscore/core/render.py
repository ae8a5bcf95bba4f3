"""Final tables as people print them: rounded, with a caption, as Markdown and as LaTeX."""

import re
from typing import NamedTuple

import pandas as pd

from .visible import escape_control_chars


class Printed(NamedTuple):
    """One table for print: caption and a frame of text."""

    caption: str
    frame: pd.DataFrame


def interval(value: float, low: float, high: float, digits: int = 3) -> str:
    """``value [low, high]`` rounded to ``digits`` decimals; "–" if ``value`` is nan, the value alone if ``low`` is."""
    if pd.isna(value):
        return "–"
    text = f"{value:.{digits}f}"
    return text if pd.isna(low) else f"{text} [{low:.{digits}f}, {high:.{digits}f}]"


def _aligned(text: pd.DataFrame) -> list[str]:
    """Alignment of each column of a frame of text: "left" if a cell begins with a Latin letter, else "right"."""
    return ["left" if text[name].str.match(r"[A-Za-z]").any() else "right" for name in text]


def markdown(printed: list[Printed]) -> str:
    """Markdown of several tables: of each its caption, a blank line and the table; only cells are escaped."""
    parts = []
    for caption, frame in printed:
        text = frame.astype(str).map(_markdown)
        table = text.to_markdown(index=False, disable_numparse=True, colalign=_aligned(text))
        parts.append(f"{caption}\n\n{table}\n")
    return "\n".join(parts)


def latex(printed: list[Printed]) -> str:
    """LaTeX of several tables, each a ``table`` with its caption; it needs booktabs and graphicx."""
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


def texts(printed: dict[str, list[Printed]]) -> dict[str, str]:
    """Texts of printed tables: for each name, ``<name>_md`` → its Markdown and ``<name>_tex`` → its LaTeX."""
    makers = {"md": markdown, "tex": latex}
    return {
        f"{name}_{end}": as_text(table) for name, table in printed.items() for end, as_text in makers.items()
    }


def _markdown(text: str) -> str:
    """A cell with what Markdown would take for markup escaped, in a single line."""
    escaped = re.sub(r"[\\`*|<]|(?<!\w)_|_(?!\w)|(?<=\])\(", r"\\\g<0>", escape_control_chars(text))
    return re.sub(r"\s*\n\s*", " ", escaped)


_TEX = {**{char: f"\\{char}" for char in "&%_#${}"}, "\\": r"\textbackslash{}", "–": "--"}
_TEX |= {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def _latex(text: str) -> str:
    """A cell with the signs that LaTeX reserves escaped."""
    return escape_control_chars(str(text)).translate(str.maketrans(_TEX))
