"""Declarations: whole, of known words, and nothing in two of them."""

import ast
import copy
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
import yaml
from calscore.core import catalog, checksums, store
from calscore.core.schema import schema
from support import ROOT

WORKFLOW = ROOT / "workflow"
TABLES = sorted(one.name for one in catalog.products() if one.kind == "table")
ENTRY = {
    *("title", "file", "needs", "report", "caption", "printed", "description", "key", "checks"),
    *("foreign_keys", "unbounded", "like", "stored_as", "unchecked", "columns", "patterns"),
    *("function", "test"),
}
TYPES = {"string", "integer", "number", "boolean", "numbers"}


def test_no_two_products_share_a_file():
    files = [file for one in catalog.products() for file in one.files]
    assert sorted({file for file in files if files.count(file) > 1}) == []


@pytest.mark.parametrize("name", TABLES)
def test_every_declaration_is_whole(name):
    written = yaml.safe_load(catalog.declaration_file(name).read_text(encoding="utf-8"))
    assert set(written) <= ENTRY
    declared = catalog.table(name)
    assert set(declared["key"]) <= set(declared["columns"])
    for column, spec in declared["columns"].items():
        assert set(spec) <= set(catalog.COLUMN), column
        assert spec["type"] in TYPES, column
        assert spec.get("description"), column
    for parent, columns in declared.get("foreign_keys", {}).items():
        assert set(columns) <= set(declared["columns"]) & set(store.columns(parent))
    if declared["file"].endswith(".parquet"):
        assert declared["key"], "a Parquet file is sorted by its key"
        assert list(store.empty(name).columns) == list(declared["columns"])


@pytest.mark.parametrize("one", catalog.products(), ids=lambda one: f"{one.kind}-{one.name}")
def test_what_the_report_shows_has_a_caption(one):
    if one.report:
        assert (ROOT / "workflow" / "report" / one.caption).is_file()


def test_every_caption_belongs_to_a_product():
    shown = {one.caption for one in catalog.products() if one.report}
    folder = ROOT / "workflow" / "report"
    found = {path.relative_to(folder).as_posix() for path in folder.glob("*/*.rst")}
    assert found - shown == set()


def test_needs_are_features_that_a_study_can_have():
    source = (ROOT / "workflow" / "calscore" / "runner" / "config.py").read_text(encoding="utf-8")
    source = source[source.index("def _buzz_features") :]
    known = {*re.findall(r'"(\w+)"', source), *re.findall(r"^ +(\w+)=", source, re.MULTILINE)}
    # An analysis is a feature of that name.
    known |= set(schema()["$defs"]["study"]["properties"]["analyses"]["items"]["enum"])
    needed = {word for one in catalog.products() for need in one.needs for word in need}
    assert needed <= known
    assert set(catalog.WORDS) <= known


def test_words_of_columns_are_used_by_two_tables_or_more():
    uses = [column for name in TABLES for column in catalog.table(name)["columns"]]
    assert sorted(word for word in catalog.shared_columns() if uses.count(word) < 2) == []


def test_unknown_names_are_errors():
    with pytest.raises(KeyError, match="no table 'nobody'"):
        catalog.table("nobody")
    with pytest.raises(KeyError, match="no figure 'nobody'"):
        catalog.product("nobody", "figure")


def test_names_that_end_in_bounds_and_ranks_explain_themselves():
    assert catalog.column("some_rank")["description"] == "Rank by some, 1 is best."
    assert catalog.column("20%_n")["description"]
    assert catalog.column("nobody knows")["description"] == ""


@cache
def names_of(path: Path) -> tuple[ast.Module, dict[str, ast.AST], dict[str, str]]:
    """A module's tree, its definitions by name, and what each name at hand in it stands for, with a path of points."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = ".".join(path.relative_to(ROOT).with_suffix("").parts).removeprefix("workflow.")
    defined = {node.name: node for node in tree.body if hasattr(node, "name")}
    for node in tree.body:
        targets = [*getattr(node, "targets", ()), getattr(node, "target", None)]
        defined |= {target.id: node for target in targets if isinstance(target, ast.Name)}
    meant = {name: f"{own}.{name}" for name in defined}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            above = own.split(".")[: -node.level] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            meant |= {name.asname or name.name: f"{base}.{name.name}" for name in node.names}
    return tree, defined, meant


def used(node: ast.AST, meant: dict[str, str]) -> Iterator[str]:
    """What a piece of code names, called or not; a function's parameters and variables stand for nothing."""
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        local = {name.arg for name in ast.walk(node.args) if isinstance(name, ast.arg)}
        names = (name for name in ast.walk(node) if isinstance(name, ast.Name))
        local |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
        meant = {name: target for name, target in meant.items() if name not in local}
    match node:
        case ast.Name(id=name) if name in meant:
            yield meant[name]
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in meant:
            yield f"{meant[name]}.{attribute}"
    for child in ast.iter_child_nodes(node):
        yield from used(child, meant)


