"""The extract of a release: its numbers without its texts (``resources/grace``, written by :mod:`calscore.audit.extract`).

A guess is an id (:func:`calscore.core.extract_files.guess_id`) in place of its text. Columns: :data:`calscore.core.extract_files.FILES`.
The source row of a tidy table names its row in the extract and the one of the original file behind it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core import store
from ..core.data_issues import data_issue
from ..core.errors import DataError, split_source_row
from ..core.extract_files import (
    OUTPUTS_FILE,
    RELEASE_FILE,
    SUMS,
    TEAMS,
    Row,
    question_id,
    read_table,
)

if TYPE_CHECKING:
    import pandas as pd

    from .release import BuzzEntry, Parsed, Release


def collect_extract(files: list[str], folder: Path) -> dict[str, pd.DataFrame]:
    """Copy the ``files`` of an extract to ``folder``: {"manifest": table}, a row each, role "extract". ``DataError`` if one
    differs from its SHA-256 in the extract's list (unlisted: not checked); ``KeyError`` if ``files`` lacks that list."""
    from .fetch import collect_files

    sources = {Path(file).name: Path(file) for file in files}
    lines = sources[SUMS].read_text(encoding="utf-8").splitlines()
    sums = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    return collect_files(
        ("extract", {"name": name, "sha256": sums.get(name)}, str(path.parent), folder / name)
        for name, path in sources.items()
    )


# --- The release and its participation --------------------------------------------------------


def release_of_extract(folder: Path, aliases: dict[str, str], merged: dict[str, list[str]]) -> Release:
    """:class:`.release.Release` as of :func:`.release.parse_packets`, from an extract in ``folder``. Texts and answer
    lines are None, marks in texts not compared. ``aliases``, ``merged``: as :func:`.release.merge_category` takes them."""
    from .release import Release

    release, positions = Release(aliases, merged), _buzz_entries(folder, "buzzes")
    for row in read_table(folder, "questions"):
        columns = {
            "source_id": row["source_id"],
            "category": row["category"],
            "n_words": row["words"],
            "n_chars": row["characters"],
            "n_sentences": row["sentences"],
            "n_answer_words": row["answer_words"],
            "conditions": row["conditions"] or None,
        }
        question = release.add_question(row["packet"], row["number"], columns)
        release.add_buzzes(question, positions.get(question["question_id"], []))
    release.cross_check()
    count = f"{len(release.questions)} questions and {len(release.buzzes)} buzzes as numbers"
    release.note("read from an extract", "all packets", count)
    return release


def _buzz_entries(folder: Path, name: str) -> dict[str, list[BuzzEntry]]:
    """Question id → its buzzes in the table ``name``: "buzzes" (of the release) or "output_buzzes"."""
    file = {"buzzes": RELEASE_FILE, "output_buzzes": OUTPUTS_FILE}[name]
    entries: dict[str, list] = {}
    for row in read_table(folder, name):
        origin = f"{file.format(packet=row['packet'])}#{row['number']}/position/{row['entry']}"
        place = f"{name}.csv#{row.line} = {origin}"
        entry = (row["word"], row["team"], bool(row["right"]), place)
        entries.setdefault(question_id(row), []).append(entry)
    return entries


def read_participation(folder: Path) -> tuple[dict[str, object], list[str]]:
    """({per_packet: list of entries, combined: source id → entry}, list of all teams) of an extract in ``folder``."""
    tables: dict = {"per_packet": [], "combined": {}}
    teams: list[str] = []
    for row in read_table(folder, "participation"):
        names, index = row["teams"].split(), row["source_id"]
        entry = {"packet": row["packet"], "tossup_index": index}
        if row["table"] == TEAMS:
            teams = names
        elif row["table"] == "per_packet":
            tables["per_packet"].append(entry | {"total_human_teams": names})
        else:
            tables["combined"][index] = entry | {"seen": names}
    return tables, teams


