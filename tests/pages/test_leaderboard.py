"""The leaderboard's page: what it makes of its tables, and that it is whole by itself."""

import re

import pandas as pd
import pytest
from boards import OWN, board_of, bonus_parts, everything, ranked, replayed_as, world
from calscore.core import store
from calscore.leaderboard import bonuses, pairs, ranks, replay, tossups
from calscore.leaderboard.assemble import add_display_names
from calscore.pages import leaderboard
from calscore.pages.leaderboard import _pairs
from calscore.stats.bootstrap import Bootstrap
from leaderboard.test_ranks import _board as board_with_missing
from support import masthead, outside

COMMON = pd.DataFrame(
    [
        ("m", "Mine", "replayed", True, "g", "GPT", "submitted", False, 10, 8, 0.25, 0.1, 0.4),
        ("g", "GPT", "submitted", False, "H1", "H1", "human team", False, 5, 4, 0.75, 0.6, 0.9),
        ("g", "GPT", "submitted", False, "H2", "H2", "human team", False, 5, 4, 0.5, 0.3, 0.7),
        ("g", "GPT", "submitted", False, "all human teams", "all human teams", "human teams", False, 9, 8, 0.6, 0.4, 0.8),
        ("m", "Mine", "replayed", True, "H1", "H1", "human team", False, 3, 3, 0.1, 0.0, 0.3),
    ],
    columns=["a", "a_name", "a_kind", "a_yours", "b", "b_name", "b_kind", "b_yours", "questions", "decided", "share", "low", "high"],
).assign(p_better=0.5, difference=0.1, difference_low=0.0, difference_high=0.2, a_wins=[2, 3, 2, 4, 0], b_wins=[6, 1, 2, 2, 3], ties=[0, 0, 0, 2, 0])  # fmt: skip

ABOUT = {"own": OWN, "opponents": "fitted", "level": 0.9, "replicates": 60, "missing_questions": "no_buzz"}  # fmt: skip


def test_a_pair_is_told_from_both_sides_and_the_users_own_model_comes_first():
    mine, theirs = _pairs(COMMON)
    assert (mine["name"], mine["yours"], theirs["name"]) == ("Mine", True, "GPT")
    assert [row["opponent"] for row in theirs["rows"]] == ["all human teams", "Mine", "H1", "H2"]
    across = theirs["rows"][1]
    assert (across["share"], across["low"], across["high"]) == pytest.approx((0.75, 0.6, 0.9))
    assert [row["counted"] for row in theirs["rows"]] == ["4–2–2", "6–2–0", "3–1–0", "2–2–0"]
    assert theirs["teams"] == {"better": 1, "too close to call": 1}
    assert mine["teams"] == {"worse": 1}
    apart = COMMON.replace({"a_kind": {"submitted": "live"}, "b_kind": {"submitted": "live"}})
    opponents = {row["opponent"] for entry in _pairs(apart) for row in entry["rows"]}
    assert opponents == {"all human teams", "H1", "H2"}, "live and replayed are compared"


def test_tables_bear_the_names_that_pages_show():
    board = pd.DataFrame({"submission": ["M1", "x"], "value": [1.0, 2.0]})
    assert add_display_names(board, {"M1": "GPT-4"})["name"].tolist() == ["GPT-4", "x"]
    empty = pd.DataFrame(columns=["submission", "name", "value"])
    assert list(add_display_names(empty, {})) == ["submission", "name", "value"]


def test_the_page_is_whole_by_itself_and_escapes_names(tmp_path):
    runs, plays = world(3)
    runs["submission"] = runs["submission"].replace("a", "<b>a & co</b>")
    firsts, scored, board = board_of(runs, plays)
    field = tossups.score_field(runs, runs[["submission", "question_id"]], plays)
    everyone = sorted(runs["submission"].unique())
    entrants = ranks.pool_entrants([field], True)
    bootstrap = Bootstrap(100, 1, 0.95)
    table, compared = ranks.rank_intervals(ranks.ranked_rows(board), entrants, plays, 0.5, bootstrap)
    rows = [*pairs.meeting_rows(scored, None, bootstrap), *compared]
    common = pairs.pairs_table(rows, dict.fromkeys(everyone, "submitted"), {}, set())
    board["group"] = board["submission"].map({"b": "School"})
    parts = [board, table, tossups.class_table(firsts, 0.95)]
    text = leaderboard.page(
        *(add_display_names(part, {}) for part in parts), common,
        bonuses.bonus_table(bonus_parts(1, tmp_path), bootstrap, 0.5, "no_buzz"), runs, None,
        masthead("A <title>", simulated=True, names={"M1": "GPT & co"}), **ABOUT,
    )["leaderboard_page"]  # fmt: skip
    assert "<b>a" not in text and "&lt;b&gt;a &amp; co" in text and "A &lt;title&gt;" in text
    assert '<td data-head="group">School</td>' in text
    assert "counts that question as a wrong buzz" in text
    # Against all human teams a question is met once for each team: more meetings than questions.
    assert ">Meetings, either right</th>" in text and ">Decided</th>" not in text
    assert outside(text) == [], "it refers to something outside"
    assert "SIMULATED DATA" in text
    assert 'href="tables/names.csv"' in text and "M1 is GPT &amp; co." in text
    value = board.query("metric == 'expected_score' and submission == 'b'")["value"].iloc[0]
    assert f'data-order="{float(value)!r}"' in text
    defined = re.findall(r"<dt id=[^>]*>([^<]*)</dt>", text)
    assert set(leaderboard.DEFINITIONS) - set(defined) == {"Early-stopped", "Live", "Replayed"}
    # Whose metrics they are, in the words of the headings.
    assert "QANTA 2025" in text and "CalScore and MCE are GRACE's" in text
    assert not re.search(r"manual_|code_|negged|\bours\b", text)


