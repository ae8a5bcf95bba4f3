"""The SQLite databases of the community's buzzpoint sites, read as they are.

Their tables: tournament, round, packet, packet_question, question, tossup, bonus, bonus_part, team, player, game, buzz,
bonus_part_direct. ``buzz_position`` is the 0-based index of the last word heard, as the match files have it from which
they are made. A game has two teams and ``tossups_read``; which players sat in it is not told, nor on which cycle a
bonus was read: a team's bonuses follow its right buzzes in their order.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pandas as pd

from ..core.errors import DataError, Fault
from . import bonuses, packets
from .log import Log, columns

NEEDED = {
    "tournament": ["id", "name"],
    "round": ["id", "tournament_id", "number", "packet_id"],
    "packet": ["id", "name"],
    "packet_question": ["packet_id", "question_number", "question_id"],
    "question": ["id", "category", "subcategory"],
    "tossup": ["id", "question_id", "question", "answer"],
    "team": ["id", "tournament_id", "name"],
    "player": ["id", "team_id", "name"],
    "game": ["id", "round_id", "tossups_read", "team_one_id", "team_two_id"],
    "buzz": ["id", "player_id", "game_id", "tossup_id", "buzz_position", "value"],
}
"""Table → columns without which nothing can be read."""
BONUSES = {
    "bonus": ["id", "question_id", "leadin"],
    "bonus_part": ["id", "part_number", "bonus_id", "part", "answer"],
    "bonus_part_direct": ["team_id", "game_id", "bonus_part_id", "value"],
}
"""The same for bonuses, which a database need not have."""


def _columns(connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_xinfo({table})")]


def _frames(path: Path) -> dict[str, pd.DataFrame]:
    """Table → its rows, sorted by id where it has one."""
    file = path.name
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
            there = {name: _columns(connection, name) for name in (*NEEDED, *BONUSES)}
            faults = [
                Fault(file, "", f"{name}.{column}", None, "the column to be present")
                for name, wanted in NEEDED.items()
                for column in wanted
                if column not in there[name]
            ]
            if faults:
                raise DataError(faults)
            found = {}
            for name, wanted in (NEEDED | BONUSES).items():
                if set(wanted) <= set(there[name]):
                    order = " ORDER BY id" if "id" in there[name] else ""
                    found[name] = pd.read_sql_query(f"SELECT * FROM {name}{order}", connection)
            return found
    except (sqlite3.Error, pd.errors.DatabaseError, UnicodeError) as error:
        raise DataError.at(file, "", "", str(error)[:120], "an SQLite database of buzzpoints") from None  # fmt: skip


def _named(frame, taken: str) -> dict:
    """id → name, made one of its own by the id where two are called the same."""
    names = frame["name"].fillna(taken).astype(str).str.strip()
    twice = names.duplicated(keep=False)
    return dict(zip(frame["id"], names.where(~twice, names + " (" + frame["id"].astype(str) + ")"), strict=True))  # fmt: skip


def _documents(tables: dict, name_of: dict) -> dict[str, tuple[dict, list[int], list[int]]]:
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
    found: dict = {}
    for packet, rows in tossups.groupby("packet_id"):
        listed = rows[["question", "answer", "metadata"]].to_dict("records")
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
                    "parts": of["part"].fillna("").astype(str).to_list(),
                    "answers": of["answer"].fillna("").astype(str).to_list(),
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
    tables, log, file = _frames(path), Log(), path.name
    titles, packet_of = _named(tables["tournament"], "tournament"), _named(tables["packet"], "packet")  # fmt: skip
    for name, (document, tossups, listed) in _documents(tables, packet_of).items():
        rows, findings = packets.parse(document, f"{file}, {name}", name)
        log.tossups += [row | {"number": tossups[row["number"] - 1]} for row in rows]
        parts = bonuses.of_packet(document, f"{file}, {name}", name)
        log.bonus_parts += [row | {"number": listed[row["number"] - 1]} for row in parts]
        log.findings += findings
    rounds = tables["round"].set_index("id")
    games = tables["game"].copy()
    if not len(games) or not len(tables["buzz"]):
        raise DataError.at(file, "", "game" if not len(games) else "buzz", 0, "at least one row")
    of = games["round_id"].map
    games["tournament"] = of(rounds["tournament_id"].map(titles))
    games["round"] = of(rounds["number"]).astype("Int64").astype("string").astype(object)
    games["packet"] = of(rounds["packet_id"].map(packet_of))
    games["game"] = games["tournament"] + " game " + games["id"].astype(str)
    if "exclude_from_individual" in rounds:
        games["individual"] = of(rounds["exclude_from_individual"].fillna(0).astype(int)) == 0
    games["tossups_read"] = games["tossups_read"].fillna(0).astype("int64")
    log.games = games.assign(known=True, file=file).reindex(columns=columns("games"))
    teams = tables["team"].set_index("id")["name"].astype(str).str.strip()
    name_of = games.set_index("id")["game"]
    both = pd.concat(
        [games[["game", "tossups_read", side]].set_axis(["game", "tossups_read", "id"], axis=1) for side in ("team_one_id", "team_two_id")]
    )  # fmt: skip
    both["team"] = both["id"].map(teams)
    both = both.dropna(subset="team").reset_index(drop=True)
    log.sides = both.assign(kind="human").reindex(columns=columns("sides")).reset_index(drop=True)
    heard = both.loc[both.index.repeat(both["tossups_read"])]
    heard["cycle"] = heard.groupby(["game", "team"]).cumcount() + 1
    log.heard = heard.assign(tossup=heard["cycle"], source="match")[columns("heard")].reset_index(drop=True)  # fmt: skip
    log.plays = _plays(tables, games, name_of, teams, file, log.findings)
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
    lost = rows["number"].isna() | rows["game"].isna()
    if lost.any():
        detail = f"{int(lost.sum())} of {len(rows)} buzzes are on a tossup that the packet of their round lacks"
        findings.append(packets.odd("tossup is not in the packet", f"{file}, buzz {rows.loc[lost, 'id'].iloc[0]}", detail)._replace(handling="left out"))  # fmt: skip
    rows = rows[~lost].reset_index(drop=True)
    rows["tossup"] = rows["number"].astype("int64")
    return pd.DataFrame(
        {
            "game": rows["game"],
            "cycle": rows["tossup"],
            "tossup": rows["tossup"],
            "order": rows.groupby(["game", "tossup"]).cumcount() + 1,
            "team": rows["team_id"].map(teams),
            "player": rows["name"].astype(str).str.strip(),
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
        points=lambda t: t["value"].fillna(0).astype(float),
    )
    rounds = tables["round"].set_index("id")["packet_id"]
    rows["packet_id"] = rows["game_id"].map(games.set_index("id")["round_id"]).map(rounds)
    place = tables["bonus"][["id", "question_id"]].merge(tables["packet_question"], on="question_id", suffixes=("", "_at"))  # fmt: skip
    place = place[["packet_id", "id", "question_number"]].drop_duplicates(["packet_id", "id"])
    place = place.rename(columns={"id": "own", "question_number": "bonus"})
    rows = rows.merge(place, how="left", on=["packet_id", "own"]).dropna(subset=["game", "team"])
    rows = rows.drop_duplicates(["game", "own", "part"])
    key = ["game", "team"]
    read = rows.drop_duplicates([*key, "own"]).sort_values([*key, "bonus", "own"])
    read = read.assign(at=read.groupby(key).cumcount())[[*key, "own", "at"]]
    right = log.plays[log.plays["correct"]].sort_values([*key, "cycle"])
    right = right.assign(at=right.groupby(key).cumcount())[[*key, "cycle", "at"]]
    found = rows.merge(read, on=[*key, "own"]).merge(right, how="left", on=[*key, "at"])
    lost = found["cycle"].isna()
    for game, of in found[lost].groupby("game"):
        detail = f"{of['own'].nunique()} bonuses are more than its right buzzes"
        log.findings.append(packets.odd("bonus without a right buzz", str(game), detail))
    found = found[~lost].assign(bounceback=None).astype({"cycle": "int64", "part": "int64"})
    return found[columns("bonuses")].reset_index(drop=True)
