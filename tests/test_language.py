"""Figures of language and structure, each of which may only fall.

``CEILINGS`` holds the figures of the last commit that lowered them. A failure names the offenders.
"""

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from support import ROOT

WORKFLOW = ROOT / "workflow"
PACKAGE = WORKFLOW / "calscore"


def words(text: str) -> list[str]:
    return text.split()


CEILINGS = {
    "function_word_names": 121,
    "duplicate_names": 17,
    "dangling_references": 0,
    "package_arrows": 0,
    "file_circles": 0,
    "long_signatures": 3,
    "long_sentences": 34,
    "long_sections": 0,
}
ORDER = words(
    """core stats clues raw answers judging human scores inference buzz_policy guessers tournament leaderboard
ledger irt multiple_choice simulate runner audit pages"""
)
"""A package imports only packages before it."""
FUNCTION_WORDS = words(
    """of one ones at in on by to from there then here beside between within without apart together
only some every whole same other others such more less few first last sure told said asked found
known shown seen made kept held given left mine theirs its this that these those what which who whom
how when where why rest"""
)
PARTICIPLES = words(
    """compared rarefied formed fitted evaluated prepared finished counted crossed paired tabulated
traced tuned valued believed decided replayed logged observed recomputed examined estimated
described classed entered chosen planned judged sent moved verified collected placed exported
resolved named corrected opened recovered gathered mended changed outdated begun bring added drawn
separated averaged imputed filled undecided merged scored ranked binned nested printed widened
reflected shared weighted studentised written read taken put cut met heard spoken listed reworded
qualified"""
)
"""Words that are no name of a function or class by themselves."""
Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@cache
def trees() -> dict[Path, ast.Module]:
    """Path → syntax tree of each module of the package, script and notebook."""
    paths = [*WORKFLOW.rglob("*.py"), *(ROOT / "notebooks").glob("*.py")]
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(paths)}


def place(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT).as_posix()}:{node.lineno}"


