"""The ledger: what a row says and cites, what it lacks, and faulty claims."""

import re

import pytest
from calscore.core import store
from calscore.core.errors import DataError
from calscore.ledger import claims, ledger, quantities, quantity_intervals, registry
from calscore.ledger.checks import STATUSES
from calscore.stats.bootstrap import Bootstrap
from ledger.paper import (
    grace_ledger,
    published,
    quantities_of,
    release_quantities,
    release_tables,
    simulated_scores,
    with_claim,
)
from support import unknown_keys


def row_of(intervals=None, **claim):
    """The row of one claim on the release."""
    found = claims.evaluate(with_claim(id="a", **claim), release_quantities(), False, intervals)
    return found.set_index("id").loc["a"]


def test_every_row_is_complete():
    frame = grace_ledger()
    columns = [*store.columns("claims"), "form"]
    assert list(claims.evaluate(published(), {}, False).columns) == columns
    assert frame.index.is_unique
    assert set(frame["status"]) <= STATUSES
    assert (frame["section"] != "").all() and (frame["statement"] != "").all()
    decided = frame[frame["status"] != ledger.UNPUBLISHED]
    assert (decided["predicate"] != "").all() and (decided["recomputed"] != "").all()
    assert unknown_keys(frame, published()) == []
    assert decided["evidence"].str.match(r"[\w/]+\.(parquet|yaml|py)( with \S+)?: .").all()
    missing = frame[frame["status"] == ledger.UNPUBLISHED]
    assert missing["note"].str.contains("needs: ").all()
    assert not frame["note"].str.contains(r"\{|\}|unknown here").any()


def test_evidence_names_the_rows_that_were_used():
    tables, evidence = release_tables(), grace_ledger()["evidence"]
    buzzes = tables["buzzes"].merge(tables["questions"], on="question_id")
    literature = buzzes.query("team == 'M1' and category == 'Geo/CE'")
    merged = "tidy/buzzes.parquet with tidy/questions.parquet"
    row = row_of(predicate="by_category.M1['Geo/CE'].correct > 0")
    assert row["evidence"] == f"{merged}: team = M1, category = Geo/CE ({len(literature)} rows)"
    both = f"{merged}: kind = human (1371 rows) | team = M1 (157 rows)"
    assert evidence["category.gpt-4-under-humans"] == both
    assert evidence["figure3.h1"] == "tidy/buzzes.parquet: question_id = p10-q04 (7 rows)"
    teams = "team = M1 (157 rows) | team = M2 (128 rows) | team = M3 (93 rows)"
    assert evidence["mistral.weaker.per-buzz"] == f"tidy/buzzes.parquet: {teams}"
    assert evidence["pay.minimum-wage"].endswith("facts.minimum_wage.law")
    rows = (tables["clues"]["segmentation"] == "sentence-35").sum()
    row = row_of(predicate="attainable['sentence-35'].paper.heard.low > 0")
    assert f"h_definition = heard ({rows} rows)" in row["evidence"]
    assert "buzzed_so_far" not in row["evidence"]
    decided = evidence[grace_ledger()["status"] != ledger.UNPUBLISHED]
    everything = decided[decided.str.contains("buzzes.parquet: all ")].index
    assert set(everything) == {"buzzes.total", "readme.contains-buzzes"}


@pytest.mark.parametrize(
    ("truths", "status"),
    [
        ("[True, True]", ledger.REPRODUCED),
        ("[False, False]", ledger.CONTRADICTED),
        ("[True, False]", ledger.UNPUBLISHED),
        ("[]", ledger.UNPUBLISHED),
    ],
)
def test_possibilities_must_agree(truths, status):
    row = row_of(value="n_buzzes", predicate=truths, undecided="the match records")
    assert row["status"] == status and row["recomputed"] == "1749"
    assert ("needs: the match records" in row["note"]) == (status == ledger.UNPUBLISHED)


def test_expressions_in_a_note():
    note = "{{ {'n': n_buzzes, 'third': 1 / 3} }} of {{ tally.M9.ratio }}, {{ [] }}"
    row = row_of(predicate="n_buzzes > 0", note=note)
    assert row["note"] == "n 1749, third 0.3333 of unknown here, none"
    assert row["evidence"] == "tidy/buzzes.parquet: all 1749 rows"


def test_missing_quantity_needs_unpublished_data():
    found = claims.evaluate(published(), {}, False).set_index("id")
    row = found.loc["buzzes.total"]
    assert row["status"] == ledger.UNPUBLISHED
    assert registry.RELEASE in row["note"] and row["recomputed"] == ""
    assert registry.OUTPUTS in found.loc["table1.logit.gpt-4.mce", "note"]
    assert registry.SURVEY in found.loc["survey.players", "note"]
    assert "TrickMe outputs" in found.loc["table2.trickme.gpt-4.20", "note"]
    assert found.loc["pay.editors", "status"] == ledger.UNDECIDED


