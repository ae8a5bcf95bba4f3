"""Checksums of texts, of files, and of the code that a rule rests on."""

import hashlib
import json
import re
from functools import cache
from pathlib import Path

from . import catalog
from .package import DATA, FOLDER


def text_sha256(text: str) -> str:
    """SHA-256 of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def files_of(path: Path) -> list[Path]:
    """[``path``] for a file; for a folder the sorted files at any depth whose names begin with no dot; [] if nothing is there."""
    if path.is_dir():
        return sorted(p for p in path.rglob("*") if p.is_file() and p.name[0] != ".")
    return [path] if path.exists() else []


def sha256(path: str | Path) -> str:
    """SHA-256 of a file in hexadecimal; of a folder, that of the relative paths and contents of
    :func:`files_of` it."""
    if Path(path).is_dir():
        total = hashlib.sha256()
        for file in files_of(Path(path)):
            total.update(f"{file.relative_to(path).as_posix()} {sha256(file)}\n".encode())
        return total.hexdigest()
    with Path(path).open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def sha256_of_start(path: str | Path, size: int) -> str:
    """SHA-256 of the first ``size`` bytes of a file, which may have grown since; of all of it where it is shorter."""
    total = hashlib.sha256()
    with Path(path).open("rb") as handle:
        while size and (part := handle.read(min(size, 2**20))):
            total.update(part)
            size -= len(part)
    return total.hexdigest()


def combined_sha256(files: list[Path] | tuple[Path, ...], each=sha256) -> str:
    """One SHA-256 (hex) over names, without folders, and contents of ``files``, sorted by name. ``each``: checksum of a file."""
    total = hashlib.sha256()
    for path in sorted(files, key=lambda one: (Path(one).name, str(one))):
        total.update(f"{Path(path).name} {each(path)}\n".encode())
    return total.hexdigest()


_once = cache(sha256)
_BIND = FOLDER / "runner" / "bind.py"
_BY_OTHERS = [FOLDER / "core" / f"{name}.py" for name in ("theme", "data_issues", "results_folder")]
"""Modules that bind needs for figures, findings and whole studies only: what has these imports them by itself."""
_PLACES = {"FOLDER": FOLDER, "DATA": DATA}
_PLACE = re.compile(r'\b(FOLDER|DATA)((?: / "[^"]+")+)')
_READERS = {
    FOLDER / "core" / "lexicon.py": DATA,
    FOLDER / "core" / "data_issues.py": FOLDER / "core" / "findings",
}
"""Modules that read what their caller names → where it lies."""
_CORE = ("package.py", "catalog.py", "checksums.py")
_NAMERS = {*_READERS, *(FOLDER / "core" / name for name in _CORE)}
"""Modules that say where files lie which others read."""
_IMPORT = re.compile(r"^[ \t]*from ([.\w]+) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


@cache
def _imports(path: Path) -> tuple[Path, ...]:
    """Files of the package that a file imports ``from``, and the ``__init__`` of their packages."""
    named = [FOLDER / "__init__.py", path.with_name("__init__.py")]
    for module, names in _IMPORT.findall(path.read_text(encoding="utf-8")):
        stem = module.lstrip(".")
        parts = stem.split(".") if stem else []
        if module.startswith("."):
            folder = path.parents[len(module) - len(stem) - 1].joinpath(*parts)
        elif parts[0] == "calscore":
            folder = FOLDER.joinpath(*parts[1:])
        else:
            continue
        for candidate in (folder, *(folder / name for name in re.findall(r"\w+", names))):
            named += [candidate.with_suffix(".py"), candidate / "__init__.py"]
    if path == _BIND:
        named = [file for file in named if file not in _BY_OTHERS]
    return tuple(file for file in dict.fromkeys(named) if file.exists())


def _data_files(path: Path) -> set[Path]:
    """Files of the package, no code and no Markdown, that a file says it reads, those of a folder one by
    one."""
    text = path.read_text(encoding="utf-8")
    named = [_PLACES[root].joinpath(*re.findall('"(.+?)"', parts)) for root, parts in _PLACE.findall(text)]
    words = set(re.findall(r'"(\w+)"', text))
    for reader in {*_READERS} & {*_imports(path)}:
        named += [file for file in _READERS[reader].iterdir() if file.stem in words]
    files = (file for place in named for file in files_of(place))
    return {file for file in files if file.suffix not in (".py", ".pyc", ".md")}


@cache
def code_behind(script: Path) -> tuple[Path, ...]:
    """``script`` and the files of the package that it rests on: modules imported ``from``, and the data that
    these read. Declarations of tables are left to :func:`script_checksum`, but for those of metrics."""
    files, waiting = {script}, [script]
    while waiting:
        for path in _imports(waiting.pop()):
            if path not in files:
                files.add(path)
                waiting.append(path)
    for path in files - _NAMERS:
        files |= _data_files(path)
    if FOLDER / "scores" / "metrics.py" in files:
        files.add(catalog.TABLES / "metrics.yaml")
    return tuple(sorted(files))


@cache
def script_checksum(script: Path, tables: tuple[str, ...]) -> str:
    """Checksum of :func:`code_behind` a script and of the declarations of ``tables``, shared words filled in.

    Names in ``tables`` that are no table are passed over."""
    declared = [catalog.table(name) for name in tables if catalog.is_table(name)]
    code = combined_sha256(code_behind(script), _once)
    return text_sha256(code + json.dumps(declared, sort_keys=True, default=str))
