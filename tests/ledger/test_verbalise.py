"""What was found, in words, and one verdict a statement."""

import math
import re

import pandas as pd
import pytest
from calscore.core import store
from calscore.ledger import checks, ledger, verbalise
from calscore.ledger.estimates import Quantity

NAMES = {"M1": "GPT-4", "M2": "GPT-4o"}

SPOKEN = [
    (31, "31"),
    (1749, "1,749"),
    (0.47255002565418164, "0.473"),
    (102.4125, "102"),
    (-0.03, "−0.03"),
    (-5, "−5"),
    (-1750.0, "−1,750"),
    (1234.5, "1,230"),
    (0.0011918591080000002, "0.00119"),
    (0.000012345, "0.000012"),
    (-0.00002, "−0.00002"),
    (1e-7, "1 × 10^−7"),
    (2_500_000_000, "2,500,000,000"),
    (1234567.8, "1,230,000"),
    (math.nan, "unknown"),
    (True, "yes"),
    ("M2", "GPT-4o"),
    ("RMPSS", "RMPSS"),
    ([], "none"),
    ({}, "none"),
    (["M1"], "GPT-4"),
    (["M1", "M2", "H3"], "GPT-4, GPT-4o and H3"),
    ([["H10", "H12"]], "H10 and H12"),
    ([1, 2], "1 and 2"),
    ([[1, 2], [3, 4]], "1 and 2; 3 and 4"),
    ({"M1": 0.31, "H": 0.1}, "GPT-4 0.31 and H 0.1"),
    (list(range(10, 30)), "20 values from 10 to 29"),
]


@pytest.mark.parametrize(("value", "text"), SPOKEN, ids=str)
def test_a_value_in_words(value, text):
    assert verbalise.value_words(value, NAMES) == text


# printed → digits of what stands beside it
DIGITS = [(1236, 4), ("1.2", 3), ("0.6646", 4), ("52.19", 4), ([575, 650], 3), (None, 3), ("GPT-4o", 3), ({"M1": "0.12345"}, 3)]  # fmt: skip


@pytest.mark.parametrize(("printed", "digits"), DIGITS, ids=str)
def test_what_stands_beside_a_printed_number_has_as_many_digits(printed, digits):
    assert verbalise.digits_of(printed) == digits


def claim(place, **more):
    return {"id": place, "section": "§1", "statement": "so it is", "value": "n", **more}


# claim, recomputed n → its sentence
SAID = [
    (claim("a", published=31, says="{{value}} of {{n + 209}} questions."), 31, "31 of 240 questions."),
    (claim("b", published="0.5", tolerance=0.1), 0.4567, "Printed 0.5, recomputed 0.457."),
    (claim("i", published=1236, tolerance=24.3), 1253.475, "Printed 1,236, recomputed 1,253."),
    (claim("j", published=1236, says="{{value}} of {{published}}, by {{tolerance}}.", tolerance=24.3), 1253.475, "1,253 of 1,236, by 24.3."),
    (claim("k", published="0.50", tolerance=0.1), 0.4567, "Printed 0.50, recomputed 0.457."),
    (claim("c", predicate="n > 1", note="recomputed: questions with fewer, by our rule (not theirs)"), 7, "Questions with fewer, by our rule: 7."),
    (claim("d", predicate="n > 1"), 0.25, "Recomputed: 0.25."),
    (claim("e", predicate="n > 1", says="{{nothing_known}} of it."), 3, "Recomputed: 3."),
    (claim("f", value=None, predicate="n > 1"), 3, ""),
    (claim("h", value=None, predicate="n > 1", note="read as: all of them; two raters, .123 and 5.6061; more"), 3, "Two raters, .123 and 5.61."),
    (claim("g", value=None, needs="match records"), 3, "Cannot be settled without match records."),
]  # fmt: skip


def rows(*claims, n=3, simulated=False):
    quantities = {"n": Quantity(n, "f.parquet: rows")}
    known = {"n": "buzzes", "nothing_known": "a survey"}
    paper = ledger.Paper(list(claims), {}, "f.yaml", NAMES)
    return ledger.evaluate_claims(paper, quantities, known, simulated, {})