def test_ranked_rows_stand_first_beside_the_questions_that_they_rest_on():
    runs, plays = world(3, questions=10)
    runs.loc[runs["submission"] == "a", "confidence"] = runs["correct"].astype(float)
    runs = runs[(runs["submission"] != "a") | runs["question_id"].isin(["q1", "q2"])]
    board = board_with_missing(runs, plays).reset_index().fillna({"note": ""})
    board = board.assign(name=board["submission"], rank_low=None, rank_high=None)
    table = leaderboard._table(board, leaderboard._calibration("paper"), ["questions"], True)
    shown = [(row["name"], row["counts"], row["cells"][0]["rank"]) for row in table["rows"]]
    assert shown == [
        ("b", [10], "#1"),
        ("a", [2], "no rank: answered 2 of 10 questions"),
        ("c", [9], "no rank: answered 9 of 10 questions"),
    ]
    values = [float(row["cells"][0]["key"]) for row in table["rows"]]
    assert values[1] == min(values)


def test_a_rank_without_a_rival_is_not_shown():
    """First of one says nothing; of two in a group, and under a metric that both have, it does."""
    rows = [("a", "effect", None, 1), ("b", "effect", None, None), ("a", "part_accuracy", None, 1), ("b", "part_accuracy", None, 2), ("c", "part_accuracy", "School", 1)]  # fmt: skip
    board = pd.DataFrame(rows, columns=["submission", "metric", "group", "rank"])
    shown = leaderboard._without_lone_ranks(board.assign(reading="manual"))["rank"]
    assert shown.fillna(0).to_list() == [0, 0, 1, 2, 0]


def test_the_page_has_a_table_of_its_own_for_those_replayed():
    _, points, plays, rules, fields = everything(11)
    board, scored, table = ranked(plays, fields)
    names = replay.display_names(rules, {"told": "Tell"})
    kinds = dict.fromkeys(["live-a", "live-b"], "live")
    kinds |= dict.fromkeys(rules["submission"], "replayed")
    met = pairs.meeting_rows(scored, None, Bootstrap(60, 1, 0.9))
    common = pairs.pairs_table(met, kinds, names, set())
    runs = pd.DataFrame({"submission": ["live-a", "live-b"]}, columns=store.columns("runs"))
    runs = runs.assign(live=True)
    parts = [board, table, tossups.class_table(scored, 0.9)]
    text = leaderboard.page(
        *(add_display_names(part, names) for part in parts), common, None, runs, points, masthead("title"), **ABOUT
    )["leaderboard_page"]  # fmt: skip
    first, second = text.split('<details id="replays"')
    assert "the highest Expected Score first" in second
    assert "free (replayed, −0.1)" not in first
    assert "free (replayed, −0.1)" in second and "live-a" in first
    row = table.query("metric == 'expected_score' and submission == 'live-a'").iloc[0]
    assert f"#{row['rank']} ({row['rank_low']}–{row['rank_high']})" in first
    # Replayed models are ranked among themselves, not among live ones.
    assert "<small>#1 (" in second and "The rank is among themselves." in second
    # Calibration is that of the series, whatever its thresholds, so each has one row; live models have none.
    table = second.split('id="calibration"')[1].split("<details>")[0]
    heads = re.findall(r"<th [^>]*>([^<]*)", table)
    assert heads[1:3] == ["Questions", "CalScore ↓"] and "<small>#" not in table
    shown = re.findall(r"<tr><td>([^<]*)</td>", table)
    assert sorted(shown) == ["Tell (logit)", "Tell (verbalized)", "free", "owned"]
    scores = board.query("metric == 'calscore' and reading == 'paper'").set_index("submission")
    values = [scores["value"][replayed_as(rules, name)] for name in shown]
    assert values == sorted(values)
    for value in values:
        assert f'data-order="{float(value)!r}"' in table
