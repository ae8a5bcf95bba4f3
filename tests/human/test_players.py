"""The survey's ranking of players, and tables by quartile and half."""

import pandas as pd
from calscore.human import players
from calscore.judging import survey


def test_players_are_ranked_and_tabulated_by_what_they_did():
    rows = [
        # Right at clue 1 of 4: 20 - 5. Then a wrong buzz (-5); only the first buzz counts.
        *[("P1", "q1", c, True, c == 1) for c in (1, 2, 3, 4)],
        *[("P1", "q2", c, c == 4, c >= 2) for c in (1, 2, 3, 4)],
        # Right at the very end: 0 points. No buzz: 0.
        *[("P2", "q1", c, c == 4, c == 4) for c in (1, 2, 3, 4)],
        *[("P2", "q2", c, True, False) for c in (1, 2, 3, 4)],
    ]
    table = pd.DataFrame(rows, columns=["player", "question_id", "clue", "right", "buzz"])
    verdicts = table.pop("right").astype("boolean")
    table = table.assign(position=table["clue"], guess="g", source_row="x")
    made = players.survey_tables(survey.survey_responses(table, verdicts)[0], 20, 1, 0.95)
    ranked = made["players"].set_index("player")
    assert ranked["points"].to_dict() == {"P1": 10.0, "P2": 0.0}
    assert ranked["buzzes"].to_dict() == {"P1": 2, "P2": 1}
    assert ranked["correct"].to_dict() == {"P1": 1, "P2": 1}
    assert ranked["half"].to_dict() == {"P1": "top", "P2": "bottom"}
    assert ranked["quartile"].to_dict() == {"P1": 4, "P2": 1}
    accuracy = made["survey_accuracy"].set_index(["reading", "group", "revealed"])["accuracy"]
    assert accuracy[[("at", "Q4", 0.5), ("at", "Q1", 1.0)]].to_list() == [0.5, 1]
    given = made["survey_buzz_given"].set_index(["half", "given", "revealed"])["p"]
    assert given[[("top", "correct", 0.3), ("top", "incorrect", 0.5)]].to_list() == [1, 1]
    assert given[("bottom", "incorrect", 0.5)] == 0
