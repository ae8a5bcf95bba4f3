"""The ledger of "Mind the Confidence Gap"."""

import json
import math
import re

import pytest
from calscore.ledger.checks import STATUSES
from calscore.ledger.verbalise import statements
from calscore.multiple_choice import ledger, tables
from option_rows import PUBLISHED
from support import ROOT, unknown_keys


def quantities(questions, results) -> tuple:
    """What the ledger looks at."""
    given = {"option_questions": questions, "option_results": results}
    made = tables.tabulate_options(**given, names={}, replicates=100, seed=0, level=0.95)
    return ledger.quantities(given | made)


@pytest.fixture(scope="module")
def few(real, questions):
    """Quantities of the published rows."""
    return quantities(questions[0], real)


@pytest.fixture(scope="module")
def whole(world):
    """Quantities of the simulated study of full size."""
    return quantities(*world[1:3])


def checked(found, published=PUBLISHED, simulated=False):
    table = ledger.evaluate(published, *found, simulated)
    assert set(table["status"]) <= STATUSES
    assert unknown_keys(table, published) == []
    assert table["id"].is_unique
    return table.set_index("id")


def test_ledger_on_the_published_rows(few):
    table = checked(few)
    status = table["status"]
    assert status["questions"] == "reproduced"
    for name in ("three", "incorrect"):
        assert status[f"distractors.{name}.all"] == "contradicted"
        assert status[f"distractors.{name}.answered"] == "reproduced"
    assert status["drop.person"] == status["drop.place"] == "reproduced"
    checks = table[table["weight"] == "check"]
    assert set(checks["status"].drop("table3.counts")) == {"reproduced"}
    assert status["table3.counts"] == "undecided"
    assert json.loads(checks.loc["table3.counts", "recomputed"]) == [4325, 4321]
    # By the intervals of 20 answers: 16 to 40 points wide.
    others = "Other models whose 7 numbers lie in them: GPT-4-turbo and LLaMA3.1-8B-instant."
    assert table.loc["table3.sample", "says"].endswith(others)
    assert status["table3.gpt-4o-mini.N_ece"] == "needs unpublished data"
    assert "20 rows at hand: 0.705" in table.loc["table3.gpt-4o-mini.N_ece", "note"]
    absent = table[status == ledger.NOT_AT_HAND]
    assert len(absent) == 6 * 9 - 4
    assert (absent["published"] == ledger.NOT_AT_HAND).all()
    assert "Table 3 has 8.46" in table.loc["table1.gpt-4o-mini.N_right", "note"]
    printed = {"number": "reproduced", "number.gpt-4o": "reproduced", "of-changed": "reproduced"}
    failing = ("of-right", "number.groups.section_2", "number.groups.appendix_c")
    printed |= dict.fromkeys(failing, "internally inconsistent")
    assert {name: status[f"distraction.{name}"] for name in printed} == printed


def test_statements_are_the_papers_and_no_table_holds_that_was_not_recomputed(few):
    """Checks add a sentence to a printed table; it is open as long as no number of it was recomputed."""
    rows = checked(few)
    found = statements(rows.reset_index()).set_index("quote")
    assert "check" not in set(found["weight"])
    for number in (1, 2, 3):
        one = found.loc[f"the numbers printed in Table {number}"]
        assert one["verdict"] == "open" and one["cells"] in (54, 56)
    assert "8 of 8 means follow from the 48 printed numbers." in found.loc["the numbers printed in Table 2", "says"]  # fmt: skip
    assert found.loc["Bigger models are more prone to distraction", "verdict"] == "in part"
    decided = found[found["verdict"] != "open"]
    assert not decided["says"].str.contains("Cannot be settled").any()
    # Why Table 3 is taken stands once, in the statement that is listed first.
    assert (decided["says"].str.count("In Table 3 ") > 0).sum() == 5
    assert list(decided.index[decided["says"].str.contains("not at hand")]) == ["Bigger models are better calibrated overall"]  # fmt: skip
    assert f"{len(found)} of Confidence Gap" in (ROOT / "docs" / "workflow.md").read_text(encoding="utf-8")  # fmt: skip


def test_who_is_bigger_is_read_both_ways_by_every_way_to_compute_a_statement(few):
    """§2 counts GPT-4o-mini among the large models, Appendix C calls it the smaller variant."""
    status = checked(few)["status"]
    rows = [claim for claim in PUBLISHED["claims"] if "printed.sizes" in str(claim.get("predicate")) + str(claim.get("value"))]  # fmt: skip
    single = [claim["id"] for claim in rows if list(claim.get("readings", ())) != ["section_2", "appendix_c"]]  # fmt: skip
    assert single == ["judge.none"] and len(rows) == 11
    # Table 3, factors of the share right: 5.61 (GPT-4o-mini), 3.11 and 2.00; 5.45, 4.91 and 4.89
    each = [status[f"smaller-gain.each.{name}"] for name in ("section_2", "appendix_c")]
    assert each == ["internally inconsistent", "reproduced"]


def test_a_statement_of_significance_is_held_by_a_test(few):
    table = checked(few)
    rows = table[table["of"].str.contains("significant") & (table["status"] == "reproduced")]
    assert len(rows) == 3 and set(rows["beyond_chance"]) == {"yes"}
    # McDiarmid: 2 exp(−n t² / 8) is 5 % at t = √(8 ln 40 / n), of 91.84 % of 4,326 answers
    bound = math.sqrt(8 * math.log(40) / (4326 * 0.9184))
    assert f"less than {bound:.4f} in 95 % of samples" in table.loc["gpt-4o-ece", "says"]


