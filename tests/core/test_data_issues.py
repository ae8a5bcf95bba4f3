"""Kinds of findings: each that is listed is found somewhere, and each that is found is listed."""

import ast
from functools import cache, partial

import pytest
import yaml
from calscore.core import data_issues, store
from calscore.core.package import FOLDER

LISTED = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in data_issues.KINDS.iterdir()
}


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


def test_names_of_models_stand_beside_their_keys(tmp_path):
    path = tmp_path / "release.csv"
    store.write_csv(data_issues.issue_table([]), path)
    made = data_issues.collect_issues([path], ["buzzes"], {"M1": "GPT-4", "M2": "GPT-4o"})
    assert made["names"].to_numpy().tolist() == [["M1", "GPT-4"], ["M2", "GPT-4o"]]
    assert not store.validation_errors(made["names"], "names")
    assert list(data_issues.collect_issues([path], [], {})["names"]) == ["model", "name"]


def test_what_guesses_and_survey_find_alike_stands_once(tmp_path):
    # An override that only the guesses hold, one that neither does, and a clause that the parser does not know.
    idle = partial(data_issues.data_issue, "judging", "override without a guess", "q1")
    x, y = (idle(f"no guess reads {guess!r}") for guess in "xy")
    clause = data_issues.Finding("judging", "clause", "info", "q1", "[odd]", "left out")
    parts = [tmp_path / "guesses.csv", tmp_path / "survey.csv"]
    store.write_csv(data_issues.issue_table([x, clause]), parts[0])
    store.write_csv(data_issues.issue_table([y, x, clause]), parts[1])
    made = data_issues.collect_issues(parts, ["guesses", "survey"], {})["findings"]
    assert sorted(made["detail"]) == ["[odd]", "no guess reads 'x'"]
    assert not store.validation_errors(made, "findings")
    alone = data_issues.collect_issues(parts[:1], ["guesses"], {})["findings"]
    assert sorted(alone["detail"]) == ["[odd]", "no guess reads 'x'"]
