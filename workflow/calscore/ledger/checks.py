"""What holds of the ledger of published statements, and of what printed numbers allow."""

import re

import numpy as np
import pandas as pd

from ..core.check_result import Outcome, compare_tables, failing_rows, first_failure, is_close
from .verbalise import VERDICT_OF

_FAILING = ["contradicted", "internally inconsistent"]
STATUSES = set(VERDICT_OF)
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?")


def _numbers(text: object) -> list[str]:
    """Numbers in a text, as written but without commas and with a plain minus."""
    return [number.replace(",", "") for number in _NUMBER.findall(str(text).replace("−", "-"))]


def verdicts_known(table: pd.DataFrame) -> Outcome:
    """Each row has a known status, an id of its own, and in its predicate the number and tolerance of its columns.
    Its status is that of the difference from the printed number; beyond chance, that of the interval of what decides."""
    t, number = table, table["predicate"].str.extract(r"- ([\d.]+)\) <= ([\d.e-]+) \+ 1e-9")
    stated, tolerance = number.astype(float), t["tolerance"]
    wrong = ~t["status"].isin(STATUSES) | t.duplicated("id")
    wrong |= stated[1].notna() & tolerance.notna() & ~is_close(stated[1], tolerance, 1e-12)
    printed, again = (pd.to_numeric(t[name], "coerce") for name in ("published", "recomputed"))
    wrong |= stated[0].notna() & printed.notna() & ~is_close(stated[0], printed, 1e-12)
    tested = t["predicate"].str.startswith("abs(").eq(True) & again.notna() & printed.notna()
    same_number = (again - printed).abs() <= tolerance + 1e-9
    holds, fails = t["status"] == "reproduced", t["status"].isin(_FAILING)
    wrong |= tested & tolerance.notna() & ((holds & ~same_number) | (fails & same_number))
    if "difference" in t:
        wrong |= (t["difference"] < t["low"]) | (t["difference"] > t["high"])
        certain = t["beyond_chance"].eq("yes") & t["low"].notna()
        wrong |= certain & ((holds & (t["low"] <= 0)) | (fails & (t["low"] > 0)))
    return failing_rows(t, wrong, "id", "status", "tolerance")


def said_of_the_numbers(table: pd.DataFrame) -> Outcome:
    """Numbers of a sentence round one that is printed, recomputed or in note, statement or predicate (or 100
    times it, or 1 less it)."""

    def lacking(words, *sources) -> bool:
        sources_numbers = np.array(
            [float(number) for text in sources for number in _numbers(text)] or [np.nan]
        )
        sources_numbers = np.abs(np.r_[sources_numbers, 100 * sources_numbers, 1 - sources_numbers])
        numbers = [
            (abs(float(number)), 0.501 * 10.0 ** -len(number.partition(".")[2])) for number in _numbers(words)
        ]
        return any(not (np.abs(sources_numbers - number) <= half).any() for number, half in numbers)

    wrong = []
    for row in table[table["says"].notna()].itertuples():
        printed, *again = re.split(", (?:recomputed|simulated) ", row.says, maxsplit=1)
        if again:
            wrong.append(lacking(printed, row.published) or lacking(again[0], row.recomputed))
        else:
            context = row.note, row.statement, row.predicate
            wrong.append(lacking(row.says, row.recomputed, row.published, *context))
    return failing_rows(table[table["says"].notna()], wrong, "id", "says")


