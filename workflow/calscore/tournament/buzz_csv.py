"""Buzz CSV: one buzz a row; further files with who heard what, who played, bonuses, and scores.

``buzzes``: tournament, round, game, tossup, team, player, buzz_position, value; optionally packet, cycle
(place of the tossup in the game, where that is not its number), order (of the buzzes on a tossup, where
that is not their position), kind (human or model) and correct (where
value may be empty). ``heard``: tournament, round, game, tossup, team; optionally packet, cycle, kind,
source. ``rosters``: tournament, round, game, team, player; optionally tossups_heard, packet and, of a game that lists no tossup,
how often the player scored what (superpowers, powers, tens, negs, wrong_free). ``bonuses``: tournament, round, game,
cycle, team (whose the bonus was), part (from 1; 0 for the sum of all), points; optionally bonus (its number in the packet),
bounceback. ``scores``: tournament, round, game, team; optionally what the match declares (points, bonus_points,
bounceback_points, bonuses) and of the game tossups_read, overtime, phase. A game is named within its tournament and round; the round may be empty.
"""

from __future__ import annotations

import csv as lines
from pathlib import Path

import numpy as np
import pandas as pd

from ..core import store, strict_json
from ..core.errors import DataError, Fault
from . import bonuses, packets
from .categoricals import repeated, row_codes, share_categories
from .match_log import Log, columns
from .standings import USUAL

BUZZES = ["tournament", "round", "game", "tossup", "team", "player", "buzz_position", "value"]
HEARD = ["tournament", "round", "game", "tossup", "team"]
ROSTERS = ["tournament", "round", "game", "team", "player"]
BONUSES = ["tournament", "round", "game", "cycle", "team", "part", "points"]
SCORES = ["tournament", "round", "game", "team"]
_DECLARED = {"points": "declared"} | {
    name: name for name in ("bonus_points", "bounceback_points", "bonuses")
}
"""Column of ``scores`` → that of a log's sides."""
_FURTHER = [
    *_DECLARED,
    *("forfeit", "tossups_read", "overtime", "phase", "individual"),
    "bonus",
    "bounceback",
    "packet",
    "cycle",
    "order",
    "kind",
    "correct",
    "source",
    "game_known",
    "tossups_heard",
    *USUAL,
]
MOST = 100_000
SCORED = 1000
"""Points of a buzz or a bonus at most."""
_TRUE, _FALSE = {"true", "1", "yes"}, {"false", "0", "no"}


