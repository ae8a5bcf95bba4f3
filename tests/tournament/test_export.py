"""A tournament exported and read again is the same; names are hidden in it."""

import json

import pandas as pd
import pytest
from calscore.core import store
from calscore.raw import archive, release, safe_pickle
from calscore.simulate import tournament
from calscore.tournament import buzz_csv, export, match_log, names, qbj, stats
from matches import buzz, match, question, read


def plain(table, key, drop=()):
    table = table.drop(columns=list(drop)).sort_values(key, ignore_index=True)
    return table.astype(object).where(table.notna(), None)


def same(one, other, key, drop=()):
    one, other = plain(one, key, drop), plain(other, key, drop)
    pd.testing.assert_frame_equal(one, other[one.columns], check_dtype=False)


def returned(questions, matches, folder):
    """A study exported and read again: as match files, as one tournament, as CSV."""
    files, tables, _ = export.documents(questions, matches, "Cup")
    members = {name.removeprefix("qbj/"): export.dump(d).encode() for name, d in files.items()}
    packs = {name: content for name, content in members.items() if name.startswith("packets/")}
    whole = export.dump(export.whole_tournament(files, "Cup")).encode()
    (folder / "packets").mkdir()
    for name, content in packs.items():
        (folder / name).write_bytes(content)
    for name, table in tables.items():
        store.write_csv(table, folder / f"{name}.csv")
    place = folder / "buzzes.csv", folder / "heard.csv"
    return {
        "matches": match_log.tidy_tables(qbj.read_members(members, "Cup"), {}, {}),
        "tournament": match_log.tidy_tables(
            qbj.read_members(packs | {"t.qbj": whole}, "Cup"), {}, {}
        ),
        "csv": match_log.tidy_tables(
            buzz_csv.read(
                *place,
                rosters=folder / "rosters.csv",
                scored=folder / "bonuses.csv" if "bonuses" in tables else None,
                scores=folder / "scores.csv" if "scores" in tables else None,
            ),
            {},
            {},
        ),
    }


KEYS = {name: store.schema(name)["key"] for name in ("games", "heard", "plays", "rosters")}
SCORED = {name: store.schema(name)["key"] for name in ("sides", "box_scores", "bonus_plays")}


#: Files, and names of packets and tournaments, are the export's own.
OWN = {"games": ["file", "tournament", "packet"], "plays": ["source_row"]}


@pytest.mark.parametrize("seed", [3, pytest.param(7, marks=pytest.mark.full)])
def test_a_tournament_comes_back_as_it_was(tmp_path, seed):
    size = {} if seed == 7 else {"teams": 8, "rounds": 4, "tossups": 8}
    found = qbj.read_members(tournament.tournament(seed, **size), "Cup")
    first = match_log.tidy_tables(found, {}, {}, exclude=[2])
    assert first["games"]["individual"].nunique() == 2
    assert first["games"]["packet"].isna().any() and first["plays"]["question_id"].isna().any()
    again = returned(first["questions"], first, tmp_path)
    counts = stats.tables(*(first[n] for n in ("plays", "heard", "rosters", "questions")), 0.95)
    for form, one in again.items():
        same(first["questions"], one["questions"], ["question_id"], ["source_id"])
        same(first["tossups"], one["tossups"], ["question_id"], ["packet", "note_words"])
        same(first["buzzes"], one["buzzes"], ["question_id", "team", "word_index"], ["source_row"])
        same(first["exposures"], one["exposures"], ["question_id", "team"])
        for name, key in KEYS.items():
            same(first[name], one[name], key, OWN.get(name, []))
        for name, key in SCORED.items():
            same(first[name], one[name], key)
        found = stats.tables(*(one[n] for n in ("plays", "heard", "rosters", "questions")), 0.95)
        for name, table in counts.items():
            pd.testing.assert_frame_equal(table, found[name], obj=f"{name} from {form}")


