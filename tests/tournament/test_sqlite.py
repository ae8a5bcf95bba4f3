"""SQLite databases of buzzpoint sites: a small one by the public definition, and the same matches as QBJ."""

import sqlite3

import pytest
from calscore.core import store
from calscore.core.errors import DataError
from calscore.tournament import files, report

SCHEMA = """
CREATE TABLE question_set (id INTEGER PRIMARY KEY, name TEXT, slug TEXT, difficulty TEXT);
CREATE TABLE question_set_edition (id INTEGER PRIMARY KEY, question_set_id INTEGER, name TEXT, slug TEXT, date DATE);
CREATE TABLE packet (id INTEGER PRIMARY KEY, question_set_edition_id INTEGER, name TEXT);
CREATE TABLE packet_question (id INTEGER PRIMARY KEY, packet_id INTEGER, question_number INTEGER, question_id INTEGER);
CREATE TABLE question (id INTEGER PRIMARY KEY, slug TEXT, metadata TEXT, category TEXT, category_slug TEXT, subcategory TEXT,
  category_main TEXT GENERATED ALWAYS AS (category || ' - ' || subcategory));
CREATE TABLE tossup (id INTEGER PRIMARY KEY, question_id INT, question TEXT, answer TEXT);
CREATE TABLE bonus (id INTEGER PRIMARY KEY, question_id INT, leadin TEXT);
CREATE TABLE bonus_part (id INTEGER PRIMARY KEY, part_number INTEGER, bonus_id INTEGER, part TEXT, answer TEXT, value INTEGER, difficulty_modifier TEXT);
CREATE TABLE tournament (id INTEGER PRIMARY KEY, name TEXT, slug TEXT, question_set_edition_id INTEGER);
CREATE TABLE round (id INTEGER PRIMARY KEY, tournament_id INTEGER, number INTEGER, packet_id INTEGER, exclude_from_individual BIT DEFAULT 0);
CREATE TABLE team (id INTEGER PRIMARY KEY, tournament_id INTEGER, name TEXT, slug TEXT);
CREATE TABLE player (id INTEGER PRIMARY KEY, team_id INTEGER, name TEXT, slug TEXT);
CREATE TABLE game (id INTEGER PRIMARY KEY, round_id INTEGER, tossups_read INTEGER, team_one_id INTEGER, team_two_id INTEGER);
CREATE TABLE buzz (id INTEGER PRIMARY KEY, player_id INTEGER, game_id INTEGER, tossup_id INTEGER, buzz_position INTEGER, value INTEGER);
CREATE TABLE bonus_part_direct (id INTEGER PRIMARY KEY, team_id INTEGER, game_id INTEGER, bonus_part_id INTEGER, value INTEGER);
"""
ROWS = {
    "packet": [(1, 1, "Packet 1"), (2, 1, "Packet 2")],
    "question": [(n, f"s{n}", "", "History" if n % 2 else "Arts", "x", "World" if n % 2 else "Arts") for n in range(1, 9)],
    # Tossups 1 to 3 and bonus 4 of packet 1, tossup 5 of packet 2.
    "packet_question": [(1, 1, 1, 1), (2, 1, 2, 2), (3, 1, 3, 3), (4, 1, 1, 4), (5, 1, 2, 6), (6, 2, 1, 5)],
    "tossup": [(10 + n, n, f"One two (*) three four of {n}.", f"<b>a{n}</b>") for n in (1, 2, 3, 5)],
    "bonus": [(1, 4, "For ten points each:"), (2, 6, "Again:")],
    "bonus_part": [(3 * b + p, p, b, f"Part {p}", f"x{p}", 10, "emh"[p - 1]) for b in (1, 2) for p in (1, 2, 3)],
    "tournament": [(1, "Cup", "cup", 1)],
    "round": [(1, 1, 1, 1, 0), (2, 1, 2, 2, 1)],
    "team": [(1, 1, "Alpha", "alpha"), (2, 1, "Beta", "beta")],
    "player": [(1, 1, "Ann", "ann"), (2, 2, "Bo", "bo")],
    "game": [(1, 1, 3, 1, 2), (2, 2, 1, 2, 1)],
    # Bo negs on tossup 1, Ann gets it; Bo gets tossup 3; Bo gets the tossup of round 2, which does not count for him.
    "buzz": [(1, 2, 1, 11, 1, -5), (2, 1, 1, 11, 4, 10), (3, 2, 1, 13, 0, 15), (4, 2, 2, 15, 5, 10)],
    "bonus_part_direct": [(1, 1, 1, 4, 10), (2, 1, 1, 5, 0), (3, 1, 1, 6, 0), (4, 2, 1, 7, 10), (5, 2, 1, 8, 10), (6, 2, 1, 9, 10)],
}  # fmt: skip


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "database.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(SCHEMA)
        for table, rows in ROWS.items():
            names = ", ".join(["id", "slug", "metadata", "category", "category_slug", "subcategory"]) if table == "question" else ""  # fmt: skip
            marks = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {table} {f'({names})' if names else ''} VALUES ({marks})", rows)  # fmt: skip
    connection.close()
    return path


