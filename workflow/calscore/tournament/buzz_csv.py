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
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..core import store, strict_json
from ..core.errors import DataError, Fault
from . import bonuses, packets
from .categoricals import repeated, row_codes, share_categories
from .match_log import Log, columns
from .standings import USUAL

MOST = 100_000
SCORED = 1000
"""Points of a buzz or a bonus at most."""


class Column(NamedTuple):
    """What a column holds: text (``low`` None), numbers from ``low`` below ``most``, or words and their ``meanings``.

    ``empty``: whether a cell may be empty; ``absent``: the value where a file lacks the column, which it may if ``optional``.
    """

    low: int | None = None
    whole: bool = True
    empty: bool = False
    most: int = MOST
    meanings: dict | None = None
    optional: bool = False
    absent: object = None


NAME, TEXT = Column(), Column(empty=True)
PLACE, COUNT = Column(1), Column(0, empty=True, optional=True, absent=np.nan)
TOTAL = Column(-MOST, whole=False, empty=True, optional=True, absent=np.nan)
SCORE = Column(0, whole=False, most=SCORED + 1)
FLAG = dict.fromkeys(("true", "1", "yes"), True) | dict.fromkeys(("false", "0", "no"), False)
KIND = {"human": "human", "model": "model", "": "human"}
GAME = {"tournament": NAME, "round": TEXT, "game": NAME}
EXTRA = {
    "packet": Column(empty=True, optional=True),
    "kind": Column(meanings=KIND, optional=True, absent="human"),
    "game_known": Column(meanings=FLAG, optional=True, absent=True),
}
HEARD = GAME | {"tossup": PLACE, "team": NAME, "cycle": Column(1, optional=True)} | EXTRA
SOURCES = {name: name for name in ("declared", "match", "buzzed", "packet")}
FILES = {
    "buzzes": HEARD
    | {"player": TEXT, "buzz_position": Column(0, empty=True), "order": Column(1, optional=True)}
    | {"value": Column(-SCORED, whole=False, most=SCORED + 1)}
    | {"correct": Column(meanings=FLAG, optional=True)},
    "heard": HEARD | {"source": Column(meanings=SOURCES, optional=True, absent="match")},
    "rosters": GAME | {"team": NAME, "player": NAME} | dict.fromkeys(["tossups_heard", *USUAL], COUNT),
    "bonuses": GAME
    | {"team": NAME, "cycle": PLACE, "part": Column(bonuses.WHOLE), "points": SCORE}
    | {"bonus": COUNT._replace(low=1), "bounceback": COUNT._replace(whole=False)},
    "scores": GAME
    | {"team": NAME, "points": TOTAL, "bonus_points": TOTAL, "bounceback_points": TOTAL}
    | {"bonuses": TOTAL, "tossups_read": COUNT, "overtime": COUNT}
    | {"phase": Column(empty=True, optional=True)}
    | {"forfeit": Column(meanings=FLAG | {"": False}, optional=True, absent=False)}
    | {"individual": Column(meanings=FLAG | {"": True}, optional=True, absent=True)}
    | EXTRA,
}  # fmt: skip
"""File → its columns; others are passed over."""


