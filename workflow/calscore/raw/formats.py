"""The formats that model guesses come in, and the files of a study's sources.

To add one: an entry of :data:`FORMATS`, its reader in :data:`calscore.raw.guess_sources.READERS`, and its
name among the formats of ``inputs/guesses`` in ``core/config.json``.
"""

from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit


class Format(NamedTuple):
    """A format of guesses. ``suffix``: of a file that the configuration names by its path alone; empty for a folder, whose
    files match ``pattern`` (None for single files). ``marked``: every guess has a mark, right or wrong."""

    suffix: str
    pattern: str | None = None
    marked: bool = False


FORMATS = {
    "jsonl": Format(".jsonl"),
    "model_output": Format("", "*packet*_model_human_output.json", marked=True),
    "precursor": Format(".csv"),
}


def format_suffix(path: str | Path) -> str:
    """Suffix of ``path`` with its dot, by which the format is chosen; ".jsonl" for gzipped JSON Lines (.jsonl.gz) too."""
    return ".jsonl" if str(path).endswith(".jsonl.gz") else Path(path).suffix


def format_of_path(path: str) -> str | None:
    """Key of :data:`FORMATS` with the suffix of ``path`` (model_output if it has none); None for other suffixes."""
    return next((name for name, fmt in FORMATS.items() if fmt.suffix == format_suffix(path)), None)


def address_file_names(source: dict) -> list[str]:
    """File names of a source at its public ``addresses``, in order: the last part of each, percent-decoded."""
    return [unquote(urlsplit(address).path.rsplit("/", 1)[-1]) for address in source["addresses"]]


def matches_format(name: str, kind: str) -> bool:
    """Whether a file called ``name`` is one of the format ``kind``, a key of :data:`FORMATS`."""
    fmt = FORMATS[kind]
    return Path(name).match(fmt.pattern) if fmt.pattern else format_suffix(name) == fmt.suffix


def source_folders(sources: list[dict]) -> dict[str, dict]:
    """ "source<n>" → each source with public ``addresses``, n being its place in all ``sources``, from 1."""
    return {f"source{n}": source for n, source in enumerate(sources, start=1) if source.get("addresses")}


def resolve_source_paths(sources: list[dict], fetched: Path | None) -> list[dict]:
    """``sources`` (of the configuration) in order, each with its ``path`` (str). One with public addresses lies in
    ``fetched``/source<n>: a copy for each of its files, or for the folder if its format takes one."""
    by_role = {id(source): role for role, source in source_folders(sources).items()}
    located = []
    for source in sources:
        if id(source) not in by_role:
            located.append(source)
            continue
        folder = Path(fetched) / by_role[id(source)]
        is_folder = FORMATS[source["format"]].pattern
        paths = [folder] if is_folder else [folder / name for name in address_file_names(source)]
        located += [source | {"path": str(path)} for path in paths]
    return located


def local_files(sources: list[dict]) -> list[str]:
    """Paths of sources without public addresses; for a folder its files that match, sorted, else itself."""
    paths = []
    for source in sources:
        if source.get("addresses"):
            continue
        path, pattern = Path(source["path"]), FORMATS[source["format"]].pattern
        members = sorted(map(str, path.glob(pattern))) if pattern and path.is_dir() else []
        paths += members or [source["path"]]
    return paths


def model_output_folder(sources: list[dict], fetched: Path | None) -> Path:
    """Folder of the first source of the format model_output, below ``fetched`` if it has addresses; ``StopIteration`` without."""
    placed = resolve_source_paths(sources, fetched)
    return Path(next(source["path"] for source in placed if source["format"] == "model_output"))
