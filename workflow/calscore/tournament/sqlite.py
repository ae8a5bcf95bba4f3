"""The SQLite databases of the community's buzzpoint sites, read as they are.

``buzz_position`` is the 0-based index of the last word heard, as the match files have it from which they are made. A
game has two teams and ``tossups_read``; which players sat in it is not told, nor on which cycle a bonus was read: a
team's bonuses follow its right buzzes in their order.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pandas as pd

from ..core.errors import DataError, Fault
from . import bonuses, packets
from .match_log import Log, columns

MOST = 1000
"""Tossups of a game or a packet, and points of a buzz or a part, at most."""


def _whole(value, lowest: float, most: float) -> bool:
    return isinstance(value, int | float) and lowest <= value <= most and value % 1 == 0


KINDS: dict[str, tuple[Callable, str]] = {
    "id": (lambda v: _whole(v, -(2**53), 2**53), "a whole number"),
    "name": (lambda v: isinstance(v, str) and v.strip() != "" and "\0" not in v, "a name"),
    "text": (lambda v: v is None or (isinstance(v, str) and "\0" not in v), "text"),
    "label": (lambda v: v is None or isinstance(v, int | str), "a number or a name"),
    "flag": (lambda v: v in (None, 0, 1), "0 or 1"),
    "number": (lambda v: _whole(v, 1, MOST), f"a whole number from 1 to {MOST}"),
    "count": (lambda v: v is None or _whole(v, 0, MOST), f"a whole number from 0 to {MOST}"),
    "word": (lambda v: v is None or _whole(v, -1, 1e6), "the index of a word"),
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
"""The same for bonuses, which a database need not have."""
MORE = {
    "round": {"exclude_from_individual": "flag"},
    "bonus_part": {"value": "value", "difficulty_modifier": "text"},
}
"""The same for columns that are read where they are there."""
_FIRST = ("tossup", "bonus")
"""Tables that said themselves in which packet a question is, before there was packet_question."""


def _as_later(connection) -> None:
    """Views of a database of the first public definition by which it reads as one of the later."""
    number = {}
    for at, name in enumerate(_FIRST):
        if "packet_id" in {row[1] for row in connection.execute(f"PRAGMA table_info({name})")}:
            number[name] = f"2 * id + {at}"
    if "tossup" not in number:
        return
    for view, key, told in (
        ("question", "id", "category, subcategory"),
        ("packet_question", "question_id", "packet_id, question_number"),
    ):
        parts = (f"SELECT {own} AS {key}, {told} FROM main.{name}" for name, own in number.items())
        connection.execute(f"CREATE TEMP VIEW {view} AS {' UNION ALL '.join(parts)}")
    for name, own in number.items():
        view = f"CREATE TEMP VIEW {name} AS SELECT *, {own} AS question_id FROM main.{name}"
        connection.execute(view)


def _tables(path: Path, log: Log) -> dict[str, pd.DataFrame]:
    """Table → its rows, sorted by id where it has one, without those that refer to what is not there."""
    file = path.name
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
            _as_later(connection)
            there = {
                name: [row[1] for row in connection.execute(f"PRAGMA table_xinfo({name})")]
                for name in NEEDED | BONUSES
            }
            lacking, unread = (
                [
                    f"{name}.{column}"
                    for name, wanted in tables.items()
                    for column in wanted
                    if column not in there[name]
                ]
                for tables in (NEEDED, BONUSES)
            )
            if lacking:
                expected = "the column to be present"
                raise DataError([Fault(file, "", one, None, expected) for one in lacking])
            if unread and any(there[name] for name in BONUSES):
                detail = f"bonuses, for want of {', '.join(unread)}"
                log.findings.append(
                    packets.data_issue("row of the database left out", file, detail)
                )
            found: dict = {}
            for name, wanted in (NEEDED if unread else NEEDED | BONUSES).items():
                rules = wanted | {
                    key: kind for key, kind in MORE.get(name, {}).items() if key in there[name]
                }
                key = "id" if "id" in there[name] else "1"
                order = f"SELECT {key}, {', '.join(rules)} FROM {name} ORDER BY {key}"
                rows = connection.execute(order).fetchall()
                found[name] = _checked(file, name, rules, rows, found, log)
            return found
    except (sqlite3.Error, UnicodeError) as error:
        raise DataError.at(file, "", "", str(error)[:120], "an SQLite database of buzzpoints") from None  # fmt: skip


def _checked(file: str, name: str, rules: dict, rows: list, found: dict, log: Log) -> pd.DataFrame:
    """Rows of a table (the first value names the row), each value of its kind."""
    faults: list[Fault] = []
    for at, (column, rule) in enumerate(rules.items(), start=1):
        fits, expected = KINDS.get(rule, KINDS["value"])
        values = [row[at] for row in rows]
        odd = [i for i, value in enumerate(values) if not fits(value)]
        if rule == "id":
            seen: set = set()
            odd += [i for i, value in enumerate(values) if value in seen or seen.add(value)]
            expected = f"{expected} that occurs once"
        faults += [Fault(file, f"{name} {rows[i][0]}", column, values[i], expected) for i in odd]
    if faults:
        raise DataError(faults)
    table = pd.DataFrame(rows, columns=["", *rules])
    for column, rule in rules.items():
        empty = table[column].isna()
        if rule in KINDS:
            lost, why = empty & (rule == "points"), "nothing"
        else:
            to = rule.removesuffix("?")
            lost = ~table[column].isin(found[to]["id"]) & ~(empty & rule.endswith("?"))
            why = f"no {to}"
        if lost.any():
            place = f"{file}, {name} {table.loc[lost, ''].iloc[0]}"
            detail = (
                f"{int(lost.sum())} of {len(table)} rows of {name} have {why} as their {column}"
            )
            log.findings.append(packets.data_issue("row of the database left out", place, detail))
            table = table[~lost]
    return table.drop(columns="").reset_index(drop=True)


def _named(table, taken: str = "", within=()) -> dict:
    """id → name, made one of its own by the id where two of the same ``within`` are called the same."""
    names = table["name"].fillna(taken).astype(str).str.strip()
    twice = table[list(within)].assign(name=names).duplicated(keep=False) & (names != "")
    return dict(zip(table["id"], names.where(~twice, names + " (" + table["id"].astype(str) + ")"), strict=True))  # fmt: skip


def _documents(
    tables: dict, name_of: dict, file: str
) -> dict[str, tuple[dict, list[int], list[int]]]:
    """Packet → it as JSON would have it, and the numbers of its tossups and bonuses."""
    asked = tables["packet_question"].merge(
        tables["question"], left_on="question_id", right_on="id", suffixes=("", "_of")
    )
    sub = asked["subcategory"].fillna("")
    same = (sub == "") | (sub == asked["category"])
    asked["metadata"] = (
        asked["category"].fillna("").where(same, asked["category"].fillna("") + " - " + sub)
    )
    asked = asked.sort_values(["packet_id", "question_number"], kind="stable")
    tossups = asked.merge(tables["tossup"], on="question_id", suffixes=("_q", ""))
    double = tossups[tossups.duplicated(["packet_id", "question_number"])]
    if len(double):
        row, expected = double.iloc[0], "a number that one tossup of a packet has"
        number = int(row["question_number"])
        raise DataError.at(file, f"packet {row['packet_id']}", "question_number", number, expected)
    found: dict = {}
    for packet, rows in tossups.groupby("packet_id"):
        listed = rows[["question", "answer", "metadata"]].astype(object)
        listed = listed.where(listed.notna(), None).to_dict("records")
        document = {"tossups": listed, "bonuses": []}
        found[name_of[packet]] = document, rows["question_number"].astype(int).to_list(), []
    if set(BONUSES) <= set(tables):
        parts = {key: rows for key, rows in tables["bonus_part"].sort_values("part_number").groupby("bonus_id")}  # fmt: skip
        own = asked.merge(tables["bonus"], on="question_id", suffixes=("_q", ""))
        for row in own.itertuples():
            of = parts.get(row.id)
            if of is None or name_of[row.packet_id] not in found:
                continue
            document, _, numbers = found[name_of[row.packet_id]]
            levels = of["difficulty_modifier"] if "difficulty_modifier" in of else [None] * len(of)
            document["bonuses"].append(
                {
                    "leadin": row.leadin if isinstance(row.leadin, str) else "",
                    "parts": of["part"].fillna("").to_list(),
                    "answers": of["answer"].fillna("").to_list(),
                    "values": of["value"].to_list() if "value" in of else [],
                    "difficultyModifiers": [
                        one if isinstance(one, str) else None for one in levels
                    ],
                    "metadata": row.metadata,
                }
            )
            numbers.append(int(row.question_number))
    return found


def read(path) -> Log:
    """A log of every tournament in a database; ``DataError`` names each table and column that is missing."""
    path = Path(path)
    log, file = Log(), path.name
    tables = _tables(path, log)
    titles, packet_of = _named(tables["tournament"], "tournament"), _named(tables["packet"], "packet")  # fmt: skip
    for name, (document, tossups, listed) in _documents(tables, packet_of, file).items():
        rows, findings = packets.parse(document, f"{file}, {name}", name)
        log.tossups += [row | {"number": tossups[row["number"] - 1]} for row in rows]
        parts = bonuses.of_packet(document, f"{file}, {name}", name)
        log.bonus_parts += [row | {"number": listed[row["number"] - 1]} for row in parts]
        log.findings += findings
    rounds = tables["round"].set_index("id")
    games = tables["game"].copy()
    if not len(games) or not len(tables["buzz"]):
        expected = "at least one row, with the rows that it refers to"
        raise DataError.at(file, "", "game" if not len(games) else "buzz", 0, expected)
    of = games["round_id"].map
    games["tournament"] = of(rounds["tournament_id"].map(titles))
    number = rounds["number"].map(
        lambda n: n if isinstance(n, str) else f"{n:.0f}", na_action="ignore"
    )
    games["round"] = of(number).astype(object)
    games["packet"] = of(rounds["packet_id"].map(packet_of))
    games["game"] = games["tournament"] + " game " + games["id"].astype(str)
    if "exclude_from_individual" in rounds:
        games["individual"] = of(rounds["exclude_from_individual"].fillna(0).astype(int)) == 0
    games["tossups_read"] = games["tossups_read"].fillna(0).astype("int64")
    log.games = games.assign(known=True, file=file).reindex(columns=columns("games"))
    teams = _named(tables["team"], within=["tournament_id"])
    name_of = games.set_index("id")["game"]
    both = pd.concat(
        [games[["game", "tossups_read", side]].set_axis(["game", "tossups_read", "id"], axis=1) for side in ("team_one_id", "team_two_id")]
    )  # fmt: skip
    both["team"] = both["id"].map(teams)
    for game in both.loc[both.duplicated(["game", "id"]), "game"]:
        log.findings.append(
            packets.data_issue("team twice in one match", game, "both its teams are one")
        )
    both = both.drop_duplicates(["game", "id"], ignore_index=True)
    log.sides = both.assign(kind="human").reindex(columns=columns("sides"))
    heard = both.loc[both.index.repeat(both["tossups_read"])]
    heard["cycle"] = heard.groupby(["game", "team"]).cumcount() + 1
    log.heard = heard.assign(tossup=heard["cycle"], source="match")[columns("heard")].reset_index(drop=True)  # fmt: skip
    log.plays = _plays(tables, games, name_of, teams, file, log.findings)
    key = ["game", "team"]
    stray = log.plays.merge(log.sides[key], "left", on=key, indicator=True)
    stray = stray[stray["_merge"] == "left_only"].drop_duplicates(key)
    for row in stray.itertuples():
        detail = f"{row.team!r} buzzes, as in {row.source_row}, and is neither of its two teams"
        kind = "buzz by a team that is not in the match"
        log.findings.append(packets.data_issue(kind, row.game, detail))
    more = stray[key].assign(kind="human", listed=False)
    log.sides = pd.concat([log.sides.assign(listed=True), more], ignore_index=True)
    if set(BONUSES) <= set(tables):
        log.bonuses = _bonuses(tables, games, name_of, teams, log)
    return log


def _plays(tables, games, name_of, teams, file: str, findings: list):
    """Buzzes in the order in which they were entered, with the number of their tossup in the packet of the round."""
    rounds = tables["round"].set_index("id")["packet_id"]
    place = tables["tossup"][["id", "question_id"]].merge(tables["packet_question"], on="question_id", suffixes=("", "_at"))  # fmt: skip
    place = place.drop_duplicates(["packet_id", "id"]).set_index(["packet_id", "id"])["question_number"]  # fmt: skip
    rows = tables["buzz"].merge(tables["player"], left_on="player_id", right_on="id", suffixes=("", "_of"))  # fmt: skip
    rows = rows.sort_values("id", ignore_index=True)
    packet = rows["game_id"].map(games.set_index("id")["round_id"]).map(rounds)
    number = place.reindex(pd.MultiIndex.from_arrays([packet, rows["tossup_id"]])).to_numpy()
    rows = rows.assign(number=number, game=rows["game_id"].map(name_of))
    lost = rows["number"].isna()
    if lost.any():
        detail = f"{int(lost.sum())} of {len(rows)} buzzes are on a tossup that the packet of their round lacks"
        place = f"{file}, buzz {rows.loc[lost, 'id'].iloc[0]}"
        findings.append(packets.data_issue("row of the database left out", place, detail))
    rows = rows[~lost].reset_index(drop=True)
    rows["tossup"] = rows["number"].astype("int64")
    people = _named(tables["player"], within=["team_id"])
    return pd.DataFrame(
        {
            "game": rows["game"],
            "cycle": rows["tossup"],
            "tossup": rows["tossup"],
            "order": rows.groupby(["game", "tossup"]).cumcount() + 1,
            "team": rows["team_id"].map(teams),
            "player": rows["player_id"].map(people).replace("", None),
            "word_index": rows["buzz_position"].astype("Int64"),
            "value": rows["value"].astype(float),
            "correct": rows["value"] > 0,
            "source_row": file + "#buzz " + rows["id"].astype(str),
        }
    )[columns("plays")]


def _bonuses(tables, games, name_of, teams, log: Log):
    """Parts of bonuses: the k-th bonus of a team in a game is that of its k-th right buzz."""
    part = tables["bonus_part"].set_index("id")
    rows = tables["bonus_part_direct"].assign(
        game=lambda t: t["game_id"].map(name_of),
        team=lambda t: t["team_id"].map(teams),
        part=lambda t: t["bonus_part_id"].map(part["part_number"]),
        own=lambda t: t["bonus_part_id"].map(part["bonus_id"]),
        points=lambda t: t["value"].astype(float),
    )
    rounds = tables["round"].set_index("id")["packet_id"]
    rows["packet_id"] = rows["game_id"].map(games.set_index("id")["round_id"]).map(rounds)
    place = tables["bonus"][["id", "question_id"]].merge(tables["packet_question"], on="question_id", suffixes=("", "_at"))  # fmt: skip
    place = place[["packet_id", "id", "question_number"]].drop_duplicates(["packet_id", "id"])
    place = place.rename(columns={"id": "own", "question_number": "bonus"})
    rows = rows.merge(place, how="left", on=["packet_id", "own"])
    double = rows.duplicated(["game", "own", "part"])
    if double.any():
        detail = f"{int(double.sum())} rows tell of a part that the game has already"
        place = f"bonus_part_direct of {rows.loc[double, 'game'].iloc[0]}"
        log.findings.append(packets.data_issue("row of the database left out", place, detail))
        rows = rows[~double]
    key = ["game", "team"]
    read = rows.drop_duplicates([*key, "own"]).sort_values([*key, "bonus", "own"])
    read = read.assign(at=read.groupby(key).cumcount())[[*key, "own", "at"]]
    right = log.plays[log.plays["correct"]].sort_values([*key, "cycle"])
    right = right.assign(at=right.groupby(key).cumcount())[[*key, "cycle", "at"]]
    found = rows.merge(read, on=[*key, "own"]).merge(right, how="left", on=[*key, "at"])
    lost = found["cycle"].isna()
    for game, of in found[lost].groupby("game"):
        detail = f"{of['own'].nunique()} bonuses are more than its right buzzes"
        log.findings.append(packets.data_issue("bonus without a right buzz", str(game), detail))
    found = found[~lost].assign(bounceback=None).astype({"cycle": "int64", "part": "int64"})
    return found[columns("bonuses")].reset_index(drop=True)