def definition(function: str) -> tuple[ast.AST, dict[str, str]] | None:
    """The code of a function, class or constant of the package and what names stand for there."""
    module, _, name = function.rpartition(".")
    path = WORKFLOW.joinpath(*module.split(".")).with_suffix(".py")
    _, defined, meant = names_of(path) if path.is_file() else (None, {}, {})
    return (defined[name], meant) if name in defined else None


@cache
def reached(function: str) -> frozenset[str]:
    """A function and all that it may call, by the names in its code and in theirs."""
    known, waiting = {function}, [function]
    while waiting:
        code = definition(waiting.pop())
        new = set(used(*code)) - known if code else set()
        known |= new
        waiting += new
    return frozenset(known)


@cache
def rules_of_tables() -> dict[str, dict[str, frozenset[str]]]:
    """Table → each rule that writes it → what the functions can call that its script hands to ``run``."""
    makers: dict[str, dict] = {}
    for path in (WORKFLOW / "rules").glob("*.smk"):
        text = path.read_text(encoding="utf-8")
        for rule, body in re.findall(r"^rule (\w+):\n((?:    .*\n|\n)*)", text, re.MULTILINE):
            written = re.findall(r'"(\w+)"', " ".join(re.findall(r"\bwrites\(([^()]*)\)", body)))
            if written:
                tree, _, meant = names_of(WORKFLOW / "scripts" / f"{rule}.py")
                functions = (used(node, meant) for node in tree.body[-1].value.args)
                calls = frozenset().union(*map(reached, chain.from_iterable(functions)))
                for name in written:
                    makers.setdefault(name, {})[rule] = calls
    return makers


def faults(name: str, function: str | list[str], test: str) -> list[str]:
    """What is wrong with the function and the test that a table declares; several functions where several rules write it.

    The declaration lies in the room of a function, and so does the test, which bears the name of the function's module.
    """
    functions = [function] if isinstance(function, str) else function
    functions = [f"calscore.{one}" for one in functions]
    makers, found = rules_of_tables()[name], []
    room = catalog.declaration_file(name).parent.name
    modules = [one.split(".")[1:3] for one in functions]
    if room not in (of for of, _ in modules):
        found.append(f"declared in {room}")
    if test not in (f"tests/{of}/test_{module}.py" for of, module in modules):
        found.append(f"{test} has not the name of the module")
    for one in functions:
        if not definition(one):
            found.append(f"no function {one}")
        elif not any(one in calls for calls in makers.values()):
            found.append(f"{one} is called by no rule that writes it")
    found += [f"{rule} calls none" for rule, calls in makers.items() if calls.isdisjoint(functions)]
    if not (ROOT / test).is_file():
        return [*found, f"no file {test}"]
    tree, _, meant = names_of(ROOT / test)
    named = {target for node in tree.body for target in used(node, meant)}
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            named.add(Path(node.value).stem)
    return found if named & {name, *functions} else [*found, f"{test} names neither"]


@pytest.mark.parametrize("name", TABLES)
def test_a_table_names_its_function_and_its_test(name):
    written = catalog.read_yaml(catalog.declaration_file(name))
    assert faults(name, written.get("function", ""), written.get("test", "")) == []


@pytest.mark.parametrize(
    ("function", "test", "expected"),
    [
        ("human.tables.data", "human/test_tables.py", "no function calscore.human.tables.data"),
        ("human.tables.team_summary", "human/test_tables.py", "team_summary is called by no rule"),
        ("human.tables.dataset", "human/test_table.py", "no file tests/human/test_table.py"),
        ("human.tables.dataset", "human/test_curves.py", "test_curves.py names neither"),
        ("human.tables.dataset", "human/test_curves.py", "has not the name of the module"),
        ("scores.tables.table1", "scores/test_tables.py", "declared in human"),
    ],
)
def test_a_wrong_function_or_test_is_found(function, test, expected):
    assert expected in "; ".join(faults("dataset", function, f"tests/{test}"))


def test_a_rule_rests_on_the_words_that_its_tables_share(monkeypatch):
    """A bound in columns.yaml, or in the table that a table is like, makes what has the column again."""
    script = ROOT / "workflow" / "scripts" / "fit_irt.py"
    tables = ("irt_loss", "irt_loss.png")
    before = checksums.script_checksum(script, tables)
    shared = copy.deepcopy(catalog.shared_columns())
    shared["difference"]["minimum"] = 0.5
    monkeypatch.setattr(catalog, "shared_columns", lambda: shared)
    catalog.table.cache_clear()
    checksums.script_checksum.cache_clear()
    try:
        assert checksums.script_checksum(script, tables) != before
    finally:
        monkeypatch.undo()
        catalog.table.cache_clear()
        checksums.script_checksum.cache_clear()
    assert checksums.script_checksum(script, tables) == before
