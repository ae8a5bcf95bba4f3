"""SQLite databases of buzzpoint sites: a small one by the public definition, and the same matches as QBJ."""

import sqlite3
from contextlib import closing

import pytest
from calscore.core import store
from calscore.core.errors import DataError
from calscore.tournament import files, report, sqlite

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
    return files.tidy_tournament(path.parent, {}, {}, {}, {}, "keep", 0, {}, [])


def test_a_database_is_read_as_its_definition_says(database):
    made = _tidy(database)
    for name, table in made.items():
        if name != "findings":
            assert not store.validation_errors(table, name, parents=made), name
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
    names = ("games", "sides", "box_scores", "bonus_plays", "plays", "questions")
    found = report.report_tables(*(made[name] for name in names))
    assert found["individuals"].set_index("player")["points"].to_dict() == {"Ann": 10, "Bo": 10}
    whole = found["player_categories"].query("category == 'all'").set_index("player")
    assert whole["first_buzzes"].to_dict() == {"Ann": 1, "Bo": 1}
    assert whole["rebounds"].to_dict() == {"Ann": 1, "Bo": 0}
    assert found["standings"].set_index("team")["wins"].to_dict() == {"Alpha": 0, "Beta": 2}


COPY = "ALTER TABLE {0} RENAME TO old; CREATE TABLE {0} AS SELECT * FROM old; "
REFUSED = [
    ("DROP TABLE buzz", "column buzz.id: found None, expected the column to be present"),
    ("ALTER TABLE game DROP COLUMN tossups_read", "column game.tossups_read"),
    ("ALTER TABLE bonus_part_direct DROP COLUMN value", "column bonus_part_direct.value: found None, expected the column to be present"),
    ("DROP TABLE buzz; CREATE VIEW buzz AS SELECT * FROM nowhere", "column buzz: found 'view', expected a table"),
    ("ALTER TABLE buzz RENAME TO old; CREATE VIEW buzz AS SELECT * FROM old", "column buzz: found 'view', expected a table"),
    ("DROP TABLE buzz; CREATE VIEW BUZZ AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id FROM n", "column BUZZ: found 'view', expected a table"),
    ("DROP TABLE bonus; CREATE VIRTUAL TABLE bonus USING fts5(id)", "column bonus: found 'virtual table', expected a table"),
    ("UPDATE game SET team_one_id = 1 WHERE id = 2", "row game 2, column team_two_id: found 1, expected another team than team_one_id"),
    ("DELETE FROM buzz", "column buzz: found 0, expected at least one row"),
    ("DELETE FROM game", "column game: found 0, expected at least one row"),
    ("DELETE FROM team", "column game: found 0, expected at least one row"),
    ("DELETE FROM tournament", "column game: found 0, expected at least one row"),
    ("DELETE FROM packet", "column game: found 0, expected at least one row"),
    ("DELETE FROM player", "column buzz: found 0, expected at least one row"),
    ("UPDATE buzz SET value = 'ten' WHERE id = 2", "row buzz 2, column value: found 'ten', expected points"),
    ("UPDATE buzz SET value = 9e999 WHERE id = 2", "row buzz 2, column value: found inf, expected points"),
    ("UPDATE buzz SET buzz_position = 'x' WHERE id = 2", "row buzz 2, column buzz_position: found 'x', expected the index of a word"),
    ("UPDATE buzz SET buzz_position = 3.5 WHERE id = 2", "row buzz 2, column buzz_position: found 3.5"),
    ("UPDATE buzz SET buzz_position = 9e15 WHERE id = 2", "row buzz 2, column buzz_position"),
    ("UPDATE game SET tossups_read = 'many' WHERE id = 1", "row game 1, column tossups_read: found 'many', expected a whole number from 0"),
    ("UPDATE game SET tossups_read = -3 WHERE id = 1", "row game 1, column tossups_read: found -3"),
    ("UPDATE game SET tossups_read = 2000000000 WHERE id = 1", "row game 1, column tossups_read: found 2000000000"),
    ("UPDATE team SET name = NULL WHERE id = 1", "row team 1, column name: found None, expected a name"),
    ("UPDATE team SET name = ' ' WHERE id = 1", "row team 1, column name: found ' '"),
    ("UPDATE team SET name = x'ff00' WHERE id = 1", "row team 1, column name"),
    ("UPDATE team SET name = 'A' || char(0) WHERE id = 1", "row team 1, column name"),
    ("UPDATE team SET name = CAST(x'ff' AS TEXT) WHERE id = 1", "Could not decode to UTF-8"),
    ("UPDATE tossup SET question = NULL WHERE id = 11", "row tossup 1, column question: found None, expected text"),
    ("UPDATE tossup SET question = x'ff' WHERE id = 11", "row tossup 11, column question: .*expected text"),
    ("UPDATE tossup SET answer = NULL WHERE id = 11", "row tossup 1, column answer: found None, expected text"),
    ("UPDATE packet_question SET question_number = NULL WHERE id = 1", "row packet_question 1, column question_number: found None, expected a whole number from 1"),
    ("UPDATE packet_question SET question_number = 'a' WHERE id = 1", "row packet_question 1, column question_number: found 'a'"),
    ("UPDATE packet_question SET question_number = 0 WHERE id = 1", "row packet_question 1, column question_number: found 0"),
    ("UPDATE packet_question SET question_number = 2 WHERE id = 1", "row packet 1, column question_number: found 2, expected a number that one tossup of a packet has"),
    ("UPDATE round SET exclude_from_individual = 'yes' WHERE id = 1", "row round 1, column exclude_from_individual: found 'yes', expected 0 or 1"),
    ("UPDATE bonus_part SET part_number = 'x' WHERE id = 4", "row bonus_part 4, column part_number: found 'x'"),
    ("UPDATE bonus_part_direct SET value = 'ten' WHERE id = 1", "row bonus_part_direct 1, column value: found 'ten'"),
    (COPY.format("player") + "INSERT INTO player VALUES (1, 2, 'Dee', 'd')", "row player 1, column id: found 1, expected a whole number that occurs once"),
    (COPY.format("game") + "INSERT INTO game SELECT * FROM old", "row game 1, column id: found 1"),
]  # fmt: skip
"""Statement → what is said of the database after it."""


