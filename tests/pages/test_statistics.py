"""The statistics report: what a director posts, from a few matches, and what it says where something is missing."""

import json
import re
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from calscore.core import data_issues, store
from calscore.pages import statistics
from calscore.tournament import match_log, qbj, report
from support import masthead


def _match(one, other, number, *buzzes):
    questions = [
        {
            "question_number": n, "tossup_question": {"question_number": n},
            "buzzes": [{"team": {"name": team}, "player": {"name": player}, "result": {"value": value}}],
        }
        for n, (team, player, value) in enumerate(buzzes, start=1)
    ]  # fmt: skip
    teams = [{"team": {"name": name}, "bonus_points": 20} for name in (one, other)]
    return {"tossups_read": 20, "match_teams": teams, "match_questions": questions, "_round": number}  # fmt: skip


def _page(*matches, questions=None, exclude=(), packet=None, **options):
    members = {f"m{n}.qbj": json.dumps(m).encode() for n, m in enumerate(matches, start=1)}
    members |= {"Packet 1.json": json.dumps(packet).encode()} if packet else {}
    read = qbj.read_qbj_files(members, "Cup")
    made = match_log.tidy_tables(read, {}, {}, exclude=list(exclude), **options)
    questions = made["questions"] if packet else questions
    names = ("games", "sides", "box_scores", "bonus_plays", "plays")
    found = report.report_tables(*(made[name] for name in names), questions if packet else None)
    names = ("standings", "scoreboard", "individuals", "round_report", "bonus_conversion")
    tables = {name: found[name] for name in (*names, "player_categories")}
    tables["box_scores"] = made["box_scores"]
    with tempfile.TemporaryDirectory() as folder:
        issues = Path(folder) / "tournament.csv"
        store.write_csv(data_issues.issue_table(read.findings), issues)
        logs = {name: made[name] for name in ("games", "plays", "bonus_plays", "bonus_items")}
        given = {"questions": questions, "issues": issues, "masthead": masthead("Cup", ["tournament"])}  # fmt: skip
        text = statistics.page(**tables, **logs, **given)["statistics_page"]
    text = text[text.index("<main") :]
    return text, re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


TWO = (
    _match("Alpha", "Beta", 1, ("Alpha", "Ann", 15), ("Alpha", "Ann", 10), ("Beta", "Bo", -5)),
    _match("Beta", "Alpha", 2, ("Beta", "Bo", 10)),
)


def test_the_page_has_the_seven_parts_of_a_report():
    _, words = _page(*TWO, questions=pd.DataFrame(columns=["question_id", "category"]))
    for section in ("standings", "individuals", "Teams and players", "match by match", "Scoreboard", "Rounds", "What the columns mean"):  # fmt: skip
        assert section in words
    # Rank, team, won, lost, share, points a match, opponents', margin, points per 20 tossups.
    assert "1= Alpha 1 1 0.500 32.5 22.5 +10.0 32.5" in words
    assert "1= Beta 1 1 0.500 22.5 32.5 −10.0 22.5" in words
    assert "1 Ann Alpha 1.0 1 1 0 20 25 25.00 0 0" in words
    assert "Alpha beat Beta 45–15" in words and "Ann 1/1/0, 25" in words
    assert "No packet" not in words


def test_warnings_come_first_with_the_lines_that_settle_them():
    replaced = _match("Alpha", "Beta", 1, ("Alpha", "Ann", 10))
    replaced["match_questions"][0]["replacement_tossup_question"] = {"question_number": 2}
    text, words = _page(replaced)
    # A finding may count itself what it is about, so its entries are not numbered as cases.
    assert "Warnings about the files, of 1 kind" in words and "Tossup replaced Buzzes of" in words
    assert '<details class="notes"><summary>' in text and " open>" not in text
    assert text.index('id="warnings"') < text.index('id="standings"')
    detail = 'names \'a\'; line for options.packets: "m1.qbj": "b"'
    issues = pd.DataFrame([{"finding": "match may have read another packet", "place": "g", "detail": detail, "handling": "h"}])  # fmt: skip
    (group,) = statistics.file_warnings(issues, None)
    assert group["lines"] == ['"m1.qbj": "b"'] and group["details"] == ["g: names 'a'"]
    games = pd.DataFrame({"game": ["Round 10", "Round 9", "Round 1"], "packet": [None, None, "a"]})
    issues = pd.DataFrame([{"finding": "packet missing", "place": "packet 'x'", "detail": "d", "handling": "h"}])  # fmt: skip
    (group,) = statistics.file_warnings(issues, games)
    assert group["details"] == ["packet 'x': d", "without a packet: Round 9, Round 10"]


def test_a_player_has_every_buzz():
    """A round, the opponent, the tossup, its category, the word and the points."""
    match = _match("Alpha", "Beta", 1, ("Alpha", "Ann", 10), ("Beta", "Bo", -5))
    match["match_questions"][0]["buzzes"][0]["buzz_position"] = {"word_index": 4}
    _, words = _page(match)
    assert "Every buzz (1) Round Opponent Tossup Category Word Pts 1 Beta tossup 1 – 5 10" in words
    assert "1 Alpha tossup 2 – – −5" in words


PACKET = {
    "tossups": [{"question": f"One two three of {n}.", "answer": "x", "metadata": "Arts"} for n in (1, 2)],
    "bonuses": [{"leadin": "Lead", "parts": ["a", "b", "c"], "answers": ["x", "y", "z"], "metadata": "Film"}],
}  # fmt: skip


