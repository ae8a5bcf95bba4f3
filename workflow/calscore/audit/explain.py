"""Explain one cell of a table down to raw rows, and recompute it from them.

``python -m calscore.audit.explain results/grace table1 --row definition=paper,elicitation=logit,model=M1
--column calscore`` (``make explain``). Tables 1, 2 and 5 are explained number by number (ends of intervals and ranks by their
formula alone), question scores and the human curve as well, and counts of live buzzes with the rows that they count
(:mod:`.explain_counts`). Of any other table it says which rule made it, from what.
"""

import json
import math
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from ..core import catalog
from ..core.errors import DataError
from ..core.mark_sources import first_judge
from ..core.results_folder import Study
from ..guessers import replystore
from ..scores import metrics
from . import explain_counts, provenance
from .explain_counts import LEVELS, Counted, Step
from .trace import SERIES, TOLERANCE, TOTALS, H, Trace, bin_of, in_scope

SHARE = re.compile(r"^(?P<share>\d+)%(?P<part>|_low|_high|_n)$")
KEYS = {
    "table1": ["definition", "elicitation", "model", "marks"],
    "table2": ["reading", "elicitation", "model", "marks"],
    "table5": ["definition", "level", "category", "elicitation", "model", "marks"],
}
"""Tables that :func:`recompute` counts again, with the columns that name a row."""
SHARE_OF = {
    "buzzed_so_far": "human buzzes up to it",
    "buzzed_on_question": "human buzzes on the question",
    "heard": "human teams that heard it",
    "heard_seen": "human teams declared to have heard it or seen to buzz on it",
}
"""Definition of h → what it is a share of, in words."""
MATCHES = 20
"""Rows listed where more than one matches."""
WIDTH = 46
"""Characters shown of a text; what says where something lies is shown whole."""
PLACES = ("source_row", "reply_row", "a_row", "b_row", "name")


# --- whole tables, recomputed ------------------------------------------------------------------