class _Table:
    """A CSV whose columns are dictionary-encoded text: few distinct values, each checked once."""

    def __init__(self, path, required: list[str]):
        import pyarrow as pa
        from pyarrow import csv

        self.file = Path(path).name
        try:
            with Path(path).open("rb") as handle:
                head = handle.readline().decode("utf-8-sig")
            names = next(lines.reader([head]))
        except (OSError, UnicodeDecodeError, StopIteration, lines.Error) as error:
            raise DataError.at(self.file, "", "", str(error) or "nothing", "a CSV table") from None
        missing = [name for name in required if name not in names]
        if missing:
            raise DataError(
                [Fault(self.file, "", name, None, "the column to be present") for name in missing]
            )
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise DataError(
                [Fault(self.file, "", name, name, "a column that occurs once") for name in twice]
            )
        wanted = [name for name in names if name in {*required, *_FURTHER}]
        kind = pa.dictionary(pa.int32(), pa.string())
        try:
            table = csv.read_csv(
                path,
                read_options=csv.ReadOptions(use_threads=False),
                parse_options=csv.ParseOptions(newlines_in_values=True),
                convert_options=csv.ConvertOptions(
                    include_columns=wanted,
                    column_types=dict.fromkeys(wanted, kind),
                    strings_can_be_null=False,
                ),
            )
        except (pa.ArrowException, OSError) as error:
            raise DataError.at(self.file, "", "", str(error)[:120], "a CSV table") from None
        self.size = table.num_rows
        self.codes, self.values = {}, {}
        for name in wanted:
            column = table.column(name).unify_dictionaries().combine_chunks()
            if isinstance(column, pa.ChunkedArray):
                column = column.chunk(0) if column.num_chunks else pa.array([], kind)
            self.values[name] = [
                store.as_meant(value.strip()) for value in column.dictionary.to_pylist()
            ]
            small = np.min_scalar_type(-len(self.values[name]) - 1)
            self.codes[name] = column.indices.to_numpy(zero_copy_only=False).astype(small)
            table = table.drop_columns(name)
        self.faults: list[Fault] = []
        self.games: dict = {}
        for name, values in self.values.items():
            # Arrays of text end before a NUL.
            for code, value in enumerate(values):
                if "\0" in value:
                    self.fault(name, code, "text without NUL")
        if self.faults:
            raise DataError(self.faults)

    def __contains__(self, name: str) -> bool:
        return name in self.codes

    def fault(self, name: str, code: int, expected: str) -> None:
        row = int(np.argmax(self.codes[name] == code)) + 2
        self.faults.append(Fault(self.file, str(row), name, self.values[name][code], expected))

    def text(self, name: str, empty: bool = False) -> pd.Categorical:
        """A column as text; ``empty``: an empty cell is missing, else a fault."""
        values = self.values[name]
        for code, value in enumerate(values):
            if not value and not empty:
                self.fault(name, code, "a value")
        labels, place = np.unique([value or "" for value in values], return_inverse=True)
        codes = place[self.codes[name]]
        if len(labels) and labels[0] == "":
            labels, codes = labels[1:], codes - 1
        return pd.Categorical.from_codes(codes, categories=labels.astype(object))

    def number(
        self, name: str, lowest: int, whole: bool = True, empty: bool = False, most: int = MOST
    ) -> np.ndarray:
        """A column as numbers below ``most``, nan for an empty cell where that is allowed; 32 bits for whole ones of every row."""
        parsed = np.full(len(self.values[name]), np.nan)
        expected = f"a {'whole ' * whole}number" + f" from {lowest}" * (lowest > -MOST)
        expected += f" to {most - 1}" * (most < MOST)
        for code, value in enumerate(self.values[name]):
            if not value and empty:
                continue
            try:
                parsed[code] = store.number(value)
            except ValueError:
                self.fault(name, code, expected)
                continue
            if not lowest <= parsed[code] < most or (whole and parsed[code] % 1):
                self.fault(name, code, expected)
        if whole and not empty and not self.faults:
            parsed = parsed.astype("int32")
        return parsed[self.codes[name]]

    def choice(self, name: str, meanings: dict[str, object]) -> np.ndarray:
        """A column of a few allowed words (any case) as what they mean."""
        parsed = np.empty(len(self.values[name]), dtype=object)
        for code, value in enumerate(self.values[name]):
            if value.lower() not in meanings:
                self.fault(name, code, f"one of {', '.join(meanings)}")
                continue
            parsed[code] = meanings[value.lower()]
        return parsed[self.codes[name]]


def _named(tables: list[_Table]) -> None:
    """Give each table its ``games``: the name in several rounds of any of them is told by tournament and round."""
    triples: set = set()
    result = []
    for table in tables:
        parts = [
            table.text(name, empty=name == "round") for name in ("tournament", "round", "game")
        ]
        codes = np.zeros(table.size, dtype="int64")
        for part in parts:
            codes = codes * (len(part.categories) + 1) + part.codes + 1
        # Games are few beside rows: these are hashed, and only games sorted.
        visited, universe = pd.factorize(codes)
        order = np.argsort(universe)
        place = np.argsort(order).astype("int32")[visited]
        earliest = np.empty(len(universe), dtype="int64")
        earliest[place[::-1]] = np.arange(len(place))[::-1]
        declared = (part.take(earliest).astype(object) for part in parts)
        names = list(zip(*(np.where(pd.isna(item), "", item) for item in declared), strict=True))
        triples |= set(names)
        result.append((table, parts, names, place))
    plain = len({name for *_, name in triples}) == len(triples)
    for table, parts, names, place in result:
        labels = pd.Index([name[2] if plain else " / ".join(name) for name in names], dtype=object)
        table.games = dict(zip(("tournament", "round", "name"), parts, strict=True))
        table.games |= {"game": pd.Categorical.from_codes(place, categories=labels)}


def _always(value: str, size: int) -> pd.Categorical:
    return pd.Categorical.from_codes(np.zeros(size, dtype="int8"), [value])