def test_a_question_has_every_buzz_and_each_teams_parts():
    """Of a tossup round, team, player, opponent, word and points; of a bonus the points of each part and bounceback."""
    match = _match("Alpha", "Beta", 1, ("Alpha", "Ann", 10), ("Beta", "Bo", -5))
    asked = match["match_questions"]
    asked[0]["buzzes"][0]["buzz_position"] = {"word_index": 2}
    scored = [{"controlled_points": 10}, {"controlled_points": 0, "bounceback_points": 10}, {"controlled_points": 0}]  # fmt: skip
    asked[0]["bonus"] = {"question": {"question_number": 1}, "parts": scored}
    _, words = _page(match, packet=PACKET)
    assert "Question by question Packet 01 p01-q01 Arts, 1 buzz" in words
    assert "Round Team Player Opponent Word Pts 1 Alpha Ann Beta 3 of 5 10" in words
    assert "1 Beta Bo Alpha – −5" in words
    parts = "p01-b01 Film, 1 team Round Team Opponent Parts Sum 1 Alpha Beta 10 / 0 (10) / 0 10"
    assert parts in words
    assert "Question by question" not in _page(*TWO)[1]


def test_a_negative_score_is_no_dash():
    _, words = _page(_match("Alpha", "Beta", 1, ("Alpha", "Ann", 15), ("Beta", "Bo", -25)))
    assert "Alpha beat Beta 35 to −5" in words and "35.0 to −5.0" in words


def test_columns_that_nobody_has_are_left_out():
    _, words = _page(_match("Alpha", "Beta", 1, ("Alpha", "Ann", 10)))
    assert "10 Neg" in words and " P 10 " not in words and "BB pts" not in words
    assert "Converted Negs PPB" in words and "Converted Powers Negs PPB" in _page(*TWO)[1]


def test_a_name_leads_to_the_team_and_its_matches_are_added_up():
    text, words = _page(*TWO)
    assert re.findall(r'<a href="#team-(\d)">(\w+)</a>', text) == [("1", "Alpha"), ("2", "Beta"), ("1", "Alpha"), ("2", "Beta")]  # fmt: skip
    assert 'Beta <span class="soft">1–1</span></summary><div id="team-2">' in text
    # Result, mean scores, powers, tens, negs, tossups heard, bonuses, points a bonus.
    assert "All mean score 1–1 32.5–22.5 1 1 0 40 2 20.00" in words
    assert "All mean score 1–1 22.5–32.5 0 1 1 40 1 40.00" in words


def test_phases_stand_in_the_order_of_play():
    phases = {"Prelims": [1], "Crossover": [2], "Finals": [10]}
    text, _ = _page(*TWO, TWO[0] | {"_round": 10}, phases=phases)
    assert re.findall(r"<h3>(\w+)</h3>", text)[:3] == ["Prelims", "Crossover", "Finals"]


def test_leaders_of_a_category_have_the_most_points():
    points = {"a": 40.0, "b": 30.0, "c": 30.0, "d": 20.0, "e": -5.0}
    row = {"tournament": "Cup", "category": "Arts", "superpowers": 0, "powers": 0, "tens": 1}
    row |= {"negs": 2, "first_buzzes": 1, "top_three": 1}
    rows = [row | {"team": "T (Cup)", "player": name, "points": n} for name, n in points.items()]
    rows += [rows[0] | {"category": "all", "points": 90.0}, rows[4] | {"category": "History"}]
    absent = {"SP", "P", "Neg"}
    found = statistics._leaders(pd.DataFrame(rows), absent, {("Cup", "T (Cup)"): "team-1"})
    assert [(one["rank"], one["name"], one["team"], one["link"]) for one in found["rows"]] == [
        ("1", "a", "T", "team-1"), ("2", "b", "T", "team-1"), ("2", "c", "T", "team-1"),
    ]  # fmt: skip
    assert found["rows"][0]["cells"] == ["Arts", 1, "40", "1", "1"]


def test_what_is_missing_is_said():
    assert "No packet is among the files" in _page(*TWO)[1]
    alone = TWO[0] | {"match_teams": TWO[0]["match_teams"][:1]}
    assert "No match of two teams with a known score" in _page(alone)[1]
    _, words = _page(*TWO, exclude=[2])
    assert "Left out: round 2." in words and "1 Ann Alpha 1.0" in words
    assert "Left out" not in _page(*TWO, exclude=["3"])[1]


def test_names_from_outside_are_text():
    evil = "<script>alert(1)</script>"
    text, _ = _page(_match(evil, "Beta", 1, (evil, evil, 10)))
    assert evil not in text and "&lt;script&gt;" in text


def test_counts_of_bonuses_stand_as_other_counts_do():
    told = dict.fromkeys(["easy", "medium", "hard", "part_1", "part_2", "part_3"], 0.5)
    row = told | dict.fromkeys(("team", "category", "bonus"), "all")
    row |= {"heard": 2004, "points_per_bonus": 17.5, "bounceback_heard": 1318, "bounceback_rate": 0.24}  # fmt: skip
    none = row | {"team": "A", "bounceback_heard": 0, "bounceback_rate": np.nan}
    found = statistics._bonuses(pd.DataFrame([row, none]))["bonuses"]
    cells = found["All"][0]["cells"]
    assert [*cells[:2], *cells[-2:]] == ["2,004", "17.50", "1,318", "24 %"]
    assert found["By team"][0]["cells"][-2:] == ["–", "–"]
