"""The numbers that docs/inference.md quotes are those of docs/coverage.csv."""

import math
import re

import pytest
from support import ROOT

from benchmarks.coverage import registry

TABLE = registry.committed()
TEXT = (ROOT / "docs" / "inference.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| ([^|]+?) \| (\d+(?:–\d+)? %) \|", TEXT, re.MULTILINE))
CURVES = 'part == "curves, teams anew"'
BY_TEAMS = "quantity.isin(['leaderboard, calscore (release)', 'leaderboard, win rate (code)'])"
LATE = "part == 'a crowd, teams without end' and quantity == 'calscore'"
QUERIES = {
    "questions alone, teams drawn anew: human curves": f"{CURVES} and method == 'questions; teams anew'",
    "the same, CalScore with late buzzes and an endless crowd": f"{LATE} and method == 'questions, percentile'",
    "quartiles and halves of 15 survey players": "part == 'survey'",
    "all humans, two-way": f"{CURVES} and quantity.str.contains('all humans') and "
    f"method.str.startswith('two-way') or {CURVES} and method.str.startswith('all humans') and not quantity.str.contains('at once')",
    "CalScore (`release`) and win rate (`code`) of the leaderboard, teams drawn anew": f"part == 'leaderboard, teams anew' and {BY_TEAMS}",
    "buzz rate and precision at a tuned threshold": "part == 'further tables, teams anew' and quantity.str.contains('tuned|trained') and not quantity.str.startswith('expected')",
    "value of recalibration in match points": "part == 'decision value' and quantity.str.contains('minus')",
    "mean margin of replayed matches": "quantity == 'mean margin of replayed matches'",
    "outfit of an agent": "quantity == 'outfit of an agent'",
    "curves, every point at once": "quantity.str.contains('every point at once')",
    "ECE of nearly calibrated option models": "part == 'options, nearly calibrated' and quantity.str.startswith('ECE')",
}
"""First cell of a row → the rows of the table with its least and greatest coverage."""
IN_WORDS = {
    "two-way: 88 %": f"{LATE} and method == 'two-way, centred'",
    "the readings shown first hold 93–95 %": "part == 'leaderboard, teams anew' and "
    "quantity.isin(['leaderboard, calscore (paper)', 'leaderboard, win rate (manual)'])",
}


def held(query: str) -> str:
    """Least and greatest coverage of the rows of a query in percent, halves rounded up."""
    coverage = TABLE.query(query)["coverage"]
    least, most = (math.floor(100 * x + 0.5 + 1e-9) for x in (coverage.min(), coverage.max()))
    return f"{least} %" if least == most else f"{least}–{most} %"


def test_every_row_of_the_page_is_measured():
    assert ROWS.keys() == QUERIES.keys()


@pytest.mark.parametrize("name", QUERIES)
def test_a_row_of_the_page(name):
    assert ROWS[name] == held(QUERIES[name])


def test_the_middle_half_of_the_quantities():
    rest = ~TABLE["part"].str.startswith("partial pooling")
    quartiles = TABLE.loc[rest, "coverage"].quantile([0.25, 0.75])
    assert [round(100 * share) for share in quartiles] == [93, 96]
    assert "Half of the quantities hold 93 to 96 %" in TEXT


@pytest.mark.parametrize("words", IN_WORDS)
def test_a_number_in_words(words):
    assert words in TEXT
    assert words.endswith(held(IN_WORDS[words]))
