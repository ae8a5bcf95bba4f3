"""The formats that model guesses come in: one entry each, and a reader.

To add one: a reader in this room, an entry of :data:`FORMATS`, and its name among the formats of
``inputs/guesses`` in ``core/config.json``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from ..core.data_issues import Finding


class ParsedSource(NamedTuple):
    """What a source gives: rows of tidy/guesses, findings, and how draft questions align (or None)."""

    rows: list[dict]
    findings: tuple | list = ()
    alignment: object = None


class Format(NamedTuple):
    """``suffix``: of a file named in short, empty for a folder, whose files match ``pattern``.

    ``read``: (path, questions, entry of the configuration) → :class:`ParsedSource`. ``marked``: every guess
    comes with a mark, right or wrong.
    """

    suffix: str
    read: Callable[[Path, object, dict], ParsedSource]
    pattern: str | None = None
    marked: bool = False


def _jsonl(path, questions, entry) -> ParsedSource:
    from .guesses import parse_jsonl

    return ParsedSource(parse_jsonl(path, questions))


def _model_output(path, questions, entry) -> ParsedSource:
    from . import model_output_files

    rows, findings = model_output_files.guesses(path, questions, entry["elicitation"])
    if entry.get("numbers_sha256"):
        note = "their numbers have the checksum that the configuration names; their bytes were not compared"
        finding = ("outputs checked", "info", "model outputs", note, "none needed")
        findings = [Finding("guesses", *finding), *findings]
    return ParsedSource(rows, findings)


def _precursor(path, questions, entry) -> ParsedSource:
    from .guesses import parse_precursor

    rows, alignment, findings = parse_precursor(path, questions, entry["alignment"], entry["model"])
    return ParsedSource(rows, findings, alignment)


FORMATS = {
    "jsonl": Format(".jsonl", _jsonl),
    "model_output": Format("", _model_output, "*_model_human_output.json", marked=True),
    "precursor": Format(".csv", _precursor),
}


def by_suffix(path: str) -> str | None:
    """Format of a file that is named in short, None where none has such a name."""
    return next((name for name, fmt in FORMATS.items() if fmt.suffix == Path(path).suffix), None)


def names(source: dict) -> list[str]:
    """File names of a source with public addresses."""
    return [unquote(urlsplit(address).path.rsplit("/", 1)[-1]) for address in source["addresses"]]


def fits(name: str, kind: str) -> bool:
    """Whether a file of that name is read as the format ``kind``."""
    fmt = FORMATS[kind]
    return Path(name).match(fmt.pattern) if fmt.pattern else Path(name).suffix == fmt.suffix


def roles(sources: list[dict]) -> dict[str, dict]:
    """Sources with public addresses, by the folder that their files are brought to: source1, source2, …"""
    return {
        f"source{n}": source for n, source in enumerate(sources, start=1) if source.get("addresses")
    }


def resolve_source_paths(sources: list[dict], fetched: Path | None) -> list[dict]:
    """``sources`` with the path of each file or folder; what has public addresses lies in ``fetched``."""
    by_role = {id(source): role for role, source in roles(sources).items()}
    located = []
    for source in sources:
        if id(source) not in by_role:
            located.append(source)
            continue
        folder = Path(fetched) / by_role[id(source)]
        is_folder = FORMATS[source["format"]].pattern
        paths = [folder] if is_folder else [folder / name for name in names(source)]
        located += [source | {"path": str(path)} for path in paths]
    return located


def files(sources: list[dict]) -> list[str]:
    """Files of sources (``path``, ``format``), folders as the files in them; none of what is fetched."""
    paths = []
    for source in sources:
        if source.get("addresses"):
            continue
        path, pattern = Path(source["path"]), FORMATS[source["format"]].pattern
        members = sorted(map(str, path.glob(pattern))) if pattern and path.is_dir() else []
        paths += members or [source["path"]]
    return paths


def tidy_guesses(
    questions,
    sources: list[dict],
    made: list[Path] | None = None,
    fetched: Path | None = None,
    extract: Path | None = None,
    buzzes=None,
    printed: list[str] | None = None,
    names: dict[str, str] | None = None,
    thresholds: dict[str, float] | None = None,
    unfinished_replies: str = "refuse",
) -> dict:
    """Guesses of every source, then of the files that the workflow ``made``, as tidy tables.

    ``fetched``: the folder with what came from public addresses; ``extract``: that of an extract. Models that play live (``buzzes``) or have
    ``printed`` numbers are the study's: JSON Lines may go by their keys only where the source says so.
    ``names`` and ``thresholds``: of models, by key. ``unfinished_replies``: refuse or score a model most of
    whose replies were cut.
    """
    import pandas as pd

    from ..core import store
    from . import guesses, parse_replies
    from .extract import check_marked, parse_runs

    all_sources = [
        *resolve_source_paths(sources, fetched),
        *({"path": path, "format": "jsonl"} for path in made or []),
    ]
    read = [
        FORMATS[source["format"]].read(source["path"], questions, source) for source in all_sources
    ]
    live = buzzes.loc[buzzes["kind"] == "model", "team"].unique() if buzzes is not None else []
    for source, result in zip(all_sources, read, strict=True):
        if source["format"] == "jsonl" and source["path"] not in (made or []):
            same_as = source.get("same_as", [])
            guesses.check_models(result.rows, [*live, *(printed or [])], names or {}, same_as)
    if extract:
        for result in read:
            check_marked(result.rows)
        read.insert(0, ParsedSource(*parse_runs(extract)))
    rows = [row for result in read for row in result.rows]
    cleaned = {row["source_row"]: row["cleaned"] for row in rows if "cleaned" in row}
    table = guesses.frame(rows)
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
        + guesses.unfinished_findings(table, unfinished_replies)
        + guesses.threshold_findings(table, thresholds or {})
        + guesses.reply_findings(table),
    }
