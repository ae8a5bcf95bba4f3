"""Read the SQLite databases of the community's buzzpoint sites as they are.

``buzz_position`` is the 0-based index of the last word heard, as in the match files behind the database. A game has
two teams and ``tossups_read``. It does not say which players sat in it, nor on which cycle a bonus was read. A team's
bonuses therefore follow its right buzzes in order.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import numpy as np
import pandas as pd

from ..core.errors import DataError, Fault, Faults, raise_faults
from .match_log import Log

MOST = 1000
"""Tossups of a game or a packet, and points of a buzz or a part, at most."""
ROWS = 5_000_000
"""Rows of a table at most."""
STEPS = 2_000
"""Millions of instructions that SQLite may take for a database."""


def _is_integer(value: object, lowest: float, most: float) -> bool:
    """Whether ``value`` is a number (an integral float too) within the bounds."""
    return isinstance(value, int | float) and lowest <= value <= most and value % 1 == 0


KINDS: dict[str, tuple[Callable, str]] = {
    "id": (lambda v: _is_integer(v, -(2**53), 2**53), "a whole number"),
    "name": (lambda v: isinstance(v, str) and v.strip() != "" and "\0" not in v, "a name"),
    "text": (lambda v: v is None or (isinstance(v, str) and "\0" not in v), "text"),
    "label": (lambda v: v is None or isinstance(v, int | str), "a number or a name"),
    "flag": (lambda v: v in (None, 0, 1), "0 or 1"),
    "number": (lambda v: _is_integer(v, 1, MOST), f"a whole number from 1 to {MOST}"),
    "count": (lambda v: v is None or _is_integer(v, 0, MOST), f"a whole number from 0 to {MOST}"),
    "word": (lambda v: v is None or _is_integer(v, -1, 1e6), "the index of a word"),
    "points": (
        lambda v: v is None or (isinstance(v, int | float) and abs(v) <= MOST),
        f"points, at most {MOST}",
    ),
    "value": (lambda v: True, ""),
}
"""Kind of a value → whether a value is one, and what is expected."""
NEEDED = {
    "tournament": {"id": "id", "name": "text"},
    "packet": {"id": "id", "name": "text"},
    "question": {"id": "id", "category": "text", "subcategory": "text"},
    "round": {"id": "id", "tournament_id": "tournament", "number": "label", "packet_id": "packet?"},
    "packet_question": {"packet_id": "packet", "question_number": "number", "question_id": "question"},
    "tossup": {"id": "id", "question_id": "question", "question": "text", "answer": "text"},
    "team": {"id": "id", "tournament_id": "tournament", "name": "name"},
    "player": {"id": "id", "team_id": "team", "name": "text"},
    "game": {"id": "id", "round_id": "round", "tossups_read": "count", "team_one_id": "team", "team_two_id": "team"},
    "buzz": {"id": "id", "player_id": "player", "game_id": "game", "tossup_id": "tossup", "buzz_position": "word", "value": "points"},
}  # fmt: skip
"""Table → columns without which nothing can be read → kind of their values, or the table to whose ids they refer
(with ? where they may be empty)."""
BONUSES = {
    "bonus": {"id": "id", "question_id": "question", "leadin": "text"},
    "bonus_part": {"id": "id", "part_number": "number", "bonus_id": "bonus", "part": "text", "answer": "text"},
    "bonus_part_direct": {"team_id": "team", "game_id": "game", "bonus_part_id": "bonus_part", "value": "points"},
}  # fmt: skip
"""The same for bonuses, which a database need not have at all."""
OPTIONAL = {
    "round": {"exclude_from_individual": "flag"},
    "bonus_part": {"value": "value", "difficulty_modifier": "text"},
}
"""The same for columns that are read where they are there."""


def _connect(path: Path) -> sqlite3.Connection:
    """Open a database read-only with at most :data:`STEPS` million instructions. ``DataError`` if a table to read is a view
    or virtual table, which may run code or never end."""
    connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True)
    steps = iter(range(STEPS))
    connection.set_progress_handler(lambda: next(steps, None) is None, 1_000_000)
    stored = "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view')"
    faults = [
        Fault(path.name, "", name, kind if kind == "view" else "virtual table", "a table")
        for name, kind, sql in connection.execute(stored).fetchall()
        if str(name).lower() in NEEDED | BONUSES
        and (kind == "view" or str(sql).lower().startswith("create virtual"))
    ]
    if faults:
        connection.close()
        raise DataError(faults)
    return connection


def _tables(path: Path, log: Log) -> dict[str, pd.DataFrame]:
    """Table → its checked rows (:func:`_check_rows`), sorted by id where it has one; bonus tables only if any exists.
    ``DataError`` for missing tables or columns and more than :data:`ROWS` rows."""
    file = path.name
    try:
        with closing(_connect(path)) as connection:
            present = {
                name: [row[1] for row in connection.execute(f"PRAGMA table_xinfo({name})")]
                for name in NEEDED | BONUSES
            }
            declared = NEEDED | (BONUSES if any(present[name] for name in BONUSES) else {})
            raise_faults(
                Fault(file, "", f"{name}.{column}", None, "the column to be present")
                for name, needed in declared.items()
                for column in needed
                if column not in present[name]
            )
            tables: dict = {}
            for name, needed in declared.items():
                optional = OPTIONAL.get(name, {})
                rules = needed | {key: optional[key] for key in optional if key in present[name]}
                key = "id" if "id" in present[name] else "1"
                query = f"SELECT {key}, {', '.join(rules)} FROM {name} ORDER BY {key}"
                rows = connection.execute(query).fetchmany(ROWS + 1)
                if len(rows) > ROWS:
                    raise DataError.at(file, "", name, f"more than {ROWS} rows", "fewer rows")
                tables[name] = _check_rows(file, name, rules, rows, tables, log)
            return tables
    except (sqlite3.Error, UnicodeError) as error:
        raise DataError.at(file, "", "", str(error)[:120], "an SQLite database of buzzpoints") from None


def _check_rows(
    file: str, name: str, rules: dict[str, str], rows: list[tuple], tables: dict[str, pd.DataFrame], log: Log
) -> pd.DataFrame:
    """Rows of table ``name`` as a frame; ``rules``: column → kind of :data:`KINDS`, or table that it refers to. The first
    value of each of ``rows`` identifies it. ``DataError`` lists all values of a wrong kind. Rows without points or that refer
    to a missing row of ``tables`` are left out and noted."""
    faults = Faults(file)
    for position, (column, rule) in enumerate(rules.items(), start=1):
        fits, expected = KINDS.get(rule, KINDS["value"])
        values = pd.Series([row[position] for row in rows], dtype=object)
        wrong = ~values.map(fits).astype(bool)
        if rule == "id":
            wrong |= values.duplicated()
            expected = f"{expected} that occurs once"
        for place in np.flatnonzero(wrong):
            faults.add(f"{name} {rows[place][0]}", column, values[place], expected)
    faults.refuse()
    table = pd.DataFrame(rows, columns=["", *rules])
    for column, rule in rules.items():
        empty = table[column].isna()
        if rule in KINDS:
            lost, reason = empty & (rule == "points"), "nothing"
        else:
            target = rule.removesuffix("?")
            lost = ~table[column].isin(tables[target]["id"]) & ~(empty & rule.endswith("?"))
            reason = f"no {target}"
        if lost.any():
            place = f"{file}, {name} {table.loc[lost, ''].iloc[0]}"
            many = f"{int(lost.sum())} of {len(table)} rows of {name}"
            log.note("row of the database left out", place, f"{many} have {reason} as their {column}")
            table = table[~lost]
    return table.drop(columns="").reset_index(drop=True)


def _unique_names(table: pd.DataFrame, default: str = "", scope: Collection[str] = ()) -> dict[int, str]:
    """id → name (``default`` where null). Rows with equal columns ``scope`` that share a name, not empty, get " (id)"."""
    names = table["name"].fillna(default).astype(str).str.strip()
    repeated = table[list(scope)].assign(name=names).duplicated(keep=False) & (names != "")
    return dict(
        zip(table["id"], names.where(~repeated, names + " (" + table["id"].astype(str) + ")"), strict=True)
    )


def _questions(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """packet_question joined with question, sorted by packet and number; ``metadata``: "category - subcategory", or the first."""
    questions = tables["packet_question"].merge(
        tables["question"], left_on="question_id", right_on="id", suffixes=("", "_question")
    )
    category, sub = (questions[name].fillna("") for name in ("category", "subcategory"))
    plain = (sub == "") | (sub == questions["category"])
    questions["metadata"] = category.where(plain, category + " - " + sub)
    return questions.sort_values(["packet_id", "question_number"], kind="stable")


def _documents(
    tables: dict[str, pd.DataFrame], file: str
) -> Iterator[tuple[int, dict, tuple[Sequence[int], Sequence[int]]]]:
    """Yield (packet id, JSON document, (numbers of its tossups, of its bonuses)) for each packet with tossups. ``DataError``
    where two tossups of a packet have one number."""
    questions = _questions(tables)
    tossups = questions.merge(tables["tossup"], on="question_id", suffixes=("_q", ""))
    for row in tossups[tossups.duplicated(["packet_id", "question_number"])].head(1).itertuples():
        place, expected = f"packet {row.packet_id}", "a number that one tossup of a packet has"
        number = int(row.question_number)
        raise DataError.at(file, place, "question_number", number, expected)
    listed: dict = {}
    if set(BONUSES) <= set(tables):
        parts = dict(list(tables["bonus_part"].sort_values("part_number").groupby("bonus_id")))
        both = questions.merge(tables["bonus"], on="question_id", suffixes=("_q", ""))
        for row in both[both["id"].isin(list(parts))].itertuples():
            bonus = int(row.question_number), _bonus_document(row, parts[row.id])
            listed.setdefault(row.packet_id, []).append(bonus)
    for packet, rows in tossups.groupby("packet_id"):
        texts = rows[["question", "answer", "metadata"]].astype(object)
        numbers, own = zip(*listed.get(packet, []), strict=True) if packet in listed else ((), ())
        document = {"bonuses": list(own)}
        document["tossups"] = texts.where(texts.notna(), None).to_dict("records")
        yield packet, document, (rows["question_number"].astype(int).to_list(), numbers)


def _bonus_document(bonus: NamedTuple, parts: pd.DataFrame) -> dict:
    """A bonus and its parts as in a packet's JSON."""
    optional = {"value": "values", "difficulty_modifier": "difficultyModifiers"}
    return {
        "leadin": bonus.leadin if isinstance(bonus.leadin, str) else "",
        "parts": parts["part"].fillna("").to_list(),
        "answers": parts["answer"].fillna("").to_list(),
        **{name: parts[column].to_list() for column, name in optional.items() if column in parts},
        "metadata": bonus.metadata,
    }


