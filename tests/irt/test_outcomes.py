"""What an agent did on a question: buzzes, silence and waiting as responses."""

import numpy as np
import pandas as pd
import pytest
from calscore.irt import checks, items, outcomes
from irt_files import backfilled, buzz, table_of, verdicts


def test_a_right_buzz_holds_later_and_a_wrong_one_earlier():
    buzzes = buzz(("a", "q1", 7, True), ("b", "q1", 12, False), ("a", "q2", 0, False))
    found, findings = backfilled(table_of(), buzzes)
    assert verdicts(found) == {2: True, 3: True, 4: True}
    assert verdicts(found, "b") == {1: False, 2: False, 3: False}
    assert verdicts(found, "a", "q2") == {1: False}
    told = found.loc[~found["backfilled"], ["agent", "clue"]]
    assert told.to_numpy().tolist() == [["a", 2], ["a", 1], ["b", 3]]
    assert not findings


READINGS = {
    # What a did on q1 (four clues of five words): word index and verdict → clue → right, as the paper fills it and
    # with silence taken as wrong; the clue after which nothing was seen of it.
    "right in clue 3": ((12, True), {3: 1, 4: 1}, {1: 0, 2: 0, 3: 1, 4: 1}, 3),
    "right in clue 1": ((2, True), {1: 1, 2: 1, 3: 1, 4: 1}, {1: 1, 2: 1, 3: 1, 4: 1}, 1),
    "wrong in clue 2": ((7, False), {1: 0, 2: 0}, {1: 0, 2: 0}, 2),
    "wrong in the last clue": ((17, False), {1: 0, 2: 0, 3: 0, 4: 0}, {1: 0, 2: 0, 3: 0, 4: 0}, 0),
    "silent to the end of clue 3": ((14, None), {}, {1: 0, 2: 0, 3: 0}, 3),
    "silent into clue 3": ((13, None), {}, {1: 0, 2: 0}, 2),
    "silent into clue 1": ((3, None), {}, {}, 0),
    "right in the last clue": ((17, True), {4: 1}, {1: 0, 2: 0, 3: 0, 4: 1}, 0),
}
#: Of the clue that the question ended in, what a had heard: words 0 to 13 and 0 to 3.
SHARES = {"silent into clue 3": 4 / 5, "silent into clue 1": 4 / 5}


@pytest.mark.parametrize("case", READINGS)
def test_readings_of_an_outcome(case):
    (word, said), by_paper, with_silence, after = READINGS[case]
    # Somebody else has an outcome whatever a did.
    rows = buzz(("a", "q1", word, said), ("b", "q2", 19, False))
    table = table_of()
    who = pd.DataFrame({"agent": ["a", "b"]})
    for reading in outcomes.READINGS:
        found, _ = backfilled(table, rows, reading=reading)
        assert verdicts(found) == (by_paper if reading == "backfilled" else with_silence), reading
        left = outcomes.censored_mask(found, table, {"a"}, reading)
        clues = found[left]["clue"].tolist()
        assert clues == ([after] if after and reading == "censored" else []), reading
        told = outcomes.question_outcomes(table, rows[rows["agent"] == "a"])[0]
        told = told[: None if reading == "censored" else 0]
        open_ = outcomes.censored_outcomes(found.assign(undecided=left), table, who, told)
        share = SHARES.get(case, 0.0) if reading == "censored" else 0.0
        assert (open_ is not None) == bool(clues or share)
        if open_:
            assert open_.share == [pytest.approx(share)]
            right = bool(said)
            assert (open_.columns, open_.start, open_.wrong) == ([0], [0], [0])
            assert (open_.silent, open_.right) == ([after - right], [after if right else 0])
            signs = open_.observed_signs(np.ones((4, 2)))
            assert signs[:, 0].tolist() == [float(clue < after) for clue in range(4)]
        # A system that was asked item by item left nothing open.
        assert not outcomes.censored_mask(found, table, (), reading).any()


