"""The ledger of "Mind the Confidence Gap"."""

import json
import re

import pytest
from calscore.ledger.checks import STATUSES
from calscore.multiple_choice import agreement, contrasts, ledger, tables
from calscore.stats.bootstrap import Bootstrap
from option_rows import PUBLISHED
from support import ROOT, unknown_keys


def checked(questions, results, people=None, published=PUBLISHED, simulated=False):
    resamples = tables.Resamples(results, 100, 0)
    types, draws = tables.by_group(
        results, questions, "answer_type", resamples, {}, Bootstrap(100, 0, 0.95)
    )
    made = {
        "option_questions": questions,
        "option_scores": tables.scores(results, resamples, {}, 0.95),
        "option_types": types,
        "option_comparisons": tables.comparisons(resamples, {}, 0.95),
        "option_distraction": contrasts.accuracy_harm_correlation(resamples, 0.95),
        "option_contrasts": contrasts.contrasts(resamples, draws, {}, 0.95),
    }
    if people is not None:
        made["judge_agreement"] = agreement.agreement(results, people, 100, 0, 0.95)
    found, partial, intervals = ledger.quantities(made)
    table = ledger.evaluate(published, found, partial, intervals, simulated)
    assert set(table["status"]) <= STATUSES
    assert unknown_keys(table, published) == []
    assert table["id"].is_unique
    return table.set_index("id")


def test_ledger_on_the_published_rows(real, questions):
    table = checked(questions[0], real)
    status = table["status"]
    assert status["questions"] == "reproduced"
    assert status["distractors.three"] == status["distractors.incorrect"] == "contradicted"
    assert status["drop.person"] == status["drop.place"] == "reproduced"
    gains = [f"table3.{model}.gain" for model in PUBLISHED["facts"]["table3"]]
    assert {status[f"{g}.not-right-to-right"] for g in gains} == {"internally inconsistent"}
    assert {status[f"{g}.wrong-to-right"] for g in gains} == {"reproduced"}
    assert status["table3.gpt-4o-mini.N_ece"] == "needs unpublished data"
    assert "20 rows at hand: 0.705" in table.loc["table3.gpt-4o-mini.N_ece", "note"]
    absent = table[status == ledger.NOT_IN_SOURCE]
    assert len(absent) == 6 * 9 - 4
    assert (absent["published"] == ledger.NOT_IN_SOURCE).all()
    assert status["distraction.of-right"] == "internally inconsistent"


@pytest.mark.parametrize(
    ("beyond", "status"), [(50, "reproduced"), (200, "internally inconsistent")]
)
def test_right_to_not_attempted_may_explain_a_smaller_gain(real, questions, beyond, status):
    """2.45 % of 4,326 not attempted with options are 106: they explain 50 answers, not 200."""
    one = json.loads(json.dumps(PUBLISHED))
    row = one["facts"]["table3"]["llama3-8b-8192"]
    gain = (float(row["D_right"]) - float(row["N_right"])) * 43.26
    row["helped"] = str(round(gain + float(row["harmed"]) + beyond))
    table = checked(questions[0], real, published=one)
    assert table.loc["table3.llama3-8b-8192.gain.wrong-to-right", "status"] == status


def test_every_percentage_is_checked_against_counts(real, questions):
    table = checked(questions[0], real)
    rows = table[table.index.str.endswith(".count")]
    facts = PUBLISHED["facts"]
    for place, row in rows.iterrows():
        stem, column, _ = place.rsplit(".", 2)
        where, model = stem.split(".", 1)
        text = facts[where][model][column]
        possible = any(abs(100 * k / 4326 - float(text)) <= 0.005 for k in range(4327))
        assert (row["status"] == "reproduced") == possible, place
    assert {"reproduced", "internally inconsistent"} == set(rows["status"])


def test_a_full_study_decides_and_a_changed_number_turns_the_verdict(world):
    """Printed numbers made from the study are reproduced; beside them, contradicted."""
    _, questions, results, people = world
    first = checked(questions, results, people)
    one = json.loads(json.dumps(PUBLISHED))
    value = float(first.loc["table3.gpt-4o.D_ece", "recomputed"])
    assert first.loc["table3.gpt-4o.D_ece", "status"] == "contradicted"
    one["facts"]["table3"]["gpt-4o"]["D_ece"] = f"{value:.3f}"
    again = checked(questions, results, people, one)
    assert again.loc["table3.gpt-4o.D_ece", "status"] == "reproduced"
    assert again.loc["judge.none", "status"] == "reproduced"
    assert again.loc["table1.gpt-4o.N_ece", "status"] == ledger.NOT_IN_SOURCE
    assert again.loc["table1.gpt-4o.N_ece", "recomputed"]


