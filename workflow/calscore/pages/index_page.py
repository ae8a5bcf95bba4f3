"""index.html, the page that a run ends with, and ledger.html, every statement of the paper with its rows."""

from __future__ import annotations

import base64
from pathlib import Path

import pandas as pd

from ..core import catalog
from ..core.results_folder import Study
from ..leaderboard import replay
from ..ledger import verbalise
from ..ledger.verbalise import number
from . import statement_view
from .base import environment, render, source

MAIN = (
    *("figure4", "buzzpoints_teams", "option_types", "option_harm"),
    *("irt_skills", "irt_complementarity", "leaderboard_ranks"),
)
"""Figures that a page can open with: the first that the study has, and the second where no paper is examined."""
PAPER = "forensics"
APPENDIX = ("Item response models", "Forensics", "Audit")
KINDS = {
    "live": ("●", "live"),
    "submitted": ("■", "submitted"),
    "replayed": ("◇", "replayed"),
    "human team": ("▲", "team"),
    "human teams": ("▲", ""),
}
"""Kind of an opponent → shape and word."""
_ORDER = {name: place for place, name in enumerate(("live", "submitted", "replayed"))}


def _picture(study: Study, name: str) -> dict | None:
    product = catalog.product(name, "figure")
    if product.file not in study.provenance["titles"] or not study.has(product.file):
        return None
    text = (study.folder / product.file).read_bytes()
    code = base64.b64encode(text).decode("ascii")
    return {
        "title": product.title,
        "file": product.file,
        "source": f"data:image/svg+xml;base64,{code}",
    }


def sides(table):
    """tables/common_questions with each model as a: pairs of models stand twice, the second time turned."""
    pairs = table[~table["b_kind"].str.startswith("human")]
    swap = {c: "ba"[c[0] == "b"] + c[1:] for c in table if c[:2] in ("a", "b", "a_", "b_")}
    turned = pairs.rename(columns=swap)
    turned["share"], turned["low"], turned["high"] = (
        1 - pairs[c] for c in ("share", "high", "low")
    )
    for left, right in (("", ""), ("_low", "_high"), ("_high", "_low")):
        turned[f"difference{left}"] = -pairs[f"difference{right}"]
    return pd.concat([table, turned], ignore_index=True)


def _meeting(row) -> dict:
    """One opponent of a model, from a row of :func:`sides`."""
    share = (row.share, row.low, row.high)
    met = row.share == row.share
    return {
        "id": statement_view.slug("vs", row.a, row.b),
        "name": row.b_name,
        "yours": row.b_yours,
        "kind": row.b_kind,
        "shape": KINDS[row.b_kind][0],
        "word": KINDS[row.b_kind][1],
        "questions": f"{row.questions:,}",
        "decided": number(row.decided),
        "share": [round(100 * percent, 1) for percent in share] if met else None,
        "says": f"{number(round(100 * row.share, 1))} %" if met else "–",
        "range": " to ".join(number(round(100 * percent, 1)) for percent in share[1:]) if met else "",
        "verdict": _side(*share[1:], 0.5) if met else "never met",
        "score_verdict": _side(row.difference_low, row.difference_high, 0),
        "scores": [_points(row.a_score), _points(row.b_score)]
        if row.difference == row.difference
        else None,
        "apart": _points(row.difference, True),
        "apart_range": f"{_points(row.difference_low, True)} to {_points(row.difference_high, True)}",
    }  # fmt: skip


def _points(value: float, signed: bool = False) -> str:
    return f"{value:{'+' if signed else ''}.2f}".replace("-", "−")


def models(table) -> list[dict]:
    """Each model with its opponents, from tables/common_questions: those of the user first, then live ones."""
    entries = []
    for (key, name, kind, yours), of in sides(table).groupby(["a", "a_name", "a_kind", "a_yours"]):
        rows = [_meeting(row) for row in of.itertuples()]
        groups = {
            "All human teams together": [r for r in rows if r["kind"] == "human teams"],
            "Models": sorted(
                (r for r in rows if not r["kind"].startswith("human")),
                key=lambda r: (not r["yours"], _ORDER[r["kind"]], r["name"]),
            ),
            "Human teams, one by one": [r for r in rows if r["kind"] == "human team"],
        }
        entries.append(
            {
                "anchor": statement_view.slug("model", key),
                "name": name,
                "kind": kind,
                "yours": bool(yours),
                "groups": {name: rows for name, rows in groups.items() if rows},
                "summary": _summary(groups),
            }
        )
    return sorted(entries, key=lambda m: (not m["yours"], _ORDER[m["kind"]], m["name"]))


def _side(low: float, high: float, even: float) -> str:
    """Where an interval lies; an end that is not known settles nothing."""
    return "ahead" if low > even else "behind" if high < even else "not settled"