@pytest.mark.parametrize(("statement", "said"), REFUSED)
def test_what_a_database_lacks_or_cannot_mean_is_named(database, statement, said):
    _changed(database, statement)
    with pytest.raises(DataError, match=said):
        _tidy(database)


LEFT_OUT = "row of the database left out"
TWICE = "bonus twice in a game"
AGAIN = "INSERT INTO buzz VALUES (9, 1, 1, 12, 2, 10); INSERT INTO bonus_part_direct "
STRAY = "buzz by a team that is not in the match"
READ = [
    ("", 4, 6, {}),
    (COPY.format("buzz") + "UPDATE buzz SET buzz_position = 4.0 WHERE id = 2", 4, 6, {}),
    ("UPDATE buzz SET value = NULL WHERE id = 3", 3, 3, {LEFT_OUT: "1 of 4 rows of buzz have nothing as their value"}),
    ("UPDATE buzz SET buzz_position = NULL WHERE id = 2", 4, 6, {"buzz without a position": ""}),
    ("UPDATE buzz SET player_id = NULL WHERE id = 3", 3, 3, {LEFT_OUT: "no player as their player_id"}),
    ("UPDATE buzz SET player_id = 99 WHERE id = 3", 3, 3, {LEFT_OUT: "no player as their player_id"}),
    ("UPDATE buzz SET game_id = 99 WHERE id = 3", 3, 3, {LEFT_OUT: "1 of 4 rows of buzz have no game"}),
    ("UPDATE buzz SET tossup_id = 99 WHERE id = 3", 3, 3, {LEFT_OUT: "1 of 4 rows of buzz have no tossup"}),
    ("UPDATE game SET round_id = 99 WHERE id = 2", 3, 6, {LEFT_OUT: "no round as their round_id"}),
    ("UPDATE game SET team_two_id = NULL WHERE id = 2", 3, 6, {LEFT_OUT: "no team as their team_two_id"}),
    ("INSERT INTO team VALUES (3, 1, 'Gamma', 'g'); INSERT INTO player VALUES (3, 3, 'Cy', 'c'); INSERT INTO buzz VALUES (9, 3, 1, 12, 2, -5)", 5, 6, {STRAY: "'Gamma'"}),
    ("UPDATE team SET name = 'Alpha' WHERE id = 2", 4, 6, {}),
    ("UPDATE player SET name = NULL WHERE id = 1", 4, 6, {}),
    ("UPDATE round SET number = 'Finals' WHERE id = 1", 4, 6, {}),
    ("UPDATE round SET packet_id = NULL WHERE id = 2", 3, 6, {LEFT_OUT: "1 of 4 buzzes are on a tossup that the packet of their round lacks"}),
    ("INSERT INTO packet VALUES (3, 2, 'Packet 1'); UPDATE packet SET name = 'Packet 11' WHERE id = 2", 4, 6, {}),
    ("UPDATE bonus_part_direct SET value = NULL WHERE id = 1", 4, 5, {LEFT_OUT: "nothing as their value"}),
    ("UPDATE bonus_part_direct SET bonus_part_id = 99 WHERE id = 1", 4, 5, {LEFT_OUT: "no bonus_part"}),
    ("UPDATE bonus_part_direct SET team_id = 99 WHERE id = 1", 4, 5, {LEFT_OUT: "no team"}),
    ("INSERT INTO bonus_part_direct VALUES (99, 1, 1, 4, 10)", 4, 6, {TWICE: "1 bonuses are entered again, 1 of them beyond"}),
    # Ann is right again on tossup 2, and the moderator reads bonus 1 again, to her or to Bo's team.
    (AGAIN + "SELECT 9 + id, 1, 1, bonus_part_id, 10 FROM bonus_part_direct WHERE id < 4", 5, 9, {TWICE: "1 bonuses are entered again, 0 of them beyond"}),
    (AGAIN + "SELECT 9 + id, 1, 1, bonus_part_id, 10 FROM bonus_part_direct WHERE id > 3", 5, 9, {TWICE: "1 bonuses are entered again, 0 of them beyond"}),
    (AGAIN + "SELECT 9 + id, 2, 1, bonus_part_id, 10 FROM bonus_part_direct WHERE id > 3", 5, 6, {TWICE: "1 bonuses are entered again, 1 of them beyond"}),
    ("UPDATE bonus_part SET value = 'x', part = NULL WHERE id = 4", 4, 6, {}),
    ("DROP TABLE bonus; DROP TABLE bonus_part; DROP TABLE bonus_part_direct", 4, 0, {}),
    ("UPDATE packet_question SET question_id = 1 WHERE id = 6; UPDATE buzz SET tossup_id = 11 WHERE id = 4", 4, 6, {"question in several packets": "p02-q01 has the text and answer line of p01-q01, the first of 1"}),
]  # fmt: skip
"""Statement → buzzes and bonus parts that are read after it, and findings that say what is not."""