def module_of(path: Path) -> tuple[str, ...]:
    """Names of a module below ``calscore``; a package has that of its folder."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def modules() -> dict[Path, ast.Module]:
    return {path: tree for path, tree in trees().items() if path.is_relative_to(PACKAGE)}


def function_word_names() -> Iterator[str]:
    for path, tree in trees().items():
        for node in ast.walk(tree):
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    name, forbidden = node.name, FUNCTION_WORDS + PARTICIPLES
                case ast.arg():
                    name, forbidden = node.arg, FUNCTION_WORDS
                case ast.Name(ctx=ast.Store()):
                    name, forbidden = node.id, FUNCTION_WORDS
                case _:
                    continue
            if name.strip("_").lower() in forbidden:
                yield f"{place(path, node)} {name}"


def duplicate_names() -> Iterator[str]:
    """Public functions and classes that two modules of one package define."""
    places: dict[tuple[str, str], list[str]] = {}
    for path, tree in modules().items():
        for node in tree.body:
            if isinstance(node, Defined) and not node.name.startswith("_"):
                key = (path.relative_to(PACKAGE).parts[0], node.name)
                places.setdefault(key, []).append(place(path, node))
    for (_, name), found in places.items():
        if len(found) > 1:
            yield f"{name}: {', '.join(found)}"


def defined_names(tree: ast.AST, prefix: str = "") -> Iterator[str]:
    """Names that a module or class binds, with those of its classes behind a point."""
    for node in ast.walk(tree) if not isinstance(tree, ast.ClassDef) else tree.body:
        match node:
            case ast.ClassDef():
                yield prefix + node.name
                yield from defined_names(node, f"{prefix}{node.name}.")
            case ast.FunctionDef():
                yield prefix + node.name
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store):
                        yield prefix + inner.attr
            case ast.Import() | ast.ImportFrom():
                yield from (prefix + (name.asname or name.name) for name in node.names)
            case ast.Assign() | ast.AnnAssign():
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = (name for target in targets for name in ast.walk(target))
                yield from (prefix + name.id for name in names if isinstance(name, ast.Name))


def dangling_references() -> Iterator[str]:
    """References in docstrings to what neither their module nor the package defines."""
    names = {path: set(defined_names(tree)) for path, tree in modules().items()}
    known = {".".join(("calscore", *module_of(path))) for path in names}
    known |= {".".join(("calscore", *module_of(path), name)) for path in names for name in names[path]}
    suffixes = {name[index:] for name in known for index, sign in enumerate(name) if sign == "."}
    for path in names:
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(r":(?:func|mod|class|meth|data|attr|exc|obj):`([^`]+)`", text):
            target = match[1].split("<")[-1].strip("~>")
            if (
                target in names[path] | known
                or target in suffixes
                or hasattr(builtins, target)
                or any(f"{module}.{target}" in known for module in packages_of(path))
                or (target.split(".")[0] in names[path] and f".{target}" in suffixes)
            ):
                continue
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path.relative_to(ROOT).as_posix()}:{line} {match[1]}"


def packages_of(path: Path) -> list[str]:
    parts = ("calscore", *path.relative_to(PACKAGE).parent.parts)
    return [".".join(parts[:size]) for size in range(1, len(parts) + 1)]


def package_arrows() -> Iterator[str]:
    """Imports of a later package, those inside functions included."""
    for path, tree in modules().items():
        package = path.relative_to(PACKAGE).parts[0]
        if package not in ORDER:
            continue
        for node in ast.walk(tree):
            for target in imported_packages(node, path):
                if target in ORDER[ORDER.index(package) + 1 :]:
                    yield f"{place(path, node)} {package} imports {target}"


def file_circles() -> Iterator[str]:
    """Modules that import each other in a circle, imports inside functions included."""
    names = {module_of(path) for path in modules()}
    imports: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for path, tree in modules().items():
        targets = (t for node in ast.walk(tree) for t in imported_modules(node, path))
        imports[module_of(path)] = {target for target in targets if target in names}

    def reached(start: tuple[str, ...]) -> set[tuple[str, ...]]:
        seen: set[tuple[str, ...]] = set()
        queue = [start]
        while queue:
            queue += (new := imports[queue.pop()] - seen)
            seen |= new
        return seen

    reach = {name: reached(name) for name in names}
    circles = {frozenset(n for n in reach[m] if m in reach[n]) for m in names if m in reach[m]}
    yield from (", ".join(sorted(map(".".join, circle))) for circle in circles)


def imported_modules(node: ast.AST, path: Path) -> set[tuple[str, ...]]:
    """What a relative import may name: a module, or the module that defines the name."""
    if not isinstance(node, ast.ImportFrom) or not node.level:
        return set()
    folder = path.relative_to(PACKAGE).parent.parts
    base = folder[: len(folder) + 1 - node.level] + tuple(filter(None, (node.module or "").split(".")))
    names = {module_of(path) for path in modules()}
    return {(*base, n.name) if (*base, n.name) in names else base for n in node.names}


def imported_packages(node: ast.AST, path: Path) -> set[str]:
    folder = ("calscore", *path.relative_to(PACKAGE).parent.parts)
    match node:
        case ast.Import():
            targets = [name.name.split(".") for name in node.names]
        case ast.ImportFrom():
            base = (*folder[: len(folder) + 1 - node.level],) if node.level else ()
            base += tuple((node.module or "").split(".")) if node.module else ()
            targets = [[*base, name.name] for name in node.names]
        case ast.Constant(value=str(text)) if re.fullmatch(r"calscore(\.\w+)+", text):
            # The name of a module to import by name.
            targets = [text.split(".")]
        case _:
            return set()
    return {target[1] for target in targets if target[0] == "calscore" and len(target) > 1}


def rule_functions() -> set[str]:
    """Names of functions that scripts bind to rules: their parameters are inputs and params."""
    names = set()
    for path in (WORKFLOW / "scripts").glob("*.py"):
        call = trees()[path].body[-1].value
        for argument in call.args[1:]:
            names |= {node.attr for node in ast.walk(argument) if isinstance(node, ast.Attribute)}
            names |= {node.id for node in ast.walk(argument) if isinstance(node, ast.Name)}
    return names


def long_signatures() -> Iterator[str]:
    """Functions with more than seven parameters, but for those bound to rules."""
    bound = rule_functions()
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name not in bound:
                arguments = node.args
                names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
                count = sum(name.arg not in ("self", "cls") for name in names)
                if count > 7:
                    yield f"{place(path, node)} {node.name}: {count}"


@cache
def documents() -> dict[str, str]:
    """Name → text of each document of the project."""
    folders = ("config", "docs", "resources", "workflow", "envs")
    paths = [*ROOT.glob("*.md"), *(path for name in folders for path in (ROOT / name).rglob("*"))]
    paths = [
        path
        for path in paths
        if path.suffix in (".md", ".rst") and {"_build", "reference"}.isdisjoint(path.parts)
    ]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in sorted(paths)}


def paragraphs(text: str) -> Iterator[str]:
    """Running text and items of lists, without code, tables, headings and directives."""
    text = re.sub(r"```.*?```|~~~.*?~~~", "", text, flags=re.DOTALL)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text):
        lines = [line.strip() for line in block.splitlines() if line.strip()]
        lines = [line for line in lines if not re.match(r"\||#|!\[|<|\.\. |:|=+$|-+$|\$ ", line)]
        if lines:
            yield " ".join(lines)


def long_sentences() -> Iterator[str]:
    """Sentences of more than 30 words."""
    for name, text in documents().items():
        for paragraph in paragraphs(text):
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`]*`", "code", paragraph))
            plain = re.sub(r"^\s*(?:[-*]|\d+\.)\s+", "", plain)
            for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z*`\"“])|(?<=:)\s+(?=- )", plain):
                count = len(re.findall(r"[\w’'%.-]+", sentence))
                if count > 30:
                    yield f"{name} ({count} words): {sentence[:60]}…"


def long_sections() -> Iterator[str]:
    """Sections of more than 400 words."""
    for name, text in documents().items():
        for section in re.split(r"(?m)^#{1,6} ", text):
            count = sum(len(paragraph.split()) for paragraph in paragraphs(section))
            if count > 400:
                yield f"{name} “{section.splitlines()[0][:40]}”: {count} words"


def test_the_documents_stay_short():
    """At most 12,000 words under docs, without code and without what programs write."""
    counts = {}
    for name, text in documents().items():
        if name.startswith("docs/"):
            text = re.sub(r"<!-- ([\w-]+) -->.*?<!-- end of \1 -->|```.*?```", "", text, flags=re.DOTALL)  # fmt: skip
            counts[name] = len(re.findall(r"\w[\w’'%.,/-]*", text))
    assert sum(counts.values()) <= 12_000, counts


@pytest.mark.parametrize("figure", CEILINGS)
def test_a_figure_only_falls(figure):
    offenders = list(globals()[figure]())
    files = Counter(re.split(r"[: ]", offender)[0] for offender in offenders)
    message = [f"{figure}: {len(offenders)}, at most {CEILINGS[figure]}", *offenders[:200]]
    message += [f"{count} in {name}" for name, count in files.most_common(20)]
    assert len(offenders) <= CEILINGS[figure], "\n".join(message)
