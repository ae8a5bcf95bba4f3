"""A tournament exported and read again is the same; names are hidden in it."""

import json

import pandas as pd
import pytest
from calscore.core import store
from calscore.simulate import tournament
from calscore.tournament import export, match_log, names, qbj, stats
from matches import buzz, csv, match, question, read


def plain(table, key, drop=()):
    table = table.drop(columns=list(drop)).sort_values(key, ignore_index=True)
    return table.astype(object).where(table.notna(), None)


def same(one, other, key, drop=()):
    one, other = plain(one, key, drop), plain(other, key, drop)
    pd.testing.assert_frame_equal(one, other[one.columns], check_dtype=False)


def returned(tables):
    """A tournament exported and read again."""
    files = export.documents(tables)
    members = {name.removeprefix("qbj/"): export.dump(d).encode() for name, d in files.items()}
    return match_log.tidy_tables(qbj.read_members(members, "Cup"), {}, {})


KEYS = {name: store.schema(name)["key"] for name in ("games", "heard", "plays", "rosters")}
SCORED = {name: store.schema(name)["key"] for name in ("sides", "box_scores", "bonus_plays")}


#: Files, and names of packets and tournaments, are the export's own.
OWN = {"games": ["file", "tournament", "packet"], "plays": ["source_row"]}


@pytest.mark.parametrize("seed", [3, pytest.param(7, marks=pytest.mark.full)])
def test_a_tournament_comes_back_as_it_was(seed):
    size = {} if seed == 7 else {"teams": 8, "rounds": 4, "tossups": 8}
    found = qbj.read_members(tournament.tournament_files(seed, **size), "Cup")
    first = match_log.tidy_tables(found, {}, {}, exclude=[2])
    assert first["games"]["individual"].nunique() == 2
    assert first["games"]["packet"].isna().any() and first["plays"]["question_id"].isna().any()
    again = returned(first)
    same(first["questions"], again["questions"], ["question_id"], ["source_id"])
    same(first["tossups"], again["tossups"], ["question_id"], ["packet", "note_words"])
    same(first["buzzes"], again["buzzes"], ["question_id", "team", "word_index"], ["source_row"])
    same(first["exposures"], again["exposures"], ["question_id", "team"])
    for name, key in (KEYS | SCORED).items():
        same(first[name], again[name], key, OWN.get(name, []))
    before, after = (
        stats.tables(*(t[n] for n in ("plays", "heard", "rosters", "questions")), 0.95)
        for t in (first, again)
    )
    for name, table in before.items():
        pd.testing.assert_frame_equal(table, after[name], obj=name)


def test_what_a_simple_format_cannot_say_comes_back_too(tmp_path):
    """A team that heard part of a match, an unknown value, no position."""
    head = "tournament,round,game,tossup,team,player,buzz_position,value,correct\n"
    body = "Cup,1,g,1,B,,,,0\nCup,1,g,1,A,,8,,1\nCup,1,g,2,C,,1,10,1\n"
    first, _ = csv(tmp_path, body, heard="Cup,1,g,1,A\nCup,1,g,2,A\nCup,1,g,1,B\n", head=head)
    again = returned(first)
    assert len(again["heard"]) == 4 and again["plays"]["value"].isna().sum() == 2
    for name, key in KEYS.items():
        same(first[name], again[name], key, OWN.get(name, []))


def test_scores_that_no_buzz_tells_come_back():
    """Declared scores, bonuses by their sum, matches that list no tossups."""
    played = match(
        question(1, [buzz("Alpha", 3, 10, "Ann")]), question(2, [buzz("Beta", 4, -5, "Bo")])
    )
    one, two = played["match_teams"]
    one |= {"points": 95, "bonus_points": 20, "bonus_bounceback_points": 5}
    two |= {"points": -5, "correct_tossups_without_bonuses": 0}
    alone = match(_round=3, tossups_read=20)
    for side, name, counts in zip(
        alone["match_teams"], ("Ann", "Bo"), ({15: 2, 10: 3, -5: 1}, {20: 1, 10: 4}), strict=True
    ):
        answers = [{"number": n, "answer": {"value": value}} for value, n in counts.items()]
        side |= {"bonus_points": 70, "correct_tossups_without_bonuses": 1}
        side["match_players"] = [
            {"player": {"name": name}, "tossups_heard": 20, "answer_counts": answers}
        ]
    first, _ = read(played, alone)
    sides = first["sides"].set_index(["game", "team"])
    assert sides.loc[("m1", "Alpha"), ["tossup_points", "bonuses", "points"]].to_list() == [
        55,
        4,
        125,
    ]
    again = returned(first)
    for name, key in (KEYS | SCORED).items():
        same(first[name], again[name], key, OWN.get(name, []))


def test_exports_hide_names_unless_told_otherwise():
    first = match_log.tidy_tables(
        qbj.read_members(tournament.tournament_files(3, teams=4, rounds=2, tossups=5), "Cup"),
        {},
        {},
    )
    tables = {name: first[name] for name in (*KEYS, *SCORED)}
    unnamed = [first["box_scores"].assign(player=names.UNNAMED)]
    assert not names._hidden_names(unnamed, b"k" * 32)[1]
    people = {*first["heard"]["team"], *first["rosters"]["player"], *first["games"]["game"]}
    for how, hidden in (("keep", False), ("pseudonymise", True)):
        parts = tables if how == "keep" else names.hide(tables, b"k" * 32)
        files = export.documents(first | parts)
        text = json.dumps(files, ensure_ascii=False)
        assert any(f'"{name}"' in text for name in people) != hidden
        teams = {
            side["team"]["name"] for one in files.values() for side in one.get("match_teams", ())
        }
        assert len(teams) == first["sides"]["team"].nunique()
