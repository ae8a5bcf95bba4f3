"""Scores of the same answers under every judge, from marks written out by hand."""

import pandas as pd
import pytest
from calscore.core import store
from calscore.inference import judges
from calscore.judging.matchers import MATCHERS

QUESTIONS = ("q1", "q2")
#: Model → the authors' marks of its one guess on each question; C is a model of one's own, without marks.
GIVEN = {"A": (True, True), "B": (True, False), "C": (None, None)}
ENGINE = {"A": (True, False), "B": (True, True), "C": (True, False)}
CONFIDENCE = {"A": 0.9, "B": 0.8, "C": 0.6}


def guesses():
    rows = [
        {"model": model, "elicitation": "logit", "question_id": question, "position": 9}
        | {"guess": f"{model} {question}", "condition": "", "sent": None, "correct_given": right}
        for model, marks in GIVEN.items()
        for question, right in zip(QUESTIONS, marks, strict=True)
    ]
    return pd.DataFrame(rows).astype({"correct_given": "boolean"})


def judgements(accepted):
    """One verdict of the engine on each guess: model → accepted on each question."""
    rows = [
        (question, f"{model} {question}", "", "accept" if right else "reject")
        for model, marks in accepted.items()
        for question, right in zip(QUESTIONS, marks, strict=True)
    ]
    table = pd.DataFrame(rows, columns=["question_id", "guess", "condition", "verdict"])
    return table.assign(engine=table["verdict"], source="engine", rule="exact")


def disagreements(*decided):
    """(model, question, verdict by hand, arguable) of disputed runs."""
    columns = ["model", "question_id", "adjudicated", "arguable"]
    rows = pd.DataFrame(decided, columns=columns).assign(elicitation="logit", position=9)
    return rows.assign(arguable=rows["arguable"].astype("boolean"))


def marks(*decided):
    wrong = judgements(dict.fromkeys(GIVEN, (False, False)))
    by_matcher = dict.fromkeys(MATCHERS[1:], wrong)
    return judges.marks_of_judges(guesses(), judgements(ENGINE), by_matcher, disagreements(*decided))


DECIDED = (
    ("A", "q1", "reject", True),  # arguable, decided against the mark
    ("A", "q2", "accept", True),  # arguable, decided for the mark
    ("B", "q2", "accept", False),  # a mark that is wrong
)
N = None


@pytest.mark.parametrize(
    ("judge", "right"),  # of A, B and C on both questions
    [
        ("authors", [1, 1, 1, 0, N, N]),
        ("engine", [1, 0, 1, 1, 1, 0]),
        ("exact", [0, 0, 0, 0, 0, 0]),
        ("left", [1, 1, 1, 1, N, N]),
        ("against", [0, 0, 1, 1, N, N]),
    ],
)
def test_every_judge_marks_every_guess_that_it_has_a_say_in(judge, right):
    expected = pd.array([None if mark is None else bool(mark) for mark in right], "boolean")
    assert marks(*DECIDED)[judge].astype("boolean").array.tolist() == expected.tolist()


def test_without_verdicts_by_hand_no_mark_is_arguable():
    assert {"left", "against"}.isdisjoint(marks(("A", "q1", None, None)))


def table(judged):
    """The scores of one clue a question, which nobody had buzzed on before."""
    rows = guesses().assign(segmentation="s", clue=1, reduction="stated")
    rows["confidence"] = rows["model"].map(CONFIDENCE)
    parts = [
        rows[right.notna()].assign(marks=judge, correct=right.dropna().astype(bool))
        for judge, right in judged.items()
    ]
    names = ("buzzed_so_far", "buzzed_on_question", "heard")
    curve = [("s", question, 1, name, 0.0) for question in QUESTIONS for name in names]
    columns = ["segmentation", "question_id", "clue", "h_definition", "h"]
    curve = pd.DataFrame(curve, columns=columns)
    return judges.scores_by_judge(pd.concat(parts, ignore_index=True), curve, {"A": "Model A"}, 50, 1, 0.9)


def test_scores_ranks_and_what_a_judge_moves():
    judged = marks(*DECIDED)
    made = store.check(table(judged), "judges")
    made = made[(made["definition"] == "paper") & (made["metric"] == "brier")]
    right = {"authors": (2, 1, N), "engine": (1, 2, 1), "left": (2, 2, N), "against": (0, 2, N)}
    brier = {
        (judge, model): ((1 - c) ** 2 * n + c**2 * (2 - n)) / 2
        for judge, counts in right.items()
        for (model, c), n in zip(CONFIDENCE.items(), counts, strict=True)
        if n is not None
    }
    values = made.set_index(["marks", "model"])["value"]
    assert {key: values[key] for key in brier} == pytest.approx(brier)
    assert not {("authors", "C"), ("left", "C")} & set(values.index)

    # A and B are compared with their marks, C with the engine.
    reference = {"A": "authors", "B": "authors", "C": "engine"}
    moved = made.set_index(["marks", "model"])["difference"]
    for (judge, model), value in brier.items():
        assert moved[judge, model] == pytest.approx(value - brier[reference[model], model])
    assert made["difference"].between(made["low"] - 1e-12, made["high"] + 1e-12).all()

    changed = made.set_index(["marks", "model"])["changed"]
    assert {key: changed[key] for key in brier} == {
        ("authors", "A"): 0, ("authors", "B"): 0, ("engine", "A"): 1, ("engine", "B"): 1,
        ("engine", "C"): 0, ("left", "A"): 0, ("left", "B"): 1, ("against", "A"): 2, ("against", "B"): 1,
    }  # fmt: skip

    ranks = made.set_index(["marks", "model"])["rank"]
    order = sorted(("A", "B", "C"), key=lambda model: brier["engine", model])
    assert [ranks["engine", model] for model in order] == [1, 2, 3]
    assert made.set_index("model").loc["A", "name"].eq("Model A").all()
