"""Items, responses and embeddings: mapped, backfilled, grouped, and refused with one clear error."""

import json

import numpy as np
import pandas as pd
import pytest
from calscore.core import store
from calscore.core.errors import DataError
from calscore.irt import agents, embeddings, groups, items, outcomes, pipeline, plot
from calscore.simulate import irt

SETTINGS = {"cumulative": True, "buzz_clue": "inside", "reading": "censored", "group_sizes": [1, 2], "groups": 2, "seed": 1,
            "group_formation": "coverage", "replicates": 20, "level": 0.95}  # fmt: skip


def table_of(questions=("q1", "q2"), clues=4, words=5):
    """Items with ``words`` words a clue."""
    rows = []
    for q in questions:
        for t in range(1, clues + 1):
            text = " ".join(f"{q}w{i % 7}" for i in range(words * t))
            rows.append((f"{q}_{t}", q, t, words * t, text, "History", "x", None))
    return pd.DataFrame(rows, columns=store.columns("item_list"))


def buzz(*rows):
    return pd.DataFrame(rows, columns=["agent", "question_id", "word_index", "correct"])


def backfilled(table, buzzes, rule="inside", reading="backfilled"):
    """Responses and findings of buzzes."""
    made, findings = outcomes.question_outcomes(table, buzzes, rule)
    return outcomes.responses_under_reading(table, made, reading), findings


def verdicts(responses, agent="a", question="q1"):
    of = responses[(responses["agent"] == agent) & (responses["question_id"] == question)]
    return dict(zip(of["clue"], of["correct"], strict=True))


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


def players(n=14, questions=12, seed=0):
    rng = np.random.default_rng(seed)
    names = [f"q{i}" for i in range(questions)]
    rows = [
        (f"p{p:02d}", q, int(rng.integers(0, 20)), bool(rng.random() < 0.3 + 0.05 * p))
        for p in range(n)
        for q in rng.permutation(names)[: rng.integers(3, questions)]
    ]
    return table_of(names), backfilled(table_of(names), buzz(*rows))[0]


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


def test_agents_of_other_names_are_in_the_same_place_of_the_fit():
    """Random starts and what is held out go by an agent's place among the others."""
    table, responses = players(12, 6, 5)
    names, signs = sorted(responses["agent"].unique()), []
    for given in (names, names[::-1]):
        rows = responses.assign(agent=responses["agent"].map(dict(zip(names, given, strict=True))))
        who = pd.DataFrame({"agent": names, "kind": "human", "agent_type": names})
        signs.append(agents.response_matrix(rows, table, agents.sort_agents(who, rows)))
    assert (signs[0] == signs[1]).all()


def sources(folder, change=None):
    """Raw files of a small simulated study, changed by ``change(made)``."""
    made = irt.simulate_irt(2, {"questions": 12, "players": 12, "heard": 12})
    if change:
        change(made)
    irt.write_irt(made, folder)
    return {
        "queries": folder / "queries.jsonl",
        "agent_file": folder / "agents.jsonl",
        "response_files": [folder / "responses.jsonl", folder / "table.csv"],
        "formats": ["jsonl", "table"],
        "buzz_file": folder / "buzzes.csv",
    }


def prepared(given, **changes):
    """Items, agents, responses and findings of the files."""
    found = pipeline.build_responses(SETTINGS | changes, **given)
    return [found[name] for name in ("item_list", "agents", "agent_responses", "findings")]


