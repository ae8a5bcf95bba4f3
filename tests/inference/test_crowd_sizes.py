"""Fewer human teams: every subset by hand, what does not depend on their number, the real release."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from calscore.human import curves
from calscore.inference import crowd_sizes
from support import renormalised

TEAMS = ["A", "B", "C", "D"]
# question → clues; (question, team) → (clue, right); D heard q2 and did not buzz, nobody else did not.
CLUES = {"q1": 3, "q2": 2}
BUZZES = {
    ("q1", "A"): (1, False),
    ("q1", "B"): (2, True),
    ("q1", "C"): (3, True),
    ("q2", "A"): (1, True),
    ("q2", "B"): (2, False),
}
HEARD = {"q1": ["A", "B", "C"], "q2": ["A", "B", "D"]}
# model's answers: right, confidence at each clue
ANSWERS = {"q1": [(False, 0.3), (True, 0.6), (True, 0.9)], "q2": [(False, 0.8), (True, 0.4)]}


def world():
    clues = [
        {"segmentation": "s", "question_id": q, "clue": n, "end_word": 10 * n, "end_char": 60 * n}
        for q, size in CLUES.items()
        for n in range(1, size + 1)
    ]
    buzzes = [
        {"question_id": q, "team": t, "kind": "human", "word_index": 10 * n - 1, "correct": ok}
        for (q, t), (n, ok) in BUZZES.items()
    ]
    heard = [{"question_id": q, "team": t, "kind": "human"} for q, ts in HEARD.items() for t in ts]
    clues = pd.DataFrame(clues)
    table = curves.team_clue_counts(clues, pd.DataFrame(buzzes), pd.DataFrame(heard))
    rows = [
        {
            "segmentation": "s", "model": "M", "elicitation": "logit", "reduction": "mean_prob",
            "marks": "engine", "question_id": q, "clue": n, "correct": g, "confidence": c,
        }
        for q, answers in ANSWERS.items()
        for n, (g, c) in enumerate(answers, start=1)
    ]  # fmt: skip
    return curves.team_clue_counts_from_table(table, clues)["s"], pd.DataFrame(rows)


def h_by_hand(definition, question, clue, teams):
    of = [(t, *BUZZES[question, t]) for t in teams if (question, t) in BUZZES]
    right = sum(ok for _, n, ok in of if n <= clue)
    under = {
        "buzzed_so_far": sum(n <= clue for _, n, _ in of),
        "buzzed_on_question": len(of),
        "heard": sum(t in HEARD[question] for t in teams),
    }[definition]
    return right / under if under else 0.0


def by_hand(definition, h_definition, answers, teams):
    scores = []
    for question, size in CLUES.items():
        if not set(teams) & set(HEARD[question]):
            continue
        terms = []
        for clue in range(1, size + 1):
            g, c = answers[question][clue - 1]
            g = (1 if g else -1) if definition == "paper" else float(g)
            terms.append((1 - h_by_hand(h_definition, question, clue, teams)) * g * c)
        mean = np.mean(terms)
        scores.append(1 - (renormalised(mean) if definition == "paper" else mean))
    return np.mean(scores)


@pytest.mark.parametrize("size", [1, 2, 4])
@pytest.mark.parametrize(
    ("definition", "h_definition"),
    [
        ("paper", "buzzed_so_far"),
        ("paper", "heard"),
        ("release", "buzzed_on_question"),
        ("release", "heard"),
    ],
)
def test_every_subset_by_hand(size, definition, h_definition):
    crowd, rows = world()
    table = crowd_sizes.crowd_size_curves(rows, crowd, 1, 0.95)
    of = table[
        (table["definition"] == definition)
        & (table["h_definition"] == h_definition)
        & (table["teams"] == size)
    ].set_index("quantity")["value"]
    subsets = list(combinations(TEAMS, size))
    heard = [s for s in subsets if any(set(s) & set(of_q) for of_q in HEARD.values())]
    assert heard == subsets
    right = {q: [(True, 1.0)] * n for q, n in CLUES.items()}
    wrong = {q: [(False, 1.0)] * n for q, n in CLUES.items()}
    for quantity, answers in (("calscore", ANSWERS), ("least", right), ("greatest", wrong)):
        expected = np.mean([by_hand(definition, h_definition, answers, s) for s in subsets])
        assert of[quantity] == pytest.approx(expected), quantity
    means = [
        np.mean(
            [
                np.mean([h_by_hand(h_definition, q, n, s) for n in range(1, CLUES[q] + 1)])
                for q in CLUES
                if set(s) & set(HEARD[q])
            ]
        )
        for s in subsets
    ]
    assert of["mean_h"] == pytest.approx(np.mean(means))


def test_under_heard_the_number_of_teams_does_not_matter():
    """All teams heard all questions: the mean over subsets is that of all teams, whatever their number."""
    rng = np.random.default_rng(3)
    rows = pd.DataFrame({"question_id": np.repeat(["a", "b", "c"], 4), "clue": [1, 2, 3, 4] * 3})
    right = np.sort(rng.random((3, 1, 9)) < rng.random((3, 4, 9)), axis=1).reshape(12, 9) * 1.0
    crowd = curves.TeamClueCounts(rows, pd.Index(list("ABCDEFGHI")), {"heard": (right, np.ones((12, 9)))})
    means = [
        crowd_sizes.mean_h(crowd, "heard", crowd_sizes.team_subsets(9, k, 1)).mean() for k in range(1, 10)
    ]
    assert means == pytest.approx([right.mean()] * 9)
