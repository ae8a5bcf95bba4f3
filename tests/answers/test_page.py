"""docs/answers.md: its examples are run, no rule is without one, and its figures are not better than the engine."""

import importlib
import re
import shlex
from functools import cache

import numpy as np
import pytest
from calscore.answers import condition_met, explain, judge, parse
from calscore.answers.__main__ import main
from support import ROOT

from benchmarks.answers import __main__ as bench
from benchmarks.answers import peers, sets

PAGE = (ROOT / "docs" / "answers.md").read_text(encoding="utf-8")
MEANING = importlib.import_module("calscore.answers.explain")._MEANING


def table(head: str) -> list[list[str]]:
    """Cells of the rows of the table that begins with ``head``."""
    block = PAGE.split(f"\n| {head} |", 1)[1].split("\n\n", 1)[0]
    rows = [row for row in block.splitlines() if row.startswith("| ")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def code(cell: str) -> str:
    return cell.strip("`")


known_sets = cache(bench.known_sets)
RULES = table("rule")
WRITTEN = table("written")


def test_every_rule_has_a_row_and_every_row_a_rule():
    assert sorted(row[0] for row in RULES) == sorted(MEANING)


@pytest.mark.parametrize("row", RULES, ids=lambda row: row[0])
def test_the_example_of_a_rule(row):
    rule, sure, _, line, guess, given, verdict = row
    kind, _, text = given.partition(" ")
    more = {kind: code(text)} if kind in ("question", "tossup") else {}
    condition = condition_met(code(line), code(text)) if kind == "read" else ""
    found = explain(code(line), code(guess), condition, **more)
    assert found[:3] == judge(code(line), code(guess), condition, **more)
    assert (found.rule, found.verdict) == (rule, verdict)
    assert found.certain == (sure == "yes")


@pytest.mark.parametrize("row", WRITTEN, ids=lambda row: code(row[0]))
def test_how_a_line_is_read(row):
    written, expected = row
    told = [line.strip() for line in parse(code(written)).describe().splitlines()[1:]]
    assert told == [code(one) for one in expected.split(" · ")]


def test_each_thing_of_the_grammar_is_defined():
    (grammar,) = re.findall(r"```ebnf\n(.*?)```", PAGE, re.DOTALL)
    bare = re.sub(r'"[^"]*"|\(\*.*?\*\)', "", grammar)
    defined = set(re.findall(r"^(\w+) +=", bare, re.MULTILINE))
    named = {one.strip() for one in re.split(r"[=,;|{}()\[\]\n]", bare)} - {""}
    assert named - defined == {"remark", "words", "word", "words that may drop", "quoted"}


def test_the_console_shows_what_is_printed(capsys):
    (block,) = re.findall(r"```console\n\$ (.*?)\n(.*?)```", PAGE, re.DOTALL)
    program, module, name, *arguments = shlex.split(block[0])
    assert (program, module, name) == ("python", "-m", "calscore.answers")
    main(arguments)
    assert capsys.readouterr().out == block[1]


def test_the_page_is_short():
    prose = re.sub(r"```.*?```|^\|.*?$|<!--.*?-->", "", PAGE, flags=re.DOTALL | re.MULTILINE)
    assert len(prose.split()) <= 900


def test_every_set_has_its_figures():
    titles = [row[0] for row in table("set")]
    assert [title for title in titles if title.startswith("own: ")] == [
        f"own: {name}" for name in sets.suites()
    ], "make bench-answers WRITE=1"
    assert {"qbreader", "EVOUNA NQ", "EVOUNA TQ", bench.MARKED, "GRACE, adjudicated"} <= set(titles)


@pytest.mark.parametrize("row", [row for row in table("set") if "EVOUNA" not in row[0]])
def test_the_engine_is_as_good_as_the_page_says(row):
    """Not worse than printed; EVOUNA is held by the figures of the fit."""
    title, count, engine, *_ = row
    try:
        cases = known_sets()[title]
    except KeyError:
        pytest.skip(f"real data absent: {title}")
    found = bench.figures(cases, peers.engine(cases).found, np.zeros(len(cases), bool))
    right, false_accepts = re.fullmatch(r"([\d.]+) \((\d+)\)", engine).groups()
    assert count == f"{len(cases):,}"
    assert 100 * found["right"] >= float(right) - 0.05
    assert found["false_accepts"] <= int(false_accepts)
