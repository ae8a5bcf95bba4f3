"""Kinds of findings: each that is listed is found somewhere, and each that is found is listed."""

import ast
from functools import cache

import pytest
import yaml
from calscore.core import data_issues
from calscore.core.package import FOLDER

LISTED = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in data_issues.KINDS.iterdir()}


@cache
def calls() -> list[ast.Call]:
    """Every call in the package."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in FOLDER.glob("**/*.py"))
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]


def said(name: str) -> set[str]:
    """First texts of the calls of a function in the package, wherever its stage was given before."""
    found = set()
    for node in calls():
        if getattr(node.func, "attr", getattr(node.func, "id", None)) == name:
            texts = [one.value for one in node.args[:2] if isinstance(one, ast.Constant)]
            found.add(texts[-1] if len(texts) == 2 and texts[0] in LISTED else "".join(texts[:1]))
    return found


def test_what_is_found_is_listed_and_what_is_listed_is_found():
    listed = {kind for kinds in LISTED.values() for kind in kinds}
    partly = set(LISTED) | {""}
    assert said("data_issue") - partly <= listed
    functions = ("data_issue", "note", "note_rows", "note_each", "issues_by_submission")
    assert listed <= set().union(*map(said, functions))


def test_a_kind_brings_its_severity_and_handling():
    found = ("irt", "too few players"), ("groups of 5", "1 of 2 groups")
    issue = data_issues.data_issue(*found[0], *found[1])
    assert issue == (*found[0], "warning", *found[1], "fewer groups")
    with pytest.raises(KeyError):
        data_issues.data_issue("irt", "no such kind", "", "")
    severities = {severity for kinds in LISTED.values() for severity, _ in kinds.values()}
    assert severities <= {"info", "warning"}