@pytest.mark.parametrize(("one", "n", "text"), SAID, ids=lambda v: v["id"] if isinstance(v, dict) else "")
def test_the_sentence_of_a_claim(one, n, text):
    assert rows(one, n=n)["says"].iloc[0] == text


# status of each row of one statement → its verdict
GROUPS = [
    (["reproduced", "reproduced"], "holds"),
    (["reproduced", "needs unpublished data"], "holds"),
    (["contradicted", "needs unpublished data"], "fails"),
    (["internally inconsistent"], "fails"),
    (["contradicted", "reproduced", "needs unpublished data"], "in part"),
    (["needs unpublished data"], "open"),
    (["not applicable (simulated)", "not applicable (simulated)"], "simulated"),
    (["not at hand"], "not at hand"),
    (["undecided", "needs unpublished data"], "undecided"),
    (["undecided", "contradicted"], "undecided"),
    (["undecided", "reproduced"], "in part"),
]


ABSENT = (
    "difference low high predicate published recomputed tolerance intervals note beyond_chance headline stays"
)


def table_of(**columns) -> pd.DataFrame:
    """Rows of the ledger with such columns: readings of one statement, unless they say otherwise."""
    table = pd.DataFrame(columns)
    table["id"] = columns.get("id", [f"r{i}" for i in range(len(table))])
    rest = dict.fromkeys(ABSENT.split()) | {"section": "§1", "statement": "s", "of": "s"}
    rest |= {"weight": "result", "says": "It is so.", "evidence": "", "form": "reading"}
    rest |= {"basis": "data", "shown": False, "decides": "", "status": "reproduced"}
    return table.assign(**{key: value for key, value in rest.items() if key not in table})


def failures(statements, found) -> int:
    parts = found["claims"], found["printed_cells"]
    return checks.statements_of_the_ledger(statements, *parts).failures


@pytest.mark.parametrize(("statuses", "verdict"), GROUPS, ids=lambda v: str(v))
def test_one_verdict_a_statement(statuses, verdict):
    table = table_of(status=statuses)
    found = verbalise.ledger_tables(table)
    one = found["statements"]
    assert one["verdict"].tolist() == [verdict]
    assert one["claims"].tolist() == [" ".join(table["id"])]
    store.check(one, "statements")
    assert not failures(one, found)
    assert failures(one.assign(holding=one["holding"] + 1), found) == 1


def test_cells_are_children():
    """A printed table is judged by its numbers."""
    statuses = ["reproduced", "contradicted", "undecided"]
    numbers = {"difference": 0.1, "low": -0.1, "high": 0.3, "stays": 0.8}
    found = verbalise.ledger_tables(
        table_of(
            id=list("abe"), of=["t", "t", "u"], form=["cell", "cell", "reading"], status=statuses,
            **{name: [None, None, value] for name, value in numbers.items()},
        )
    )  # fmt: skip
    assert found["claims"]["id"].tolist() == ["e"]
    assert found["printed_cells"]["id"].tolist() == ["a", "b"]
    t, u = found["statements"].to_dict("records")
    assert (t["verdict"], t["checks"], t["cells"], t["cells_same"]) == ("in part", 2, 2, 1)
    assert t["claims"] == "a b"
    words = "Computed as the paper words it: of the 2 printed numbers, 1 comes out and 1 differs."
    assert t["says"] == words
    assert (u["verdict"], u["robustness"], u["low"], u["high"]) == ("undecided", 0.8, -0.1, 0.3)


def test_a_check_of_ours_adds_its_sentence_and_decides_nothing():
    found = verbalise.ledger_tables(
        table_of(
            id=list("abcd"), weight=["result", "result", "check", "check"],
            says=["", "", "3 of 4 add up.", "Lost."], form=["cell", "cell", "reading", "reading"],
            status=["needs unpublished data"] * 2 + ["contradicted", "needs unpublished data"],
        )
    )  # fmt: skip
    (one,) = found["statements"].to_dict("records")
    values = [one[name] for name in ("verdict", "weight", "checks", "claims")]
    assert values == ["open", "result", 2, "a b c d"]
    assert one["says"] == "Both printed numbers need data that are not public. 3 of 4 add up."
    assert not failures(found["statements"], found)


BEYOND = [(["yes", "yes"], "yes"), (["yes", None], "yes"), ([None, None], None), (["yes", "no"], "no"), (["too few", "yes"], "too few"), (["too few", "no"], "no")]  # fmt: skip


