"""Whether positions of buzzes are words heard: marks that count as words leave traces."""

import numpy as np
import pandas as pd
from calscore.raw import checks

WORDS, TEAMS = 120, [f"H{number}" for number in range(1, 13)]
QUESTIONS = pd.DataFrame({"question_id": [f"q{n:03d}" for n in range(120)], "n_words": WORDS})


def heard(seed: int) -> pd.DataFrame:
    """Buzzes of twelve teams at words of their own, some of them past the end."""
    rng = np.random.default_rng(seed)
    rows = [
        (question, team, "human", int(min(rng.normal(70, 25), WORDS - 1)), rng.random() < 0.7)
        for question in QUESTIONS["question_id"]
        for team in TEAMS
        if rng.random() < 0.6
    ]
    columns = ["question_id", "team", "kind", "word_index", "correct"]
    table = pd.DataFrame(rows, columns=columns)
    return table[table["word_index"] >= 0].reset_index(drop=True)


def drifted(buzzes: pd.DataFrame, files=(TEAMS[:6], TEAMS[6:])) -> pd.DataFrame:
    """The same, each earlier mark of a file counted as two words, clipped at the last one."""
    table = buzzes.copy()
    for file in files:
        own = table[table["team"].isin(file)].sort_values("word_index", kind="stable")
        earlier = own.groupby("question_id").cumcount()
        table.loc[own.index, "word_index"] = own["word_index"] + 2 * earlier
    return table.assign(word_index=table["word_index"].clip(upper=WORDS - 1))


def test_words_heard_pass_and_marks_that_count_as_words_are_noticed():
    passed = [checks.teams_buzz_apart_by_chance(heard(seed), QUESTIONS) for seed in range(8)]
    assert [outcome.failures for outcome in passed] == [0] * 8
    outcome = checks.teams_buzz_apart_by_chance(drifted(heard(1)), QUESTIONS)
    # What the page says of both numbers is what the detail says.
    assert outcome.failures > 1 and "closer than two words" in outcome.detail
    assert outcome.detail.startswith(f"{outcome.failures} of {outcome.rows} pairs")
    assert checks.teams_buzz_apart_by_chance.severity == "warning"


def test_shifts_of_two_words_a_mark_are_even():
    honest = heard(2)
    noise = honest.assign(word_index=honest["word_index"] + np.arange(len(honest)) % 5)
    assert checks.shifts_are_odd_or_even(honest, noise, QUESTIONS).failures == 0
    outcome = checks.shifts_are_odd_or_even(honest, drifted(honest), QUESTIONS)
    assert outcome.failures > 1 and "even number of words" in outcome.detail
    assert outcome.detail.startswith(f"{outcome.failures} of {outcome.rows} buzzes")


def test_without_human_buzzes_nothing_is_said():
    none = heard(1)[:0]
    assert checks.teams_buzz_apart_by_chance(none, QUESTIONS).failures == 0
    assert checks.shifts_are_odd_or_even(none, none, QUESTIONS).failures == 0