def test_the_raw_formats_give_the_truth_back(tmp_path):
    table, who, responses, findings = prepared(sources(tmp_path))
    assert len(table) == 48
    assert set(who["kind"]) == {"human", "ai"}
    assert (who["kind"] == "human").sum() == 4
    made = irt.simulate_irt(2, {"questions": 12, "players": 12, "heard": 12})
    # The first large model's scores are empty: the answer engine gives them back.
    given = made["table"][made["table"]["agent_type"] == "large model 1"]
    judged = responses[responses["agent"] == "large model 1"].set_index("item_id")["correct"]
    assert (given["score"] == "").all()
    meant = (given["prediction"] == given["answer"]).to_numpy()
    assert (judged.loc[given["qc_id"]].to_numpy() == meant).all()
    assert all(f.severity == "info" for f in findings)
    signs = agents.response_matrix(responses, table, who)
    assert signs.shape == (48, len(who))
    assert (np.abs(signs).sum(axis=0) == who["responses"]).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda made: made["agents"].append({"id": "nobody", "kind": "ai", "type": "base model"}),
         r"row nobody, column agent: found 0, expected at least one response"),
        (lambda made: made["queries"][5].update(text="  "),
         r"queries.jsonl, row q2_2, column text: found '  ', expected text"),
        (lambda made: made["responses"].append(made["responses"][0] | {"ruling": not made["responses"][0]["ruling"]}),
         r"retriever 1, q1_1, column score: found 'right and wrong', expected one verdict"),
        (lambda made: made["responses"][3].update(query_id="q99_1"),
         r"row responses.jsonl#4, column qc_id: found 'q99_1', expected an item with text"),
        (lambda made: made["table"].__setitem__("qc_id", "q1"),
         r"table.csv, row 2, column qc_id: found 'q1', expected q<id>_<clue>.*irt.cumulative: false"),
        (lambda made: made["table"].__setitem__("score", "maybe"),
         r"table.csv, row 2, column score: found 'maybe', expected 1 or 0"),
        (lambda made: made["buzzes"].loc.__setitem__((0, "word_index"), 5000),
         r"buzzes.csv, row 2, column word_index: found 5000, expected less than"),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_error(tmp_path, change, message):
    with pytest.raises(DataError, match=message) as error:
        prepared(sources(tmp_path, change))
    assert len(error.value.faults) == 1


def test_a_repeat_that_agrees_is_counted(tmp_path):
    given = sources(tmp_path, lambda made: made["responses"].append(made["responses"][0]))
    findings = prepared(given)[3]
    assert [f.detail for f in findings if f.finding == "response repeated"] == ["1 rows"]


def test_a_type_of_agents_that_humans_and_systems_share_is_two_types():
    """An open event lists teams and systems under one type; shares right are counted apart, and drawn."""
    table = table_of()
    who = pd.DataFrame(
        [("a", "human", "open"), ("b", "human", "closed"), ("c", "ai", "open"), ("d", "ai", "own")],
        columns=["agent", "kind", "agent_type"],
    )
    responses = who[["agent"]].merge(table[["item_id", "question_id", "clue"]], how="cross")
    responses = responses.assign(correct=responses["agent"] != "c", backfilled=False)
    found = pipeline.validate_tables(table, who, responses, [])
    types = found["agents"].set_index("agent")["agent_type"].to_dict()
    assert types == {"a": "open, human", "b": "closed", "c": "open, ai", "d": "own"}


def agent_rows(counts, **changes):
    """Rows of tables/irt_agents for so many agents of each kind."""
    rows = [(f"{kind} {i}", kind, i / 10) for kind, n in counts.items() for i in range(n)]
    table = pd.DataFrame(rows, columns=["agent", "kind", "skill"])
    bounds = {"skill_low": table["skill"] - 1, "skill_high": table["skill"] + 1}
    given = {"compared": True, "slope": np.nan, "slope_low": np.nan, "slope_high": np.nan}
    return table.assign(**bounds, **(given | changes))


def test_of_many_agents_the_best_of_each_kind_have_a_row(style):
    figure = plot.skills(agent_rows({"human": 45, "ai": 3}))
    ticks = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    # From below, systems over humans, the best of each on top.
    assert ticks == [f"human {i}" for i in range(5, 45)] + [f"ai {i}" for i in range(3)]
    assert "The 40 of 45 humans with the highest skill" in figure.axes[0].get_xlabel()
    assert len(figure.axes) == 1
    sloped = agent_rows({"human": 3}, slope=0.5, slope_low=0, slope_high=1)
    assert len(plot.skills(sloped).axes) == 2