class _Table:
    """A CSV whose columns are dictionary-encoded text: few distinct values, each checked once."""

    def __init__(self, path, columns: dict[str, Column]):
        import pyarrow as pa
        from pyarrow import csv

        self.file, self.columns = Path(path).name, columns
        try:
            with Path(path).open("rb") as handle:
                head = handle.readline().decode("utf-8-sig")
            names = next(lines.reader([head]))
        except (OSError, UnicodeDecodeError, StopIteration, lines.Error) as error:
            raise DataError.at(self.file, "", "", str(error) or "nothing", "a CSV table") from None
        needed = [name for name, column in columns.items() if not column.optional]
        missing = [(name, None, "the column to be present") for name in needed if name not in names]
        twice = sorted({name for name in names if names.count(name) > 1})
        wrong = missing or [(name, name, "a column that occurs once") for name in twice]
        if wrong:
            raise DataError([Fault(self.file, "", *fault) for fault in wrong])
        wanted = [name for name in names if name in columns]
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
        self.size, self.faults, self.games = table.num_rows, [], {}
        self.codes, self.values = {}, {}
        for name in wanted:
            column = table.column(name).unify_dictionaries().combine_chunks()
            if isinstance(column, pa.ChunkedArray):
                column = column.chunk(0) if column.num_chunks else pa.array([], kind)
            values = [store.as_meant(value.strip()) for value in column.dictionary.to_pylist()]
            small = np.min_scalar_type(-len(values) - 1)
            self.values[name] = values
            self.codes[name] = column.indices.to_numpy(zero_copy_only=False).astype(small)
            table = table.drop_columns(name)
            # Arrays of text end before a NUL.
            for code, value in enumerate(values):
                if "\0" in value:
                    self.fault(name, code, "text without NUL")
        self.refuse()

    def fault(self, name: str, code: int, expected: str) -> None:
        row = int(np.argmax(self.codes[name] == code)) + 2
        self.faults.append(Fault(self.file, str(row), name, self.values[name][code], expected))

    def fault_rows(self, name: str, mask, values, expected: str) -> None:
        """A fault for each row of ``mask``; ``values``: what each row has."""
        for row, value in zip(np.flatnonzero(mask), values[mask].tolist(), strict=True):
            self.faults.append(Fault(self.file, str(row + 2), name, value, expected))

    def refuse(self) -> None:
        """Raise the faults, where there are any."""
        if self.faults:
            raise DataError(self.faults)

    def frame(self) -> pd.DataFrame:
        """The table as its columns declare it; ``DataError`` with the first row of each wrong value."""
        rows: dict = dict(self.games)
        for name, column in self.columns.items():
            if name in GAME:
                continue
            if name in self.codes:
                rows[name] = self._parse(name, column)
            elif isinstance(column.absent, str):
                rows[name] = pd.Categorical.from_codes(np.zeros(self.size, "int8"), [column.absent])
            else:
                rows[name] = column.absent
        self.refuse()
        return pd.DataFrame(rows)

    def _parse(self, name: str, column: Column):
        if column.meanings:
            return self._words(name, column.meanings)
        if column.low is None:
            return self.text(name, column.empty)
        return self._numbers(name, column)

    def text(self, name: str, empty: bool) -> pd.Categorical:
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

    def _numbers(self, name: str, column: Column) -> np.ndarray:
        """A column as numbers, nan for an empty cell; 32 bits for whole ones of every row."""
        low, whole, empty, most = column[:4]
        parsed = np.full(len(self.values[name]), np.nan)
        expected = f"a {'whole ' * whole}number" + f" from {low}" * (low > -MOST)
        expected += f" to {most - 1}" * (most < MOST)
        for code, value in enumerate(self.values[name]):
            if not value and empty:
                continue
            try:
                parsed[code] = store.number(value)
            except ValueError:
                self.fault(name, code, expected)
                continue
            if not low <= parsed[code] < most or (whole and parsed[code] % 1):
                self.fault(name, code, expected)
        if whole and not empty and not self.faults:
            parsed = parsed.astype("int32")
        return parsed[self.codes[name]]

    def _words(self, name: str, meanings: dict) -> np.ndarray:
        """A column of a few allowed words (any case) as what they mean."""
        for code, value in enumerate(self.values[name]):
            if value.lower() not in meanings:
                self.fault(name, code, f"one of {', '.join(filter(None, meanings))}")
        parsed = [meanings.get(value.lower()) for value in self.values[name]]
        return pd.Series(
            parsed, dtype=None if self.faults else type(next(iter(meanings.values())))
        ).to_numpy()[self.codes[name]]


def _named(tables: list[_Table]) -> None:
    """Give each table its ``games``: the name in several rounds of any of them is told by tournament and round."""
    triples: set = set()
    result = []
    for table in tables:
        parts = [table.text(name, column.empty) for name, column in GAME.items()]
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


def read(
    buzzes, heard=None, packs=None, base: int = 0, rosters=None, scored=None, scores=None
) -> Log:
    """A log from a buzz CSV, its ``heard``, ``rosters``, bonus (``scored``) and ``scores`` files (None where there are
    none) and packets (name → content; those beside the CSV where None).

    ``base``: 0 where buzz_position is the 0-based index of the last word heard, 1 where it is the number
    of words heard. Raises ``DataError`` with one fault per wrong distinct value, at its first row.
    """
    log = Log()
    table = _Table(buzzes, FILES["buzzes"])
    table.columns = table.columns | {
        "buzz_position": Column(base, empty=True),
        "value": FILES["buzzes"]["value"]._replace(empty="correct" in table.codes),
    }
    paths = {"heard": heard, "rosters": rosters, "bonuses": scored, "scores": scores}
    opponents = {name: _Table(path, FILES[name]) for name, path in paths.items() if path}
    _named([table, *opponents.values()])
    rows = _buzzes(table, base)
    file = table.file
    del table
    listeners = _heard(opponents.pop("heard"), log) if heard else _inferred(rows, file, log)
    _tables(log, rows, listeners, file)
    del rows, listeners
    for name, function in (("scores", _scores), ("rosters", _rosters), ("bonuses", _bonuses)):
        if name in opponents:
            function(opponents.pop(name), log)
    if packs is None:
        nearby = sorted(Path(buzzes).parent.rglob("*.json"))
        packs = {path.name: path.read_bytes() for path in nearby}
    for name, content in packs.items():
        document = strict_json.load(content, name)
        if packets.is_packet(document):
            log.add_packet(document, name)
        else:
            log.findings.append(
                packets.data_issue("file is no match and no packet", name, "it has no tossups")
            )
    return log


