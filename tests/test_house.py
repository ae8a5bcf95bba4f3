"""One room per stage: the same name for its rules, its code, its declarations and its tests."""

import ast
import re

import pytest
from calscore.core import catalog
from support import ROOT

PACKAGE = ROOT / "workflow" / "calscore"
MODULES = sorted(PACKAGE.rglob("*.py"))
SCRIPTS = sorted((ROOT / "workflow" / "scripts").glob("*.py"))
RULES = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "workflow" / "rules").glob("*.smk")}
SHARED = {"core", "runner", "stats", "answers", "pages", "data", "tables"}
"""Folders of the package that are no stage."""
LONGEST = 800
SEVERAL = {
    *("questions", "buzzes", "participation", "exposures", "manifest", "claims", "statements"),
    *("printed_cells", "truth"),
}
"""Products of studies of several kinds, each with rules of its own for them."""


def rooms() -> set[str]:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    return folders - SHARED


def test_every_room_has_rules_and_tests():
    for room in rooms():
        assert room in RULES, room
        assert list((ROOT / "tests" / room).glob("test_*.py")), room
    assert all(name.startswith((*rooms(), "pages")) for name in RULES)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_module_is_longer_than_a_reader_bears(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_is_its_docstring_and_one_call(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    *imports, call = tree.body[1:]
    assert all(isinstance(one, ast.ImportFrom) for one in imports)
    assert ast.unparse(call).startswith("run(snakemake, ")


def test_a_script_bears_the_name_of_its_rule():
    named = set()
    for text in RULES.values():
        for name, body in re.findall(r"^rule (\w+):\n((?:    .*\n|\n)*)", text, re.MULTILINE):
            script = re.search(r'"\.\./scripts/(\w+)\.py"', body)
            if script:
                named.add(name)
                assert script[1] == name
    assert named == {path.stem for path in SCRIPTS}


def rules_that_make(name: str, kind: str) -> list[tuple[str, str]]:
    """(file, rule) of each rule that says that it makes a product."""
    word = {"table": "writes", "figure": "draws", "file": "files"}[kind]
    found = []
    for file, text in RULES.items():
        for rule, body in re.findall(r"^rule (\w+):\n((?:    .*\n|\n)*)", text, re.MULTILINE):
            calls = re.findall(rf"\b{word}\(((?:[^()]|\([^()]*\))*)\)", body)
            # A folder, which its rule has to say.
            folder = f'directory("results/{{study}}/{name}")' in body
            if folder or any(f'"{name}"' in call for call in calls):
                found.append((file, rule))
    return found


def makers(name: str, kind: str) -> list[set[str]]:
    """Of each rule that makes a product, its room and those whose functions its script calls."""
    found = []
    for file, rule in rules_that_make(name, kind):
        script = (SCRIPTS[0].parent / f"{rule}.py").read_text(encoding="utf-8")
        called = re.findall(r"^from calscore\.(\w+)", script, re.MULTILINE)
        found.append({file.split("_")[0], *called})
    return found


@pytest.mark.parametrize(
    "one",
    [one for one in catalog.products() if not one.name.startswith("notebook_")],
    ids=lambda one: f"{one.kind}-{one.name}",
)
def test_a_product_is_made_by_the_room_that_declares_it(one):
    """By its rule, or by a function of it in another room's rule that always runs with it."""
    found = makers(one.name, one.kind)
    assert found, "no rule says that it makes it"
    if one.name not in SEVERAL:
        assert all(one.room in rooms for rooms in found)


ELSEWHERE = {"clues": "human", "decision_value": "inference"}
"""Tables of a rule of another room, with whose functions theirs always run → that room."""
OTHER_WORDS = {"buzz_effects", "clues", "decision_value", "players", "rounding", "script_curves"}
"""Tables whose rule is called after others that it makes too."""


def stems(*names: str) -> set[str]:
    """First four letters of each word: so many ``scores`` and ``score`` share."""
    return {word[:4] for name in names for word in re.split(r"\W|_", name) if word}


@pytest.mark.parametrize(
    "one", [one for one in catalog.products() if one.kind == "table"], ids=lambda one: one.name
)
def test_the_rule_of_a_table_can_be_told_from_its_names(one):
    """It lies in the file of the room and shares a word with the room, the table or the module that computes it."""
    room = ELSEWHERE.get(one.name, one.room)
    rules = [rule for file, rule in rules_that_make(one.name, "table") if file == room]
    assert rules, f"not made in {room}.smk"
    function = catalog.read_yaml(catalog.declaration_file(one.name))["function"]
    names = (one.name, one.room, *re.findall(r"\.(\w+)\.", str(function)))
    is_told = any(stems(rule) & stems(*names) for rule in rules)
    assert is_told == (one.name not in OTHER_WORDS), rules


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_the_package_climbs_nowhere(path):
    text = path.read_text(encoding="utf-8")
    assert "__file__" not in text