def _frame(table: _Table) -> pd.DataFrame:
    rows: dict = dict(table.games)
    rows["team"] = table.text("team")
    rows["tossup"] = table.number("tossup", 1)
    rows["cycle"] = table.number("cycle", 1) if "cycle" in table else rows["tossup"]
    rows["packet"] = table.text("packet", empty=True) if "packet" in table else None
    rows["kind"] = (
        table.choice("kind", {"human": "human", "model": "model", "": "human"})
        if "kind" in table
        else _always("human", table.size)
    )
    rows["known"] = (
        table.choice("game_known", dict.fromkeys(_TRUE, True) | dict.fromkeys(_FALSE, False))
        if "game_known" in table
        else True
    )
    return pd.DataFrame(rows)


def read(
    buzzes,
    heard=None,
    packs: dict[str, bytes] | None = None,
    base: int = 0,
    rosters=None,
    scored=None,
    scores=None,
) -> Log:
    """A log from a buzz CSV, its ``heard``, ``rosters``, bonus (``scored``) and ``scores`` files (None where there are
    none) and packets (name → content; those beside the CSV where None).

    ``base``: 0 where buzz_position is the 0-based index of the last word heard, 1 where it is the number
    of words heard. Raises ``DataError`` with one fault per wrong distinct value, at its first row.
    """
    log = Log()
    table = _Table(buzzes, BUZZES)
    files = {"heard": (heard, HEARD), "rosters": (rosters, ROSTERS), "bonuses": (scored, BONUSES)}
    files["scores"] = (scores, SCORES)
    opponents = {name: _Table(path, needed) for name, (path, needed) in files.items() if path}
    _named([table, *opponents.values()])
    rows = _frame(table)
    rows["player"] = table.text("player", empty=True)
    rows["word_index"] = table.number("buzz_position", base, empty=True) - base
    if "order" in table:
        rows["order"] = table.number("order", 1)
    rows["value"] = table.number(
        "value", -SCORED, whole=False, empty="correct" in table, most=SCORED + 1
    )
    rows["correct"] = rows["value"] > 0
    if "correct" in table:
        stated = table.choice("correct", dict.fromkeys(_TRUE, True) | dict.fromkeys(_FALSE, False))
        if not table.faults:
            rows["correct"] = stated.astype(bool)
            odd = rows["value"].notna() & ((rows["value"] > 0) != rows["correct"])
            if odd.any():
                place = int(odd.to_numpy().argmax())
                value, result = rows["value"].iat[place], bool(rows["correct"].iat[place])
                expected = f"the sign of value {value:g}"
                table.faults.append(Fault(table.file, str(place + 2), "correct", result, expected))
    if table.faults:
        raise DataError(table.faults)
    if not len(rows):
        raise DataError.at(table.file, "", "", 0, "at least one buzz")
    rows["line"] = np.arange(2, len(rows) + 2)
    file = table.file
    del table
    listeners = _heard(opponents.pop("heard"), log) if heard else _inferred(rows, file, log)
    _tables(log, rows, listeners, file)
    if scores:
        _scores(opponents["scores"], log)
    if rosters:
        _rosters(opponents["rosters"], log)
    if scored:
        _bonuses(opponents["bonuses"], log)
    if packs is None:
        nearby = sorted(Path(buzzes).parent.rglob("*.json"))
        packs = {path.name: path.read_bytes() for path in nearby}
    for file, content in packs.items():
        document = strict_json.load(content, file)
        if packets.is_packet(document):
            log.add_packet(document, file)
        else:
            log.findings.append(
                packets.data_issue("file is no match and no packet", file, "it has no tossups")
            )
    return log


def _heard(table: _Table, log: Log) -> pd.DataFrame:
    listeners = _frame(table)
    listeners["source"] = (
        table.choice("source", {name: name for name in ("declared", "match", "buzzed", "packet")})
        if "source" in table
        else _always("match", table.size)
    )
    if table.faults:
        raise DataError(table.faults)
    double = listeners.duplicated(["game", "cycle", "tossup", "team"])
    if double.any():
        log.findings.append(
            packets.data_issue(
                "heard row repeated", table.file, f"{int(double.sum())} rows stand twice"
            )
        )
        listeners = listeners[~double]
    return listeners