def test_what_says_nothing_is_not_drawn(style):
    """One kind of agents: no empty axes."""
    for figure in (
        plot.accuracy(store.empty("irt_accuracy")),
        plot.differential(store.empty("irt_dif")),
        plot.readings(store.empty("irt_readings"))["irt_readings"],
    ):
        assert not figure.axes
        assert figure.texts[0].get_text().startswith("Not drawn")
    chances = pd.DataFrame(
        [("human", "human", d, 7, 0.1 * d, 0.1, 0.6) for d in range(6)],
        columns=["kind", "agent_type", "depth", "agents", "p", "low", "high"],
    )
    drawn = plot.accuracy(chances)
    assert len(drawn.axes) == 1
    assert drawn.axes[0].texts[0].get_text() == "human (n\u00a0=\u00a07)"
    items = pd.DataFrame({"difficulty": [-1.0, 0, 1]})
    scale = pd.DataFrame({"quantity": ["mean difficulty"], "value": [-2.0]})
    left, right = plot.wright_map(agent_rows({"human": 4}), items, scale).axes
    # Items are drawn on the agents' origin, two logits below the mean agent.
    assert min(bar.get_y() for bar in right.patches if bar.get_width()) == -3
    assert left.get_xlabel() == "Agents"


def lines(path, entries):
    path.write_text("".join(json.dumps(one) + "\n" for one in entries))
    return path


def answered(folder, queries, responses, **changes):
    """Items, agents, responses and findings of files with these objects."""
    given = {"queries": lines(folder / "queries.jsonl", queries), "formats": ["jsonl"]}
    given["response_files"] = [lines(folder / "responses.jsonl", responses)]
    return prepared(given, **changes)


PARTS = [
    {"id": "b1_1", "clue_text": "This is a long first part."}, {"id": "b1_2", "clue_text": "Short one."},
    {"id": "boolq-7", "clue_text": "Is it so?"},
]  # fmt: skip
GIVEN = [
    {"agent_id": agent, "query_id": one["id"], "ruling": agent == "human_team_1"}
    for agent in ("human_team_1", "gpt")
    for one in PARTS
]


def test_parts_and_questions_of_any_benchmark_are_items(tmp_path):
    """Parts of a bonus do not go on from each other, and a benchmark's id is any text; columns as the authors name them."""
    table, who, responses, told = answered(tmp_path, PARTS, GIVEN, cumulative=False)
    places = table[["item_id", "question_id", "clue"]].to_numpy().tolist()
    assert places == [["b1_1", "b1", 1], ["b1_2", "b1", 2], ["boolq-7", "boolq-7", 1]]
    assert who.set_index("agent")["kind"].to_dict() == {"gpt": "ai", "human_team_1": "human"}
    assert responses.groupby("agent")["correct"].sum().to_dict() == {"gpt": 0, "human_team_1": 3}
    # Nobody said who is human: that it was read off the names is not silent.
    assert ("kind told by name", "1 human, 1 ai") in [(f.finding, f.detail) for f in told]
    with pytest.raises(DataError, match="or irt.cumulative: false"):
        answered(tmp_path, PARTS[:2], GIVEN)
    with pytest.raises(DataError, match="'boolq-7', expected q<id>_<clue>"):
        answered(tmp_path, PARTS[2:], GIVEN)


MATRIX = [["agent", "b1_1", "b1_2", "x7"], ["human A", "1", "0", ""], ["gpt", "1.0", " ", "false"]]


def matrix(folder, rows, delimiter=",", **changes):
    path = folder / "matrix.csv"
    path.write_text("".join(delimiter.join(row) + "\n" for row in rows))
    given = {"response_files": [path], "formats": ["matrix"]}
    return pipeline.build_responses(SETTINGS | {"cumulative": False} | changes, **given)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_matrix_is_agents_by_items_with_blanks_for_items_not_met(tmp_path, delimiter):
    found = matrix(tmp_path, MATRIX, delimiter)
    rows = found["agent_responses"].set_index(["agent", "item_id"])["correct"]
    assert rows.to_dict() == {
        ("human A", "b1_1"): True, ("human A", "b1_2"): False, ("gpt", "b1_1"): True, ("gpt", "x7"): False,
    }  # fmt: skip
    assert found["item_list"]["text"].eq("").all()
    # Both answered little.
    told = [issue for issue in found["findings"] if issue.finding == "agent too little to compare"]
    assert len(told) == 2


