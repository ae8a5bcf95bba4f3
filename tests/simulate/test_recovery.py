"""Estimates against the truth: marks changed by hand, shares and hazards from a written truth, and the check on them."""

import json

import pandas as pd
import pytest
from calscore.core import store
from calscore.simulate import recovery

MARKS = {"q1": "0011", "q2": "01"}
TRUTH = {
    "buzzes": {
        "correct": {"logit": {"M1": MARKS}},
        "models": {"M1": {}},
        "unparsable": [["M1", "q1", 9], ["M1", "q2", 4]],
        "packets_played": {"H1": [1, 3]},
    },
    "options": {
        "parameters": {"own_judge": {"none_wrong": 0.35}, "annotators": {"names": ["A1"], "slip": 0.1}},
        "models": {"a": {"normal": {"right": 0.2, "ece_as_wrong": 0.6}, "distractor": {"right": 0.7, "ece_as_wrong": 0.3}}},
    },
    "tournament": {"hazards": ["one", "two"]},
}  # fmt: skip


def buzzes(path, marks=MARKS):
    at = {"segmentation": "given", "model": "M1", "elicitation": "logit", "reduction": "x"}
    at["marks"] = "engine"
    clues = [(q, t + 1) for q, text in marks.items() for t in range(len(text))]
    responses = pd.DataFrame(clues, columns=["question_id", "clue"]).assign(**at, confidence=0.5)
    h = responses[["segmentation", "question_id", "clue"]]
    h = h.assign(h=0.5, h_definition="buzzed_so_far")
    score = {"value": 0.4, "low": 0.3, "high": 0.5, "n_rows": 6, "n_questions": 2}
    score["definition"] = "paper"
    scores = pd.DataFrame([at | score | {"metric": name} for name in ("accuracy", "calscore")])
    teams = pd.DataFrame({"team": ["H1", "M1"], "packets": [2, 3]})
    replies = {"model": "M1", "elicitation": "verbalized", "replies": 6, "unparsed": 1}
    replies = pd.DataFrame([replies])
    # Answers are in no order that the marks could lean on.
    return recovery.buzz_recovery(path, responses[::-1], h, scores, teams, replies, "given")["recovery"]  # fmt: skip


def options(path):
    values = {f"{side}_right_share": 0.25 for side in "ND"} | {f"{side}_ece": 0.5 for side in "ND"}
    values |= {"right_change": 0.4}
    of = {f"{name}{end}": values[name] for name in values for end in ("", "_low", "_high")}
    row = {"judging": "shared", "reading": "as_wrong", "model": "a"}
    row |= dict.fromkeys(("N_n", "D_n", "n_paired"), 8)
    judges = {"scope": "annotated", "first": "A1", "second": "shared judge", "agreed": 0.8, "n": 10}
    none = "not attempted"
    verdicts = [(none, "wrong", 3), (none, none, 9), ("right", "wrong", 5)]
    verdicts = pd.DataFrame(verdicts, columns=["shared_judge", "own_judge", "n"])
    tables = pd.DataFrame([row | of]), pd.DataFrame([judges]), verdicts
    return recovery.option_recovery(path, *tables)["recovery"]  # fmt: skip


def tournament(path):
    names = "part_accuracy", "question_accuracy", "effect"
    rows = [
        {"submission": "s", "metric": name, "reading": "manual", "value": 0.4, "low": 0.2, "high": 0.6, "parts_used": 9}
        for name in names
    ]  # fmt: skip
    findings = pd.DataFrame({"finding": ["one", "one", "three"]})
    return recovery.tournament_recovery(path, pd.DataFrame(rows), findings)["recovery"]


# kind → (quantity, name) → (truth, estimate)
# CalScore of the paper: 1 − r(mean of (1 − h)(2g − 1)c); both questions have as many right as wrong, r(0) = ½.
WANTED = {
    "buzzes": {
        ("accuracy", "M1, logit"): (0.5, 0.4),
        ("calscore", "M1, logit"): (0.5, 0.4),
        ("replies not read", "M1"): (2, 1),
        ("packets played", "H1"): (2, 2),
    },
    "options": {
        ("right, without options", "a"): (0.2, 0.25),
        ("ECE, without options", "a"): (0.6, 0.5),
        ("right, with options", "a"): (0.7, 0.25),
        ("ECE, with options", "a"): (0.3, 0.5),
        ("right, change by options", "a"): (0.5, 0.4),
        ("agrees with the shared judge", "A1"): (0.9, 0.8),
        ("not attempted, called an answer by the own judge", "all"): (0.35, 0.25),
    },
    "tournament": {
        ("hazards found", "all"): (2, 1),
        ("part accuracy", "s"): (0.45, 0.4),
        ("question accuracy", "s"): (0.6 * 0.45 * 0.3, 0.4),
    },
}
MADE = {"buzzes": buzzes, "options": options, "tournament": tournament}


def written(folder, kind: str):
    """The file of the truth of a study of that kind."""
    path = folder / "truth.json"
    path.write_text(json.dumps(TRUTH[kind]))
    return path


@pytest.mark.parametrize("kind", WANTED)
def test_truth_and_estimate_stand_side_by_side(kind, tmp_path):
    table = MADE[kind](written(tmp_path, kind))
    found = table.set_index(["quantity", "name"])[["truth", "estimate"]]
    assert {*found.index} == {*WANTED[kind]} and len(found) == len(WANTED[kind])
    for key, values in WANTED[kind].items():
        assert tuple(found.loc[key]) == pytest.approx(values), key
    assert not store.validation_errors(table, "recovery")


def test_clues_that_are_not_the_guesses_have_no_truth(tmp_path):
    table = buzzes(written(tmp_path, "buzzes"), {"q1": "00111", "q2": "01"})
    assert {*table["quantity"]} == {"replies not read", "packets played"}