def read_database(path: str | Path) -> Log:
    """Log of all tournaments of an SQLite database. ``DataError`` for wrong values; no table, column, game or buzz."""
    path = Path(path)
    log, file = Log(), path.name
    tables = _tables(path, log)
    titles = _unique_names(tables["tournament"], "tournament")
    packet_names = _unique_names(tables["packet"], "packet")
    for packet, document, numbers in _documents(tables, file):
        name = packet_names[packet]
        log.add_packet(document | {"name": name}, f"{file}, {name}", numbers)
    games = _games(tables, titles, packet_names, file)
    log.games = games.assign(file=file)
    teams = _unique_names(tables["team"], scope=["tournament_id"])
    log.plays = _buzz_rows(tables, games, teams, file, log)
    _add_sides(log, games, teams)
    if set(BONUSES) <= set(tables):
        log.bonuses = _bonus_rows(tables, games, teams, log)
    return log


def _games(
    tables: dict[str, pd.DataFrame], titles: dict[int, str], packet_names: dict[int, str], file: str
) -> pd.DataFrame:
    """Games with tournament, round, packet, packet_id, game (name) and, if the database tells, individual. ``DataError``
    without games or buzzes, or for a team against itself."""
    rounds, games = tables["round"].set_index("id"), tables["game"].copy()
    if not len(games) or not len(tables["buzz"]):
        expected = "at least one row, with the rows that it refers to"
        raise DataError.at(file, "", "game" if not len(games) else "buzz", 0, expected)
    raise_faults(
        Fault(file, f"game {row.id}", "team_two_id", row.team_two_id, "another team than team_one_id")
        for row in games[games["team_one_id"] == games["team_two_id"]].itertuples()
    )
    look_up = games["round_id"].map
    games["tournament"] = look_up(rounds["tournament_id"].map(titles))
    number = rounds["number"].map(lambda n: n if isinstance(n, str) else f"{n:.0f}", na_action="ignore")
    games["round"] = look_up(number).astype(object)
    games["packet_id"] = look_up(rounds["packet_id"])
    games["packet"] = games["packet_id"].map(packet_names)
    games["game"] = games["tournament"] + " game " + games["id"].astype(str)
    if "exclude_from_individual" in rounds:
        games["individual"] = look_up(rounds["exclude_from_individual"].fillna(0).astype(int)) == 0
    games["tossups_read"] = games["tossups_read"].fillna(0).astype("int64")
    return games


