"""The ledger of "Mind the Confidence Gap": every printed number and statement against the study.

Written statements are in config/published/confidence_gap.yaml; every number of Tables 1, 2 and 3
makes a row by itself. A number over the whole question file is compared with one over the whole
question file only: from fewer rows it is ``needs unpublished data``, with what they give in the note.

What the study recomputes cites its interval (column ``intervals``): that of the table which the number
is from, and for a comparison that of the difference.
"""

import math
from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from ..ledger import ledger, verbalise
from ..ledger.estimates import Quantity, flatten, nest
from ..ledger.ledger import interval_text
from . import contrasts
from .bootstrap import MEAN
from .option_files import plain

NOT_AT_HAND = "not at hand"
"""Status of the numbers of Table 1, which the paper prints as an image that our copy lacks."""

RESULTS = "results over the whole question file"
KNOWN = {
    "questions": "the question file",
    "sample": "answers to a part of the questions",
    "table1": f"{RESULTS}, one judge for all models",
    "table3": f"{RESULTS}, each model judging itself",
    "type_ece": RESULTS,
    "type_means": RESULTS,
    "changes": f"{RESULTS}, one judge for all models",
    "distraction": f"{RESULTS}, one judge for all models",
    "model_contrasts": f"{RESULTS}, one judge for all models",
    "type_contrasts": RESULTS,
    "judge_contrasts": f"{RESULTS}, one judge for all models and each model judging itself",
}

WILSON = "Wilson's"
RESAMPLED = "questions resampled"
PAIRED = "questions resampled, paired"

COLUMNS = {
    "N_right": "right in N (%)",
    "N_none": "not attempted in N (%)",
    "N_ece": "ECE in N",
    "D_right": "right in D (%)",
    "D_none": "not attempted in D (%)",
    "D_ece": "ECE in D",
    "helped": "helped (wrong to right)",
    "helped_share": "helped, share of helped and harmed (%)",
    "harmed": "harmed (right to wrong)",
}
PERCENT = {name: f"{name}_share" for name in ("N_right", "N_none", "D_right", "D_none")}
PERCENT |= {"helped_share": "helped_share"}
"""Printed columns that are shares in per cent → column of option_scores."""

_TYPES = "tables/option_types.csv: judging = shared, reading = release"
_CONTRASTS = "tables/option_contrasts.csv: compared ="

#: Quantities that are numbers of a table → file and rows.
EVIDENCE = {
    "type_ece": _TYPES,
    "type_means": f"{_TYPES}, model = {MEAN}",
    "changes": "tables/option_comparisons.csv: judging = shared",
    "distraction": "tables/option_distraction.csv: judging = shared",
    "model_contrasts": f"{_CONTRASTS} {contrasts.BY_MODELS}",
    "type_contrasts": f"{_CONTRASTS} {contrasts.BY_TYPES}",
    "judge_contrasts": f"{_CONTRASTS} {contrasts.BY_JUDGES}",
}

#: Measures of option_distraction → keys of the quantity ``distraction``.
_HARM = {
    "harmed, number": "number",
    "harmed, share of helped and harmed": "of_changed",
    "harmed, share of right before": "of_right",
}


def _three(row: Mapping, column: str) -> list[float]:
    """[number, lower, upper end of its interval] in a row."""
    return [float(row[f"{column}{end}"]) for end in ("", "_low", "_high")]


def _interval_text(three: Sequence[float], method: str) -> str:
    """ "value [low, high] (method)" of ``three``, or the value and that there is no interval where both ends are nan."""
    value, low, high = three
    if math.isnan(low) and math.isnan(high):
        return f"{value:.3f} (no interval: too few answers)"
    return interval_text(value, low, high, method)


def _released(table: pd.DataFrame, judging: str = "shared") -> pd.DataFrame:
    """Rows of a judging, under the released reading where the table has several."""
    rows = table[table["judging"] == judging]
    return rows[rows["reading"] == "release"] if "reading" in rows else rows