def test_nothing_printed_enters_a_recomputed_number(world):
    _, questions, results, people = world
    one = json.loads(json.dumps(PUBLISHED))
    for row in one["facts"]["table3"].values():
        row.update(dict.fromkeys(row, "1"))
    names = [f"table3.{m}.{c}" for m, row in one["facts"]["table3"].items() for c in row]
    first = checked(questions, results, people).loc[names, "recomputed"]
    again = checked(questions, results, people, one).loc[names, "recomputed"]
    assert first.equals(again)
    assert (first != "").all()


def test_a_simulated_study_compares_nothing_that_needs_data(world):
    _, questions, results, people = world
    status = checked(questions, results, people, simulated=True)["status"]
    assert status["table3.gpt-4o.D_ece"] == "not applicable (simulated)"
    assert status["drop.person"] == "reproduced"


NOT_SAMPLED = {
    "questions": "the question file is counted whole",
    "distractors.three": "the question file is counted whole",
    "distractors.incorrect": "the question file is counted whole",
    "types.all": "the question file is counted whole",
}


@pytest.mark.parametrize("simulated", [True, False])
def test_everything_recomputed_cites_its_interval(world, simulated):
    """Printed numbers against each other (evidence in the published file alone) are no sample."""
    _, questions, results, people = world
    table = checked(questions, results, people, simulated=simulated)
    recomputed = table[
        (table["recomputed"] != "") & table["evidence"].str.contains("tables/|tidy/")
    ]
    assert len(recomputed) > 150
    assert f"{len(table)} of Confidence Gap" in (ROOT / "docs" / "workflow.md").read_text(
        encoding="utf-8"
    )
    assert set(recomputed.index[recomputed["intervals"] == ""]) == set(NOT_SAMPLED)
    rest = table[(table["recomputed"] != "") & ~table.index.isin(recomputed.index)]
    assert rest["evidence"].str.fullmatch(r"config/published/confidence_gap\.yaml: .*").all()
    for place, row in recomputed.drop(list(NOT_SAMPLED)).iterrows():
        number = r"-?[\d.]+"
        assert re.search(rf"{number} \[{number}, {number}\] \(", row["intervals"]), place


def test_a_comparison_cites_the_interval_of_the_difference(world):
    """And the study's rows stand beside every printed comparison of models, settings or types."""
    _, questions, results, people = world
    table = checked(questions, results, people)
    written = {one["id"]: one for one in PUBLISHED["claims"]}
    compares = [
        i for i, one in written.items() if re.search(r"[^=!]?[<>]", one.get("predicate", ""))
    ]
    study = [i for i in compares if written[i].get("kind", "study") == "study"]
    assert len(study) > 12
    for place in study:
        cited = table.loc[place, "intervals"]
        assert re.search("_contrasts|changes|distraction", cited), place
    printed = {i for i in compares if written[i].get("kind") == "published"}
    alone = {i for i in printed if not {f"{i}.study", f"{i.rsplit('.', 1)[0]}.study"} & set(study)}
    assert alone == set()
    cited = table.loc["bigger-calibrated.normal.study", "intervals"]
    assert cited.count("model_contrasts.N_ece.") == 9
    one = table.loc["gpt-4o-ece.study"]
    low, high = re.search(r"\[(.*), (.*)\]", one["intervals"]).groups()
    assert (float(high) < 0) == (one["status"] == "reproduced")
    assert float(low) <= float(one["recomputed"]) <= float(high)


def test_fewer_rows_cite_their_interval_beside_the_note(real, questions):
    table = checked(questions[0], real)
    for place in ("table3.gpt-4o-mini.N_ece", "table1.gpt-4o-mini.harmed"):
        assert table.loc[place, "recomputed"] == ""
        assert "on the 20 rows at hand: " in table.loc[place, "intervals"]
    assert table.loc["gpt-4o-ece.study", "status"] == "needs unpublished data"
    assert table.loc["bigger-calibrated.normal.study", "status"] == "needs unpublished data"