def _summary(groups: dict[str, list]) -> str:
    """How many opponents a model is ahead of, behind, or neither: question by question, and by Expected Score."""

    def said(rows, column) -> str:
        ahead, behind = (sum(r[column] == side for r in rows) for side in ("ahead", "behind"))
        rest = len(rows) - ahead - behind
        return f"ahead of {ahead} and behind {behind}" + (f" ({rest} not settled)" if rest else "")

    models, teams = groups["Models"], groups["Human teams, one by one"]
    parts = []
    if models:
        parts.append(
            f"of {len(models)} other model{'s' if len(models) > 1 else ''} it is {said(models, 'verdict')}"
        )
        parts[0] += f", by Expected Score {said(models, 'score_verdict')}"
    if teams:
        parts.append(
            f"of {len(teams)} human team{'s' if len(teams) > 1 else ''} it is {said(teams, 'verdict')}"
        )
    return "; ".join(parts)


def _span(values, digits: int) -> str:
    """One number, or the least and the greatest of several."""
    ends = (f"{end:.{digits}f}".replace("-", "−") for end in (min(values), max(values)))
    return " to ".join(dict.fromkeys(ends))


def _against(rows) -> str:
    """A model's row against all human teams in words; of a replayed one its rows, one a threshold."""
    share, score = _span(100 * rows["share"], 1), _span(rows["score"], 2)
    counts = rows["side"].value_counts(sort=False)
    ends = f", {_span([*100 * rows['low'], *100 * rows['high']], 1)}" if len(rows) == 1 else ""
    thresholds = [f" at {n} of {len(rows)} thresholds" for n in counts]
    thresholds = thresholds if len(counts) > 1 else [" at every threshold" if len(rows) > 1 else ""]
    side = " and ".join(
        f"{side}{where}" for side, where in zip(counts.index, thresholds, strict=True)
    )
    questions = _span(rows["questions"], 0)
    return f"{side}, on {questions} questions ({share} %{ends}; Expected Score {score})"


def _beats(rows) -> str:
    """Whether a model of one kind beats the human teams: its share of the questions that either wins, with the interval."""
    answers = {"ahead": "yes", "behind": "no", "not settled": "not settled"}
    side = rows["side"].iloc[0] if rows["side"].nunique() == 1 else ""
    mode = {"live": "live in matches", "replayed": "replayed from its guesses"}
    scope = " by threshold" if len(rows) > 1 else " of the questions that either side wins"
    ends = f"{_span([100 * rows['low'].min()], 1)} to {_span([100 * rows['high'].max()], 1)}"
    return f"{mode[rows['a_kind'].iloc[0]]} {answers.get(side, 'yes and no')}, with {_span(100 * rows['share'], 1)} %{scope} ({ends})"


def against_teams(table, board) -> tuple[list[str], str, str]:
    """Each model against all human teams together, its kinds side by side: a sentence for each, one for all, and whether
    the first model that was live and is replayed beats them.

    ``table``: common_questions; ``board``: leaderboard, for Expected Score. One's own models stand first.
    """
    rows = table[table["b_kind"] == "human teams"].dropna(subset="share")
    scores = board[(board["metric"] == "expected_score") & (board["reading"] == "manual")]
    rows = rows.assign(
        name=rows["a_name"].str.split(replay.MARK, regex=False).str[0],
        side=[_side(*ends, 0.5) for ends in zip(rows["low"], rows["high"], strict=True)],
        score=rows["a"].map(scores.set_index("submission")["value"]),
        order=rows["a_kind"].map(_ORDER),
    ).sort_values(["a_yours", "order"], ascending=[False, True], kind="stable")
    said: dict[str, list[str]] = {}
    sides: dict[str, dict[str, list[str]]] = {}
    for (kind, name), of in rows.groupby(["a_kind", "name"], sort=False):
        said.setdefault(name, []).append(f"{kind} {_against(of)}")
        side = of["side"].iloc[0] if of["side"].nunique() == 1 else "one or the other by threshold"
        sides.setdefault(kind, {}).setdefault(side, []).append(name)
    short = (
        f"{kind} "
        + ", ".join(f"{verbalise.spoken(names, {})} {side}" for side, names in of.items())
        for kind, of in sides.items()
    )
    each = [f"{name}: {'; '.join(parts)}." for name, parts in said.items()]
    both = rows.groupby("name")["a_kind"].transform(lambda of: len(set(of) & {"live", "replayed"}))
    first = ""
    for name, of in rows[both == 2].groupby("name", sort=False):
        first = "; ".join(_beats(some) for _, some in of.groupby("a_kind"))
        first = f"Does {name} beat the human teams? {first[:1].upper()}{first[1:]}."
        break
    return each, f"{'; '.join(short)}." if said else "", first


def live_and_replayed(table) -> list[str]:
    """How a model's live buzzes and its guesses came out on the same questions (tables/live_offline), in words."""
    rule = table["rule"].replace("stated", "as stated")
    rows = table.assign(rule=rule).sort_values(["model", "rule"]).drop_duplicates("model")
    return [
        f"{row.name} on the {row.n_questions} questions that it heard: live {row.live_right} right and {row.live_wrong} wrong, "
        f"its guesses ({row.rule}) {row.offline_right} and {row.offline_wrong}, with the same outcome on {100 * row.same_outcome:.0f} %."
        for row in rows.itertuples(index=False)
    ]