def _in_rooms(table: _Table) -> pd.DataFrame:
    """Rows of a table of tossups; a tossup without a cycle is that of its number."""
    rows = table.frame().rename(columns={"game_known": "known"})
    return rows if "cycle" in table.codes else rows.assign(cycle=rows["tossup"])


def _buzzes(table: _Table, base: int) -> pd.DataFrame:
    rows = _in_rooms(table)
    rows["word_index"] = rows.pop("buzz_position") - base
    right = rows["value"] > 0
    if "correct" in table.codes:
        stated = rows["correct"].astype(bool)
        odd = (rows["value"].notna() & (right != stated)).to_numpy()
        if odd.any():
            row = int(odd.argmax())
            expected = f"the sign of value {rows['value'].iat[row]:g}"
            raise DataError.at(table.file, str(row + 2), "correct", bool(stated.iat[row]), expected)
        right = stated
    if not len(rows):
        raise DataError.at(table.file, "", "", 0, "at least one buzz")
    return rows.assign(correct=right, line=np.arange(2, len(rows) + 2))


def _heard(table: _Table, log: Log) -> pd.DataFrame:
    listeners = _in_rooms(table)
    double = listeners.duplicated(["game", "cycle", "tossup", "team"])
    if double.any():
        detail = f"{int(double.sum())} rows stand twice"
        log.findings.append(packets.data_issue("heard row repeated", table.file, detail))
        listeners = listeners[~double]
    return listeners


def _rosters(table: _Table, log: Log) -> None:
    """The players of each game, those who buzz and are not listed after the others, and answers that no buzz tells."""
    key = ["game", "team", "player"]
    listed = table.frame().astype(dict.fromkeys(key, object))
    teams = pd.MultiIndex.from_frame(log.sides[["game", "team"]])
    stranger = ~pd.MultiIndex.from_frame(listed[["game", "team"]]).isin(teams)
    expected = "a game and a team of the buzzes, of who heard them or of the scores"
    table.fault_rows("team", stranger, listed["team"], expected)
    double = listed.duplicated(key)
    table.fault_rows("player", double, listed["player"], "a player who stands once in a game")
    buzzed = listed["game"].isin(log.heard["game"].unique())
    for kind in USUAL:
        number = listed[kind].fillna(0).astype("int64")
        table.fault_rows(kind, buzzed & (number > 0), number, "nothing, as buzzes tell it")
    table.refuse()
    answers = [listed[key].assign(value=float(USUAL[kind]), number=listed[kind]) for kind in USUAL]
    answers = pd.concat(answers)
    log.answers = answers[answers["number"] > 0]
    listed["tossups_heard"] = pd.array(listed["tossups_heard"], dtype="Float64").astype("Int64")
    both = pd.concat([listed[columns("rosters")], log.rosters], ignore_index=True)
    log.rosters = both.drop_duplicates(key, ignore_index=True)


def _bonuses(table: _Table, log: Log) -> None:
    """Points on each part of the bonuses, which are of teams that were right on the tossup."""
    parts = table.frame()
    right = log.plays.loc[log.plays["correct"].astype(bool), ["game", "cycle", "team"]].copy()
    share_categories(("game", "team"), parts, right)
    whose, own = row_codes(["game", "cycle", "team"], right, parts)
    stranger = ~np.isin(own, whose)
    (cycle,) = row_codes(["game", "cycle"], parts)
    (part,) = row_codes(["game", "cycle", "part"], parts)
    groups = parts.groupby(cycle)
    is_sum = groups["part"].transform("min") == bonuses.WHOLE
    double = repeated(part) | ((parts["part"] != bonuses.WHOLE) & is_sum)
    number = parts["bonus"].fillna(0)
    unlike = number != number.groupby(cycle).transform("first")
    for name, wrong, expected in (
        ("bonus", unlike, "one bonus for each cycle"),
        ("part", double, "a part that stands once"),
        ("team", stranger & ~double, "a team that was right on the tossup of that cycle"),
    ):
        if wrong.any():
            values = number.astype("int64") if name == "bonus" else parts[name]
            table.fault_rows(name, wrong, values.astype(str), expected)
    table.refuse()
    log.bonuses = parts.astype({"bonus": "Int64"})[columns("bonuses")]


def _scores(table: _Table, log: Log) -> None:
    """What matches declare of their teams, and games that nobody is listed to have heard."""
    key = ["game", "team"]
    rows = table.frame().rename(columns={"points": "declared", "game_known": "known"})
    forfeited = rows["forfeit"].astype(bool)
    table.fault_rows(
        "forfeit", forfeited, forfeited, "a game that was played; leave a forfeited one out"
    )
    table.fault_rows(
        "team", rows.duplicated(key), rows["team"], "a team that stands once in a game"
    )
    table.refuse()
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
    index = np.lexsort([rows["word_index" if rows["order"].isna().all() else "order"], place])
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