@pytest.mark.parametrize(("readings", "statement"), BEYOND, ids=str)
def test_a_statement_is_beyond_chance_where_all_its_readings_are(readings, statement):
    found = verbalise.ledger_tables(table_of(beyond_chance=readings))
    whole = found["statements"]
    assert whole["beyond_chance"].astype(object).where(whole["beyond_chance"].notna(), None).tolist() == [statement]  # fmt: skip
    assert not failures(whole, found)
    wrong = whole.assign(beyond_chance="yes" if statement != "yes" else "no")
    assert failures(wrong, found) == 1


EVIDENCE = [
    ("", "none"),
    ("config/published/x.yaml: facts.a", "printed arithmetic"),
    ("tidy/buzzes.parquet: all; config/published/x.yaml: facts.a", "data"),
    ("scores/model_scores.parquet: definition = paper", "model outputs"),
]


@pytest.mark.parametrize(("evidence", "basis"), EVIDENCE)
def test_what_kind_of_evidence_decides(evidence, basis):
    assert verbalise.basis(evidence) == basis


def test_readings_and_bracketed_variants_are_one_statement_and_others_are_not():
    table = rows(
        claim("r", predicate="n > {reading}", readings={"2": "more than two", "5": "more than five"}),
        claim("r.v", statement="so it is (each by itself)", predicate="n > 9"),
        claim("other", statement="it is another", predicate="n > 1"),
        claim("of", statement="its cell", of="so it is", predicate="n > 1"),
    )  # fmt: skip
    found = verbalise.statements(table).set_index("statement")
    assert found["claims"].to_dict() == {"r.2": "r.2 r.5 r.v of", "other": "other"}
    assert found.loc["r.2", ["verdict", "holding", "failing"]].tolist() == ["in part", 2, 2]
    words = "Recomputed: 3. Of the 4 ways to compute it, 2 hold and 2 fail."
    assert found.loc["r.2", "says"] == words


# status, what it says, stays of each reading; how many cells come out, do not, are open → the sentence of the statement
SPEECHES = [
    ([("reproduced", "A.", 0.9), ("reproduced", "B.", 0.8)], (0, 0, 0), "A. Both ways to compute it hold."),
    ([("reproduced", "A.", None), ("needs unpublished data", "Cannot be settled.", None)], (0, 0, 0), "A."),
    ([("reproduced", "", None), ("needs unpublished data", "Cannot be settled.", None)], (0, 0, 0), ""),
    ([("contradicted", "A.", None)] * 3, (0, 0, 0), "A. All 3 ways to compute it fail."),
    ([("contradicted", "A.", None), ("undecided", "B.", 0.8), ("needs unpublished data", "", None)], (0, 0, 0), "B. Of the 3 ways to compute it, 1 fails, 1 is undecided and 1 cannot be tested."),
    ([("undecided", "A.", 0.8), ("undecided", "B.", 0.6)], (0, 0, 0), "B. Both ways to compute it are undecided."),
    ([("contradicted", "A.", 0.9), ("reproduced", "B.", 0.8)], (0, 0, 0), "Where it holds: B. Where it fails: A. Of the 2 ways to compute it, 1 holds and 1 fails."),
    ([("undecided", "C.", 0.5), ("contradicted", "A.", 0.9), ("reproduced", "B.", 0.8)], (0, 0, 0), "Where it holds: B. Where it fails: A. Of the 3 ways to compute it, 1 holds, 1 fails and 1 is undecided."),
    ([("contradicted", "A.", 0.9), ("reproduced", "A.", 0.8)], (0, 0, 0), "A. Of the 2 ways to compute it, 1 holds and 1 fails."),
    ([("reproduced", "A.", None)], (0, 10, 10), "A. Computed as the paper words it: of the 20 printed numbers, 10 differ and 10 need data that are not public."),
    ([("reproduced", "A.", None)], (0, 0, 2), "A. Computed as the paper words it: both printed numbers need data that are not public."),
    ([("needs unpublished data", "Cannot be settled without x.", None)] * 2, (0, 0, 0), "Cannot be settled without x."),
    ([("reproduced", "A.", None)], (1, 0, 0), "A. Computed as the paper words it: the one printed number comes out."),
]  # fmt: skip


