"""Buzz CSV: one buzz a row; further files with who heard what, who played, and bonuses.

``buzzes``: tournament, round, game, tossup, team, player, buzz_position, value; optionally packet, cycle (place of the
tossup in the game, where that is not its number), kind (human or model) and correct (where value may be empty).
``heard``: tournament, round, game, tossup, team; optionally packet, cycle, kind. ``rosters``: tournament, round, game,
team, player; optionally tossups_heard. ``bonuses``: tournament, round, game, cycle, team (whose the bonus was), part
(from 1; 0 for the sum of all), points; optionally bonus (its number in the packet), bounceback. A game is named within
its tournament and round; the round may be empty.
"""

from __future__ import annotations

import csv as lines
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..core import store, strict_json
from ..core.errors import DataError, Faults
from . import bonuses, packets
from .categoricals import repeated, row_codes, share_categories
from .match_log import Log, columns

MOST = 100_000
SCORED = 1000
"""Points of a buzz or a bonus at most."""


class Column(NamedTuple):
    """How a cell is read (``ValueError`` or ``KeyError`` where it is wrong), what is expected of it, and the type of the column.

    ``absent``: the value where a file lacks the column, which it may if ``optional``.
    """

    parse: Callable
    expected: str
    kind: str
    optional: bool = False
    absent: object = None

    def unless(self, absent=None) -> Column:
        """The column as one that a file may lack, with its value there."""
        return self._replace(optional=True, absent=absent)


def _text(empty: bool = False) -> Column:
    """A column of text; ``empty``: whether a cell may be empty."""

    def parse(cell: str):
        # Arrays of text end before a NUL.
        if "\0" in cell or not (cell or empty):
            raise ValueError(cell)
        return cell or None

    return Column(parse, "a value", "category")


def _number(low: int, most: int = MOST, whole: bool = True, empty: bool = False) -> Column:
    """A column of numbers from ``low`` below ``most``, nan for an empty cell; 32 bits for whole ones of every row."""

    def parse(cell: str) -> float:
        if empty and not cell:
            return np.nan
        value = store.parse_number(cell)
        if not low <= value < most or (whole and value % 1):
            raise ValueError(cell)
        return value

    expected = f"a {'whole ' * whole}number" + f" from {low}" * (low > -MOST)
    expected += f" to {most - 1}" * (most < MOST)
    return Column(parse, expected, "int32" if whole and not empty else "float")


def _words(meanings: dict, kind: str = "bool") -> Column:
    """A column of a few allowed words (any case) as what they mean."""
    expected = f"one of {', '.join(filter(None, meanings))}"
    return Column(lambda cell: meanings[cell.lower()], expected, kind)


NAME, TEXT, PLACE = _text(), _text(empty=True), _number(1)
COUNT = _number(0, empty=True).unless(np.nan)
FLAG = dict.fromkeys(("true", "1", "yes"), True) | dict.fromkeys(("false", "0", "no"), False)
KIND = {"human": "human", "model": "model", "": "human"}
GAME = {"tournament": NAME, "round": TEXT, "game": NAME}
EXTRA = {"packet": TEXT.unless(), "kind": _words(KIND, "category").unless("human")}
HEARD = GAME | {"tossup": PLACE, "team": NAME, "cycle": PLACE.unless()} | EXTRA
FILES = {
    "buzzes": HEARD
    | {"player": TEXT, "buzz_position": COUNT}
    | {"value": _number(-SCORED, SCORED + 1, False), "correct": _words(FLAG).unless()},
    "heard": HEARD,
    "rosters": GAME | {"team": NAME, "player": NAME, "tossups_heard": COUNT},
    "bonuses": GAME
    | {"team": NAME, "cycle": PLACE, "part": _number(bonuses.WHOLE)}
    | {"points": _number(0, SCORED + 1, False), "bonus": _number(1, empty=True).unless(np.nan)}
    | {"bounceback": _number(0, whole=False, empty=True).unless(np.nan)},
}
"""File → its columns; others are passed over."""


