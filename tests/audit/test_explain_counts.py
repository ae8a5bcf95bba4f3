"""Counts of buzzes explained by the rows that they count: a few rows, counted by hand."""

import json
import math

import pandas as pd
import pytest
from calscore.audit import explain, explain_counts
from calscore.core.results_folder import Study

QUESTIONS = pd.DataFrame(
    [("p01-q01", "Arts", "Painting", 10), ("p01-q02", "Science", "Biology", 8), ("p02-q01", "Arts", "Music", 10)],
    columns=["question_id", "category", "category_fine", "n_words"],
)  # fmt: skip
CLUES = pd.DataFrame(
    [("p01-q01", 1, 4), ("p01-q01", 2, 10), ("p01-q02", 1, 8), ("p02-q01", 1, 3), ("p02-q01", 2, 6), ("p02-q01", 3, 10)],
    columns=["question_id", "clue", "end_word"],
).assign(segmentation="s")  # fmt: skip
BUZZES = pd.DataFrame(
    [
        ("p01-q01", "A", "human", 3, True, "f#1"),   # the last word of clue 1
        ("p01-q01", "B", "human", 4, False, "f#2"),  # the first of clue 2
        ("p01-q02", "A", "human", 9, True, "f#3"),   # after the last word: the last clue
        ("p02-q01", "B", "human", 6, True, "f#4"),
        ("p02-q01", "M", "model", 0, True, "f#5"),
    ],
    columns=["question_id", "team", "kind", "word_index", "correct", "source_row"],
)  # fmt: skip
HEARD = pd.DataFrame(
    [("p01-q01", 1, "A"), ("p01-q02", 1, "A"), ("p01-q01", 1, "B"), ("p01-q02", 1, "B"), ("p02-q01", 2, "B"), ("p02-q01", 2, "M")],
    columns=["question_id", "packet", "team"],
).assign(kind="human", source="declared")  # fmt: skip
TEAMS = pd.DataFrame(
    [("A", "human", 4.0), ("B", "human", 1.0), ("M", "model", float("nan"))],
    columns=["team", "kind", "quartile_paper"],
).assign(quartile_release=1.0, quartile_rate=1.0)
TABLES = {"questions": QUESTIONS, "clues": CLUES, "buzzes": BUZZES, "exposures": HEARD}
TABLES["teams"] = TEAMS
MARGINS = {"level": "merged", "category": "Arts", "group_kind": "pool", "group": "human"}
CURVE = {"rule": "all", "group": "human", "outcome": "correct", "clue": 2}


@pytest.mark.parametrize(
    ("table", "row", "column", "value", "lines"),
    [
        ("category_margins", MARGINS, "correct", 2, ["f#1", "f#4"]),
        ("category_margins", MARGINS, "incorrect", 1, ["f#2"]),
        ("category_margins", MARGINS, "margin", 1, ["f#1", "f#2", "f#4"]),
        ("category_margins", MARGINS, "ratio", 2.0, ["f#1", "f#2", "f#4"]),
        ("category_margins", MARGINS, "precision", 2 / 3, ["f#1", "f#2", "f#4"]),
        ("category_margins", MARGINS | {"level": "fine", "category": "Music", "group": "model"}, "ratio", math.nan, ["f#5"]),
        ("category_margins", MARGINS | {"group_kind": "team", "group": "B"}, "precision", 1 / 2, ["f#2", "f#4"]),
        ("cumulative_buzzes", CURVE | {"clue": 1}, "cumulative", 2, ["f#1", "f#3"]),
        ("cumulative_buzzes", CURVE, "cumulative", 2, ["f#1", "f#3"]),
        ("cumulative_buzzes", CURVE | {"clue": 3}, "cumulative", 3, ["f#1", "f#3", "f#4"]),
        ("cumulative_buzzes", CURVE | {"rule": "paper", "group": "Q1", "clue": 3}, "cumulative", 1, ["f#4"]),
        ("cumulative_buzzes", CURVE | {"outcome": "incorrect"}, "cumulative", 1, ["f#2"]),
        ("cumulative_buzzes", CURVE, "questions_heard", 5, None),
        ("cumulative_buzzes", CURVE, "matches", 3, None),
        ("cumulative_buzzes", CURVE, "n_teams", 2, None),
        ("cumulative_buzzes", CURVE, "per_question", 2 / 5, ["f#1", "f#3"]),
        ("cumulative_buzzes", CURVE, "per_match", 2 / 3, ["f#1", "f#3"]),
        # Five questions heard: two of two clues, two of one, one of three, of which two are reached.
        ("cumulative_buzzes", CURVE, "per_clue", 2 / 8, ["f#1", "f#3"]),
        ("team_summary", {"team": "B"}, "packets", 2, None),
        ("team_summary", {"team": "B"}, "questions_heard", 3, None),
        ("team_summary", {"team": "B"}, "buzzes", 2, ["f#2", "f#4"]),
        ("team_summary", {"team": "A"}, "score_paper", 2, ["f#1", "f#3"]),
        # Right at clue 1 of 3: counted at three clue numbers, both of them.
        ("team_summary", {"team": "A"}, "score_release", 6, ["f#1", "f#3"]),
        ("team_summary", {"team": "B"}, "score_release", 1, ["f#4"]),
        ("team_summary", {"team": "B"}, "score_rate", 1 / 3, ["f#4"]),
        ("team_summary", {"team": "B"}, "median_revealed", (5 / 10 + 7 / 10) / 2, ["f#2", "f#4"]),
        ("team_summary", {"team": "M"}, "precision", 1.0, ["f#5"]),
    ],
)  # fmt: skip
def test_a_count_is_that_of_the_rows_listed(table, row, column, value, lines):
    found = explain_counts.explain_count(TABLES, "s", table, pd.Series(row), column)
    assert found.value == pytest.approx(value, nan_ok=True)
    if lines is not None:
        assert found.steps[0][1]["source_row"].tolist() == lines