def test_what_holds_in_part_says_under_which_reading():
    table = rows(
        claim("r", predicate="n > {reading}", says="{{value}}, not {reading}.", readings={"2": "more than two", "5": "more than five"}),
        claim("a", statement="it is many (each by itself)", predicate="n > 9", says="Few."),
        claim("b", statement="it is many (all)", predicate="n > 1", says="Many."),
    )  # fmt: skip
    first, second = verbalise.statements(table)["says"]
    assert first == "Where it holds (more than two): 3, not 2. Where it fails (more than five): 3, not 5. Of the 2 ways to compute it, 1 holds and 1 fails."  # fmt: skip
    assert second == "Where it holds (all): Many. Where it fails (each by itself): Few. Of the 2 parts of it, 1 holds and 1 fails."  # fmt: skip


def test_a_printed_cell_of_no_statement_is_found():
    found = verbalise.ledger_tables(table_of(form=["reading", "cell", "cell"]))
    fewer = found["statements"].assign(claims="r0 r1", cells=1, cells_same=1)
    outcome = checks.statements_of_the_ledger(fewer, found["claims"], found["printed_cells"])
    assert (outcome.failures, outcome.detail) == (1, "first: id=r2")


def test_a_reading_is_named_in_all_texts_of_its_claim():
    texts = {
        "headline": "{{value}}|are not {reading}.",
        "note": "{{n - {reading}}} more",
        "unsure": "{reading} < 5",
    }
    table = rows(claim("r", predicate="n > {reading}", readings={"4": "four", "5": "five"}, **texts))
    assert table["headline"].tolist() == ["3|are not 4.", "3|are not 5."]
    assert table["note"].tolist() == ["read as: four; -1 more", "read as: five; -2 more"]
    assert table["status"].tolist() == ["undecided", "contradicted"]


@pytest.mark.parametrize(("readings", "cells", "says"), SPEECHES)
def test_every_reading_is_counted_once(readings, cells, says):
    counted = zip(("reproduced", "contradicted", "needs unpublished data"), cells, strict=True)
    many = [(status, "", None) for status, number in counted for _ in range(number)]
    status, words, stays = zip(*readings, *many, strict=True)
    forms = ["reading"] * len(readings) + ["cell"] * len(many)
    table = table_of(status=status, says=words, stays=stays, weight="label", form=forms)
    found = verbalise.statements(table)
    assert found["says"].tolist() == [says]
    if cells[1]:
        assert found["verdict"].item() == "in part"
        assert not checks.statements_of_the_ledger(found, table[table["form"] == "reading"], table[table["form"] == "cell"]).failures  # fmt: skip
    if found["verdict"].item() == "undecided" and table["stays"].notna().any():
        assert found["robustness"].item() == table["stays"].min()


BRACKETS = re.compile(r"[\[\]{}]|\bNone\b|\bTrue\b|\bnan\b|'[A-Z]\d+'")


def assert_plain(says: pd.Series) -> None:
    """Words: no JSON, no keys in quotes, at most three significant digits, four beside a printed number with four."""
    for text in says.dropna():
        assert not BRACKETS.search(text), text
        for number in re.findall(r"(?<![\w.§])\d[\d,]*\.\d+", text):
            digits = number.replace(",", "").replace(".", "").lstrip("0")
            assert len(digits) <= 4, text
        assert len(text) < 700, text


def test_sentences_of_the_demo_are_plain(demo):
    for name in ("claims", "statements"):
        table = store.read_csv(demo / "tables" / f"{name}.csv", name)
        assert table["says"].notna().mean() > 0.8
        assert_plain(table["says"])


def test_sentences_of_grace_are_plain_and_every_failing_statement_has_one(grace):
    claims = store.read_csv(grace / "tables" / "claims.csv", "claims")
    table = store.read_csv(grace / "tables" / "statements.csv", "statements")
    assert_plain(claims["says"])
    assert_plain(table["says"])
    failing = table[table["verdict"].isin(["fails", "in part"])]
    assert failing["says"].notna().all()
    assert len(table) < len(claims)
    says = table.set_index("quote")["says"]
    assert says["each consisting of at least five sentences of clues"] == "31 of 240 questions have fewer than five sentences."  # fmt: skip