def extract_tables(
    extract: Path,
    category_aliases: dict[str, str],
    categories: dict[str, list[str]],
    exposure_table: str,
    heard: str,
    human_buzzes: str,
) -> dict[str, Any]:
    """{questions, buzzes, participation, exposures, output_buzzes: frames; findings: list} of an extract. The arguments are as
    of :func:`.release_files.release_tables`; ``human_buzzes``: "release" or "outputs". Texts are null."""
    from .model_output_files import buzz_rows, tidy_output_buzzes
    from .release import tidy_release

    parsed = release_of_extract(extract, category_aliases, categories)
    outputs = buzz_rows(parsed.questions, _buzz_entries(extract, "output_buzzes"))
    used = outputs if human_buzzes == "outputs" else None
    tables = tidy_release(parsed, *read_participation(extract), used, exposure_table, heard)
    output_tables = tidy_output_buzzes(outputs, parsed.buzzes, tables["questions"], human_buzzes)
    return tables | {
        "output_buzzes": output_tables["output_buzzes"],
        "findings": tables["findings"] + output_tables["findings"],
    }


# --- Guesses ----------------------------------------------------------------------------------


def _run_source(row: Row) -> str:
    """Source row of a run: its line in the extract, and its entry in the original file."""
    file = OUTPUTS_FILE.format(packet=row["packet"])
    return f"runs.csv#{row.line} = {file}#{row['number']}/{row['model']}/{row['run'] + 1}"


def parse_extract_runs(folder: Path) -> Parsed:
    """(rows of tidy/guesses, one for each run in order; one finding with their number) of an extract. A guess is its
    id; its counts of words are those of the extract. ``confidence`` is None, ``mean_logprob`` cut to at most 0."""
    words = {(question_id(row), row["guess"]): row["words"] for row in read_table(folder, "guesses")}
    points = {question_id(row): row["points_word"] for row in read_table(folder, "questions")}
    rows = []
    for row in read_table(folder, "runs"):
        key, position = question_id(row), row["last_word"] + 1
        rows.append(
            {
                "model": row["model"],
                "elicitation": "logit",
                "question_id": key,
                "position": position,
                "guess": row["guess"],
                "sent": row["sent"] or None,
                "confidence": None,
                "token_logprobs": None,
                "mean_logprob": min(float(row["log_confidence"]), 0.0),
                "raw": None,
                "buzzed": bool(row["buzzed"]),
                "correct_given": bool(row["authors"]),
                "guess_words": words[key, row["guess"]],
                "guess_words_heard": row["words_heard"],
                "points_said": 0 < points[key] <= position,
                "cleaned": tuple(row["cleaned"].split()),
                "source_row": _run_source(row),
            }
        )
    count = f"{len(rows)} runs as numbers; a guess is an id"
    return rows, [data_issue("guesses", "read from an extract", "runs.csv", count)]


def refuse_unmarked_guesses(rows: list[dict]) -> None:
    """``DataError`` for the first of ``rows`` (tidy/guesses) that has a guess but no mark, as judging needs texts."""
    for row in rows:
        if row["guess"] is not None and row["correct_given"] is None:
            expected = (
                "true or false on every line, as judging needs the texts (make grace FETCH=1 GUESSES=<file>)"
            )
            raise DataError.at(*split_source_row(row["source_row"]), "correct", None, expected)


def engine_judgements(folder: Path) -> pd.DataFrame:
    """judged/judgements of the engine, a row for each question and guess; ``matchers``: names of those accepting it, as text."""
    import pandas as pd

    rows = [
        row.cells
        | {"question_id": question_id(row), "score": float(row["score"])}
        | {"engine": row["verdict"], "source": "engine"}
        for row in read_table(folder, "guesses")
    ]
    return pd.DataFrame(rows, columns=[*store.columns("judgements"), "matchers"])


def disagreement_causes(folder: Path) -> dict[str, str]:
    """Source row (as :func:`parse_extract_runs` gives it) → cause why mark and engine differ, for runs where they do."""
    rows = read_table(folder, "runs")
    return {_run_source(row): row["cause"] for row in rows if row["cause"]}