def _rows_of(scores: pd.DataFrame, judging: str, judge: str) -> pd.DataFrame:
    """Rows of option_scores of models with both settings, released reading; for "own" the shared row of a ``judge`` without."""
    rows = _released(scores, judging)
    if judging == "own" and judge not in set(rows["model"]):
        shared = _released(scores)
        rows = pd.concat([rows, shared[shared["model"] == judge]])
    return rows[rows["n_paired"].notna()]


def _distractors(table: pd.DataFrame) -> dict[str, int]:
    """{n, empty, equal, repeated}: numbers of questions, empty wrong answers, and questions with a right or a repeated one."""
    wrong = [
        [text for text in row if isinstance(text, str)]
        for row in table[["wrong_1", "wrong_2", "wrong_3"]].itertuples(index=False)
    ]
    normal = [[plain(text) for text in texts] for texts in wrong]
    return {
        "n": len(table),
        "empty": sum(3 - len(texts) for texts in wrong),
        "equal": sum(plain(answer) in texts for answer, texts in zip(table["answer"], normal, strict=True)),
        "repeated": sum(len(set(texts)) < len(texts) for texts in normal),
    }


def quantities(
    tables: dict[str, pd.DataFrame], judge: str = "gpt-4o-mini"
) -> tuple[dict[str, Quantity], dict[str, dict], dict[tuple, str]]:
    """(quantities by name; "table1" or "table3" → model → column → number, of models with fewer rows than the question file;
    intervals). ``tables``: those of the study by name; ``judge``: the model that is the shared judge. Intervals: place of a
    quantity, such as ("table1", model, column) → its value with interval as text; for fewer rows too."""
    intervals: dict[tuple, str] = {}
    questions = tables["option_questions"]
    subset = questions[questions["row"].isin(tables["option_results"]["row"])]
    scopes = {"all": _distractors(questions), "answered": _distractors(subset)}
    file = "tidy/option_questions.parquet"
    parts = {("answered",): f"{file}: rows of tidy/option_results.parquet"}
    by_name = {"questions": Quantity(scopes, f"{file}: all rows", parts)}
    partial: dict[str, dict] = {"table1": {}, "table3": {}}
    complete, sample, place = set(), {}, "tables/option_scores.csv: judging = {}, reading = release"
    for name, judging in (("table1", "shared"), ("table3", "own")):
        cells, parts = {}, {}
        for row in _rows_of(tables["option_scores"], judging, judge).to_dict("records"):
            # As printed: [number, low, high] of each column, shares in per cent.
            model, printed = row["model"], {name: _three(row, PERCENT.get(name, name)) for name in COLUMNS}
            printed |= {name: [100 * value for value in printed[name]] for name in PERCENT}
            for column, three in printed.items():
                method = RESAMPLED if column.endswith("ece") else WILSON
                intervals[name, model, column] = _interval_text(three, method)
            values = {column: value for column, (value, *_) in printed.items()}
            values["n"] = n = int(row["n_paired"])
            if n == len(questions):
                complete.add((row["judging"], model))
                cells[model] = values
                parts[(model,)] = f"{place.format(row['judging'])}, model = {model}"
                continue
            partial[name][model] = values
            if name == "table3":
                sample[model] = {c: {"low": low, "high": high} for c, (_, low, high) in printed.items()}
                sample[model]["n"] = n
                intervals |= {("sample", model, c): intervals[name, model, c] for c in COLUMNS}
        if cells:
            by_name[name] = Quantity(cells, place.format(judging), parts)
    if sample:
        by_name["sample"] = Quantity(sample, "tables/option_scores.csv: reading = release")
    values: dict[tuple, float] = {}
    for place, three, method in _compared_values(tables, complete):
        values[place] = three[0]
        intervals[place] = _interval_text(three, method)
        if place[0] == "changes":
            values[(*place[:-1], "ece_high")] = three[2]
    by_name |= {name: Quantity(value, EVIDENCE[name]) for name, value in nest(values).items()}
    return by_name, partial, intervals