def recovery_section(study: Study, names: dict) -> dict:
    """Estimates of a simulated study beside its truth (tables/recovery): rows as shown, and how many intervals hold it."""
    if "recovery" not in study:
        return {}
    rows = [
        {
            "quantity": row.quantity,
            "name": ", ".join(names.get(part, part) for part in row.name.split(", ")),
            "truth": f"{row.truth:.4g}".replace("-", "−"),
            "estimate": f"{row.estimate:.4g}".replace("-", "−"),
            "range": f"{row.low:.4g} to {row.high:.4g}".replace("-", "−") if row.low == row.low else "",
            "n": f"{row.n:,}",
            "holds": (row.low <= row.truth <= row.high) if row.low == row.low else None,
            "same": abs(row.truth - row.estimate) < 1e-9,
        }
        for row in study["recovery"].itertuples(index=False)
    ]  # fmt: skip
    covered = [row["holds"] for row in rows if row["range"]]
    equal = [row["same"] for row in rows if not row["range"]]
    return {"rows": rows, "holds": sum(covered), "of": len(covered), "same": sum(equal), "without": len(equal)}  # fmt: skip


def doors(study: Study, features: set[str]) -> tuple[list[dict], list[dict]]:
    """All tables and figures by their heading in the report: those to look at first, and the rest."""
    groups: dict[str, list] = {}
    for product in catalog.studied(features):
        if product.kind == "file" or not product.report:
            continue
        heading = (
            "Forensics" if product.name.startswith(("forensics", "rounding")) else product.report
        )
        entry = {
            "title": product.title,
            "file": product.file,
            "kind": product.kind,
            "name": product.name,
        }
        groups.setdefault(heading, []).append(entry)
    appendix = [
        {"name": name, "entries": entries} for name, entries in groups.items() if name in APPENDIX
    ]
    main = [
        {"name": name, "entries": entries}
        for name, entries in groups.items()
        if name not in APPENDIX
    ]
    return main, appendix


def index(provenance: Path, checks, masthead: dict) -> dict:
    """index.html of the study that a record (audit/provenance.json) belongs to, and the same findings for report.html.

    ``checks``: audit/checks.
    """
    study, features = Study(provenance.parent.parent), set(masthead["features"])
    first, rest = doors(study, features)
    paper = _picture(study, PAPER)
    drawn = [one for one in (_picture(study, name) for name in MAIN) if one]
    meetings = "common_questions" in study
    said, short, beats = (
        against_teams(study["common_questions"], study["leaderboard"]) if meetings else ([], "", "")
    )
    found = {"verdicts": statement_view.statements(study), "against": said}
    text = render(
        "index.html.j2",
        masthead,
        "index.html",
        **found,
        short=short,
        beats=beats,
        models=models(study["common_questions"]) if meetings else [],
        kinds=set(study["common_questions"]["a_kind"]) if meetings else set(),
        differ=live_and_replayed(study["live_offline"]) if "live_offline" in study else [],
        what=statement_view.study_sentence(study),
        tells=statement_view.tells(study),
        recovered=recovery_section(study, masthead["names"]),
        seal=statement_view.seal(study, checks),
        failed=int((checks["result"] != "pass").sum()),
        level=round(100 * study.options["level"]),
        figures=[drawn[0], paper] if drawn and paper else drawn[:2],
        first=first,
        rest=rest,
        notebooks=[p for p in catalog.desk(features) if p.file.endswith(".html") and p.file.startswith("notebooks/")],
        script=source("index.js"),
    )  # fmt: skip
    return {
        "index_page": text,
        "opening": environment().get_template("opening.html.j2").render(found),
    }


def ledger(provenance: Path, masthead: dict) -> dict:
    """ledger.html of the study that a record belongs to: statements, each with its rows of tables/claims."""
    study = Study(provenance.parent.parent)
    groups = statement_view.statements(study)
    rows = statement_view.ledger_rows(study)
    all_statements = [
        statement | {"verdict": g["verdict"], "shape": g["shape"]}
        for g in groups
        for statement in g["rows"]
    ]
    text = render(
        "ledger.html.j2",
        masthead,
        "ledger.html",
        verdicts=groups,
        statements=[
            statement | {"rows": [rows[name] for name in statement["claims"]]}
            for statement in all_statements
        ],
        sections=sorted({statement["section"] for statement in all_statements}),
        bases=[
            b
            for b in verbalise.BASES
            if any(statement["basis"] == b for statement in all_statements)
        ],
        weights=verbalise.WEIGHTS,
        total=len(rows),
        script=source("ledger.js"),
    )
    return {"ledger_page": text}
