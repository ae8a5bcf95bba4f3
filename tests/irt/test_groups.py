"""Groups of players as agents."""

import numpy as np
import pandas as pd
import pytest
from calscore.irt import groups
from irt_files import backfilled, buzz, players, table_of


def test_groups_are_disjoint_and_of_the_sizes_asked_for():
    _, responses = players()
    members, findings = groups.form_groups(responses, [1, 2, 3], 2, 0)
    _, grouped = groups.majority_responses(responses, members, 0)
    assert not members["player"].duplicated().any()
    assert members.groupby("agent").size().to_dict() == {
        "human 1-1": 1, "human 1-2": 1, "human 2-1": 2, "human 2-2": 2, "human 3-1": 3, "human 3-2": 3,
    }  # fmt: skip
    assert set(grouped["kind"]) == {"human"}
    assert not findings
    few, findings = groups.form_groups(responses, [10], 2, 0)
    assert set(few["agent"]) == {"human 10-1"}
    assert findings[0].detail == "1 of 2 groups"


def test_groups_are_of_similar_skill():
    _, responses = players(60, 12, 3)
    skill = groups.player_skill(responses)
    members, _ = groups.form_groups(responses, [5], 5, 0)
    within = members.assign(s=members["player"].map(skill)).groupby("agent")["s"].std().mean()
    rng = np.random.default_rng(0)
    random = [skill.sample(5, random_state=rng.integers(1 << 30)).std() for _ in range(200)]
    assert within < np.mean(random)


def test_a_group_takes_who_adds_the_most_questions():
    """a answered most; b answered the same as a, c less but other ones. All were always right."""
    heard = {"a": range(5), "b": range(4), "c": (4, 5, 6), "d": (6,)}
    rows = [(p, f"q{q}", 0, True) for p, numbers in heard.items() for q in numbers]
    responses, _ = backfilled(table_of([f"q{q}" for q in range(7)], 1), buzz(*rows))
    for seed in range(5):
        members, _ = groups.form_groups(responses, [2], 2, seed)
        assert members["player"].tolist() == ["a", "c", "b", "d"]


def test_the_majority_decides_and_ties_are_drawn_by_seed():
    table = table_of([f"q{i}" for i in range(200)], 1)
    right = {"a": {0, 1}, "b": {0, 1}, "c": {0}, "d": set()}
    rows = [(p, f"q{i}", 0, i % 2 in right[p]) for i in range(200) for p in right]
    responses, _ = backfilled(table, buzz(*rows))
    members, _ = groups.form_groups(responses, [4], 1, 7)
    found, _ = groups.majority_responses(responses, members, 7)
    even = found["question_id"].str[1:].astype(int) % 2 == 0
    assert found[even]["correct"].all()
    assert 0.3 < found[~even]["correct"].mean() < 0.7
    again, other = (groups.majority_responses(responses, members, seed)[0] for seed in (7, 8))
    assert again["correct"].equals(found["correct"])
    assert not other["correct"].equals(found["correct"])


@pytest.mark.parametrize("formation", ["coverage", "random"])
def test_renamed_players_are_in_the_same_groups(formation):
    """Many players heard as many questions: which comes first is drawn from what they did, by seed, not from names."""
    _, responses = players(40, 6, 5)
    names = sorted(responses["agent"].unique())
    renamed = dict(zip(names, np.random.default_rng(1).permutation(names), strict=True))
    other = responses.assign(agent=responses["agent"].map(renamed))
    other = other.sort_values(["agent", "question_id", "clue"], ignore_index=True)
    found = []
    for rows, back in ((responses, None), (other, {v: k for k, v in renamed.items()})):
        members, _ = groups.form_groups(rows, [1, 3, 5], 3, 4, formation)
        answers, _ = groups.majority_responses(rows, members, 4)
        if back:
            members["player"] = members["player"].map(back)
        found.append((members, answers))
    for one, two in zip(*found, strict=True):
        pd.testing.assert_frame_equal(one, two)
    seeds = [groups.form_groups(responses, [1, 3, 5], 3, s, formation)[0]["player"] for s in (4, 5)]
    assert not seeds[0].equals(seeds[1])