def _rosters(table: _Table, log: Log) -> None:
    """The players of each game, those who buzz and are not listed after the others, and answers that no buzz tells."""
    rows: dict = {"game": table.games["game"]}
    rows["team"], rows["player"] = table.text("team"), table.text("player")
    stated = "tossups_heard" in table
    rows["tossups_heard"] = table.number("tossups_heard", 0, empty=True) if stated else np.nan
    listed = pd.DataFrame(rows).astype({name: object for name in ("game", "team", "player")})
    lookup = set(zip(log.sides["game"], log.sides["team"], strict=True))
    for place, pair in enumerate(zip(listed["game"], listed["team"], strict=True)):
        if pair not in lookup:
            expected = "a game and a team of the buzzes, of who heard them or of the scores"
            table.faults.append(Fault(table.file, str(place + 2), "team", pair[1], expected))
    double = listed.duplicated(["game", "team", "player"]).to_numpy()
    for place in np.flatnonzero(double):
        result, expected = listed["player"].iat[place], "a player who stands once in a game"
        table.faults.append(Fault(table.file, str(place + 2), "player", result, expected))
    buzzed = listed["game"].isin(log.heard["game"].unique()).to_numpy()
    answers = []
    for kind in filter(table.__contains__, USUAL):
        number = table.number(kind, 0, empty=True)
        answers.append(listed.assign(value=float(USUAL[kind]), number=number))
        for place in np.flatnonzero(buzzed & (number > 0)):
            expected = "nothing, as buzzes tell it"
            table.faults.append(
                Fault(table.file, str(place + 2), kind, int(number[place]), expected)
            )
    if table.faults:
        raise DataError(table.faults)
    log.answers = pd.concat([answer[answer["number"] > 0] for answer in answers]) if answers else []
    listed["tossups_heard"] = pd.array(listed["tossups_heard"], dtype="Float64").astype("Int64")
    both = pd.concat([listed[columns("rosters")], log.rosters], ignore_index=True)
    log.rosters = both.drop_duplicates(["game", "team", "player"], ignore_index=True)


def _bonuses(table: _Table, log: Log) -> None:
    """Points on each part of the bonuses, which are of teams that were right on the tossup."""
    rows: dict = {"game": table.games["game"], "team": table.text("team")}
    for name, lowest in (("cycle", 1), ("part", bonuses.WHOLE), ("bonus", 1)):
        empty = name == "bonus"
        source = name in table or not empty
        rows[name] = table.number(name, lowest, empty=empty) if source else np.nan
    rows["points"] = table.number("points", 0, whole=False, most=SCORED + 1)
    back = "bounceback" in table
    rows["bounceback"] = table.number("bounceback", 0, whole=False, empty=True) if back else np.nan
    if table.faults:
        raise DataError(table.faults)
    parts, names = pd.DataFrame(rows), ("game", "team")
    right = log.plays.loc[log.plays["correct"].astype(bool), ["game", "cycle", "team"]]
    share_categories(names, parts, right := right.copy())
    whose, own = row_codes(["game", "cycle", "team"], right, parts)
    stranger = ~np.isin(own, whose)
    (cycle,) = row_codes(["game", "cycle"], parts)
    (part,) = row_codes(["game", "cycle", "part"], parts)
    groups = parts.groupby(cycle)
    double = repeated(part) | (
        (parts["part"] != bonuses.WHOLE) & (groups["part"].transform("min") == bonuses.WHOLE)
    )
    opponent = parts["bonus"].fillna(0) != groups["bonus"].transform("first").fillna(0)
    for column, wrong, expected in (
        ("bonus", opponent, "one bonus for each cycle"),
        ("part", double, "a part that stands once"),
        ("team", stranger & ~double, "a team that was right on the tossup of that cycle"),
    ):
        for place in np.flatnonzero(wrong):
            value = parts[column].iat[place]
            result = f"{value:.0f}" if column == "bonus" else str(value)
            table.faults.append(Fault(table.file, str(place + 2), column, result, expected))
    if table.faults:
        raise DataError(table.faults)
    log.bonuses = parts.astype({"bonus": "Int64"})[columns("bonuses")]