@pytest.mark.parametrize(("statement", "buzzes", "parts", "said"), READ)
def test_what_is_left_out_of_a_database_is_listed(database, statement, buzzes, parts, said):
    _changed(database, statement)
    made = _tidy(database)
    for name, table in made.items():
        if name != "findings":
            assert not store.validation_errors(table, name, parents=made), name
    assert (len(made["plays"]), len(made["bonus_plays"])) == (buzzes, parts)
    for kind, detail in said.items():
        assert any(detail in one.detail for one in made["findings"] if one.finding == kind)
    assert said or {one.finding for one in made["findings"]} == {"points are not declared"}


def test_two_of_one_name_stay_two(database):
    _changed(database, "UPDATE team SET name = 'Alpha' WHERE id = 2")
    assert _tidy(database)["plays"]["team"].unique().tolist() == ["Alpha (2)", "Alpha (1)"]


def _changed(database, statements):
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(statements)


def test_steps_and_rows_of_a_database_are_limited(database, monkeypatch):
    for limit, expected in (("ROWS", "more than 0 rows"), ("STEPS", "interrupted")):
        with monkeypatch.context() as patch:
            patch.setattr(sqlite, limit, 0)
            if limit == "STEPS":
                _changed(database, "CREATE TABLE n AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 200000) SELECT x FROM n; INSERT INTO buzz SELECT x + 99, 1, 1, 11, 2, 10 FROM n")  # fmt: skip
            with pytest.raises(DataError, match=expected):
                _tidy(database)


@pytest.mark.parametrize("folder", ["a#b", "what?mode=rw", "100%41", "plain"])
def test_the_file_that_is_named_is_the_one_that_is_read(database, tmp_path, folder):
    for name in (folder, "100A", "a"):
        (tmp_path / name).mkdir(exist_ok=True)
    (tmp_path / "100A" / "database.db").write_text("another")
    (tmp_path / folder / "database.db").write_bytes(database.read_bytes())
    assert len(sqlite.read_database(tmp_path / folder / "database.db").plays) == 4


@pytest.mark.parametrize("kept", [0, 100, 4096 * 3, 0.5])
def test_half_a_database_is_one_error(database, kept):
    content = database.read_bytes()
    database.write_bytes(content[: kept if isinstance(kept, int) else len(content) // 2])
    with pytest.raises(DataError, match="expected an SQLite database|expected the column"):
        _tidy(database)


def test_rows_that_are_not_yet_in_the_file_are_not_lost_in_silence(database, tmp_path):
    sources = {"database": str(database)}
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("INSERT INTO buzz VALUES (9, 1, 1, 12, 2, 10)")
        connection.commit()
        with pytest.raises(DataError, match="database.db-wal: found .* bytes"):
            files.copy_sources(tmp_path / "open", sources, "keep")
    files.copy_sources(tmp_path / "closed", sources, "keep")
    assert len(_tidy(tmp_path / "closed" / "database.db")["plays"]) == 5


def test_a_file_that_is_no_database_is_one_error(tmp_path):
    (tmp_path / "database.db").write_text("no database")
    with pytest.raises(DataError, match=r"expected an SQLite database"):
        _tidy(tmp_path / "database.db")
