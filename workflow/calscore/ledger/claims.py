"""The claims of the GRACE paper: those that are written, and one for each number in Tables 1, 2 and 5."""

import pandas as pd

from ..clues.segment import GUESSED
from ..scores.streaming import rank_models
from ..stats.bootstrap import Bootstrap
from . import ledger, verbalise
from .estimates import Quantity, Tables, flatten
from .quantities import INPUTS_OF, quantities
from .quantity_intervals import intervals

DRAWN = 1000
"""Drawn studies that say how sure a statement is."""

TABLES = {
    "table1": "table1.scores",
    "table1_ranks": "table1.ranks",
    "table2": "table2.accuracy",
    "table5": "table5.calscore",
}
"""Name in ``printed`` → the path of that table in the published file."""


def _slug(name: str) -> str:
    return name.lower().replace(" ", "-").replace("/", "-")


_CELLS = {
    "table1": ("{name}, {group}: {column}", "scores.{group}.{model}.{column}"),
    "table2": ("{name} on {group}: accuracy at {column} % of the clues", "100 * accuracy.{cell}"),
    "table5": ("{name}, {group}: CalScore of {column}", "category_scores.{group}.{cell}.calscore"),
}
"""Printed table → statement of each of its numbers, and the expression of what it is compared with."""


def _table_claims(published: dict, searched: bool) -> list[dict]:
    """One claim for each number of Tables 1, 2 and 5, and for each rank printed in Table 1. If ``searched``, numbers from the
    study's own log-probabilities have a note on the nearest reading."""
    claims = []
    for table, (statement, expression) in _CELLS.items():
        part, section = TABLES[table].partition(".")[2], table.replace("table", "Table ")
        tolerance = 0.5 * 10.0 ** -published[table]["decimals"]
        compared = published[table].get("study", "logit")
        for (group, model, column), printed in flatten(published[table][part]):
            cell, name = f"{model}[{column!r}]", published["models"][model]
            place = ".".join([table, *map(_slug, (group, name, str(column)))])
            keys = {"group": group, "model": model, "name": name, "column": column, "cell": cell}
            words, value = (text.format(**keys) for text in (statement, expression))
            claim = ledger.cell_claim(place, section, words, value, printed, tolerance)
            if table == "table2" and group != compared:
                claim |= {"value": None, "needs": f"{group} outputs"}
            elif searched and group == compared:
                best = f"best_reading.{table}.{column if table == 'table1' else part}"
                note = _CELL_NOTE.replace("BEST", best)
                claim["note"] = note.replace("CELL", f"reread.{table}.{cell}")
            claims.append(claim)
            if table == "table1":
                rank = published[table]["ranks"][group][model][column]
                value = value.replace("scores", "score_ranks")
                claim = ledger.cell_claim(f"{place}.rank", section, f"{words}, rank", value, rank, None)
                claims.append(claim | {"of": "the ranks printed in Table 1"})
    return claims


def all_claims(published: dict, searched: bool = False) -> list[dict]:
    """Claims in the form of ``published["claims"]``: those written, by reading, and of columns and numbers.

    ``searched``: whether the study has the quantity best_reading. Then claims on columns, and on numbers (no
    ranks) of the study's own elicitation, have a note of it."""
    written = [reading for claim in published["claims"] for reading in ledger.readings(claim)]
    return written + _column_claims(searched) + _table_claims(published, searched)


_TRIED = (
    "{{BEST.tried}} ways to compute them were tried: the best gives {{value[0]}} of the {{value[1]}} numbers that can be"
    " tested, to the last digit{{' (' + BEST.words + ')' if value[0] == value[1] else '; it is at most ' +"
    " str(round(BEST.deviation_max, 4)) + ' off, ' + str(round(BEST.deviation_mean, 4)) + ' on average, and rounded"
    " confidences alone would allow ' + str(BEST.allowed)}}."
)
_COLUMN_NOTE = (
    "recomputed: cells to the last digit, of cells. Nearest: {{ BEST.reading }}, largest deviation"
    " {{ BEST.deviation_max }}, mean {{ BEST.deviation_mean }}, best of {{ BEST.tried }} readings (tables/readings.csv);"
    " the rounding of confidences alone allows {{ BEST.allowed }} of the cells, each by itself"
)
_CELL_NOTE = (
    "nearest to the column: {{ BEST.reading }}, which gives {{ CELL }} (best of {{ BEST.tried }} readings,"
    " {{ BEST.within }} of {{ BEST.cells }} cells to the last digit, largest deviation {{ BEST.deviation_max }})"
)
_HEADINGS_NOTE = (
    "what they hold by the readings that come nearest to them: MCE {{ BEST.mce.reading }}; CalScore"
    " {{ BEST.calscore.reading }}; best of {{ BEST.mce.tried }} readings each"
)
_HEADINGS_CLAIM = {
    "id": "table1.headings",
    "section": "Table 1",
    "statement": "the column headed MCE is unadjusted, the one headed CalScore adjusted by humans (logit)",
    "value": "[best_reading.table1.mce.read_as, best_reading.table1.calscore.read_as]",
    "predicate": "value == ['mce', 'calscore']",
    "weight": "label",
    "shown": True,
    "of": "the columns of Table 1 are MCE and, adjusted by humans, CalScore",
    "says": "Of all readings {{value[0]}} comes nearest to the column headed MCE, and {{value[1]}} to the one headed CalScore.",
}

