"""studies.html: all configured studies side by side, with a link to each."""

from __future__ import annotations

from pathlib import Path

from ..audit.plot import label
from ..scores import metrics
from . import base
from .wording import decimal, span

HEADS = {
    "accuracy": "Share right ↑",
    "minus_crowd": "Share right, model − crowd ↑",
    "precision": "P(correct | buzz) ↑",
    "precision_minus_human": "P(correct | buzz), model − people ↑",
    "expected_score": "Expected Score ↑",
    "win_rate": "Win Rate ↑",
}
PEOPLE = ("questions", "teams", "conversion", "precision")


def _number(row, quantity: str) -> str:
    if quantity in ("questions", "teams"):
        return decimal(row.value, 0)
    ends = span(row.low, row.high, 3) if metrics.has_interval(quantity) else ""
    return f"{decimal(row.value, 3)}{f' [{ends}]' if ends else ''}"


def _heads(rows) -> dict[tuple[str, str], str]:
    """(quantity, scope) → what stands above its column, those that need no crowd of one size first."""
    metric_heads = {
        name: f"{m.label} {'↑' if m.higher else '↓'}" for name, m in metrics.METRICS.items()
    }
    names = HEADS | {name: head for name, head in metric_heads.items() if name not in HEADS}
    order = list(names)
    pairs = rows[["quantity", "scope"]].drop_duplicates().itertuples(index=False)
    pairs = sorted(pairs, key=lambda pair: (order.index(pair.quantity), pair.scope))
    return {
        tuple(pair): names[pair.quantity] + f", {pair.scope}" * (pair.scope not in ("", "live"))
        for pair in pairs
    }


def blocks(table) -> list[dict]:
    """What the page says of each study: people in words, models as rows."""
    table = table.fillna({"scope": "", "elicitation": "", "warning": ""})
    entries = []
    for study, of in table.groupby("study", sort=False):
        of_people = of[of["model"].isna()].set_index("quantity")
        of_models = of[of["model"].notna()]
        heads = _heads(of_models)
        rows: dict[str, dict] = {}
        for _, row in of_models.iterrows():
            key = row["quantity"], row["scope"]
            rows.setdefault(label(row), {})[key] = _number(row, row["quantity"])
        first_row = of.iloc[0]
        entries.append(
            {
                "name": study,
                "title": first_row["title"],
                "simulated": first_row["simulated"],
                "people": {
                    name: _number(of_people.loc[name], name)
                    for name in PEOPLE
                    if name in of_people.index
                },
                "heads": [
                    (head, (of_models.loc[of_models["quantity"] == key[0], "warning"] != "").any())
                    for key, head in heads.items()
                ],
                "rows": [
                    (name, [cells.get(key, "–") for key in heads]) for name, cells in rows.items()
                ],
            }
        )
    return entries


def page(studies, studies_side_by_side_svg: Path, masthead: dict) -> dict:
    """studies.html from tables/studies and its figure."""
    warnings = sorted(set(studies["warning"].dropna()))
    names = studies[["study", "title"]].drop_duplicates()
    text = base.render(
        "studies.html.j2",
        masthead,
        "studies.html",
        home="studies.html",
        doors=[(f"../{row.study}/index.html", row.title) for row in names.itertuples()],
        studies=blocks(studies),
        warnings=[warning.split(": ")[1] for warning in warnings],
        source=base.embedded_svg(studies_side_by_side_svg),
    )
    return {"studies_page": text}