def _add_sides(log: Log, games: pd.DataFrame, teams: dict[int, str]) -> None:
    """Set ``log.heard`` (both teams of a game hear tossups 1 to tossups_read) and ``log.sides``; a team that buzzes in a game
    of two others is noted and not listed."""
    key = ["game", "team"]
    parts = [games.assign(team=games[f"team_{side}_id"].map(teams)) for side in ("one", "two")]
    both = pd.concat(parts, ignore_index=True)[[*key, "tossups_read"]]
    heard = both.loc[both.index.repeat(both["tossups_read"])]
    heard["cycle"] = heard.groupby(key).cumcount() + 1
    log.heard = heard.assign(tossup=heard["cycle"], source="match")
    sides = pd.MultiIndex.from_frame(both[key])
    stray = log.plays[~pd.MultiIndex.from_frame(log.plays[key]).isin(sides)].drop_duplicates(key)
    for row in stray.itertuples():
        detail = f"{row.team!r} buzzes, as in {row.source_row}, and is neither of its two teams"
        log.note("buzz by a team that is not in the match", row.game, detail)
    sides = pd.concat([both.assign(listed=True), stray.assign(listed=False)], ignore_index=True)
    log.sides = sides.assign(kind="human")


def _packet_numbers(tables: dict[str, pd.DataFrame], name: str) -> pd.DataFrame:
    """packet_id, tossup_id or bonus_id, and number in the packet; ``name``: "tossup" or "bonus"."""
    rows = tables[name][["id", "question_id"]].merge(
        tables["packet_question"], on="question_id", suffixes=("", "_packet")
    )
    rows = rows.rename(columns={"id": f"{name}_id", "question_number": "number"})
    return rows[["packet_id", f"{name}_id", "number"]].drop_duplicates(["packet_id", f"{name}_id"])