def _scores(table: _Table, log: Log) -> None:
    """What matches declare of their teams, and games that nobody is listed to have heard."""
    rows = pd.DataFrame({name: table.games[name] for name in ("game", "tournament", "round")})
    rows["team"] = table.text("team")
    kinds = {"human": "human", "model": "model", "": "human"}
    rows["kind"] = table.choice("kind", kinds) if "kind" in table else "human"
    for name, own in _DECLARED.items():
        number = name in table
        rows[own] = table.number(name, -MOST, whole=False, empty=True) if number else np.nan
    for name in ("tossups_read", "overtime"):
        rows[name] = table.number(name, 0, empty=True) if name in table else np.nan
    for name in ("phase", "packet"):
        rows[name] = table.text(name, empty=True) if name in table else None
    stated = dict.fromkeys(_TRUE, True) | dict.fromkeys([*_FALSE, ""], False)
    if "forfeit" in table:
        for row in np.flatnonzero(table.choice("forfeit", stated) == True):  # noqa: E712
            expected = "a game that was played; leave a forfeited one out"
            table.faults.append(Fault(table.file, str(row + 2), "forfeit", True, expected))
    rows["known"] = table.choice("game_known", stated) if "game_known" in table else True
    counts = dict.fromkeys([*_TRUE, ""], True) | dict.fromkeys(_FALSE, False)
    rows["individual"] = table.choice("individual", counts) if "individual" in table else True
    key = ["game", "team"]
    for place in np.flatnonzero(rows.duplicated(key)):
        result, expected = rows["team"].iat[place], "a team that stands once in a game"
        table.faults.append(Fault(table.file, str(place + 2), "team", result, expected))
    if table.faults:
        raise DataError(table.faults)
    rows = rows.astype(dict.fromkeys([*key, "tournament", "round", "phase", "packet"], object))
    sides = pd.concat([log.sides[[*key, "kind"]], rows[[*key, "kind"]]], ignore_index=True)
    sides = sides.drop_duplicates(key).merge(rows.drop(columns="kind"), "left", on=key)
    log.sides = sides.reindex(columns=columns("sides"))
    games = rows.drop_duplicates("game").assign(file=table.file)
    both = pd.concat([log.games, games], ignore_index=True).drop_duplicates("game")
    declared = games.set_index("game")
    for name in ("tossups_read", "overtime", "phase", "individual"):
        both[name] = both["game"].map(declared[name]).fillna(both[name])
    both["tossups_read"] = both["tossups_read"].fillna(0).astype("int64")
    log.games = both.reindex(columns=columns("games")).reset_index(drop=True)


def _inferred(rows, file: str, log: Log) -> pd.DataFrame:
    """Without a heard file: every team of a game heard every tossup that somebody buzzed on in it."""
    log.findings.append(
        packets.data_issue("no heard file", file, "who heard a tossup is known from buzzes alone")
    )
    base = ["tournament", "round", "name", "packet", "game", "known"]
    tossups = rows.drop_duplicates(["game", "cycle", "tossup"])[[*base, "cycle", "tossup"]]
    teams = rows.drop_duplicates(["game", "team"])[["game", "team", "kind"]]
    return tossups.merge(teams.astype({"game": object}), on="game").assign(source="match")


def _tables(log: Log, rows, who, file: str) -> None:
    names = ["game", "tournament", "round", "team", "packet"]
    parts = [part.drop_duplicates(["game", "team"]) for part in (who, rows)]
    parts = [
        part[[*names, "known", "kind", "tossup"]].astype(dict.fromkeys([*names, "kind"], object))
        for part in parts
    ]
    both = pd.concat(parts, ignore_index=True)
    log.sides = both.drop_duplicates(["game", "team"]).reindex(columns=columns("sides"))
    log.sides = log.sides.reset_index(drop=True)
    games = both.drop_duplicates("game").copy()
    read = who.groupby("game", observed=True)["tossup"].nunique()
    games["tossups_read"] = games["game"].map(read).fillna(0).astype("int64")
    games["packet"] = games["packet"].where(games["packet"].notna(), None)
    games["known"] = games["known"].astype(bool)
    log.games = games.assign(file=file).reindex(columns=columns("games")).reset_index(drop=True)
    heard = who[["game", "cycle", "tossup", "team", "source"]]
    log.heard = heard.reset_index(drop=True)
    # In a tossup by position, then as written: a wrong answer comes before the right one.
    (place,) = row_codes(["game", "cycle", "tossup"], rows)
    index = np.lexsort([rows["order" if "order" in rows else "word_index"], place])
    place, ordered = place[index], rows.iloc[index]
    begins = np.flatnonzero(np.r_[True, place[1:] != place[:-1]])
    nested = np.arange(len(index)) - np.repeat(begins, np.diff(np.r_[begins, len(index)]))
    plays = ordered.assign(
        order=(nested + 1).astype("int32"), source_row=f"{file}#" + ordered["line"].astype(str)
    )
    log.plays = plays[columns("plays")].reset_index(drop=True)
    lookup = log.plays["player"].notna()
    named = log.plays.loc[lookup, ["game", "team", "player"]]
    log.rosters = named.drop_duplicates().assign(tossups_heard=pd.NA)
