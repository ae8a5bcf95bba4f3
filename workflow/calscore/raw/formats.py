"""The formats that model guesses come in: one entry each, and a reader.

To add one: a reader in this room, an entry of :data:`FORMATS`, and its name among the formats of
``inputs/guesses`` in ``core/config.json``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from ..core.findings import Finding


class Read(NamedTuple):
    """What a source gives: rows of tidy/guesses, findings, and how draft questions align (or None)."""

    rows: list[dict]
    findings: tuple | list = ()
    alignment: object = None


class Format(NamedTuple):
    """``suffix``: of a file named in short, empty for a folder, whose files match ``pattern``.

    ``read``: (path, questions, entry of the configuration) → :class:`Read`. ``marked``: every guess
    comes with a mark, right or wrong.
    """

    suffix: str
    read: Callable[[Path, object, dict], Read]
    pattern: str | None = None
    marked: bool = False


def _jsonl(path, questions, entry) -> Read:
    from .guesses import parse_jsonl

    return Read(parse_jsonl(path, questions))


def _model_output(path, questions, entry) -> Read:
    from . import outputs

    rows, findings = outputs.guesses(path, questions, entry["elicitation"])
    if entry.get("numbers_sha256"):
        note = "their numbers have the checksum that the configuration names; their bytes were not compared"
        one = ("outputs checked", "info", "model outputs", note, "none needed")
        findings = [Finding("guesses", *one), *findings]
    return Read(rows, findings)


def _precursor(path, questions, entry) -> Read:
    from .guesses import parse_precursor

    rows, alignment, findings = parse_precursor(path, questions, entry["alignment"], entry["model"])
    return Read(rows, findings, alignment)


FORMATS = {
    "jsonl": Format(".jsonl", _jsonl),
    "model_output": Format("", _model_output, "*_model_human_output.json", marked=True),
    "precursor": Format(".csv", _precursor),
}


def by_suffix(path: str) -> str | None:
    """Format of a file that is named in short, None where none has such a name."""
    return next((name for name, one in FORMATS.items() if one.suffix == Path(path).suffix), None)


def names(source: dict) -> list[str]:
    """File names of a source with public addresses."""
    return [unquote(urlsplit(one).path.rsplit("/", 1)[-1]) for one in source["addresses"]]


def fits(name: str, kind: str) -> bool:
    """Whether a file of that name is read as the format ``kind``."""
    one = FORMATS[kind]
    return Path(name).match(one.pattern) if one.pattern else Path(name).suffix == one.suffix


def roles(sources: list[dict]) -> dict[str, dict]:
    """Sources with public addresses, by the folder that their files are brought to: source1, source2, …"""
    return {f"source{n}": one for n, one in enumerate(sources, start=1) if one.get("addresses")}


def placed(sources: list[dict], fetched: Path | None) -> list[dict]:
    """``sources`` with the path of each file or folder; what has public addresses lies in ``fetched``."""
    by_role = {id(one): role for role, one in roles(sources).items()}
    found = []
    for source in sources:
        if id(source) not in by_role:
            found.append(source)
            continue
        folder = Path(fetched) / by_role[id(source)]
        whole = FORMATS[source["format"]].pattern
        paths = [folder] if whole else [folder / name for name in names(source)]
        found += [source | {"path": str(path)} for path in paths]
    return found


def files(sources: list[dict]) -> list[str]:
    """Files of sources (``path``, ``format``), folders as the files in them; none of what is fetched."""
    found = []
    for source in sources:
        if source.get("addresses"):
            continue
        path, pattern = Path(source["path"]), FORMATS[source["format"]].pattern
        within = sorted(map(str, path.glob(pattern))) if pattern and path.is_dir() else []
        found += within or [source["path"]]
    return found


def tidy(
    questions,
    sources: list[dict],
    made: list[Path] | None = None,
    fetched: Path | None = None,
    buzzes=None,
    printed: list[str] | None = None,
    names: dict[str, str] | None = None,
    thresholds: dict[str, float] | None = None,
) -> dict:
    """Guesses of every source, then of the files that the workflow ``made``, as tidy tables.

    ``fetched``: the folder with what came from public addresses. Models that play live (``buzzes``) or have
    ``printed`` numbers are the study's: JSON Lines may go by their keys only where the source says so.
    ``names`` and ``thresholds``: of models, by key.
    """
    import pandas as pd

    from ..core import store
    from . import guesses, replies

    given = [*placed(sources, fetched), *({"path": path, "format": "jsonl"} for path in made or [])]
    read = [FORMATS[one["format"]].read(one["path"], questions, one) for one in given]
    live = buzzes.loc[buzzes["kind"] == "model", "team"].unique() if buzzes is not None else []
    for source, one in zip(given, read, strict=True):
        if source["format"] == "jsonl" and source["path"] not in (made or []):
            same_as = source.get("same_as", [])
            guesses.check_models(one.rows, [*live, *(printed or [])], names or {}, same_as)
    table = guesses.frame([row for one in read for row in one.rows])
    found = [finding for one in read for finding in one.findings]
    alignments = [one.alignment for one in read if one.alignment is not None]
    counts, unparsed = replies.account(table)
    return {
        "guesses": table,
        "alignment": pd.concat(alignments) if alignments else store.empty("alignment"),
        "replies": counts,
        "unparsed_replies": unparsed,
        "findings": found
        + guesses.threshold_findings(table, thresholds or {})
        + guesses.reply_findings(table),
    }