def _compared_values(
    tables: dict[str, pd.DataFrame], complete: set[tuple[str, str]]
) -> Iterator[tuple[tuple, Sequence[float], str]]:
    """Yields (place of a quantity, (number, low, high), method): by question type, of changes, contrasts and distraction.
    ``complete``: (judging, model) with results over the whole question file; means over models need all of them.
    ``model_contrasts`` and ``type_contrasts``: measure → first → second → difference, either way round; ``judge_contrasts``:
    measure → model → one judge for all less its own."""
    types = _released(tables["option_types"])
    models = {model for judging, model in complete if judging == "shared"}
    is_complete = bool(models) and models == set(types["model"]) - {MEAN}
    for row in types.to_dict("records"):
        place = row["group"], row["setting"]
        if row["model"] in models:
            yield ("type_ece", row["model"], *place), _three(row, "ece"), RESAMPLED
        elif row["model"] == MEAN and is_complete:
            yield ("type_means", *place), _three(row, "ece"), RESAMPLED
    for row in _released(tables["option_comparisons"]).to_dict("records"):
        if row["model"] in models:
            yield ("changes", row["model"], "ece"), _three(row, "ece_change_release"), PAIRED
    if is_complete:
        harm = _released(tables["option_distraction"]).dropna(subset="spearman")
        for row in harm.to_dict("records"):
            place = "distraction", _HARM[row["measure"]], row["n_models"]
            yield place, _three(row, "spearman"), RESAMPLED
    table = tables["option_contrasts"]
    table = table[table["reading"].isna() | table["reading"].isin(["", "release"])]
    for row in table.to_dict("records"):
        pair, measure, compared = (row["first"], row["second"]), row["measure"], row["compared"]
        value, low, high = three = _three(row, "difference")
        if compared == contrasts.BY_JUDGES:
            if {(judging, row["model"]) for judging in pair} <= complete:
                yield ("judge_contrasts", measure, row["model"]), three, PAIRED
        elif row["judging"] == "shared":
            of_models = compared == contrasts.BY_MODELS
            quantity = "model_contrasts" if of_models else "type_contrasts"
            if {*pair} <= models if of_models else is_complete:
                yield (quantity, measure, *pair), three, PAIRED
                yield (quantity, measure, *pair[::-1]), (-value, -high, -low), PAIRED


def _half(printed: str) -> float:
    """Half a unit of the last decimal printed: 0.05 for "1.2"."""
    return 0.5 * 10.0 ** -len(printed.partition(".")[2])


def _partial_value(partial: dict[str, dict], table: str, model: str, column: str) -> str:
    """ "on the 20 rows at hand: 0.705" for a model with fewer rows than the question file, else ""."""
    cells = partial.get(table, {}).get(model)
    return f"on the {cells['n']} rows at hand: {cells[column]:.6g}" if cells else ""


def _model_claims(published: dict, partial: dict[str, dict], table: str) -> list[dict]:
    """One claim for each number of Table 1 that the prose repeats (``table`` "table1"), or of Table 3 ("table3")."""
    section, judge, facts = {
        "table1": ("Table 1", "one judge", "prose"),
        "table3": ("Table 3", "own judge", "table3"),
    }[table]
    return [
        ledger.cell_claim(
            f"{table}.{model}.{column}",
            section,
            f"{published['models'][model]}, {judge}: {COLUMNS[column]}",
            f"{table}[{model!r}].{column}",
            printed,
            # a percentage printed as 0 has two decimals like its column
            0.005 if table == "table3" and column in PERCENT else _half(printed),
        )
        | {"note": _partial_value(partial, table, model, column)}
        for model, row in published["facts"][facts].items()
        for column, printed in row.items()
    ]