def share_rows(answers: pd.DataFrame, share: int, reading: str) -> pd.DataFrame:
    """Rows of ``answers`` (:attr:`.Trace.answers`) that table 2 counts at ``share`` percent of the T clues of a question.
    Reading "at": the last clue of number at most share·T; "released": every clue t with ⌊10t/T⌋ = share/10."""
    clue, total = answers["clue"], answers["n_clues"]
    if reading == "at":
        return answers[clue == share * total // 100]
    return answers[10 * clue // total == share // 10]


def _table2(trace: Trace) -> pd.DataFrame:
    """Table 2 from the trace's answers, a row for each reading and series: ``20%``, … (share right), ``20%_n``, … (answers)."""
    parts = []
    for reading in ("at", "released"):
        columns = {}
        for share in (20, 40, 60, 80, 100):
            rows = share_rows(trace.answers, share, reading)
            right = rows.groupby(["elicitation", "model", "marks"])["right"]
            columns |= {f"{share}%": right.mean(), f"{share}%_n": right.size()}
        parts.append(pd.DataFrame(columns).assign(reading=reading))
    return pd.concat(parts).reset_index()


def _means_by_category(trace: Trace) -> pd.DataFrame:
    """Mean mce and calscore over questions, and n_questions: a row for each level, category, definition and series."""
    questions, plain = trace.tables["questions"].set_index("question_id"), []
    for level, column in LEVELS.items():
        questions_of = trace.questions.assign(category=trace.questions["question_id"].map(questions[column]))
        grouped = questions_of.groupby(["definition", "category", "elicitation", "model", "marks"])
        means = grouped[["mce", "calscore"]].mean().assign(n_questions=grouped.size())
        plain.append(means.reset_index().assign(level=level))
    return pd.concat(plain, ignore_index=True)


def recompute(trace: Trace, table: str) -> pd.DataFrame:
    """ "table1", "table2" or "table5" again from raw rows: columns :data:`KEYS`, numbers without bounds and ranks."""
    if table == "table5":
        return _means_by_category(trace)
    if table == "table2":
        return _table2(trace)
    return trace.benchmark.drop(columns="reduction")


# --- one cell ----------------------------------------------------------------------------------


@dataclass
class Explanation:
    """The cell in ``column`` of the ``row`` (column → value) of a table: its ``value`` and the number ``recomputed`` (or None).
    ``formula``: in words; ``rule``: that made the table; ``steps``: rows behind the cell, from near to raw."""

    table: str
    row: dict
    column: str
    value: object
    recomputed: object
    formula: str
    rule: str
    steps: list[Step] = field(default_factory=list)

    @property
    def difference(self) -> float:
        """``|value − recomputed|``; 0 where both are nan, inf where one is, nan where ``recomputed`` is None."""
        if self.recomputed is None:
            return math.nan
        value, two = float(self.value), float(self.recomputed)
        if math.isnan(value) or math.isnan(two):
            return 0.0 if math.isnan(value) and math.isnan(two) else math.inf
        return abs(value - two)


def row_key(table: str) -> list[str]:
    """Columns that name a row of ``table``, as links and ``--row`` have them: :data:`KEYS`, else its declared key."""
    return KEYS.get(table) or catalog.table(table)["key"]


def find_row(frame: pd.DataFrame, table: str, row: Mapping[str, object]) -> pd.Series:
    """The one row of ``frame`` (table ``table``) that ``row`` (column → value) names; ``DataError`` for none or several. Values
    are compared as text, missing ones as "". If several match and ``row`` has no ``marks``, the judge shown first is taken."""
    rows = frame
    for column, value in row.items():
        if column not in frame:
            raise DataError.at(table, "", column, value, f"a column: one of {', '.join(map(str, frame))}")
        texts = rows[column].astype(str).where(rows[column].notna(), "")
        hit = texts == ("" if pd.isna(value) else str(value))
        if not hit.any():
            choices = ", ".join(sorted(texts.unique())[:40])
            raise DataError.at(table, "", column, value, f"one of {choices}")
        rows = rows[hit]
    if "marks" in frame and "marks" not in row and len(rows) > 1:
        rows = first_judge(rows)
    if len(rows) != 1:
        listed = _list_matches(rows, table)
        expected = f"one row; these {len(rows)} match:\n{listed}"
        raise DataError.at(table, "", "row", row, expected)
    return rows.iloc[0]


def _list_matches(rows: pd.DataFrame, table: str) -> str:
    """Distinct lines ``column=value,…`` of the first :data:`MATCHES` rows, of columns that tell rows apart; and how many more."""
    named = catalog.table(table)["key"] or [
        c
        for c in rows
        if not pd.api.types.is_float_dtype(rows[c]) and rows[c].astype(str).str.len().max() < 40
    ]
    several: list[str] = []
    for column in (c for c in named if c in rows):
        # What tells no more rows apart is not needed.
        count = len(rows[[*several, column]].drop_duplicates())
        if count > (len(rows[several].drop_duplicates()) if several else 1):
            several.append(column)
    lines = [
        "  " + ",".join(f"{c}={value}" for c, value in zip(several, cells, strict=True))
        for cells in rows[several].astype(object).fillna("").itertuples(index=False, name=None)
    ]
    remainder = [f"  … and {len(lines) - MATCHES} more rows"] * (len(lines) > MATCHES)
    return "\n".join([*dict.fromkeys(lines[:MATCHES]), *remainder])


def explain(
    study: Study, table: str, row: dict[str, object], column: str, question: str | None = None
) -> Explanation:
    """The :class:`Explanation` of the cell in ``column`` of the row that ``row`` names (:func:`find_row`). Not recomputed: text,
    keys, bounds, ranks, tables outside :data:`CHAINS` and :data:`.explain_counts.TABLES`. ``question``: in tables 1, 2 and 5, the
    id to show down to raw rows; by default the worst or first. ``DataError`` without such a row, column or question."""
    frame = study[table]
    cell_row = find_row(frame, table, row)
    if column not in frame:
        raise DataError.at(table, "", "column", column, f"one of {', '.join(map(str, frame))}")
    rule = provenance.maker(study.provenance, study.tables[table].file) or "no rule"
    counted = None
    if pd.api.types.is_numeric_dtype(frame[column]) and column not in row_key(table):
        if table in explain_counts.TABLES:
            segmentation = study.options["primary_segmentation"]
            counted = explain_counts.explain_count(study, segmentation, table, cell_row, column)
        elif table in CHAINS:
            counted = CHAINS[table](Trace(study, study.options), cell_row, column, question)
            counted.steps.extend(_stored_replies(study, counted.steps))
    if counted is None:
        steps = [Step(f"Rule {rule}", _rule_sources(study, rule))]
        counted = Counted(None, "not recomputed here: what made it is below", steps)
    value, formula, steps = counted
    return Explanation(table, row, column, cell_row[column], value, formula, rule, steps)


def _stored_replies(study: Study, steps: list[Step]) -> list[Step]:
    """[one step with the stored replies that the guesses of ``steps`` were read from]; [] where no endpoint was asked."""
    folder = provenance.input_location(study.folder, study.provenance["study"]["inputs"]["replies"])
    guesses, replies = {}, {}
    rows = []
    places = [place for step in steps if "source_row" in step.rows for place in step.rows["source_row"]]
    for source_row in dict.fromkeys(places):
        file, _, number = str(source_row).rpartition("#")
        if not file or not study.has(f"guess/{file}"):
            continue
        if file not in guesses:
            text = (study.folder / "guess" / file).read_text(encoding="utf-8")
            guesses[file] = text.split("\n")
            replies[file] = replystore.stored_lines(folder / file)
        key = json.loads(guesses[file][int(number) - 1]).get("reply_key")
        if key:
            line, reply = replies[file].get(key, ("missing", {}))
            rows.append((source_row, f"{file}#{line}", reply.get("finish_reason"), reply.get("text")))
    if not rows:
        return []
    table = pd.DataFrame(rows, columns=["source_row", "reply_row", "finish_reason", "reply"])
    return [Step("Replies", table, f"stored in {folder}")]


def _rule_sources(study: Study, rule: str) -> pd.DataFrame:
    """Frame (kind: "input", "option" or "code"; name; value) of a rule, a row for each; without a record only an empty code."""
    entry = study.provenance["rules"].get(rule, {"input": {}, "params": {}, "code_sha256": ""})
    rows = [("input", path, "") for paths in entry["input"].values() for path in paths]
    rows += [("option", name, str(value)) for name, value in entry["params"].items()]
    rows.append(("code", "SHA-256", entry["code_sha256"]))
    return pd.DataFrame(rows, columns=["kind", "name", "value"])


def _matching_rows(frame: pd.DataFrame, cell_row: pd.Series, columns: list[str]) -> pd.DataFrame:
    """Rows of ``frame`` with the values of ``cell_row`` in ``columns``."""
    return frame[(frame[columns] == cell_row[columns]).all(axis=1)]


def _metric_and_part(column: str) -> tuple[str, str]:
    """(metric, part) of a column of table 1: calscore_low → (calscore, low); part '' for the metric itself."""
    for metric in sorted(metrics.METRICS, key=len, reverse=True):
        if column == metric or column.startswith(f"{metric}_"):
            return metric, column[len(metric) + 1 :]
    return column, ""


def _recomputed_cell(trace: Trace, table: str, cell_row: pd.Series, column: str) -> float | int | None:
    """A cell of table 1, 2 or 5 recomputed; None for one that needs resampling or ranks."""
    numbers = recompute(trace, table)
    if column not in numbers:
        return None
    return find_row(numbers, table, {name: cell_row[name] for name in KEYS[table]})[column]


def _shown_question(question: str | None, rows: pd.DataFrame) -> str:
    """``question``, by default the first of ``rows``; ``DataError`` where the rows have no such id."""
    chosen = question or rows["question_id"].iloc[0]
    if chosen not in set(rows["question_id"]):
        raise DataError.at("question", "", "question", chosen, "a question behind this number")
    return chosen


def _metric_formula(metric: str, definition: str, otherwise: str) -> str:
    """Formula of a metric under a definition, in words, else its description; ``otherwise`` for what is no metric."""
    declared = metrics.METRICS.get(metric)
    return declared.formula.get(definition, declared.description) if declared else otherwise


def _number_formula(metric: str, part: str, definition: str, trace: Trace, student: bool = False) -> str:
    """What a number is, in words: its metric's formula, and how its ``part`` (bound, rank or "") came about. ``student``:
    bounds over questions are Student's."""
    formula = _metric_formula(metric, definition, "number of questions with a scored clue")
    if part.endswith(("low", "high")):
        o = trace.options
        units = "questions and human teams" if part.startswith("two_way") else "questions"
        end = part.removeprefix("two_way_")
        if student and units == "questions":
            return f"{end} end of Student's {o['level']:.0%} interval over questions of: {formula}"
        return f"{end} end of the {o['level']:.0%} interval of: {formula}; {o['replicates']} resamplings of {units}, seed {o['seed']}"
    return f"rank among models of this elicitation by: {formula}" if part == "rank" else formula


def _explain_score(trace: Trace, cell_row: pd.Series, column: str, question: str | None) -> Counted:
    """A cell of Table 1, or of Table 5 over the questions of its category. Steps: bins of an ECE, questions with the
    worst first, then the clues of one question."""
    metric, part = _metric_and_part(column)
    definition = cell_row["definition"]
    key = ["elicitation", "model", "marks"]
    per_question = _matching_rows(trace.questions, cell_row, ["definition", *key])
    per_clue = _matching_rows(trace.terms, cell_row, key)
    by_category = "level" in cell_row
    formula = _number_formula(metric, part, definition, trace, student=by_category)
    if by_category:
        formula += f"; questions of {cell_row['category']}"
        category = trace.tables["questions"].set_index("question_id")[LEVELS[cell_row["level"]]]
        inside = category.index[category == cell_row["category"]]
        per_question, per_clue = (rows[rows["question_id"].isin(inside)] for rows in (per_question, per_clue))
    number = _recomputed_cell(trace, "table5" if by_category else "table1", cell_row, column)
    steps = []
    if metric in ("brier", "ece"):
        rows = in_scope(per_clue, definition)
        rows = rows.assign(
            bin=bin_of(rows["c"], definition),
            g=rows["right"].astype(int),
            squared=(rows["c"] - rows["right"].astype(float)) ** 2,
        )
        if metric == "ece":
            bins = rows.groupby("bin").agg(clues=("c", "size"), sum_c=("c", "sum"), sum_g=("g", "sum"))
            bins["gap"] = (bins["sum_g"] - bins["sum_c"]).abs()
            steps.append(Step("Bins", bins.reset_index(), "ECE = Σ gap / Σ clues"))
        listed = rows.groupby("question_id").agg(clues=("c", "size"), sum_squared=("squared", "sum"))
        listed = listed.sort_values("sum_squared", ascending=False).reset_index()
    else:
        order_metric = metric if metric in ("mce", "calscore") else "calscore"
        listed = per_question[["question_id", "n_clues", "mean_gc", "mean_term", "mce", "calscore"]]
        listed = listed.sort_values(order_metric, ascending=False, ignore_index=True)
    steps.append(Step("Questions", listed, f"{len(listed)} questions, worst first"))
    chosen = _shown_question(question, listed)
    steps += question_steps(trace, per_clue[per_clue["question_id"] == chosen], definition)
    return Counted(number, formula, steps)


def question_steps(trace: Trace, rows: pd.DataFrame, definition: str) -> list[Step]:
    """Three steps behind one question and series: terms of each clue, guesses with verdicts, buzzes. ``rows``: those of
    :attr:`.Trace.terms` on the question, of one series; ``definition``: "paper" or "release"."""
    h = H[definition]
    right = rows["right"].astype(float)
    terms = pd.DataFrame(
        {
            "clue": rows["clue"],
            "words": rows["end_word"],
            "c": rows["c"],
            "g": (2 * right - 1 if definition == "paper" else right).astype(int),
            "human_right": rows["human_right"],
            "of": rows[TOTALS[h]],
            "h": rows[h],
            "g·c": rows[f"gc_{definition}"],
            "(1−h)·g·c": rows[f"term_{definition}"],
        }
    )
    question = rows["question_id"].iloc[0]
    guesses = rows.drop_duplicates("guess_row")
    guesses = guesses[["position", "guess", "verdict", "rule", "source", "c", "source_row"]]
    note = f"means {terms['g·c'].mean():.12g} and {terms['(1−h)·g·c'].mean():.12g}"
    return [
        Step(f"Clues of {question}", terms, f"h: {h}; {note}"),
        Step("Guesses and verdicts", guesses),
        Step("Buzzes", question_buzzes(trace, question)),
    ]


def question_buzzes(trace: Trace, question: str) -> pd.DataFrame:
    """Live buzzes on a question, sorted by word. Columns: team, kind, word_index (0-based), correct, source_row."""
    buzzes = trace.tables["buzzes"]
    rows = buzzes[buzzes["question_id"] == question].sort_values("word_index", kind="stable")
    return rows[["team", "kind", "word_index", "correct", "source_row"]]


def _explain_table2(trace: Trace, cell_row: pd.Series, column: str, question: str | None) -> Counted:
    """A cell of Table 2. Steps: the answers that it counts, then guess, verdict and buzzes of one question."""
    number = _recomputed_cell(trace, "table2", cell_row, column)
    share = SHARE.match(column)
    part = share["part"]
    rows = share_rows(trace.answers, int(share["share"]), cell_row["reading"])
    rows = _matching_rows(rows, cell_row, ["elicitation", "model", "marks"])
    listed = rows[["question_id", "clue", "n_clues", "position", "guess", "verdict", "right"]]
    quantity = {"": "right answers / answers", "_n": "answers"}.get(
        part, "Wilson interval of right / answers"
    )
    formula = f"{quantity} after {share['share']} % of the clues ({cell_row['reading']})"
    note = f"{int(rows['right'].sum())} right of {len(rows)}"
    chosen = _shown_question(question, rows)
    chosen_rows = rows[rows["question_id"] == chosen]
    columns = ["clue", "position", "guess", "condition", "verdict", "rule", "source", "source_row"]
    steps = [
        Step("Answers", listed, note),
        Step(f"Guess and verdict on {chosen}", chosen_rows[columns]),
        Step("Buzzes", question_buzzes(trace, chosen)),
    ]
    return Counted(number, formula, steps)


def _explain_question(trace: Trace, cell_row: pd.Series, column: str, question: str | None) -> Counted:
    """A cell of question_scores, recomputed from its clues; steps of :func:`question_steps`."""
    trace_of_all = Trace(trace.tables, trace.options, cell_row["segmentation"], shown=False)
    question_row = _matching_rows(
        trace_of_all.questions, cell_row, ["definition", *SERIES, "question_id"]
    ).iloc[0]
    rows = _matching_rows(trace_of_all.terms, cell_row, [*SERIES, "question_id"])
    formula = _metric_formula(column, cell_row["definition"], "scored clues")
    formula = formula.removeprefix("mean over questions of ")
    steps = question_steps(trace, rows, cell_row["definition"])
    return Counted(question_row.get(column), formula, steps)


def _explain_human(trace: Trace, cell_row: pd.Series, column: str, question: str | None) -> Counted:
    """A cell of human_curve: h, or one of its counts, at one clue, with the buzzes on the question."""
    human = Trace(trace.tables, trace.options, cell_row["segmentation"]).human
    human_row = _matching_rows(human, cell_row, ["question_id", "clue"]).iloc[0]
    h = cell_row["h_definition"]
    value = {"h": human_row[h], "correct": human_row["human_right"], "total": human_row[TOTALS[h]]}
    formula = f"right human buzzes up to the clue / {SHARE_OF[h]}"
    steps = [Step("Buzzes", question_buzzes(trace, cell_row["question_id"]))]
    return Counted(value.get(column), formula, steps)


CHAINS = {
    "table1": _explain_score,
    "table2": _explain_table2,
    "table5": _explain_score,
    "question_scores": _explain_question,
    "human_curve": _explain_human,
}
"""Table → what explains a cell of it, from trace, row, column and the question to show."""


# --- as text -----------------------------------------------------------------------------------


def _full_precision(value: object) -> str:
    """A cell's number as Python writes it, every digit."""
    return repr(value.item() if isinstance(value, np.generic) else value)


def render(explanation: Explanation, limit: int = 12) -> str:
    """The explanation as text of several lines; of each step the first ``limit`` rows, and how many more."""
    e = explanation
    place = ", ".join(f"{k}={v}" for k, v in e.row.items())
    lines = [
        f"{e.table} [{place}] {e.column} = {_full_precision(e.value)}",
        f"  made by   {e.rule}",
        f"  formula   {e.formula}",
    ]
    if e.recomputed is not None:
        verdict = "agrees" if e.difference <= TOLERANCE else "DISAGREES"
        lines.append(
            f"  recomputed {_full_precision(e.recomputed)}: {verdict} (difference {e.difference:.3g})"
        )
    for step in e.steps:
        lines += ["", step.title + (f" ({step.note})" if step.note else "")]
        lines.append(_rows_as_text(step.rows.head(limit)))
        if len(step.rows) > limit:
            lines.append(f"… and {len(step.rows) - limit} more rows")
    return "\n".join(lines)


def _rows_as_text(rows: pd.DataFrame) -> str:
    """Rows as text; long cells are cut, except in :data:`PLACES`."""
    cut = {name: rows[name].map(_shorten) for name in rows if name not in PLACES}
    return rows.assign(**cut).to_string(index=False, max_colwidth=None, na_rep="")


def _shorten(value: object) -> object:
    """A text of more than :data:`WIDTH` characters cut with an ellipsis; any other ``value`` as it is."""
    long = isinstance(value, str) and len(value) > WIDTH
    return f"{value[: WIDTH - 1]}…" if long else value


def parse_row(text: str) -> dict[str, str]:
    """``a=1,b=2`` (or ;) as column → value, both text; {} for "". ``DataError`` if the first part has no =, or one that is a
    word. Any other comma, as before a space or a digit, belongs to the value."""
    pairs = [part for part in re.split(r"[;,](?=\w+=|[^\W\d]\w*(?:[;,]|$))", text) if part]
    bad = [part for part in pairs if "=" not in part]
    if bad:
        raise DataError.at("row", "", "", bad[0], "column=value, separated by commas")
    return dict(part.split("=", 1) for part in pairs)


def main(arguments: list[str] | None = None) -> int:
    """Command line (``arguments``, else sys.argv): 0 if the recomputation agrees or is none, 1 if not, 2 for no such cell."""
    import argparse

    parser = argparse.ArgumentParser(prog="explain", description="Explain one number of a study.")
    parser.add_argument("study", help="results folder")
    parser.add_argument("table")
    parser.add_argument("--row", default="", help="key columns: model=M1,definition=paper")
    parser.add_argument("--column", required=True)
    parser.add_argument("--question", help="the question to show down to its raw rows")
    parser.add_argument("--limit", type=int, default=12, help="rows shown of each list")
    options = parser.parse_args(arguments)
    try:
        row = parse_row(options.row)
        explanation = explain(
            Study(options.study), options.table, row, options.column, options.question or None
        )
    except DataError as error:
        print(error, file=sys.stderr)
        return 2
    try:
        print(render(explanation, options.limit), flush=True)
    except BrokenPipeError:
        # Whoever reads has seen enough.
        sys.stdout = None
    return int(explanation.difference > TOLERANCE)


if __name__ == "__main__":
    sys.exit(main())
