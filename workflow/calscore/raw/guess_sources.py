"""Guesses of every source of a study as tidy tables: a reader for each format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core import store
from ..core.data_issues import Finding, data_issue
from . import guesses, model_output_files, parse_replies
from .extract import parse_extract_runs, refuse_unmarked_guesses
from .formats import resolve_source_paths

if TYPE_CHECKING:
    import pandas as pd


class ParsedSource(NamedTuple):
    """What a reader gives: rows of tidy/guesses, findings, and the table alignment of draft questions (or None)."""

    rows: list[dict]
    findings: Sequence[Finding] = ()
    alignment: pd.DataFrame | None = None


def _model_output(path: str | Path, questions: pd.DataFrame, entry: dict) -> ParsedSource:
    """Guesses in the authors' files in the folder ``path``, with a finding if their numbers were checked."""
    rows, findings = model_output_files.parse_guesses(path, questions, entry["elicitation"])
    if entry.get("numbers_sha256"):
        note = "their numbers have the checksum that the configuration names; their bytes were not compared"
        findings.insert(0, data_issue("guesses", "outputs checked", "model outputs", note))
    return ParsedSource(rows, findings)


READERS: dict[str, Callable[[str | Path, pd.DataFrame, dict], ParsedSource]] = {
    "jsonl": lambda path, questions, _: ParsedSource(guesses.parse_jsonl(path, questions)),
    "model_output": _model_output,
    "precursor": lambda path, questions, entry: ParsedSource(
        *guesses.parse_precursor(path, questions, entry["alignment"], entry["model"])
    ),
}
"""Format → (path, questions, entry of the configuration) → what the source gives."""


def tidy_guesses(
    questions: pd.DataFrame,
    sources: list[dict],
    made_guesses: list[Path] | None = None,
    fetched: Path | None = None,
    extract: Path | None = None,
    buzzes: pd.DataFrame | None = None,
    printed: list[str] | None = None,
    names: dict[str, str] | None = None,
    thresholds: dict[str, float] | None = None,
    unfinished_replies: str = "refuse",
) -> dict[str, Any]:
    """{guesses, alignment, replies, unparsed_replies: frames; findings: list} of every source and the files that the workflow
    ``made_guesses``. ``sources``: inputs.guesses of the configuration; ``fetched``: folder of what came from public addresses;
    ``extract``: folder of an extract, beside which each guess needs a mark. A user's JSON Lines may have the key of a model that
    plays live (``buzzes``) or has ``printed`` numbers only if the source says so. ``names``: model → label; ``thresholds``: model
    → log-probability. ``unfinished_replies``: "refuse" (``DataError``) or "score" models most of whose replies have no end."""
    import pandas as pd

    all_sources = [
        *resolve_source_paths(sources, fetched),
        *({"path": path, "format": "jsonl"} for path in made_guesses or []),
    ]
    read = [READERS[source["format"]](source["path"], questions, source) for source in all_sources]
    live = buzzes.loc[buzzes["kind"] == "model", "team"].unique() if buzzes is not None else []
    partial: list = []
    for source, result in zip(all_sources, read, strict=True):
        if source["format"] == "jsonl" and source["path"] not in (made_guesses or []):
            same_as = source.get("same_as", [])
            guesses.check_model_keys(result.rows, [*live, *(printed or [])], names or {}, same_as)
            partial += guesses.incomplete_findings(result.rows, questions)
    if extract:
        for result in read:
            refuse_unmarked_guesses(result.rows)
        read.insert(0, ParsedSource(*parse_extract_runs(extract)))
    rows = [row for result in read for row in result.rows]
    cleaned = {row["source_row"]: row["cleaned"] for row in rows if "cleaned" in row}
    table = guesses.guess_table(rows)
    guesses.check_confidences(table)
    findings = [finding for result in read for finding in result.findings]
    alignments = [result.alignment for result in read if result.alignment is not None]
    counts, unparsed = parse_replies.reply_statistics(table, cleaned)
    return {
        "guesses": table,
        "alignment": pd.concat(alignments) if alignments else store.empty("alignment"),
        "replies": counts,
        "unparsed_replies": unparsed,
        "findings": findings
        + partial
        + guesses.unfinished_findings(table, unfinished_replies)
        + guesses.threshold_findings(table, thresholds or {})
        + guesses.reply_findings(table),
    }
