"""One tiny study of each kind through the whole workflow: all that its inputs allow is made and passes."""

import json

import pandas as pd
import pytest
from calscore.core import catalog, store
from calscore.runner import config
from calscore.simulate import tournament
from flows.endpoints import assert_keyless
from support import ROOT

FLOWS = {
    "tiny_buzz": {
        *("buzzes", "heard", "release", "guesses", "marked", "wording", "replayed", "survey"),
        *("simulated", "published", "models"),
    },
    "tiny_choices": {"options", "simulated", "own_judge", "annotations", "published"},
    "tiny_irt": {"irt", "answered", "heard", "simulated"},
    "tiny_humans": {"irt", "answered"},
    "tiny_systems": {"irt", "answered"},
    "tiny_tournament": {
        *("buzzes", "heard", "wording", "tournament", "submissions", "bonuses", "simulated"),
        "models",
    },
    "tiny_endpoint": {
        *("buzzes", "heard", "wording", "release", "guesses", "replayed", "endpoint", "past"),
    },
    "tiny_asked_choices": {"options", "own_judge", "endpoint"},
}
#: Findings that a study must give.
FOUND = {
    "tiny_buzz": {"reply could not be parsed", "marks checked"},
    "tiny_tournament": {*tournament.HAZARDS, "bonus metric without its records"},
    "tiny_endpoint": {"reply could not be parsed"},
}

#: What a study that has everything else cannot have: tables of the authors' own outputs.
WHOLE = {
    "tiny_buzz": {"positions", "readings", "reading_cells", "rounding", "script_curves"},
    "tiny_choices": set(),
    "tiny_irt": {"claims", "printed_cells", "statements"},
}


@pytest.fixture(params=FLOWS)
def flow(request):
    """(name, results folder) of each tiny study."""
    return request.param, request.getfixturevalue(request.param)


def test_every_kind_of_study_has_a_flow():
    assert {path.stem for path in (ROOT / "tests" / "flows").glob("*.yaml")} == set(FLOWS)


def test_all_that_the_inputs_allow_is_made(flow):
    name, results = flow
    record = json.loads((results / "audit" / "provenance.json").read_text(encoding="utf-8"))
    assert config.study_features(record["study"]) == FLOWS[name]
    missing = [p for p in catalog.available_files(FLOWS[name]) if not (results / p).exists()]
    assert missing == []


def test_all_checks_pass(flow):
    _, results = flow
    checks = pd.read_csv(results / "audit" / "checks.csv")
    assert len(checks) > 50
    assert checks["result"].eq("pass").all()
    assert (results / "audit" / "passed.txt").exists()


def test_tables_are_as_declared(flow):
    _, results = flow
    declared = {product.file: product.name for product in catalog.products()}
    made = sorted(results.rglob("*.parquet"))
    tables = {declared[str(path.relative_to(results))]: store.read(path) for path in made}
    assert len(tables) > 1
    for name, table in tables.items():
        assert not store.validation_errors(table, name, parents=tables), name


def test_what_is_unavailable_was_not_made(flow):
    name, results = flow
    listed = pd.read_csv(results / "audit" / "unavailable.csv")
    assert not any((results / path).exists() for path in listed["product"])
    if name in WHOLE:
        assert set(listed["product"]) == {f"tables/{table}.csv" for table in WHOLE[name]}
    else:
        assert not listed.empty


def test_findings_are_those_of_the_input_and_no_key_is_written(flow):
    name, results = flow
    findings = pd.read_csv(results / "audit" / "findings.csv")
    assert FOUND.get(name, set()) <= set(findings["finding"])
    assert_keyless(results.parent.parent)


@pytest.mark.parametrize("flow", ["tiny_irt", "tiny_choices"])
def test_the_last_line_of_a_run_is_the_page_to_open(flow, request):
    results = request.getfixturevalue(flow)
    said = (results.parents[1] / "said.txt").read_text(encoding="utf-8").splitlines()
    assert said[-1] == f"Open results/{flow}/index.html"
    assert (results / "index.html").exists()