# One question of ten words for each way that two can meet: word of a and whether right, the same of b, who wins.
MEETINGS = [
    ((3, True), (5, True), "a"),
    ((3, False), (5, True), "b"),
    ((5, True), (3, False), "a"),
    ((5, True), (3, True), "b"),
    ((3, True), (3, True), "tie"),
    ((3, False), (3, True), "b"),
    ((3, False), (5, False), "neither"),
    (None, (5, True), "b"),
    ((3, True), None, "a"),
    (None, (5, False), "neither"),
    (None, None, "neither"),
    # After the last word is as the last word.
    ((9, True), (12, True), "tie"),
]
PAIR = {"a": "M", "b": "H", "metric": "head_to_head"}


def meetings():
    names = [f"q{k:02d}" for k in range(len(MEETINGS))]
    buzzes = [
        (name, team, one[0], one[1], f"{name}/{team}")
        for name, (a, b, _) in zip(names, MEETINGS, strict=True)
        for team, one in (("M", a), ("H", b))
        if one
    ]
    heard = [(name, team) for name in names for team in "MH"] + [("q99", "M"), ("q98", "H")]
    questions = pd.DataFrame({"question_id": [*names, "q98", "q99"], "category": "Arts", "n_words": 10})  # fmt: skip
    return {
        "questions": questions,
        "buzzes": pd.DataFrame(buzzes, columns=["question_id", "team", "word_index", "correct", "source_row"]),
        "exposures": pd.DataFrame(heard, columns=["question_id", "team"]),
    }  # fmt: skip


def test_who_wins_a_common_question():
    met = explain_counts.common_questions(meetings(), "M", "H")
    assert met["wins"].tolist() == [wins for *_, wins in MEETINGS]
    assert met["a_row"].tolist()[0] == "q00/M"


@pytest.mark.parametrize(
    ("column", "value", "rows"),
    [
        ("questions", 12, 12),
        ("a_wins", 3, 3),
        ("b_wins", 4, 4),
        ("ties", 2, 2),
        ("decided", 9, 12),
        ("a_value", 4 / 9, 12),
        ("difference", -1 / 9, 12),
        ("low", None, 12),
    ],
)
def test_a_pair_is_counted_from_its_common_questions(column, value, rows):
    found = explain_counts.explain_count(meetings(), "s", "leaderboard_pairs", PAIR, column)
    assert found.value == (value if value is None else pytest.approx(value))
    assert len(found.steps[0][1]) == rows
    for row in (PAIR | {"a": "file"}, PAIR | {"metric": "win_rate"}):
        assert explain_counts.explain_count(meetings(), "s", "leaderboard_pairs", row, column) is None


def test_what_is_drawn_says_of_what_and_lists_the_same_rows():
    found = explain_counts.explain_count(TABLES, "s", "category_margins", pd.Series(MARGINS), "low")
    assert found.value is None
    assert "precision" in found.formula
    assert found.steps[0][1]["source_row"].tolist() == ["f#1", "f#2", "f#4"]


def test_a_share_of_questions_heard_lists_them():
    team = pd.Series({"team": "B"})
    found = explain_counts.explain_count(TABLES, "s", "team_summary", team, "score_rate")
    assert found.steps[1][1]["question_id"].tolist() == ["p01-q01", "p01-q02", "p02-q01"]


def test_where_a_row_lies_is_never_cut():
    place = "[public]ALL_final_buzzpoints/" + "packet1_with_a_long_name/" * 3 + "packet1.json#1"
    rows = pd.DataFrame({"guess": ["x" * 200, None], "source_row": [place, place]})
    step = explain.Step("Guesses", rows)
    text = explain.render(explain.Explanation("t", {}, "c", 1, None, "f", "r", [step]))
    assert text.count(place) == 2
    assert "x" * 60 not in text


def test_the_reply_behind_a_guess_of_a_file_with_a_hash_in_its_name(tmp_path):
    for folder in ("results/s/audit", "results/s/guess", "replies"):
        (tmp_path / folder).mkdir(parents=True)
    guesses = [{"guess": "a"}, {"guess": "b", "reply_key": "k"}]
    (tmp_path / "results/s/guess/gpt#4.jsonl").write_text("\n".join(map(json.dumps, guesses)))
    stored = {
        "key": "k",
        "model": "gpt",
        "prompt": "?",
        "parameters": {},
        "reply": {"text": "b", "finish_reason": "stop"},
    }
    (tmp_path / "replies/gpt#4.jsonl").write_text(json.dumps(stored))
    provenance = json.dumps({"study": {"inputs": {"replies": "replies"}}})
    (tmp_path / "results/s/audit/provenance.json").write_text(provenance)
    study = Study(tmp_path / "results/s")
    places = pd.DataFrame(
        {"source_row": [None, "gpt#4.jsonl#1", "gpt#4.jsonl#2", "runs.csv#5 = a.json#1/M1/0"]}
    )
    (step,) = explain._stored_replies(study, [explain.Step("Guesses", places)])
    assert step.rows.values.tolist() == [["gpt#4.jsonl#2", "gpt#4.jsonl#1", "stop", "b"]]
