"""studies.html: all configured studies side by side, with a link to each."""

from pathlib import Path

from ..audit.plot import label
from ..scores import metrics
from . import base
from .wording import decimal, json_value, span

HEADS = {
    "questions": "Questions",
    "teams": "Human teams",
    "conversion": "Share of human teams that are right ↑",
    "accuracy": "Share right ↑",
    "minus_crowd": "Share right, model − crowd ↑",
    "precision": "P(right | buzz) ↑",
    "precision_minus_human": "P(right | buzz), model − people ↑",
    "expected_score": "Expected Score ↑",
    "win_rate": "Win Rate ↑",
} | {
    name: f"{metric.label} {'↑' if metric.higher else '↓'}"
    for name, metric in metrics.METRICS.items()
    if name != "accuracy"
}
"""What each quantity is called, in the order of the table."""


def rows(table) -> list[dict]:
    """One dict per row of tables/studies, sorted by :data:`HEADS` and scope, with value and interval as text."""
    table = table.fillna({"scope": "", "elicitation": "", "warning": ""})
    table = table.assign(place=table["quantity"].map(list(HEADS).index))
    entries = []
    for _, row in table.sort_values(["place", "scope"], kind="stable").iterrows():
        has_interval = metrics.has_interval(row["quantity"])
        entries.append(
            {
                "study": row["study"] + " (simulated)" * bool(row["simulated"]),
                "who": label(row) if isinstance(row["model"], str) else "people",
                "quantity": ("⚠ " if row["warning"] else "") + HEADS[row["quantity"]],
                "scope": row["scope"],
                "key": json_value(row["value"]),
                "value": decimal(row["value"], 0 if row["place"] < 2 else 3),
                "interval": span(row["low"], row["high"], 3) if has_interval else "",
            }
        )
    return entries


def page(studies, studies_side_by_side_svg: Path, masthead: dict) -> dict:
    """``studies_page``: the text of studies.html, with the figure of the comparison."""
    warnings = sorted(set(studies["warning"].dropna()))
    names = studies[["study", "title"]].drop_duplicates()
    text = base.render(
        "studies.html.j2",
        masthead,
        "studies.html",
        home="studies.html",
        doors=[(f"../{row.study}/index.html", row.title) for row in names.itertuples()],
        rows=rows(studies),
        warnings=[warning.split(": ")[1] for warning in warnings],
        source=base.embedded_svg(studies_side_by_side_svg),
        script=base.tables_script(),
    )
    return {"studies_page": text}