@pytest.mark.parametrize(
    ("rows", "changes", "message"),
    [
        ([*MATRIX, ["gpt", "1", "1", "1"]], {}, "matrix.csv, row 4, column agent: found 'gpt', expected an agent once"),
        ([*MATRIX, ["", "1", "1", "1"]], {}, "row 4, column agent: found '', expected an agent"),
        ([*MATRIX, ["b", "1", "maybe", "1"]], {}, "row 4, column b1_2: found 'maybe', expected 1, 0 or blank"),
        (MATRIX, {"cumulative": True}, "found 'x7', expected q<id>_<clue>.*irt.cumulative: false"),
        ([["agent"], ["a"]], {}, "a column of agents and columns of items"),
    ],
)  # fmt: skip
def test_a_bad_matrix_is_one_clear_error(tmp_path, rows, changes, message):
    with pytest.raises(DataError, match=message):
        matrix(tmp_path, rows, **changes)


def test_a_table_needs_no_answers(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("agent_type;qc_id;score\nhuman 1;q1_1;1\ngpt;q1_1;0\n")
    assert agents.read_table(path)["correct"].tolist() == [True, False]
    path.write_text("agent_type,qc_id,score\nhuman 1,q1_1,\n")
    message = "row 2, column score: found '', expected 1 or 0, or an answer"
    with pytest.raises(DataError, match=message):
        agents.read_table(path)


#: Points of an item that gives three → right or wrong at each of its steps.
STEPS = {0: [False], 1: [True, False], 2: [True, True, False], 3: [True, True, True]}


def test_points_are_steps_that_are_passed(tmp_path):
    """The sequential model (Tutz 1990): a step is come to by those who passed the one before it."""
    queries = [{"id": "b7", "text": "For 30 points.", "max_score": 3}, *PARTS]
    given = [*GIVEN, *({"agent_id": f"human {k}", "query_id": "b7", "score": k} for k in STEPS)]
    table, _, responses, _ = answered(tmp_path, queries, given, cumulative=False)
    assert table[table["question_id"] == "b7"]["item_id"].tolist() == ["b7_1", "b7_2", "b7_3"]
    for points, expected in STEPS.items():
        assert list(verdicts(responses, f"human {points}", "b7").values()) == expected
    for wrong in (4, 1.5, -1, "x", "0_3", True):
        bad = [*GIVEN, {"agent_id": "gpt", "query_id": "b7", "score": wrong}]
        with pytest.raises(DataError, match="row 7, column score.*whole number from 0 to 3"):
            answered(tmp_path, queries, bad, cumulative=False)


def test_where_players_buzz_a_text_goes_on(tmp_path):
    with pytest.raises(DataError, match="column cumulative: found False, expected true"):
        prepared(sources(tmp_path), cumulative=False)


def test_a_writers_tag_is_columns_of_the_model(tmp_path):
    table = table_of(("q1", "q2"), 2)
    path = tmp_path / "tags.csv"
    rows = ("id,level,match", "q2_2,hard,1", "q1_1,easy,0.5", "q1_2,easy,0", "q2_1,hard,1", "q9_1,odd,")  # fmt: skip
    path.write_text("\n".join(rows) + "\n")
    found = items.read_features(path, table, ["level", "match"])
    chosen = ["level=easy", "level=hard"]
    assert found[chosen].to_numpy().tolist() == [[1, 0], [1, 0], [0, 1], [0, 1]]
    assert found["match"].tolist() == [0.5, 0, 1, 1]
    known = pipeline.item_covariates(table, path, {"covariates": ["level", "match"]})
    assert known.shape == (4, 3)
    assert np.abs(known.mean(axis=0)).max() < 1e-12
    assert pipeline.item_covariates(table, path, {"covariates": []}) is None


@pytest.mark.parametrize(
    ("text", "names", "message"),
    [
        (None, ["level"], "column covariates: found 'level', expected inputs.item_features"),
        ("id,level\nq1_1,easy\nq1_2,easy\n", ["tag"], "column tag: found None, expected the column"),
        ("id,level\nq1_1,1\n", ["level"], "row q1_2, column id: found None, expected features of every"),
        ("id,level\nq1_1,1\nq1_1,2\nq1_2,2\n", ["level"], "row q1_1, column id: found 'q1_1', expected an id once"),
        ("id,level\nq1_1,1\nq1_2,hard\n", ["level"], "row q1_2, column level: found 'hard', expected a finite"),
    ],
)  # fmt: skip
def test_covariates_that_cannot_be_are_one_clear_error(tmp_path, text, names, message):
    path = tmp_path / "tags.csv"
    path.write_text(text or "", encoding="utf-8")
    given = table_of(("q1",), 2), path if text else None
    with pytest.raises(DataError, match=message):
        pipeline.item_covariates(*given, {"covariates": names})


def vectors(table, folder, third=None):
    """A file of vectors in reverse order; ``third``: the lines in place of the third item's."""
    lines = [f"{name},mine,{i},{i + 1},{i + 2},{i + 3}" for i, name in enumerate(table["item_id"])]
    lines[2:3] = lines[2:3] if third is None else third
    path = folder / "vectors.csv"
    path.write_text("\n".join(["id,model,e0,e1,e2,e3", *lines[::-1]]) + "\n")
    return path


@pytest.mark.parametrize(
    ("third", "message"),
    [
        (["q1_3,mine,2,3,4"], "vectors.csv, row 7: found '5 cells', expected 6 cells, as many as columns"),
        (["q1_3,mine,2,nan,4,5"], "row q1_3, column vector: .*expected finite numbers"),
        ([], "row q1_3, column id: found None, expected a vector for every item"),
        (["q1_3,mine,2,3,4,5", "q1_1,mine,0,1,2,3"], "column id: found 'q1_1', expected an id once"),
        (["q1_3,mine,2,x,4,5"], "expected numbers"),
    ],
)  # fmt: skip
def test_bad_embeddings_are_one_clear_error(tmp_path, third, message):
    table = table_of()
    with pytest.raises(DataError, match=message) as error:
        embeddings.read_vectors(vectors(table, tmp_path, third), table)
    assert len(error.value.faults) == 1


def test_embeddings_from_a_file_and_from_text(tmp_path):
    table = table_of([f"q{i}" for i in range(6)])
    path = vectors(table, tmp_path)
    assert embeddings.read_vectors(path, table)[3].tolist() == [3.0, 4.0, 5.0, 6.0]
    settings = {"embedding": "tfidf", "embedding_size": 5, "text": ("clues", "answer"), "seed": 0}
    made = embeddings.embed(table, settings)
    assert made.shape == (24, 5)
    assert (made == embeddings.embed(table, settings)).all()
    assert embeddings.embed(table.assign(text=""), settings).shape == (24, 0)
    raw = pd.read_csv(path).assign(hash="0" * 16)
    raw.to_csv(path, index=False)
    with pytest.raises(DataError, match="that of the item's text"):
        embeddings.read_vectors(path, table)
    with pytest.raises(DataError, match="column summary"):
        embeddings.tfidf(table, ("clues", "summary"), 5)


def test_a_summary_of_a_question_stands_once(tmp_path):
    queries, summaries = tmp_path / "queries.jsonl", tmp_path / "summaries.csv"
    queries.write_text('{"id": "q1_1", "text": "one"}\n')
    summaries.write_text("question_id,summary\nq1,a\nq1,b\n")
    with pytest.raises(DataError, match=r"summaries.csv, column question_id: found 'q1', expected"):
        items.read_items(queries, summaries)