class _Table:
    """A CSV whose columns are dictionary-encoded text: few distinct values, each checked once."""

    def __init__(self, path, name: str):
        import pyarrow as pa
        from pyarrow import csv

        self.file, self.columns = Path(path).name, FILES[name]
        self.faults, self.games = Faults(self.file), {}
        try:
            with Path(path).open("rb") as handle:
                head = handle.readline().decode("utf-8-sig")
            names = next(lines.reader([head]))
        except (OSError, UnicodeDecodeError, StopIteration, lines.Error) as error:
            raise DataError.at(self.file, "", "", str(error) or "nothing", "a CSV table") from None
        for name, column in self.columns.items():
            if name not in names and not column.optional:
                self.faults.add("", name, None, "the column to be present")
            if names.count(name) > 1:
                self.faults.add("", name, name, "a column that occurs once")
        self.faults.refuse()
        wanted = [name for name in names if name in self.columns]
        try:
            self.cells = csv.read_csv(
                path,
                read_options=csv.ReadOptions(use_threads=False),
                parse_options=csv.ParseOptions(newlines_in_values=True),
                convert_options=csv.ConvertOptions(
                    include_columns=wanted,
                    column_types=dict.fromkeys(wanted, pa.dictionary(pa.int32(), pa.string())),
                    strings_can_be_null=False,
                ),
            ).to_pandas(split_blocks=True, self_destruct=True)
        except (pa.ArrowException, OSError) as error:
            raise DataError.at(self.file, "", "", str(error)[:120], "a CSV table") from None

    def frame(self) -> pd.DataFrame:
        """The table as its columns declare it; ``DataError`` with the first row of each wrong value."""
        names = [name for name in self.columns if name not in GAME]
        rows = self.games | {name: self.column(name) for name in names}
        self.faults.refuse()
        return pd.DataFrame(rows)

    def column(self, name: str):
        """Values of a column as it is declared; of wrong ones there are faults."""
        column = self.columns[name]
        if name not in self.cells:
            if isinstance(column.absent, str):
                codes = np.zeros(len(self.cells), "int8")
                return pd.Categorical.from_codes(codes, [column.absent])
            return column.absent
        codes, parsed = self.cells[name].cat.codes.to_numpy(), []
        for code, text in enumerate(self.cells[name].cat.categories):
            cell = store.unescape_formula(text.strip())
            try:
                parsed.append(column.parse(cell))
            except (ValueError, KeyError):
                expected = "text without NUL" if "\0" in cell else column.expected
                self.faults.add(int(np.argmax(codes == code)) + 2, name, cell, expected)
                parsed.append(None)
        if column.kind == "category":
            return pd.Categorical(parsed).take(codes)
        return None if self.faults else np.array(parsed, dtype=column.kind)[codes]


def _name_games(tables: list[_Table]) -> None:
    """Give each table its ``games``: the name in several rounds of any of them is told by tournament and round."""
    parts = [pd.DataFrame({name: table.column(name) for name in GAME}) for table in tables]
    for table in tables:
        table.faults.refuse()
    share_categories(GAME, *parts)
    games = pd.concat([part.drop_duplicates() for part in parts]).drop_duplicates()
    games = games.sort_values(list(GAME), na_position="first")
    *codes, own = row_codes(list(GAME), *parts, games)
    labels = games["game"].astype(object)
    if labels.duplicated().any():
        labels = games.astype(object).fillna("").agg(" / ".join, axis=1)
    for table, part, code in zip(tables, parts, codes, strict=True):
        table.games = dict(part.rename(columns={"game": "name"}).items())
        place = pd.Index(own).get_indexer(code)
        table.games["game"] = pd.Categorical.from_codes(place, labels)


def read(buzzes, heard=None, packs=None, base: int = 0, rosters=None, scored=None) -> Log:
    """A log from a buzz CSV, its ``heard``, ``rosters`` and bonus (``scored``) files (None where there are none) and
    packets (name → content; those beside the CSV where None).

    ``base``: 0 where buzz_position is the 0-based index of the last word heard, 1 where it is the number
    of words heard. Raises ``DataError`` with one fault per wrong distinct value, at its first row.
    """
    log = Log()
    paths = {"buzzes": buzzes, "heard": heard, "rosters": rosters, "bonuses": scored}
    tables = {name: _Table(path, name) for name, path in paths.items() if path}
    _name_games(list(tables.values()))
    rows = _buzzes(tables.pop("buzzes"), base)
    file = Path(buzzes).name
    listeners = _heard(tables.pop("heard"), log) if heard else _inferred(rows, file, log)
    _add_matches(log, rows, listeners, file)
    source = pd.Categorical.from_codes(np.zeros(len(listeners), "int8"), ["match"])
    log.heard = listeners[["game", "cycle", "tossup", "team"]].assign(source=source)
    _add_plays(log, rows, file)
    del rows, listeners
    for name, function in (("rosters", _rosters), ("bonuses", _bonuses)):
        if name in tables:
            function(tables.pop(name), log)
    if packs is None:
        nearby = sorted(Path(buzzes).parent.rglob("*.json"))
        packs = {path.name: path.read_bytes() for path in nearby}
    for name, content in packs.items():
        document = strict_json.load(content, name)
        if packets.is_packet(document):
            log.add_packet(document, name)
        else:
            log.note("file is no match and no packet", name, "it has no tossups")
    return log


