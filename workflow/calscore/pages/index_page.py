"""index.html, the page that a run ends with, and ledger.html, every statement of the paper with its rows."""

import re

import numpy as np
import pandas as pd

from ..core import catalog, theme
from ..core.results_folder import Study
from ..ledger import verbalise
from . import dot_charts, headlines, opponents, statement_view
from .base import embed, embedded_svg, environment, render, source, tables_script
from .evidence_rows import EvidenceRows
from .statistics import file_warnings
from .wording import count_noun, decimal, percent_span, span

WIDE = 486
"""Points that a figure of the whole width has; a narrower one is shown smaller, so that its text has one size."""
APPENDIX = ("Item response models", "Audit")


_WIDTH = re.compile(r'width="([\d.]+)pt"')


def _figure_entry(study: Study, name: str) -> dict | None:
    """Title, file, data URL and share of the page's width of a figure; None where the study has none of that name."""
    product = catalog.product(name, "figure")
    if product.file not in study.provenance["titles"] or not study.has(product.file):
        return None
    path = study.folder / product.file
    width = float(_WIDTH.search(path.read_text(encoding="utf-8"))[1])
    return {
        "title": product.title,
        "file": product.file,
        "source": embedded_svg(path),
        "share": round(min(width / WIDE, 1), 3),
    }


def share_charts(fields: list[pd.DataFrame]) -> list[dict]:
    """Charts of shares won: the user's best model against its opponents, else all models against the teams, live ones apart.

    ``fields``: :func:`.opponents.fields`, [] where nobody met. The first chart opens the page.
    """
    if own := [rows for field in fields for rows in opponents.own_matches(field)]:
        return [dot_charts.share_chart(own[0], opponents.base_name(own[0][0]["name"]))]
    groups = [rows for rows in map(opponents.against_teams, fields) if rows]
    several = len(groups) > 1
    return [
        dot_charts.share_chart(rows, "", opponents.kinds_in_words({row["kind"] for row in rows}) * several)
        for rows in groups
    ]


def pictures(study: Study, fields: list[pd.DataFrame], shares: list[dict]) -> list[dict]:
    """Entries below the first screen: figure 4, the charts of CalScore, further shares won and matrices of
    wins, where there are any.

    Without any of them those of :data:`FALLBACKS`. Each has a sentence and ``href``, the page that shows
    more. ``fields``: :func:`.opponents.fields`, [] where nobody met; ``shares``: the further shares won."""
    entries = []
    if figure := _figure_entry(study, "figure4"):
        words = {"sentence": _figure4_sentence(study), "href": "explorer.html#teams"}
        entries.append(figure | words)
    for chart, href in (
        (dot_charts.table1_chart(study), "explorer.html#models"),
        (dot_charts.category_chart(study), "explorer.html#categories"),
    ):
        if chart:
            entries.append({"chart": chart, "sentence": chart["title"], "href": href})
    for chart in shares:
        words = {"sentence": chart["title"], "href": "leaderboard.html#head-to-head"}
        entries.append(words | {"chart": chart | {"note": f"{chart['measure']}. {chart['note']}"}})
    for field in fields:
        matrix = opponents.win_matrix(field)
        if len(matrix["rows"]) > 1:
            leader = matrix["rows"][0]
            met = [cell["outcome"] for cell in leader["cells"] if cell]
            ways = f"{matrix['kinds'].capitalize()}, " if len(fields) > 1 else ""
            sentence = f"{ways}{leader['label']} is better than {met.count('better')} of {count_noun(len(met), 'opponent')}, on the questions that both had."
            words = {"sentence": sentence, "href": "leaderboard.html#head-to-head"}
            entries.append(words | {"matrix": matrix})
    if not entries:
        for name in FALLBACKS:
            if picture := _figure_entry(study, name):
                entries.append(picture | {"sentence": _fallback_sentence(study, name)})
    return [{"chart": None, "matrix": None, "href": "#all"} | picture for picture in entries]


FALLBACKS = {
    "buzzpoints_teams": "Where in the tossups each team buzzes.",
    "option_transitions": "How answers move from without options (N) to with them (D). Change of the share right, in points",
    "option_harm": "Wrong with options, of the answers that were right without them",
    "irt_accuracy": "The chance of a right answer by how much of the question was heard, for each type of agent.",
    "irt_agents": "The skill of each agent over all items, and its slope on words heard.",
}
"""Figures of a page without models and teams, with what they show in a sentence; the first opens it."""
OPTION_COLUMNS = {
    "option_transitions": ("right_change", "{name} {points} ({span}; {n_paired:,} answers)"),
    "option_harm": ("harmed_of_right", "{name} {harmed:,} of {right_before:,} ({span} %)"),
}
"""Figures whose sentence ends with a column of tables/option_comparisons, for the least and the greatest of the models, and its words."""


