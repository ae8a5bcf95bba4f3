"""A parsed line as JSON: the same line comes back, in a form that a schema describes."""

import csv
import json

import jsonschema
import pytest
from answer_lines import FLOWERS, NIXON
from calscore.answers import answerline, from_dict, judge, parse, to_dict
from calscore.answers.__main__ import main
from calscore.answers.answerline import Alternative
from calscore.core.errors import DataError
from support import DATA

LINE = 'Water _Music_ [accept suites before "suite" is read; prompt on music by asking "which?"]'
PLAIN = {
    "verdict": "accept", "directed_prompt": None, "until": None, "word_forms": False, "required": [], "triggers": [],
    "after": "reject", "anti": False, "main": False, "literal": False, "within": False,
}  # fmt: skip
"""An alternative of which the line says nothing more."""
WRITTEN = {
    "version": 1,
    "source": LINE,
    "alternatives": [
        PLAIN | {"text": "Water Music", "required": ["Music"], "main": True},
        PLAIN | {"text": "suites", "until": 'before "suite" is read', "triggers": ["suite"]},
        PLAIN | {"text": "music", "verdict": "prompt", "directed_prompt": "which?"},
    ],
    **{"partial": None, "notes": [], "remarks": [], "equivalents": False},
}


def lines() -> list[str]:
    """Every line of the suites."""
    rows = (DATA / "answer_classes.txt").read_text(encoding="utf-8").splitlines()
    found = [row for row in rows if row and row[:2] not in ("# ", "+ ", "- ", "? ")]
    with (DATA / "answer_pairs.csv").open(encoding="utf-8", newline="") as handle:
        found += [row["answerline"] for row in csv.DictReader(handle)]
    return list(dict.fromkeys([*found, FLOWERS, NIXON, "", "[", "prompt on half [or]"]))


def test_the_form_of_version_1():
    assert to_dict(parse(LINE)) == WRITTEN


def test_every_line_comes_back_and_is_as_the_schema_says():
    checker = jsonschema.Draft202012Validator(answerline.schema())
    for line in lines():
        parsed = parse(line)
        text = json.dumps(to_dict(parsed), ensure_ascii=False)
        checker.validate(json.loads(text))
        assert from_dict(json.loads(text)) == parsed, line


def test_a_line_that_came_back_judges():
    assert judge(from_dict(WRITTEN), "music").verdict == "prompt"
    assert judge(from_dict(WRITTEN), "suites", "suite").rule == "too late"


def test_the_schema_is_strict_and_describes_each_field():
    jsonschema.Draft202012Validator.check_schema(answerline.schema())
    alternative = answerline.schema()["$defs"]["alternative"]
    names = list(Alternative._fields)
    assert sorted(alternative["properties"]) == sorted(alternative["required"]) == sorted(names)
    assert all(spec["description"] for spec in alternative["properties"].values())


def damaged(*path, value=None, drop=False):
    """The written line with one place changed."""
    made = json.loads(json.dumps(WRITTEN))
    place = made
    for step in path[:-1]:
        place = place[step]
    if drop:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return made


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (damaged("version", value=2), "column version: found 2, expected 1"),
        (damaged("version", value=True), "column version: found True, expected 1"),
        (damaged("version", drop=True), "column version: found None, expected 1"),
        ([], r"column version: found \[\], expected 1"),
        (damaged("source", value=7), "column source: found 7, expected text"),
        (damaged("alternatives", drop=True), "column alternatives: found None, expected a list"),
        (damaged("alternatives", 0, value="x"), "row alternative 1: found 'x', expected an object"),
        (damaged("alternatives", 1, "main", value=1), "row alternative 2, column main: found 1"),
        (damaged("alternatives", 2, "verdict", value="ok"), "'ok', expected one of 'accept'"),
        (damaged("alternatives", 2, "after", drop=True), "column after: .* the field is missing"),
        (damaged("alternatives", 0, "required", value=[1]), "expected a list of texts"),
        (damaged("alternatives", 0, "texts", value=""), "column texts: found '', expected no such"),
        (damaged("partial", value=False), "column partial: found False, expected text or null"),
        (damaged("extra", value=0), "column extra: found 0, expected no such field"),
    ],
)
def test_another_form_is_one_clear_error(data, said):
    with pytest.raises(DataError, match=said):
        from_dict(data)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, answerline.schema())


def test_the_command_line_writes_it(capsys):
    main(["--json", LINE])
    assert json.loads(capsys.readouterr().out) == WRITTEN
    main([LINE])
    assert "prompt: music; ask “which?”" in capsys.readouterr().out