def statements_of_the_ledger(
    statements: pd.DataFrame, claims: pd.DataFrame, printed_cells: pd.DataFrame
) -> Outcome:
    """Each row of ``claims`` and ``printed_cells`` is in one statement, which has their counts and verdict."""
    t = statements
    parts = t.assign(id=t["claims"].str.split(" ")).explode("id")[["statement", "id"]]
    own = parts.merge(pd.concat([claims, printed_cells]).drop(columns="statement"), on="id")
    is_cell, is_check = own["id"].isin(printed_cells["id"]), own["weight"] == "check"
    papers, cells, rows = own[~is_check], own[is_cell], own[~is_cell & ~is_check]
    rows = pd.concat([rows, cells[~cells["statement"].isin(rows["statement"])]])
    worded = set(cells.loc[cells["status"].eq("contradicted"), "statement"])
    split = (t["failing"] + t["undecided"] > 0) | t["statement"].isin(worded)
    wrong = (t["verdict"] == "in part") != ((t["holding"] > 0) & split)
    for column, judged, statuses in (
        ("holding", rows, ["reproduced"]),
        ("failing", rows, _FAILING),
        ("undecided", rows, ["undecided"]),
        ("checks", rows, [*STATUSES]),
        ("cells", cells, [*STATUSES]),
        ("cells_same", cells, ["reproduced"]),
    ):
        count = judged["status"].isin(statuses).groupby(judged["statement"]).sum()
        wrong |= t["statement"].map(count).fillna(0) != t[column]

    def values_of(rows, column: str) -> pd.Series:
        """The set of values that a column has in the rows of each statement of ``t``."""
        values = rows.dropna(subset=column).groupby("statement")[column].agg(set).to_dict()
        sets = [values.get(statement, set()) - {""} for statement in t["statement"]]
        return pd.Series(sets, t.index, dtype=object)

    for name, column in (("section", "section"), ("quote", "of")):
        wrong |= values_of(own, column) != t[name].map(lambda text: {text})
    for column in ("weight", "basis"):
        pairs = zip(t[column], values_of(papers, column), strict=True)
        wrong |= np.array([bool(values) and value not in values for value, values in pairs], bool)
    wrong |= values_of(own[~is_cell], "shown").map(lambda values: True in values) != t["shown"]
    # A statement is beyond chance where all of its readings that say so are.
    answers = values_of(papers, "beyond_chance")
    wrong |= t["beyond_chance"].eq("yes") != (answers == {"yes"})
    wrong |= t["beyond_chance"].isna() != (answers == set())
    # What decides is told of one of the readings, as it is there.
    least = ["statement", "robustness", "decides", "difference", "low", "high"]
    readings = own.rename(columns={"stays": "robustness"})[least].drop_duplicates()
    matched = t[least].merge(readings.assign(there=True), on=least, how="left")
    wrong |= t["robustness"].notna() & matched["there"].isna().to_numpy()
    # A sentence is that of a reading, or counts.
    unexplained = []
    for said, words in zip(values_of(own, "says"), t["says"].fillna(""), strict=True):
        for sentence in sorted(map(str.strip, said), key=len, reverse=True):
            words = words.replace(sentence, "")
        unexplained.append(bool(re.search(r"(?<![§\d.])\d+[.,]\d", words)))
    wrong |= np.array(unexplained, bool)
    lost = {*claims["id"], *printed_cells["id"]} - set(parts["id"])
    doubled = parts["id"].duplicated() | parts["id"].isna()
    return first_failure(
        failing_rows(t, wrong, "statement"),
        failing_rows(claims, claims["id"].isin(lost), "id"),
        failing_rows(printed_cells, printed_cells["id"].isin(lost), "id"),
        failing_rows(parts, doubled, "id"),
    )


def recomputed_or_not(table: pd.DataFrame) -> Outcome:
    """A row that is reproduced or contradicted has a recomputed value and evidence."""
    decided = table["status"].isin(["reproduced", "contradicted"])
    missing = table["recomputed"].isna() | table["evidence"].isna()
    return failing_rows(table, decided & missing, "id", "status")


def ranked_by_deviation(readings: pd.DataFrame) -> Outcome:
    """Readings of a column have ranks 1, 2, … as their mean deviations grow."""
    t = readings.sort_values(["table", "metric", "rank"])
    column = [t["table"], t["metric"]]
    wrong = t["rank"] != t.groupby(["table", "metric"]).cumcount() + 1
    wrong |= t["deviation_mean"].groupby(column).diff() < 0
    return failing_rows(t, wrong, "table", "metric", "reading")


def deviations_of_the_best(reading_cells: pd.DataFrame, readings: pd.DataFrame) -> Outcome:
    """Cells are those of the best reading of each column and give its deviations; printed accuracies are percent."""
    t = reading_cells
    best = readings[readings["rank"] == 1]
    scale = t["metric"].map({"accuracy": 100.0}).fillna(1.0)
    gap = t["recomputed"] - t["printed"].astype(float) / scale
    off = gap.abs()
    grouped = t.assign(off=off, n=1).groupby(["table", "metric", "reading"])
    summary = grouped.agg(
        cells=("n", "sum"),
        within=("within", "sum"),
        deviation_max=("off", "max"),
        deviation_mean=("off", "mean"),
    )
    key = ["table", "metric", "reading"]
    return first_failure(
        compare_tables(
            best, summary.reset_index(), key, ["cells", "within", "deviation_max", "deviation_mean"]
        ),
        failing_rows(t, t["within"] & ~t["allowed"] | ~is_close(t["deviation"], gap), "table", "cell"),
    )


def ends_of_rounding(rounding: pd.DataFrame) -> Outcome:
    """Each score lies between ``low`` and ``high``, its range under rounding, and these lie in [0, 1]."""
    t = rounding
    wrong = ~((t["low"] <= t["value"] + 1e-12) & (t["value"] <= t["high"] + 1e-12))
    wrong |= (t["low"] < -1e-12) | (t["high"] > 1 + 1e-12)
    return failing_rows(t, wrong, "model", "marks", "definition", "metric")


def script_counts_again(script_curves: pd.DataFrame) -> Outcome:
    """For all humans and each model, a point of a curve counted as in the ``script`` is not below that counted ``once``."""
    t, key = script_curves, ["source", "group", "outcome", "run", "teams"]
    wide = t.pivot_table(index=key, columns="counted", values="value")
    lower = (wide["script"] < wide["once"] - 1e-12).reset_index(name="lower")
    lower = lower[lower["group"].str.match("[HM]")]
    return failing_rows(lower, lower["lower"], *key[:4])