def _fallback_sentence(study: Study, name: str) -> str:
    """What :data:`FALLBACKS` says of a figure; of answer options also the models with the least and the greatest value."""
    if name not in OPTION_COLUMNS:
        return FALLBACKS[name]
    table, (column, words) = study["option_comparisons"], OPTION_COLUMNS[name]
    table = table[table["judging"] == table["judging"].iloc[0]].sort_values(column)
    table = table.dropna(subset=column)
    rows = table.iloc[sorted({0, len(table) - 1})] if len(table) else table
    ends = [
        words.format(
            **row,
            points=decimal(100 * row[column], 0),
            span=percent_span(row[f"{column}_low"], row[f"{column}_high"]),
        )
        for row in rows.to_dict("records")
    ]
    return ": ".join(filter(None, [FALLBACKS[name], " to ".join(ends)])) + "."


def _figure4_sentence(study: Study) -> str:
    """Right buzzes per question heard at the last clue: best model and best quartile; without models top and
    bottom quartile; without quartiles no number."""
    table, rules = study["cumulative_buzzes"], [study.options["quartile_rule"], "model"]
    rows = table[(table["outcome"] == "correct") & table["rule"].isin(rules)]
    ends = rows.sort_values("clue").drop_duplicates(["rule", "group"], keep="last")
    models, teams = ends[ends["rule"] == "model"], ends[ends["rule"] != "model"]
    if not (teams["group"] == "Q4").any():
        return "Right and wrong buzzes of teams and models, by clues seen."
    ranking = f"by {theme.RULE_WORDS[study.options['quartile_rule']]}"
    if models.empty:
        top, bottom = (_per_question(teams[teams["group"] == name].iloc[0]) for name in ("Q4", "Q1"))
        return f"By the last clue the top quartile of teams, {ranking}, has {top} right buzzes per question heard, the bottom one {bottom}.{_other_half(study)}"
    best, best_teams = (part.loc[part["per_question"].idxmax()] for part in (models, teams))
    name = study.options["models"].get(best["group"], {}).get("name", best["group"])
    return (
        f"By the last clue {name} has {_per_question(best)} right buzzes per question heard, if each of its buzzes was made in all its matches. "
        f"Quartiles of human teams, {ranking}, have at most {_per_question(best_teams)}."
    )


def _other_half(study: Study) -> str:
    """How far top and bottom quartile are apart on packets that did not rank the teams; "" where that was not estimated."""
    score = {"paper": "total", "rate": "rate"}.get(study.options["quartile_rule"])
    table = study.get("quartile_shrinkage")
    if table is None or not score:
        return ""
    for row in table[(table["score"] == score) & (table["n_halves"] > 0)].itertuples():
        ends = span(row.gap_other_half_two_way_low, row.gap_other_half_two_way_high)
        return f" Ranked on half of the packets, they are {decimal(row.gap_same_half)} apart there and {decimal(row.gap_other_half)} ({ends}) on the other half."
    return ""


def _per_question(row) -> str:
    """Buzzes per question heard with their interval, over questions and teams where there is one."""
    drawn = "" if pd.isna(row["per_question_two_way_low"]) else "_two_way"
    ends = (row[f"per_question{drawn}_{end}"] for end in ("low", "high"))
    return f"{decimal(row['per_question'])} ({span(*ends)})"


def data_warnings(study: Study) -> dict[str, list[dict]]:
    """``grave``: :func:`.statistics.file_warnings`; ``others``: finding, number and handling of all other
    warnings; [] without findings."""
    if "findings" not in study:
        return {"grave": [], "others": []}
    issues = study["findings"]
    grave = file_warnings(issues, study.get("games"))
    names = {group["finding"] for group in grave}
    rest = issues[(issues["severity"] == "warning") & ~issues["finding"].isin(names)]
    others = [
        {"finding": finding, "n": len(rows), "handling": handling}
        for (finding, handling), rows in rest.groupby(["finding", "handling"], sort=False)
    ]
    return {"grave": grave, "others": others}


def live_and_replayed(table: pd.DataFrame, models: dict[str, dict]) -> list[str]:
    """One sentence per model of tables/live_offline on the same questions live and replayed; of several rules the stated one, else
    the model's own threshold in ``models`` (options.models), else the first by name."""
    own = {key: f"given {about['threshold']:g}" for key, about in models.items() if "threshold" in about}
    place = np.select([table["rule"] == "stated", table["rule"] == table["model"].map(own)], [0, 1], 2)
    rule = table["rule"].replace("stated", "as stated").str.replace("-", "−", regex=False)
    rows = table.assign(rule=rule, place=place).sort_values(["model", "place", "rule"])
    rows = rows.drop_duplicates("model")
    return [
        f"{row.name} heard {row.n_questions} questions: {row.live_right} right and {row.live_wrong} wrong live, "
        f"{row.offline_right} and {row.offline_wrong} replayed ({row.rule}); the outcome is the same on {100 * row.same_outcome:.0f} %."
        for row in rows.itertuples(index=False)
    ]


