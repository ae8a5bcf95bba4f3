"""Buzzes of one source at the words of another, and what rests on them."""

import pandas as pd
from calscore.human import curves
from calscore.ledger import positions
from ledger.paper import published

COLUMNS = ["question_id", "team", "correct", "word_index"]


def test_a_buzz_moves_to_where_the_outputs_have_the_same_one():
    released = pd.DataFrame(
        [("q1", "H1", True, 40), ("q1", "H2", False, 50), ("q2", "H1", True, 7), ("q2", "H2", True, 9)],
        columns=COLUMNS,
    )  # fmt: skip
    outputs = pd.DataFrame(
        [
            ("q1", "H1", True, 36),
            ("q1", "H2", True, 44),  # another outcome is another buzz
            ("q2", "H2", True, 3),  # twice there: which is meant is open
            ("q2", "H2", True, 5),
        ],
        columns=COLUMNS,
    )
    moved = positions.moved_buzzes(released, outputs)
    assert moved["word_index"].to_list() == [36, 50, 7, 9]
    assert moved.drop(columns="word_index").equals(released.drop(columns="word_index"))


def test_each_quantity_is_computed_from_both_sources():
    """H1's right buzz on q1 stands in the first of two clues in the release, in the second in the outputs."""
    questions = pd.DataFrame({"question_id": ["q1", "q2"], "packet": 1, "n_words": 4})
    questions = questions.assign(category="Arts", answerline="x")
    ends = pd.DataFrame({"clue": [1, 2], "end_word": [2, 4], "revealed": [0.5, 1.0]})
    clues = questions[["question_id"]].merge(ends, how="cross").assign(segmentation="words-2")
    played = [("q1", "H1", "human", True), ("q2", "M1", "model", True)]
    buzzes = pd.DataFrame(played, columns=["question_id", "team", "kind", "correct"])
    heard = questions[["question_id"]].merge(buzzes[["team", "kind"]], how="cross")
    exposures = heard.assign(packet=1, source="declared")
    buzzes = buzzes.assign(packet=1, match=None, source_row=["f#1", "f#2"], word_index=[0, 3])
    outputs = buzzes.assign(word_index=[3, 3])
    shown = {"segmentation": "words-2", "model": "M1", "elicitation": "logit", "marks": "authors"}
    responses = clues[["question_id", "clue"]].assign(**shown, confidence=1.0, correct=True)
    responses["reduction"] = "mean_prob"
    guesses = clues[["question_id"]].assign(
        model="M1", elicitation="logit", position=clues["end_word"], mean_logprob=0.0, guess="x",
        sent=None, correct_given=True,
    )  # fmt: skip
    judgements = pd.DataFrame([("q1", "x"), ("q2", "x")], columns=["question_id", "guess"])
    judgements = judgements.assign(condition="", verdict="accept", engine="accept", source="engine")
    table = positions.positions(
        published(), guesses, judgements, questions, clues, responses, buzzes, outputs, exposures,
        curves.rank_teams(clues, buzzes, exposures), "words-2", ["mean_prob"], "release",
    )["positions"].set_index(["quantity", "group", "at"])  # fmt: skip
    sources = ["released", "moved", "outputs"]
    # h of the four clues: 1, 1, 0, 0 in the release; 0, 1, 0, 0 in the outputs.
    assert table.loc[("mean_h", "buzzed_so_far", 1.0), sources].to_list() == [0.5, 0.25, 0.25]
    assert table.loc[("figure4", "human", 1.0), sources].to_list() == [0.5, 0, 0]
    assert table.loc[("pi", "human", 0.5), sources].to_list() == [0.5, 1, 1]
    at_end, past_end = (
        [
            *positions._human_rows(
                questions, clues, logged, exposures, curves.rank_teams(clues, logged, exposures)
            )
        ]
        for logged in (buzzes, buzzes.assign(word_index=[0, 9]))
    )
    assert past_end == at_end