def _tidy(path):
    return files.tidy(path.parent, {}, {}, {}, {}, "keep", 0, {}, 1)


def test_a_database_is_read_as_its_definition_says(database):
    made = _tidy(database)
    for name, table in made.items():
        if name != "findings":
            assert not store.faults(table, name, parents=made), name
    plays = made["plays"].sort_values("source_row")
    assert plays[["team", "player", "question_id", "word_index", "n_words", "value"]].to_numpy().tolist() == [
        ["Beta", "Bo", "p01-q01", 1, 6, -5], ["Alpha", "Ann", "p01-q01", 4, 6, 10],
        ["Beta", "Bo", "p01-q03", 0, 6, 15], ["Beta", "Bo", "p02-q01", 5, 6, 10],
    ]  # fmt: skip
    assert len(made["heard"]) == 2 * (3 + 1)
    assert made["questions"]["category_raw"].tolist() == ["History - World", "Arts", "History - World", "History - World"]  # fmt: skip
    assert set(made["tossups"]["power_word"]) == {2}
    bonus = made["bonus_plays"]
    assert bonus[["cycle", "team", "part", "points", "difficulty"]].to_numpy().tolist() == [
        [1, "Alpha", 1, 10, "easy"], [1, "Alpha", 2, 0, "medium"], [1, "Alpha", 3, 0, "hard"],
        [3, "Beta", 1, 10, "easy"], [3, "Beta", 2, 10, "medium"], [3, "Beta", 3, 10, "hard"],
    ]  # fmt: skip
    score = made["sides"].set_index(["game", "team"])["points"]
    assert score["Cup game 1"].to_dict() == {"Alpha": 20, "Beta": 40}


def test_rounds_that_the_database_leaves_out_do_not_count_for_individuals(database):
    made = _tidy(database)
    names = ("games", "sides", "box_scores", "bonus_plays", "bonus_items", "plays", "questions")
    found = report.tables(*(made[name] for name in names), [])
    assert found["individuals"].set_index("player")["points"].to_dict() == {"Ann": 10, "Bo": 10}
    whole = found["player_categories"].query("category == 'all'").set_index("player")
    assert whole["first_buzzes"].to_dict() == {"Ann": 1, "Bo": 1}
    assert whole["rebounds"].to_dict() == {"Ann": 1, "Bo": 0}
    assert found["standings"].set_index("team")["wins"].to_dict() == {"Alpha": 0, "Beta": 2}


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DROP TABLE buzz", "column buzz.id: .*expected the column to be present"),
        ("ALTER TABLE game DROP COLUMN tossups_read", "column game.tossups_read"),
        ("DELETE FROM buzz", "column buzz: found 0, expected at least one row"),
        ("UPDATE tossup SET question = NULL WHERE id = 11", "row tossup 1, column question"),
    ],
)
def test_what_a_database_lacks_is_named(database, statement, said):
    with sqlite3.connect(database) as connection:
        connection.execute(statement)
    connection.close()
    with pytest.raises(DataError, match=said):
        _tidy(database)


def test_a_file_that_is_no_database_is_one_error(tmp_path):
    (tmp_path / "database.db").write_text("no database")
    with pytest.raises(DataError, match=r"expected an SQLite database"):
        _tidy(tmp_path / "database.db")


def test_without_bonuses_and_with_a_stray_buzz_the_rest_is_read(database):
    with sqlite3.connect(database) as connection:
        for table in ("bonus_part_direct", "bonus_part", "bonus"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("INSERT INTO buzz VALUES (9, 1, 1, 15, 2, 10)")
    connection.close()
    made = _tidy(database)
    assert len(made["plays"]) == 4 and not len(made["bonus_plays"])
    assert "tossup is not in the packet" in {one.finding for one in made["findings"]}