UNFINISHED = {
    "cut": "cut at the token limit",
    "filtered": "ended by a filter",
    "reasoning_only": "thoughts without an answer",
    "tool_calls": "calls of a tool",
}
"""Columns of tables/replies that count replies without an end, in words."""


def unfinished_replies(table: pd.DataFrame, names: dict[str, str]) -> list[str]:
    """One sentence per row of tables/replies (model and elicitation) with replies of a kind in :data:`UNFINISHED`."""
    sentences = []
    for row in table.itertuples(index=False):
        counts = {words: getattr(row, name) for name, words in UNFINISHED.items()}
        if sum(counts.values()):
            listed = ", ".join(f"{n:,} {words}" for words, n in counts.items() if n)
            sentences.append(
                f"{names.get(row.model, row.model)}, {row.elicitation}: of {row.guesses:,} guesses {listed}. They are scored as they came."
            )
    return sentences


def product_groups(features: set[str]) -> tuple[list[dict], list[dict]]:
    """(main, appendix): groups of tables and figures that a study with these features can have, by their heading in the report."""
    groups: dict[str, list] = {}
    for product in catalog.study_products(features):
        if product.kind != "file" and product.report:
            groups.setdefault(product.report, []).append(product)
    parts: tuple[list[dict], list[dict]] = ([], [])
    for name, products in groups.items():
        parts[name in APPENDIX].append({"name": name, "entries": products})
    return parts


def index(study: Study, checks: pd.DataFrame, masthead: dict) -> dict[str, str]:
    """``index_page``: the text of index.html; ``opening``: its findings as report.html shows them. ``checks``: audit/checks."""
    features = set(masthead["features"])
    main, appendix = product_groups(features)
    findings = {
        "leads": headlines.lead_sentences(study),
        "headlines": headlines.headlines(study),
        "verdicts": statement_view.statements(study),
    }
    pairs = study.get("leaderboard_pairs")
    fields = [] if pairs is None else opponents.fields(opponents.meetings(pairs))
    chart, *shares = share_charts(fields) or [None]
    figures, replies = pictures(study, fields, shares), study.get("replies")
    severe = checks.get("severity", "error") == "error"
    text = render(
        "index.html.j2",
        masthead,
        "index.html",
        **findings,
        what=statement_view.study_sentence(study),
        printed=[]
        if masthead["simulated"] or not {"printed_cells", "clues"} <= set(study.tables)
        else list(study["printed_cells"]["section"].unique()),
        chart=chart,
        opening_figure=None if chart or not figures else figures[0],
        pictures=figures if chart else figures[1:],
        variants=[
            row for field in fields for model in opponents.against_teams(field) for row in model["variants"]
        ],
        differ=live_and_replayed(study["live_offline"], study.options["models"])
        if "live_offline" in study
        else [],
        unfinished=[] if replies is None else unfinished_replies(replies, masthead["names"]),
        tells=statement_view.response_model_caveats(study),
        issues=data_warnings(study),
        seal=statement_view.seal(study, checks),
        failed=bool(((checks["result"] != "pass") & severe).any()),
        level=round(100 * study.options["level"]),
        main_products=main,
        appendix=appendix,
        notebooks=[
            product
            for product in catalog.desk_products(features)
            if re.fullmatch(r"notebooks/.*\.html", product.file)
        ],
        script=source("index.js"),
    )
    opening = environment().get_template("opening.html.j2").render(findings)
    return {"index_page": text, "opening": opening}


def ledger(study: Study, masthead: dict) -> dict[str, str]:
    """``ledger_page``: the text of ledger.html, statements by verdict, each with its rows of the ledger."""
    groups = statement_view.statements(study)
    evidence_rows = EvidenceRows(study)
    rows = statement_view.ledger_rows(study, evidence_rows)
    all_statements = [
        statement
        | {"verdict": g["verdict"], "shape": g["shape"], "order": order}
        | {"rows": [rows[name] for name in statement["claims"]]}
        for order, g in enumerate(groups)
        for statement in g["rows"]
    ]
    bases = {statement["basis"] for statement in all_statements}
    text = render(
        "ledger.html.j2",
        masthead,
        "ledger.html",
        verdicts=groups,
        statements=all_statements,
        sections=sorted({statement["section"] for statement in all_statements}),
        bases=[basis for basis in verbalise.BASES if basis in bases],
        weights=verbalise.WEIGHTS,
        check=verbalise.CHECK,
        simulated=statement_view.STATUS["not applicable (simulated)"],
        total=len(rows),
        data=embed(evidence_rows.tables),
        script=tables_script() + source("ledger.js"),
    )
    return {"ledger_page": text}