def test_teams_that_were_beaten_heard_the_question_to_that_word():
    clues = table_of()[["question_id", "clue", "end_word"]]
    ends = pd.DataFrame(
        [("q1", "a", 3, 3, True, 13 / 20), ("q1", "b", 1, 3, True, 13 / 20), ("q1", "c", 4, 4, True, 1.0),
         ("q1", "d", 4, 4, False, 1.0), ("q2", "d", 4, 4, False, 1.0), ("q1", "e", 3, 1, True, 3 / 20)],
        columns=["question_id", "team", "cause", "clue", "known", "share"],
    ).assign(kind="human")  # fmt: skip
    buzzes = buzz(("b", "q1", 12, True), ("f", "q1", 13, True), ("g", "q1", 2, False))
    found = outcomes.no_buzz_exposures(ends, clues, buzzes)
    assert found["correct"].isna().all()
    words = found.set_index(["question_id", "team"])["word_index"].to_dict()
    # q1's right buzzes came in clue 3: an unknown opponent ended it there; nobody was right on q2.
    assert words == {
        ("q1", "a"): 12, ("q1", "e"): 2, ("q1", "c"): 19, ("q1", "d"): 9, ("q2", "d"): 19,
    }  # fmt: skip


def test_several_buzzes_in_time_order_and_contradictions_dropped():
    found, findings = backfilled(table_of(), buzz(("a", "q1", 2, False), ("a", "q1", 13, True)))
    assert verdicts(found) == {1: False, 3: True, 4: True}
    assert not findings
    buzzes = buzz(("a", "q1", 16, False), ("a", "q1", 6, True), ("b", "q1", 1, True))
    found, (finding,) = backfilled(table_of(), buzzes)
    # Right from 2 and wrong up to 4: nothing but clue 1 is left.
    assert verdicts(found) == {1: False}
    assert (finding.finding, finding.handling) == ("right, then wrong", "3 responses dropped")


def test_a_buzz_inside_a_clue_belongs_to_it_or_to_the_one_before():
    at = buzz(*(("a", "q1", word, True) for word in (4, 5, 9, 2)))
    assert list(outcomes.buzz_clues(table_of(), at)) == [1, 2, 2, 1]
    assert list(outcomes.buzz_clues(table_of(), at, "finished")) == [1, 1, 2, 0]
    found, findings = backfilled(table_of(), at.iloc[[3]], "finished")
    assert found.empty
    assert findings[0].detail == "1 buzzes belong to no finished clue"


def test_waiting_is_measured_on_models_that_also_had_to_guess():
    """Right guesses at clues 2 to 4. Right at 3: clue 2 was let pass. Wrong at 4: 2 and 3 were; wrong at 2, then right at 4: 3."""
    words = {"q1": [12], "q2": [-17], "q3": [-7, 17], "q4": [2, -17]}
    said = ((q, abs(word), word > 0) for q in words for word in words[q])
    buzzes = buzz(("T", "q1", 2, True), *(("GPT (live)", *each) for each in said))
    table, _ = outcomes.question_outcomes(table_of(words), buzzes)
    rows = [("GPT (logit guesses)", q, c, c != 1) for q in words for c in (1, 2, 3, 4)]
    given = pd.DataFrame(rows, columns=["agent", "question_id", "clue", "correct"])
    for last, wait in (("q1", 1 / 2), ("q2", 3 / 4), ("q3", 4 / 6), ("q4", 4 / 6)):
        assert outcomes.measured_wait(table[table["question_id"] <= last], given) == pytest.approx(wait)
    assert np.isnan(outcomes.measured_wait(table[table["agent"] == "T"], given))


@pytest.mark.parametrize(("first", "then"), [(True, False), (False, True), (False, None)])
def test_outcomes_that_readers_take_pass_their_check(first, then):
    rows = buzz(("a", "q1", 2, first), ("a", "q1", 14, then), ("b", "q2", 7, False), ("b", "q3", 7, True))
    table = table_of(("q1", "q2", "q3"))
    told, _ = outcomes.question_outcomes(table, rows)
    for reading in outcomes.READINGS:
        found, _ = backfilled(table, rows, reading=reading)
        # A trailing item without responses is not in the list, and a finding says so.
        for listed, kind in ((table, "other"), (table[:1], "item without responses")):
            given = found, listed, pd.DataFrame({"finding": [kind]})
            assert not checks.one_end_each(told, *given).failures, reading
            for column in ("right_from", "wrong_to"):
                wrong = told.assign(**{column: told[column] + (told["agent"] == "b")})
                assert checks.one_end_each(wrong, *given).failures, column


def test_clues_may_add_no_words_and_never_take_any_away():
    table = items.check_items(table_of().assign(end_word=[5, 5, 15, 20] * 2), "queries")
    for ends, faults in (([5, 5, 15, 20], 0), ([5, 4, 15, 20], 2)):
        given = table.assign(end_word=ends * 2), {"irt": {"cumulative": True}}
        assert checks.ends_of_clues(*given).failures == faults
