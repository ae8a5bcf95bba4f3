"""Backfilling and the survey's ranking."""

import pandas as pd
from calscore.human import players
from hypothesis import given
from hypothesis import strategies as st

Y, N, U = True, False, None


@given(st.lists(st.sampled_from([Y, N, U]), max_size=12))
def test_backfill_keeps_what_was_observed_and_fills_what_follows_from_it(observed):
    filled = players.backfill(observed)
    assert all(f == o for f, o in zip(filled, observed, strict=True) if o is not None)
    for i, (value, was) in enumerate(zip(filled, observed, strict=True)):
        if was is None:
            right, wrong = Y in observed[:i], N in observed[i + 1 :]
            assert value is (None if right == wrong else right)


def answers(rows):
    table = pd.DataFrame(rows, columns=["player", "question_id", "clue", "right", "buzz"])
    verdicts = table.pop("right").astype("boolean")
    return table.assign(position=table["clue"], guess="g", source_row="x"), verdicts


def test_contradictions_are_listed_and_kept():
    responses, findings = players.survey_responses(
        *answers([("P1", "q", 1, Y, 0), ("P1", "q", 2, N, 0), ("P1", "q", 3, U, 0)])
    )
    assert responses["correct"].tolist() == [True, False, True]
    assert responses["backfilled"].tolist() == [False, False, True]
    assert [(f.finding, f.place) for f in findings] == [("right, then wrong", "P1, q")]


def test_points():
    rows = [
        # Right at clue 1 of 4: 20 - 5. Then a wrong buzz (-5); only the first buzz counts.
        *[("P1", "q1", c, Y, c == 1) for c in (1, 2, 3, 4)],
        *[("P1", "q2", c, c == 4, c >= 2) for c in (1, 2, 3, 4)],
        # Right at the very end: 0 points. No buzz: 0.
        *[("P2", "q1", c, c == 4, c == 4) for c in (1, 2, 3, 4)],
        *[("P2", "q2", c, Y, False) for c in (1, 2, 3, 4)],
    ]
    table, verdicts = answers(rows)
    table["buzz"] = table["buzz"].astype(bool)
    ranked = players.rank_players(players.survey_responses(table, verdicts)[0])
    ranked = ranked.set_index("player")
    assert ranked["points"].to_dict() == {"P1": 10.0, "P2": 0.0}
    assert ranked["buzzes"].to_dict() == {"P1": 2, "P2": 1}
    assert ranked["correct"].to_dict() == {"P1": 1, "P2": 1}
    assert ranked["half"].to_dict() == {"P1": "top", "P2": "bottom"}
    assert ranked["quartile"].to_dict() == {"P1": 4, "P2": 1}