def _buzz_rows(
    tables: dict[str, pd.DataFrame], games: pd.DataFrame, teams: dict[int, str], file: str, log: Log
) -> pd.DataFrame:
    """Part ``plays`` of a log: buzzes by id, cycle and tossup being the number in the packet of the round. Buzzes on a tossup
    that this packet lacks are left out and noted."""
    rows = tables["buzz"].merge(
        tables["player"], left_on="player_id", right_on="id", suffixes=("", "_player")
    )
    rows = rows.merge(
        games[["id", "game", "packet_id"]], left_on="game_id", right_on="id", suffixes=("", "_game")
    )
    rows = rows.merge(_packet_numbers(tables, "tossup"), "left", on=["packet_id", "tossup_id"])
    rows = rows.sort_values("id", ignore_index=True)
    lost = rows["number"].isna()
    if lost.any():
        detail = (
            f"{int(lost.sum())} of {len(rows)} buzzes are on a tossup that the packet of their round lacks"
        )
        log.note("row of the database left out", f"{file}, buzz {rows.loc[lost, 'id'].iloc[0]}", detail)
    rows = rows[~lost].reset_index(drop=True)
    rows["tossup"] = rows["number"].astype("int64")
    people = _unique_names(tables["player"], scope=["team_id"])
    return rows[["game", "tossup"]].assign(
        cycle=rows["tossup"],
        order=rows.groupby(["game", "tossup"]).cumcount() + 1,
        team=rows["team_id"].map(teams),
        player=rows["player_id"].map(people).replace("", None),
        word_index=rows["buzz_position"].astype("Int64"),
        value=rows["value"].astype(float),
        correct=rows["value"] > 0,
        source_row=file + "#buzz " + rows["id"].astype(str),
    )


