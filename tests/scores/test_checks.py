"""Checks of scores and inference: honest replies pass, and a changed value is named."""

import numpy as np
import pandas as pd
import pytest
from calscore.inference import checks as of_inference
from calscore.scores import checks, score, streaming
from calscore.stats.bootstrap import Bootstrap

QUESTIONS = [f"q{n:03d}" for n in range(41)]
SERIES = {"elicitation": "verbalized", "reduction": "stated", "marks": "engine"}


def replies(kind: str) -> pd.DataFrame:
    """Answers of a model at three clues of every question, as an honest model may give them."""
    rng = np.random.default_rng(7)
    rows = pd.DataFrame(
        [("given", q, clue) for q in QUESTIONS for clue in (1, 2, 3)],
        columns=["segmentation", "question_id", "clue"],
    )
    confidence = {
        "zeros": np.where(rows["clue"] == 3, 1.0, 0.0),
        "all zero": np.zeros(len(rows)),
        "one parsed": np.where(rows.index == 5, 0.8, np.nan),
        "mixed": np.where(rng.random(len(rows)) < 0.3, 0.0, rng.random(len(rows))),
        "constant": np.full(len(rows), 0.3),
    }[kind]
    right = {"all zero": False, "constant": True}.get(kind, rng.random(len(rows)) < 0.5)
    return rows.assign(model=kind, confidence=confidence, correct=right, **SERIES)


@pytest.fixture(scope="module")
def scored():
    """Responses of every kind of model and their score tables."""
    kinds = ("zeros", "all zero", "one parsed", "mixed", "constant")
    responses = pd.concat(map(replies, kinds), ignore_index=True)
    rows = responses[["segmentation", "question_id", "clue"]].drop_duplicates()
    curve = pd.concat(
        [rows.assign(h_definition=name, h=rows["clue"] / 4) for name in ("buzzed_so_far", "buzzed_on_question", "heard")]
    )  # fmt: skip
    return responses, streaming.score_tables(score.scored_rows(responses, curve), Bootstrap(200, 1, 0.95))


def outcomes(responses, tables) -> dict:
    """Check → rows that fail."""
    scores, questions, sh = (tables[n] for n in ("model_scores", "question_scores", "sh_scores"))
    return {
        "clues": checks.clues_counted(questions, responses).failures,
        "sh": checks.sh_of_scored_questions(sh, questions).failures,
        "means": checks.means_of_questions(scores, questions, sh).failures,
        "ranks": checks.ranks_follow_values(scores).failures,
        "bins": checks.bins_hold_all(tables["reliability"], responses, scores).failures,
    }


def test_honest_replies_pass_every_check(scored):
    """Confidences of 0 and 1, one parsed reply, constants: none of them is a fault of a table."""
    assert outcomes(*scored) == dict.fromkeys(outcomes(*scored), 0)


@pytest.mark.parametrize(
    ("table", "column", "change", "check"),
    [
        ("question_scores", "n_clues", 1, "clues"),
        ("question_scores", "mce", 0.01, "means"),
        ("model_scores", "value", 0.01, "means"),
        ("model_scores", "n_questions", 1, "means"),
        ("model_scores", "rank", 1, "ranks"),
        ("reliability", "n", 1, "bins"),
        ("reliability", "accuracy", 0.01, "bins"),
        ("reliability", "confidence", 0.2, "bins"),
    ],
)
def test_a_changed_value_is_found(scored, table, column, change, check):
    responses, tables = scored
    changed = tables[table].copy()
    chosen = changed.query("metric == 'mce'") if "metric" in changed else changed
    row = chosen.index[chosen[column].notna()][0]
    changed.loc[row, column] += change
    assert outcomes(responses, tables | {table: changed})[check] > 0


def test_a_pair_that_is_not_printed_contradicts_no_printed_number():
    """A user's own model beside the paper's has no printed numbers."""
    pairs = [("own", "M1", np.nan, np.nan, None), ("M1", "M2", 0.2, 0.3, "M1 < M2"), ("M2", "M3", 0.3, 0.3, "M2 = M3")]  # fmt: skip
    names = ["model_a", "model_b", "published_a", "published_b", "published_order"]
    table = pd.DataFrame(pairs, columns=names).assign(metric="ece", elicitation="logit")
    assert of_inference.one_printed_number(table).failures == 0
    twice = table.assign(published_b=[np.nan, 0.31, 0.3])
    assert of_inference.one_printed_number(twice).failures > 0
    turned = table.assign(published_order=[None, "M2 < M1", "M2 = M3"])
    assert of_inference.one_printed_number(turned).failures == 1