@pytest.mark.parametrize(("beyond", "status"), [(50, "reproduced"), (200, "internally inconsistent")])
def test_right_to_not_attempted_may_explain_a_smaller_gain(few, beyond, status):
    """2.45 % of 4,326 not attempted with options are 106: they explain 50 answers, not 200."""
    one = json.loads(json.dumps(PUBLISHED))
    row = one["facts"]["table3"]["llama3-8b-8192"]
    gain = (float(row["D_right"]) - float(row["N_right"])) * 43.26
    row["helped"] = str(round(gain + float(row["harmed"]) + beyond))
    table = checked(few, one)
    assert table.loc["table3.gain", "status"] == status


def test_a_full_study_decides_and_a_changed_number_turns_the_verdict(whole):
    """Printed numbers made from the study are reproduced; beside them, contradicted."""
    first = checked(whole)
    one = json.loads(json.dumps(PUBLISHED))
    value = float(first.loc["table3.gpt-4o.D_ece", "recomputed"])
    assert first.loc["table3.gpt-4o.D_ece", "status"] == "contradicted"
    one["facts"]["table3"]["gpt-4o"]["D_ece"] = f"{value:.3f}"
    again = checked(whole, one)
    assert again.loc["table3.gpt-4o.D_ece", "status"] == "reproduced"
    assert again.loc["judge.none", "status"] == "reproduced"
    assert again.loc["table1.gpt-4o.N_ece", "status"] == ledger.NOT_AT_HAND
    assert again.loc["table1.gpt-4o.N_ece", "recomputed"]


def test_nothing_printed_enters_a_recomputed_number(whole):
    one = json.loads(json.dumps(PUBLISHED))
    for row in one["facts"]["table3"].values():
        row.update(dict.fromkeys(row, "1"))
    names = [f"table3.{m}.{c}" for m, row in one["facts"]["table3"].items() for c in row]
    first = checked(whole).loc[names, "recomputed"]
    again = checked(whole, one).loc[names, "recomputed"]
    assert first.equals(again)
    assert (first != "").all()


def test_a_simulated_study_compares_nothing_that_needs_data(whole):
    table = checked(whole, simulated=True)
    status = table["status"]
    assert status["table3.gpt-4o.D_ece"] == "not applicable (simulated)"
    assert ", simulated 0." in table.loc["table3.gpt-4o.D_ece", "says"]
    assert status["drop.person"] == "reproduced"


NOT_SAMPLED = ["questions"]
NOT_SAMPLED += [f"distractors.{n}.{s}" for n in ("three", "incorrect") for s in ("all", "answered")]
"""The question file is counted whole."""


@pytest.mark.parametrize("simulated", [True, False])
def test_everything_recomputed_cites_its_interval(whole, simulated):
    """Printed numbers against each other (evidence in the published file alone) are no sample."""
    table = checked(whole, simulated=simulated)
    recomputed = table[(table["recomputed"] != "") & table["evidence"].str.contains("tables/|tidy/")]
    assert len(recomputed) > 150
    assert set(recomputed.index[recomputed["intervals"] == ""]) == set(NOT_SAMPLED)
    rest = table[(table["recomputed"] != "") & ~table.index.isin(recomputed.index)]
    assert rest["evidence"].str.fullmatch(r"config/published/confidence_gap\.yaml: .*").all()
    for place, row in recomputed.drop(NOT_SAMPLED).iterrows():
        number = r"-?[\d.]+"
        assert re.search(rf"{number} \[{number}, {number}\] \(", row["intervals"]), place


def test_a_comparison_cites_the_interval_of_the_difference(whole):
    """And the study's rows stand beside every printed comparison of models, settings or types."""
    table = checked(whole)
    written = {one["id"]: one for one in PUBLISHED["claims"] if one.get("weight") != "check"}
    compares = [i for i, one in written.items() if re.search("[<>]", one.get("predicate", ""))]
    study = [i for i in compares if written[i].get("kind", "study") == "study"]
    assert len(study) > 12
    for place in study:
        cited = table.loc[table.index.str.startswith(place), "intervals"]
        assert cited.str.contains("_contrasts|changes|distraction|table1").all(), place
    printed = {i for i in compares if written[i].get("kind") == "published"}
    alone = {i for i in printed if not {f"{i}.study", f"{i.rsplit('.', 1)[0]}.study"} & set(study)}
    assert alone == set()
    cited = table.loc["bigger-calibrated.study.section_2", "intervals"]
    assert cited.count("model_contrasts.N_ece.") == 9
    one = table.loc["gpt-4o-ece.study"]
    low, high = re.search(r"\[(.*), (.*)\]", one["intervals"]).groups()
    assert (float(high) < 0) == (one["status"] == "reproduced")
    assert float(low) <= float(one["recomputed"]) <= float(high)


def test_fewer_rows_cite_their_interval_beside_the_note(few):
    table = checked(few)
    for place in ("table3.gpt-4o-mini.N_ece", "table1.gpt-4o-mini.harmed"):
        assert table.loc[place, "recomputed"] == ""
        assert "on the 20 rows at hand: " in table.loc[place, "intervals"]
    assert table.loc["gpt-4o-ece.study", "status"] == "needs unpublished data"
    assert table.loc["bigger-calibrated.study.appendix_c", "status"] == "needs unpublished data"
