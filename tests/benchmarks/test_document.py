"""The numbers that docs/inference.md quotes are those of docs/coverage.csv."""

import math
import re

import pytest
from support import ROOT

from benchmarks.coverage import registry

TABLE = registry.committed()
TEXT = (ROOT / "docs" / "inference.md").read_text(encoding="utf-8")
PLAIN = " ".join(TEXT.split())


def rounded(share: float, digits: int = 0) -> str:
    """A share in percent, halves rounded up."""
    scale = 10**digits
    return f"{math.floor(100 * scale * share + 0.5 + 1e-9) / scale:.{digits}f}"


def rows(heading: str) -> list[list[str]]:
    """The cells of a table in the page, by the first cell of its head."""
    (table,) = re.findall(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def test_the_summary_has_every_part():
    expected = []
    for name, of in TABLE.groupby("part", sort=False):
        held = of["coverage"]
        shares = [f"{rounded(x, 1)} %" for x in (held.min(), held.median(), held.max())]
        counts = [str(len(of)), f"{of['studies'].max():,}"]
        expected.append([name, of["world"].iloc[0], *counts, *shares])
    assert rows("part") == expected


def test_the_table_of_odds_ratios_has_the_lowest_coverage():
    of = TABLE[TABLE["part"].str.startswith("odds ratios")]
    lowest = of.pivot_table(index="method", columns="part", values="coverage", aggfunc="min")
    expected = [[f"`{m}`", *(f"{rounded(x, 1)} %" for x in row)] for m, row in lowest.iterrows()]
    assert rows("method") == expected


def test_the_table_of_a_crowd_has_what_was_measured():
    expected = []
    for method in ("questions, percentile", "two-way, percentile", "two-way, reflected"):
        held = TABLE[TABLE["method"] == method].set_index(["part", "quantity"])["coverage"]
        cells = [
            ", ".join(f"{rounded(held[f'a crowd, {of}', name], 1)} %" for name in NAMES)
            for of in ("these teams", "17 teams like these", "teams without end")
        ]
        expected.append([method, *cells])
    assert rows("bounds") == expected


def test_the_table_of_few_questions_has_the_lowest_coverage():
    of = TABLE[TABLE["part"] == "few questions"]
    size = of["quantity"].str.extract(r"(\d+) questions")[0].astype(int)
    lowest = of.pivot_table(index=size, columns="method", values="coverage", aggfunc="min")
    lowest = lowest[["percentile", "Student", "two-way, reflected"]]
    expected = [[f"{n}", *(f"{rounded(x, 1)} %" for x in row)] for n, row in lowest.iterrows()]
    assert rows("questions in the group") == expected


def test_the_table_of_partial_pooling_has_each_level():
    of = TABLE[TABLE["part"] == "partial pooling"]
    said = of["quantity"].str.extract(r"buzz rate, (?P<what>.*), (?P<level>\d+) % interval")
    wide = of.join(said).astype({"level": int}).pivot(index=["method", "what"], columns="level", values="coverage")  # fmt: skip
    expected = [
        [what, *(", ".join(f"{rounded(x)} %" for x in wide.loc[method, what]) for method in sorted({*of["method"]}))]
        for what in said["what"].unique()
    ]  # fmt: skip
    assert rows("buzz rate of") == expected


NAMES = "calscore", "calscore, model minus model"
CURVES = 'part == "curves, teams anew"'
TABLES = 'part == "tables, teams anew"'
BY_TEAMS = "quantity.isin(['leaderboard, calscore (release)', 'leaderboard, win rate (code)'])"
INFERRED = "part == 'opponents inferred' and not quantity.str.contains('all questions')"
QUOTED = "part.str.startswith('what the ledger quotes')"
VERDICTS = "quantity.str.startswith('verdict') and not quantity.str.contains(' 6 questions')"
CLAIMS = {
    "All humans by two-way resampling, 96 to 100 %": f"{CURVES} and quantity.str.contains('all humans') and "
    f"method.str.startswith('two-way') or {CURVES} and method.str.startswith('all humans') and not quantity.str.contains('at once')",
    "Questions alone where teams are drawn anew, 67 to 90 %": f"{CURVES} and method == 'questions; teams anew'",
    "With the same teams they hold 86 to 97 %": "part == 'curves, same teams' and not quantity.str.contains('margin')",
    "by questions and teams, 97 to 100 %": "part == 'fair quartiles, teams anew' and method == 'questions and teams'",
    "by questions alone 71 to 97 % where teams are drawn anew": "part == 'fair quartiles, teams anew' and method == 'questions'",
    "89 to 100 % with the same teams on the same packets": "part == 'fair quartiles, same teams'",
    "Bounds hold that truth in 90 to 98 %": f"{INFERRED} and not quantity.str.contains('censors')",
    "(all humans, opponent censors: 63 %)": f"{INFERRED} and quantity.str.contains('censors, all humans')",
    "A model's being beaten, 89 to 91 %": f"{CURVES} and method == 'model, questions' and quantity.str.contains('beaten') "
    "and not quantity.str.contains('at once')",
    '"Every point at once", 61 to 97 %': "quantity.str.contains('every point at once')",
    "Calibration slopes where 1 is squeezed or clipped, 92 to 93 %": "quantity.str.startswith('calibration slope') "
    "and method.str.contains('squeeze|clip')",
    "Mean margin of replayed matches, 83 %": "quantity == 'mean margin of replayed matches'",
    "Expected wins, 92 to 94 %": "part == 'expected wins'",
    "intervals of a team's rates hold 93 to 94 %": "part == 'partial pooling, same teams'",
    "The value of recalibration in match points, 86 %": "part == 'decision value' and quantity.str.contains('minus')",
    "gains by itself is held in 93 to 96 %": "part == 'decision value' and not quantity.str.contains('minus')",
    "Model minus human by questions alone where teams are drawn anew, 90 %": f"{TABLES} and method == 'questions; teams anew' "
    "and quantity.str.startswith('share right, model minus human')",
    "Two-way bounds hold 96 to 99 %": f"{TABLES} and method.str.startswith('two-way') "
    "and quantity.str.startswith('share right, model minus human')",
    "Counts in a twentieth of the question: 99 % for humans": "quantity == 'human buzzes in a twentieth of the question'",
    "90 % for a model with about five": "quantity == 'live model buzzes in a twentieth of the question'",
    '"Every coverage at once", 36 to 66 %': "quantity.str.contains('every coverage at once')",
    "Quartiles and halves of 15 players, 82 to 90 %": "part == 'survey'",
    "where teams are drawn anew, 85 to 86 %": f"part == 'leaderboard, teams anew' and {BY_TEAMS}",
    "with the same teams it is 92 to 94 %": f"part == 'leaderboard, same teams' and {BY_TEAMS}",
    "Other rows run from 91 to 97 %": f"part.str.startswith('leaderboard') and not {BY_TEAMS} or part == 'judges'",
    "P(correct | buzz) of a quartile, 92 to 97 %": "quantity == 'P(correct | buzz) of a quartile'",
    "mean share heard, wrong buzzes per question, π and the share behind it, 99 to 100 %": f"{QUOTED} and method.str.startswith('two-way') and quantity.str.contains('humans$') and not quantity.str.startswith('verdict') or quantity.str.contains('three quarters')",
    "Wrong buzzes per match, which takes matches as they are: 78 % with teams drawn anew": "part == 'what the ledger quotes, teams anew' and quantity.str.contains('per match')",
    "94 to 97 % with teams drawn anew and": f"part == 'what the ledger quotes, teams anew' and {VERDICTS}",
    "94 to 99 % with the same teams, of which": f"part == 'what the ledger quotes, same teams' and {VERDICTS}",
    "Ranks of submissions, 97 to 100 %": "quantity.str.startswith('rank by')",
    "where agents are drawn anew, 45 to 94 %": "part == 'item responses, agents anew'",
    "With the same agents 93 to 95 %": "part == 'item responses, same agents' and not quantity.str.contains('outfit|gain of a pair')",
    "but for outfit, 89 %": "quantity == 'outfit of an agent'",
    "BCa bounds of ECE under the released definition, 83 to 84 %": "quantity == 'ece, released definition' and method.str.startswith('BCa')",
    "Bonuses, 92 to 94 %": "part == 'bonuses'",
    "Contrasts of options, 90 to 95 %": "part == 'option contrasts'",
    "(buzz rate, precision, share heard), 54 to 87 %": "part == 'further tables, teams anew' and quantity.str.contains('tuned|trained') and not quantity.str.startswith('expected')",
    "expected wins of rules from past questions 89 to 93 %": "quantity.str.startswith('expected wins, t') and quantity.str.contains('past questions')",
    "conversion of a category, 84 %": "part == 'further tables, teams anew' and quantity == 'conversion of a category'",
    "by questions and teams 96 %": "quantity == 'calscore, released definition' and method.str.startswith('two-way')",
    "The median gap of a class of buzzes, 91 %": "quantity == 'median gap of a class of buzzes'",
    "Other rows of these tables run from 93 to 97 %": "part.str.startswith('further tables') and not quantity.str.contains('three quarters|^rank by|^ece, released|, tuned|, trained|^median gap|^conversion of a category|^calscore, released')",
    "At calibration ECE debiased across questions holds 0 in 100 %": "part == 'debiased ECE, calibrated model' and quantity.str.startswith('ece_across')",
    "debiased as published in 89 to 91 %": "part == 'debiased ECE, calibrated model' and quantity.str.startswith('ece_debiased')",
    "κ of people over 100 answers, 93 to 94 %": "part == 'options' and quantity.str.contains('person|people')",
    "Spearman's correlation over six models, 96 to 100 %": "part == 'options' and quantity.str.startswith('Spearman')",
    "ECE of nearly calibrated models, 16 and 46 %": "part == 'options, nearly calibrated' and quantity.str.startswith('ECE')",
}
"""Words of the page → the rows that they speak of: least and greatest coverage."""


@pytest.mark.parametrize("words", CLAIMS)
def test_numbers_in_the_prose(words):
    assert words in PLAIN
    of = TABLE.query(CLAIMS[words])["coverage"]
    shares = list(dict.fromkeys([rounded(of.min()), rounded(of.max())]))
    assert re.findall(r"(\d+)(?= to | and | %)", words.replace("100 answers", ""))[-2:] == shares