def _in_rooms(table: _Table) -> pd.DataFrame:
    """Rows of a table of tossups; a tossup without a cycle is that of its number."""
    rows = table.frame()
    return rows if "cycle" in table.cells else rows.assign(cycle=rows["tossup"])


def _buzzes(table: _Table, base: int) -> pd.DataFrame:
    """The buzzes of a CSV, word_index from 0. The sign of ``value`` says what is right where no
    column does, and must agree with one that does."""
    own = {"buzz_position": _number(base, empty=True)}
    own["value"] = _number(-SCORED, SCORED + 1, False, empty="correct" in table.cells)
    table.columns = table.columns | own
    rows = _in_rooms(table)
    if not len(rows):
        raise DataError.at(table.file, "", "", 0, "at least one buzz")
    rows["word_index"] = rows.pop("buzz_position") - base
    right = rows["value"] > 0
    if "correct" in table.cells:
        odd = rows["value"].notna() & (right != rows["correct"])
        right = rows["correct"]
        table.faults.add_cells(right.astype(object), odd, "the sign of value")
        table.faults.refuse()
    return rows.assign(correct=right, line=np.arange(2, len(rows) + 2))


def _heard(table: _Table, log: Log) -> pd.DataFrame:
    listeners = _in_rooms(table)
    double = listeners.duplicated(["game", "cycle", "tossup", "team"])
    if double.any():
        log.note("heard row repeated", table.file, f"{int(double.sum())} rows stand twice")
    return listeners[~double]


def _inferred(rows, file: str, log: Log) -> pd.DataFrame:
    """Without a heard file: every team of a game heard every tossup that somebody buzzed on in it."""
    log.note("no heard file", file, "who heard a tossup is known from buzzes alone")
    base = ["tournament", "round", "name", "packet", "game"]
    tossups = rows.drop_duplicates(["game", "cycle", "tossup"])[[*base, "cycle", "tossup"]]
    teams = rows.drop_duplicates(["game", "team"])[["game", "team", "kind"]]
    return tossups.merge(teams.astype({"game": object}), on="game")


def _add_matches(log: Log, rows, who, file: str) -> None:
    """Games and their sides, from buzzes and who heard them."""
    key = ["game", "team"]
    texts = [*key, "tournament", "round", "packet", "kind"]
    parts = [part.drop_duplicates(key)[texts].astype(object) for part in (who, rows)]
    both = pd.concat(parts).drop_duplicates(key)
    log.sides = both
    games = both.drop_duplicates("game")
    read = who.groupby("game", observed=True)["tossup"].nunique()
    read = games["game"].map(read).fillna(0).astype("int64")
    packet = games["packet"].where(games["packet"].notna(), None)
    log.games = games.assign(packet=packet, tossups_read=read, file=file)


def _add_plays(log: Log, rows, file: str) -> None:
    """Buzzes in a tossup by position, then as written: a wrong answer comes before the right one."""
    (place,) = row_codes(["game", "cycle", "tossup"], rows)
    index = np.lexsort([rows["word_index"], place])
    place, ordered = place[index], rows.iloc[index]
    begins = np.flatnonzero(np.r_[True, place[1:] != place[:-1]])
    nested = np.arange(len(index)) - np.repeat(begins, np.diff(np.r_[begins, len(index)]))
    plays = ordered.assign(
        order=(nested + 1).astype("int32"), source_row=f"{file}#" + ordered["line"].astype(str)
    )
    log.plays = plays[columns("plays")]


def _rosters(table: _Table, log: Log) -> None:
    """The listed players of each game."""
    key = ["game", "team", "player"]
    listed = table.frame().astype(dict.fromkeys(key, object))
    teams = pd.MultiIndex.from_frame(log.sides[["game", "team"]])
    stranger = ~pd.MultiIndex.from_frame(listed[["game", "team"]]).isin(teams)
    expected = "a game and a team of the buzzes or of who heard them"
    table.faults.add_cells(listed["team"], pd.Series(stranger), expected)
    double = listed.duplicated(key)
    table.faults.add_cells(listed["player"], double, "a player who stands once in a game")
    table.faults.refuse()
    listed["tossups_heard"] = pd.array(listed["tossups_heard"], dtype="Float64").astype("Int64")
    log.rosters = listed


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
    number = parts["bonus"].fillna(0).astype("int64")
    unlike = number != number.groupby(cycle).transform("first")
    for name, wrong, expected in (
        ("bonus", unlike, "one bonus for each cycle"),
        ("part", double, "a part that stands once"),
        ("team", stranger & ~double, "a team that was right on the tossup of that cycle"),
    ):
        if wrong.any():
            values = number if name == "bonus" else parts[name]
            table.faults.add_cells(values.astype(str), pd.Series(wrong), expected)
    table.faults.refuse()
    log.bonuses = parts.astype({"bonus": "Int64"})