def test_what_a_simple_format_cannot_say_comes_back_too(tmp_path):
    """A team that heard part of a match, an unknown value, no position, no round, a power mark in odd text."""
    questions = pd.DataFrame(
        {"question_id": ["p01-q01", "p01-q02"], "packet": 1, "number": [1, 2], "text": ['a ("b") c d', "e f g"],
         "answerline": ["x", "y"], "category_raw": "Hist"}
    )  # fmt: skip
    game = {"game": "g", "known": True, "round": None, "number": 1, "tossups_read": 2}
    heard = [(1, "A", "match"), (2, "A", "match"), (1, "B", "declared"), (2, "C", "buzzed")]
    plays = [(1, 1, "B", None, None, False), (1, 2, "A", 9, None, True), (2, 1, "C", 1, 10.0, True)]
    matches = {
        "games": pd.DataFrame([game]),
        "heard": pd.DataFrame(
            [{"game": "g", "cycle": c, "tossup": c, "team": t, "kind": "human", "source": s} for c, t, s in heard]
        ),
        "plays": pd.DataFrame(
            [{"game": "g", "cycle": c, "tossup": c, "order": o, "team": t, "kind": "human", "player": None,
              "word_index": w, "value": v, "correct": r} for c, o, t, w, v, r in plays]
        ),
        "rosters": pd.DataFrame([{"game": "g", "team": "A", "player": "P", "tossups_heard": 2}]),
        "tossups": pd.DataFrame({"question_id": ["p01-q01", "p01-q02"], "power_word": pd.array([2, 3], "Int64")}),
    }  # fmt: skip
    for form, one in returned(questions, matches, tmp_path).items():
        assert one["games"]["round"].isna().all()
        assert one["tossups"]["power_word"].to_list() == [2, 3]
        assert one["questions"]["text"].to_list() == questions["text"].to_list()
        for name in ("heard", "plays"):
            columns = list(matches[name])
            same(matches[name], one[name][columns], KEYS[name])
        assert one["rosters"][["player", "tossups_heard"]].to_numpy().tolist() == [["P", 2]], form


def test_scores_that_no_buzz_tells_come_back(tmp_path):
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
    for one in returned(first["questions"], first, tmp_path).values():
        for name, key in (KEYS | SCORED).items():
            same(first[name], one[name], key, OWN.get(name, []))


@pytest.fixture(scope="module")
def grace_tables(release_dir):
    members = archive.read_members(release_dir / "[public]ALL_final_buzzpoints_enc.zip", "buzzbuzz")
    parsed = release.parse_packets(members, {}, {})
    questions, buzzes = pd.DataFrame(parsed.questions), pd.DataFrame(parsed.buzzes)
    file = {"per_packet": "human_team_per_question.pkl"}
    rows, _ = release.parse_participation(
        {"per_packet": safe_pickle.load_plain(release_dir / file["per_packet"])}, questions,
        safe_pickle.load_plain(release_dir / "all_teams.pkl"), file,
    )  # fmt: skip
    return (
        questions,
        buzzes,
        release.exposures(questions, buzzes, pd.DataFrame(rows), "per_packet", "packets"),
    )


def test_grace_comes_back_as_it_was(grace_tables, tmp_path):
    questions, buzzes, exposures = grace_tables
    matches = export.records(questions, buzzes, exposures)
    for one in returned(questions, matches, tmp_path).values():
        same(
            questions, one["questions"], ["question_id"], ["source_id", "category", "category_fine"]
        )
        same(buzzes, one["buzzes"], ["question_id", "team", "word_index"], ["source_row"])
        same(exposures, one["exposures"], ["question_id", "team"])


def test_exports_hide_names_unless_told_otherwise(tmp_path):
    first = match_log.tidy_tables(
        qbj.read_members(tournament.tournament(3, teams=4, rounds=2, tossups=5), "Cup"), {}, {}
    )
    tables = {name: first[name] for name in (*KEYS, *SCORED)}
    unnamed = [first["box_scores"].assign(player=names.UNNAMED)]
    assert not names._hidden_names(unnamed, b"k" * 32)[1]
    people = {*first["heard"]["team"], *first["rosters"]["player"], *first["games"]["game"]}
    for how, hidden in (("keep", False), ("pseudonymise", True), ("exclude", True)):
        parts = tables if how == "keep" else names.hide(tables, how, b"k" * 32)
        files, written, _ = export.documents(first["questions"], parts, "Cup")
        csv = written["buzzes"]
        text = json.dumps(files, ensure_ascii=False)
        text += "".join(one.to_csv() for one in written.values())
        assert any(f'"{name}"' in text for name in people) != hidden
        assert csv["player"].notna().any() == (how != "exclude")
        assert csv["team"].nunique() == first["plays"]["team"].nunique()