def test_missing_branch_needs_unpublished_data():
    """A study with some of the models: the others' rows are missing, not wrong."""
    tables = simulated_scores()
    tables["model_scores"] = tables["model_scores"].query("model == 'M1'")
    found = claims.evaluate(published(), quantities_of(tables), False).set_index("id")
    assert found.loc["table1.logit.gpt-4.mce", "status"] == ledger.REPRODUCED
    row = found.loc["table1.logit.gpt-4o.mce"]
    assert row["status"] == ledger.UNPUBLISHED and "M2" in row["note"]


def test_simulated_study():
    scores = quantities_of(simulated_scores(0.2))
    found = claims.evaluate(published(), scores, True).set_index("id")
    row = found.loc["table1.logit.gpt-4.mce"]
    assert row["status"] == ledger.SIMULATED
    assert float(row["recomputed"]) == pytest.approx(0.872)
    simulated = ["survey.players", "matches.total", "table5.mean.is-mce"]
    assert (found.loc[simulated, "status"] == ledger.SIMULATED).all()
    assert found.loc["pay.editors", "status"] == ledger.UNDECIDED
    assert found.loc["prizes.total", "status"] == ledger.REPRODUCED


@pytest.mark.parametrize("kinds", [["human"], ["model"], ["human", "model"]])
def test_a_small_study_is_evaluated(kinds):
    """Two questions, perhaps without a model or a human: rows are missing, nothing fails."""
    tables = {}
    for name, frame in release_tables().items():
        if "question_id" in frame:
            frame = frame[frame["question_id"].isin(["p01-q15", "p12-q17"])]
        if "kind" in frame:
            frame = frame[frame["kind"].isin(kinds)]
        tables[name] = frame
    given = "sentence-100", Bootstrap(20, 1, 0.95)
    small = quantities.quantities(tables, *given)
    quantity_intervals.intervals(small, tables, *given)
    table = claims.evaluate(published(), small, True).set_index("id")
    found, said = table["status"], table["says"]
    assert found["buzzes.total"] == ledger.SIMULATED
    assert said["questions.packets"] == "Simulated: The release has 2 packets of 1 questions."
    assert said["questions.stratified"].startswith("Simulated: Not all 2 packets have")
    assert "one reads" not in said["figure3.text"]
    told = said[(found == ledger.SIMULATED) & (table["recomputed"] != "") & (said != "")]
    assert told.str.contains("^Simulated: |, simulated ").all()
    assert list(found.index[found == ledger.CONTRADICTED]) == ["pay.minimum-wage"]
    assert found["figure4.q4-over-twice.per-match"] == ledger.SIMULATED


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ({"predicate": "n_buzes == 1"}, "n_buzes"),
        ({"predicate": "n_buzzes =="}, "an expression"),
        ({"predicate": "1 == 1", "note": "{{ n_buzes }}"}, "n_buzes"),
        ({}, "either a predicate"),
        ({"predicate": "n_buzzes == 1", "kind": "published"}, "printed values only"),
        ({"predicate": "1 == 1", "kind": "sure"}, "one of study"),
        ({"predicate": "1 == 1", "tolerence": 1}, "tolerence"),
        ({"predicate": "1 == 1", "margins": "{'x': n_buzes}"}, "n_buzes"),
        ({"predicate": "1 == 1", "by": "few"}, "one of all, any, most"),
        ({"predicate": "1 == 1", "weight": "heavy"}, "one of result, description"),
        ({"predicate": "printed.table1.logit.M9.mce > 0"}, "M9"),
        ({"predicate": "open('x') == 1"}, "open"),
        ({"predicate": "().__class__ == 1"}, "an expression that can be evaluated"),
        ({"predicate": "1 / 0 == 1"}, "ZeroDivisionError"),
        ({"id": "table1.logit.gpt-4.mce", "predicate": "1 == 1"}, "an id that occurs once"),
    ],
)
def test_faulty_claims_are_refused(claim, words):
    with pytest.raises(DataError, match=re.escape(words)):
        claims.evaluate(with_claim(**{"id": "a"} | claim), {}, False)


def test_a_bare_name_cites_what_the_predicate_looks_at():
    intervals = {("buzz_revealed", group): f"of {group}" for group in ("H", "M1", "M2", "M3")}
    intervals |= {("tally", "H"): "no part of this"}

    def cited(**claim):
        return row_of(intervals, **claim)["intervals"]

    two = "buzz_revealed.H: of H; buzz_revealed.M3: of M3"
    assert cited(value="buzz_revealed", predicate="value.M3 > value.H") == two
    assert cited(predicate="buzz_revealed.M3 > buzz_revealed.H") == two
    assert cited(value="buzz_revealed", predicate="max(value.values()) < 1").count(": of ") == 4
    assert cited(value="n_buzzes", predicate="value > 0") == ""
    assert cited(value="tally.M9", predicate="value.ratio > buzz_revealed.H") == ""