def _bonus_rows(
    tables: dict[str, pd.DataFrame], games: pd.DataFrame, teams: dict[int, str], log: Log
) -> pd.DataFrame:
    """Part ``bonuses`` of a log. The database gives no cycle: the k-th bonus of a team in a game goes to the cycle of its
    k-th right buzz. Bonuses beyond the right buzzes are left out and noted."""
    key = ["game", "team"]
    part = tables["bonus_part"].set_index("id")
    rows = tables["bonus_part_direct"].merge(
        games[["id", "game", "packet_id"]], left_on="game_id", right_on="id"
    )
    rows = rows.assign(
        team=rows["team_id"].map(teams),
        part=rows["bonus_part_id"].map(part["part_number"]),
        bonus_id=rows["bonus_part_id"].map(part["bonus_id"]),
        points=rows["value"].astype(float),
    )
    rows = rows.merge(_packet_numbers(tables, "bonus"), "left", on=["packet_id", "bonus_id"])
    rows = rows.rename(columns={"number": "bonus"})
    rows["copy"] = rows.groupby([*key, "bonus_id", "part"]).cumcount()
    heard = rows.drop_duplicates([*key, "bonus_id", "copy"])
    heard = heard.sort_values([*key, "bonus", "bonus_id", "copy"])[[*key, "bonus_id", "copy"]]
    right = log.plays[log.plays["correct"]].sort_values([*key, "cycle"])
    right = right.assign(place=right.groupby(key).cumcount())[[*key, "cycle", "place"]]
    heard = _drop_surplus_bonuses(heard, right, log)
    heard["place"] = heard.groupby(key).cumcount()
    read = rows.merge(heard, on=[*key, "bonus_id", "copy"]).merge(right, "left", on=[*key, "place"])
    lost = read["cycle"].isna()
    for game, of_game in read[lost].groupby("game"):
        detail = f"{of_game['place'].nunique()} bonuses are more than its right buzzes"
        log.note("bonus without a right buzz", str(game), detail)
    return read[~lost].assign(bounceback=None).astype({"cycle": "int64", "part": "int64"})


def _drop_surplus_bonuses(heard: pd.DataFrame, right: pd.DataFrame, log: Log) -> pd.DataFrame:
    """Rows of ``heard`` (bonuses by team and game) less those entered again (``copy`` above 0) for which the team has no
    right buzz left. Games with such entries are noted."""
    key = ["game", "team"]
    again = heard["copy"] > 0
    groups = again.groupby([heard[name] for name in key])
    names = pd.MultiIndex.from_frame(heard[key])
    called = right.groupby(key).size().reindex(names).fillna(0).to_numpy()
    spare = called - groups.transform("size") + groups.transform("sum")
    keep = ~again | (groups.cumsum() <= spare)
    for game, rows in heard[heard.duplicated(["game", "bonus_id"], keep=False)].groupby("game"):
        extra = rows.duplicated("bonus_id")
        lost = int((~keep[rows.index]).sum())
        detail = f"{int(extra.sum())} bonuses are entered again, {lost} of them beyond the right buzzes of their team"
        log.note("bonus twice in a game", str(game), detail)
    return heard[keep].copy()
