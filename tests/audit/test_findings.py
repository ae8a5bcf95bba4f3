"""Findings of all stages gathered, with what is unavailable and names of models."""

from functools import partial

from calscore.audit import findings
from calscore.core import catalog, data_issues, store


def test_names_of_models_stand_beside_their_keys(tmp_path):
    path = tmp_path / "release.csv"
    store.write_csv(data_issues.issue_table([]), path)
    made = findings.collect_findings([path], ["buzzes"], {"M1": "GPT-4", "M2": "GPT-4o"})
    assert made["names"].to_numpy().tolist() == [["M1", "GPT-4"], ["M2", "GPT-4o"]]
    assert not store.validation_errors(made["names"], "names")
    assert list(findings.collect_findings([path], [], {})["names"]) == ["model", "name"]
    missing = made["unavailable"].set_index("product")["missing"]
    assert missing["tables/survey_accuracy.csv"] == catalog.WORDS["survey"]
    assert "tables/dataset.csv" not in missing


def test_what_guesses_and_survey_find_alike_stands_once(tmp_path):
    # An override that only the guesses hold, one that neither does, and a clause that the parser does not know.
    idle = partial(data_issues.data_issue, "judging", "override without a guess", "q1")
    x, y = (idle(f"no guess reads {guess!r}") for guess in "xy")
    clause = data_issues.Finding("judging", "clause", "info", "q1", "[odd]", "left out")
    parts = [tmp_path / "guesses.csv", tmp_path / "survey.csv"]
    store.write_csv(data_issues.issue_table([x, clause]), parts[0])
    store.write_csv(data_issues.issue_table([y, x, clause]), parts[1])
    made = findings.collect_findings(parts, ["guesses", "survey"], {})["findings"]
    assert sorted(made["detail"]) == ["[odd]", "no guess reads 'x'"]
    assert not store.validation_errors(made, "findings")
    alone = findings.collect_findings(parts[:1], ["guesses"], {})["findings"]
    assert sorted(alone["detail"]) == ["[odd]", "no guess reads 'x'"]