#: Printed columns that the search for readings is about: table → metric at its head → what it is.
_COLUMNS = {
    "table1": {
        "brier": "column headed Brier Score, logit",
        "ece": "column headed ECE, logit",
        "mce": "column headed MCE, logit",
        "calscore": "column headed CalScore, logit",
    },
    "table2": {"accuracy": "accuracies on GRACE"},
    "table5": {"calscore": "CalScore by category, logit"},
}


def _column_claims(searched: bool) -> list[dict]:
    """For each printed column the claim that some reading gives all of it, else undecided where most of it lies within the
    rounding of confidences, and one claim that MCE and CalScore hold what they are headed; with notes if ``searched``."""
    claims = []
    for table, columns in _COLUMNS.items():
        section = table.replace("table", "Table ")
        for metric, words in columns.items():
            best = f"best_reading.{table}.{metric}"
            statement = f"some declared reading gives every number to its last digit ({words})"
            value = f"[{best}.within, {best}.cells]"
            place = f"{table}.reading.{metric}"
            claim = ledger.cell_claim(place, section, statement, value, None, None)
            claim |= {"form": "reading", "predicate": "value[0] == value[1]"}
            claim["unsure"] = f"2 * {best}.allowed > {best}.cells"
            claims.append(claim | {"says": _TRIED.replace("BEST", best)})
            if searched:
                claims[-1]["note"] = _COLUMN_NOTE.replace("BEST", best)
    note = {"note": _HEADINGS_NOTE.replace("BEST", "best_reading.table1")} if searched else {}
    return [*claims, _HEADINGS_CLAIM | note]


def evaluate(
    published: dict,
    quantities_by_name: dict[str, Quantity],
    simulated: bool,
    intervals: dict[tuple, str] | None = None,
    level: float = 0.95,
    min_n: int = 0,
) -> pd.DataFrame:
    """Rows of :func:`.ledger.evaluate_claims` for a published file such as config/published/grace.yaml.
    ``quantities_by_name``: from :func:`.quantities.quantities`; ``intervals``: from
    :func:`.quantity_intervals.intervals`. ``simulated``: claims on the study's data are not compared;
    ``level``: of the intervals of margins; ``min_n``: fewest events of one that decides. ``printed`` gives
    expressions the :data:`TABLES` and all ``facts``."""
    paths = {name: path.split(".") for name, path in TABLES.items()}
    facts = {name: published[table][part] for name, (table, part) in paths.items()}
    facts |= published.get("facts", {})
    models = {"H": "humans", "M": "models", "mce": "MCE", "calscore": "CalScore"}
    paper = ledger.Paper(
        all_claims(published, "best_reading" in quantities_by_name),
        facts,
        published.get("file", "published"),
        models | published["models"],
        TABLES,
    )
    arguments = quantities_by_name, INPUTS_OF, simulated, intervals or {}
    return ledger.evaluate_claims(paper, *arguments, level, min_n)


def keep_paper_models(tables: Tables, published: dict) -> Tables:
    """``tables`` whose rows have their ``model`` in ``published["models"]``; tables without that column stay.

    If model_scores lost rows, its ranks are counted anew. If no guesses are left, or there were none, every
    table loses the segmentations that end at guesses."""
    models, has_others = list(published["models"]), False
    selected = dict(tables)
    for name, table in tables.items():
        if "model" in table:
            selected[name] = table[table["model"].isin(models)]
            has_others |= name == "model_scores" and len(selected[name]) < len(table)
    if has_others:
        selected["model_scores"] = rank_models(selected["model_scores"].copy())
    if not len(selected.get("guesses", ())):
        for name, table in selected.items():
            if "segmentation" in table:
                selected[name] = table[~table["segmentation"].isin(GUESSED)]
    return selected


def claim_ledger(
    published: dict,
    primary_segmentation: str,
    replicates: int,
    seed: int,
    level: float,
    min_n: int,
    simulated: bool,
    **tables: pd.DataFrame | None,
) -> dict[str, pd.DataFrame]:
    """Tables statements, claims and printed_cells: published statements against a study's ``tables`` (None: absent).
    Verdicts use at most :data:`DRAWN` ``replicates``. ``level``, ``min_n``, ``simulated``: of :func:`evaluate`."""
    tables = keep_paper_models({n: table for n, table in tables.items() if table is not None}, published)
    bootstrap = Bootstrap(replicates, seed, level)
    of_verdicts = Bootstrap(min(replicates, DRAWN), seed, level)
    quantities_by_name = quantities(tables, primary_segmentation, of_verdicts)
    cited = intervals(quantities_by_name, tables, primary_segmentation, bootstrap)
    rows = evaluate(published, quantities_by_name, simulated, cited, level, min_n)
    return verbalise.ledger_tables(rows)