def _table2_claims(published: dict) -> list[dict]:
    """One claim for each number of Table 2, ECE by model, question type and setting; its means over models too."""
    facts, claims = published["facts"], []
    for place, printed in flatten(facts["table2"] | {MEAN: facts["table2_means"]}):
        model, kind, setting = place
        words = f"{published['models'].get(model, 'mean over models')}, {setting}: ECE of {kind}"
        value = "type_means" if model == MEAN else f"type_ece[{model!r}]"
        number = f"{value}.{kind}.{setting}", printed, _half(printed)
        claims.append(ledger.cell_claim(".".join(["table2", *place]), "Table 2", words, *number))
    return claims


def _absent_claims(published: dict, partial: dict[str, dict]) -> list[dict]:
    """One claim, always true, for each number of Table 1 that is not at hand, so that the ledger has what the study computes.
    The shared judge judges itself in Table 1 too; its note has the number of Table 3."""
    facts, claims = published["facts"], []
    for model, name in published["models"].items():
        for column in [c for c in COLUMNS if c not in facts["prose"].get(model, {})]:
            notes = [_partial_value(partial, "table1", model, column)]
            if model == facts["shared_judge"]:
                printed = facts["table3"][model][column]
                notes.append(f"{name} judges itself in both tables, and Table 3 has {printed}")
            words = f"{name}, one judge: {COLUMNS[column]}"
            number = f"table1[{model!r}].{column}", NOT_AT_HAND, None
            claim = ledger.cell_claim(f"table1.{model}.{column}", "Table 1", words, *number)
            claims.append(claim | {"predicate": "True", "note": "; ".join(filter(None, notes))})
    return claims


def evaluate(
    published: dict,
    computed: dict[str, Quantity],
    partial: dict[str, dict],
    intervals: dict[tuple, str],
    simulated: bool,
) -> pd.DataFrame:
    """The ledger, a row for each claim in the order of the file and tables (schema claims, and ``form``), with statuses of
    :mod:`calscore.ledger.ledger` and :data:`NOT_AT_HAND`. ``published``: config/published/confidence_gap.yaml as read;
    ``computed``, ``partial``, ``intervals``: from :func:`quantities`; ``simulated``: whether the data are."""
    absent = _absent_claims(published, partial)
    notes = {claim["id"]: claim["note"] for claim in absent}
    written = [
        *published["claims"],
        *_model_claims(published, partial, "table1"),
        *_table2_claims(published),
        *_model_claims(published, partial, "table3"),
        *absent,
    ]
    paper = ledger.Paper(written, published["facts"], published["file"], published["models"])
    table = ledger.evaluate_claims(paper, computed, KNOWN, simulated, intervals)
    rows = table.to_dict("records")
    # a number of Table 1 or 3 with what it is from fewer rows, or beside a number that is not at hand
    for row in rows:
        if row["id"] in notes:
            row |= dict.fromkeys(("says", "predicate", "intervals", "decides"), "")
            row |= {"status": NOT_AT_HAND, "beyond_chance": None, "note": notes[row["id"]]}
            if row["recomputed"] in ("", "nan"):
                row |= {"basis": "none", "recomputed": "", "evidence": ""}
        name, _, path = row["id"].partition(".")
        model, _, column = path.rpartition(".")
        text = intervals.get((name, model, column)) if name in partial else None
        if text and not row["intervals"]:
            cells = partial[name].get(model)
            suffix = f" on the {cells['n']} rows at hand" if cells else ""
            row["intervals"] = f"{row['id']}{suffix}: {text}"
    return pd.DataFrame(rows, columns=list(table))


def option_ledger(published: dict, simulated: bool, **tables: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Tables {statements, claims, printed_cells} of a study of answer options; ``tables``: for :func:`quantities`."""
    computed = quantities(tables, published["facts"]["shared_judge"])
    verdicts = verbalise.ledger_tables(evaluate(published, *computed, simulated))
    return {name: verdicts[name] for name in ("statements", "claims", "printed_cells")}
