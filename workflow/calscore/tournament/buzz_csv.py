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
from .categoricals import broadcast, repeats, row_codes, share_categories
from .match_log import Log, note_rows, part_columns

MOST = 100_000
SCORED = 1000
"""Points of a buzz or a bonus at most."""


class Column(NamedTuple):
    """How a CSV column is read: ``parse`` (cell → value; ``ValueError`` or ``KeyError`` if wrong), what is ``expected`` in
    words, and ``kind``, its dtype. ``absent``: its value if a file lacks the column, which ``optional`` allows."""

    parse: Callable
    expected: str
    kind: str
    optional: bool = False
    absent: object = None

    def unless(self, absent: object = None) -> Column:
        """A copy of the column that is optional, ``absent`` being the value in a file without it."""
        return self._replace(optional=True, absent=absent)


def _text(empty: bool = False) -> Column:
    """Categorical column of text; an empty cell is None if ``empty``, else wrong, as is NUL."""

    def parse(cell: str):
        # Arrays of text end before a NUL.
        if "\0" in cell or not (cell or empty):
            raise ValueError(cell)
        return cell or None

    return Column(parse, "a value", "category")


def _number(low: int, most: int = MOST, is_integer: bool = True, empty: bool = False) -> Column:
    """Column of numbers (whole if ``is_integer``) from ``low`` to below ``most``. An empty cell is nan if
    ``empty``, else wrong. The kind is int32 if ``is_integer`` and not ``empty``, else float."""

    def parse(cell: str) -> float:
        if empty and not cell:
            return np.nan
        value = store.parse_number(cell)
        if not low <= value < most or (is_integer and value % 1):
            raise ValueError(cell)
        return value

    expected = f"a {'whole ' * is_integer}number" + f" from {low}" * (low > -MOST)
    expected += f" to {most - 1}" * (most < MOST)
    return Column(parse, expected, "int32" if is_integer and not empty else "float")


def _choice(meanings: dict[str, object], kind: str = "bool") -> Column:
    """Column of the lower-case keys of ``meanings``, in any case, each read as its value; ``kind``: dtype."""
    expected = f"one of {', '.join(filter(None, meanings))}"
    return Column(lambda cell: meanings[cell.lower()], expected, kind)


NAME, TEXT, PLACE = _text(), _text(empty=True), _number(1)
COUNT = _number(0, empty=True).unless(np.nan)
FLAG = dict.fromkeys(("true", "1", "yes"), True) | dict.fromkeys(("false", "0", "no"), False)
KIND = {"human": "human", "model": "model", "": "human"}
GAME = {"tournament": NAME, "round": TEXT, "game": NAME}
EXTRA = {"packet": TEXT.unless(), "kind": _choice(KIND, "category").unless("human")}
HEARD = GAME | {"tossup": PLACE, "team": NAME, "cycle": PLACE.unless()} | EXTRA
FILES = {
    "buzzes": HEARD
    | {"player": TEXT, "buzz_position": COUNT}
    | {"value": _number(-SCORED, SCORED + 1, False), "correct": _choice(FLAG).unless()},
    "heard": HEARD,
    "rosters": GAME | {"team": NAME, "player": NAME, "tossups_heard": COUNT},
    "bonuses": GAME
    | {"team": NAME, "cycle": PLACE, "part": _number(bonuses.SUM_PART)}
    | {"points": _number(0, SCORED + 1, False), "bonus": _number(1, empty=True).unless(np.nan)}
    | {"bounceback": _number(0, is_integer=False, empty=True).unless(np.nan)},
}
"""File → its columns; others are passed over."""


class _Table:
    """A CSV file read as dictionary-encoded text, so that each distinct cell is parsed once. ``name``: key of :data:`FILES`.
    ``DataError`` for a missing, doubled or unreadable column; unknown columns are passed over."""

    def __init__(self, path: str | Path, name: str) -> None:
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
        wanted = [name for name in names if name in self.columns]
        needed = [name for name, column in self.columns.items() if not column.optional]
        store.check_separator(head, self.file)
        store.check_columns(head, wanted, needed, self.file)
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
        """A row for each line of the file, with the four columns of ``games`` in place of :data:`GAME`, which must be set
        before. An optional column that the file lacks has its ``absent`` value. ``DataError`` with each distinct wrong cell."""
        names = [name for name in self.columns if name not in GAME]
        rows = self.games | {name: self.column(name) for name in names}
        self.faults.refuse()
        return pd.DataFrame(rows)

    def column(self, name: str) -> pd.Categorical | np.ndarray | object:
        """Parsed values of column ``name`` in the order of the file, or its ``absent`` value. Wrong cells are added to
        ``faults``; once there are any, only categoricals have values and other columns are None."""
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
    """Set ``games`` of each table: tournament, round, name, and ``game``, unique over all tables. It is the
    name, or, once a name recurs in another round or tournament, "tournament / round / name" throughout."""
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


def read_buzz_csv(
    buzzes: str | Path,
    heard: str | Path | None = None,
    packs: dict[str, bytes] | None = None,
    base: int = 0,
    rosters: str | Path | None = None,
    scored: str | Path | None = None,
) -> Log:
    """Log of a buzz CSV, with its heard, rosters and bonuses files (``scored``; None without one). ``packs``: path →
    JSON; None takes all ``.json`` files below the CSV's folder. ``base``: 0 if buzz_position is the 0-based index of the
    last word heard, 1 if it counts words heard. ``DataError`` lists one fault for each distinct wrong value, at its first
    row. Without a heard file every team that buzzed in a game heard each tossup of it with a buzz. Other JSON is noted."""
    log = Log()
    paths = {"buzzes": buzzes, "heard": heard, "rosters": rosters, "bonuses": scored}
    tables = {name: _Table(path, name) for name, path in paths.items() if path}
    _name_games(list(tables.values()))
    has_kinds = "kind" in tables["buzzes"].cells
    rows = _buzz_rows(tables.pop("buzzes"), base)
    file = Path(buzzes).name
    listeners = (
        _heard_rows(tables.pop("heard"), rows, has_kinds, log) if heard else _infer_heard(rows, file, log)
    )
    _add_matches(log, rows, listeners, file)
    source = pd.Categorical.from_codes(np.zeros(len(listeners), "int8"), ["match"])
    log.heard = listeners[["game", "cycle", "tossup", "team"]].assign(source=source)
    _add_buzzes(log, rows, file)
    del rows, listeners
    for name, function in (("rosters", _add_rosters), ("bonuses", _add_bonuses)):
        if name in tables:
            function(tables.pop(name), log)
    if packs is None:
        folder = Path(buzzes).parent
        nearby = sorted(folder.rglob("*.json"))
        packs = {path.relative_to(folder).as_posix(): path.read_bytes() for path in nearby}
    for name, content in packs.items():
        document = strict_json.load(content, name)
        if packets.is_packet(document):
            log.add_packet(document, name)
        else:
            log.note("file is no match and no packet", name, "it has no tossups")
    return log


def _with_cycle(table: _Table) -> pd.DataFrame:
    """Rows of a table, ``cycle`` being ``tossup`` if the file has no column of that name."""
    rows = table.frame()
    return rows if "cycle" in table.cells else rows.assign(cycle=rows["tossup"])


def _check_kinds(table: _Table, rows: pd.DataFrame, earlier: pd.DataFrame) -> None:
    """``DataError`` where a team in ``rows``, those of ``table``, has two kinds, or another than in ``earlier`` (team, kind)."""
    pairs = rows[["team", "kind"]].drop_duplicates().astype(object)
    pairs = pd.concat([earlier.set_axis([-1] * len(earlier)), pairs]).drop_duplicates()
    odd = pairs.index[pairs.duplicated("team")]
    table.faults.add_cells(
        rows["kind"], pd.Series(rows.index.isin(odd)), "one kind for all of a team, in every file"
    )
    table.faults.refuse()


def _buzz_rows(table: _Table, base: int) -> pd.DataFrame:
    """Rows of the buzz CSV with 0-based ``word_index`` and ``line`` (row, from 2). ``correct`` is the file's,
    else value above 0; ``DataError`` if both disagree or without a row."""
    own = {"buzz_position": _number(base, empty=True)}
    own["value"] = _number(-SCORED, SCORED + 1, False, empty="correct" in table.cells)
    table.columns = table.columns | own
    rows = _with_cycle(table)
    if not len(rows):
        raise DataError.at(table.file, "", "", 0, "at least one buzz")
    _check_kinds(table, rows, pd.DataFrame(columns=["team", "kind"]))
    rows["word_index"] = rows.pop("buzz_position") - base
    right = rows["value"] > 0
    if "correct" in table.cells:
        odd = rows["value"].notna() & (right != rows["correct"])
        right = rows["correct"]
        table.faults.add_cells(right.astype(object), odd, "the sign of value")
        table.faults.refuse()
    return rows.assign(correct=right, line=np.arange(2, len(rows) + 2))


def _heard_rows(table: _Table, rows: pd.DataFrame, has_kinds: bool, log: Log) -> pd.DataFrame:
    """Rows of the heard file, one for each game, cycle, tossup and team; repeated ones are noted, and buzzes (``rows``) of none.
    Without a column ``kind`` a team is what it is in the buzzes, else human; ``has_kinds``: whether they have that column."""
    listeners, key = _with_cycle(table), ["game", "cycle", "tossup", "team"]
    kinds = rows[["team", "kind"]].drop_duplicates().astype(object)
    if "kind" in table.cells:
        _check_kinds(table, listeners, kinds if has_kinds else kinds[:0])
    else:
        teams = listeners["team"].cat.categories
        kinds = kinds.set_index("team")["kind"].reindex(teams).fillna("human").astype("category")
        listeners["kind"] = broadcast(listeners["team"], kinds)
    double = listeners.duplicated(key)
    if double.any():
        log.note("heard row repeated", table.file, f"{int(double.sum())} rows stand twice")
    share_categories(("game", "team"), rows, listeners)
    own, listed = row_codes(key, rows, listeners)
    lost = rows[~np.isin(own, listed)].assign(file=table.file)
    detail = "{team} on tossup {tossup} of {game}, the first of {n}"
    note_rows(log.note, "buzz by a team that the heard file leaves out", lost, "{file}", detail)
    return listeners[~double]


def _infer_heard(rows: pd.DataFrame, file: str, log: Log) -> pd.DataFrame:
    """Rows as of a heard file: each team that buzzed in a game, for each tossup that anybody buzzed on in it. That is noted."""
    log.note("no heard file", file, "who heard a tossup is known from buzzes alone")
    base = ["tournament", "round", "name", "packet", "game"]
    tossups = rows.drop_duplicates(["game", "cycle", "tossup"])[[*base, "cycle", "tossup"]]
    teams = rows.drop_duplicates(["game", "team"])[["game", "team", "kind"]]
    return tossups.merge(teams.astype({"game": object}), on="game")


def _add_matches(log: Log, rows: pd.DataFrame, listeners: pd.DataFrame, file: str) -> None:
    """Set ``log.sides`` and ``log.games`` from teams of buzzes and ``listeners``; tossups_read counts tossups heard by a team."""
    key = ["game", "team"]
    texts = [*key, "tournament", "round", "packet", "kind"]
    parts = [part.drop_duplicates(key)[texts].astype(object) for part in (listeners, rows)]
    sides = pd.concat(parts).drop_duplicates(key)
    log.sides = sides
    games = sides.drop_duplicates("game")
    read = listeners.groupby("game", observed=True)["tossup"].nunique()
    read = games["game"].map(read).fillna(0).astype("int64")
    packet = games["packet"].where(games["packet"].notna(), None)
    log.games = games.assign(packet=packet, tossups_read=read, file=file)


def _add_buzzes(log: Log, rows: pd.DataFrame, file: str) -> None:
    """Set ``log.plays``, ``order`` within a tossup of a game by position (null last), then by line."""
    (place,) = row_codes(["game", "cycle", "tossup"], rows)
    index = np.lexsort([rows["word_index"], place])
    ordered = rows.iloc[index]
    order = ordered.groupby(place[index], sort=False).cumcount().astype("int32") + 1
    plays = ordered.assign(order=order, source_row=f"{file}#" + ordered["line"].astype(str))
    log.plays = plays[part_columns("plays")]


def _add_rosters(table: _Table, log: Log) -> None:
    """Set ``log.rosters``; ``DataError`` for unknown teams and players listed twice in a game."""
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


def _add_bonuses(table: _Table, log: Log) -> None:
    """Set ``log.bonuses``; ``DataError`` for a team not right in the cycle, a part twice or beside the sum, two in a cycle."""
    parts = table.frame()
    right = log.plays.loc[log.plays["correct"].astype(bool), ["game", "cycle", "team"]].copy()
    share_categories(("game", "team"), parts, right)
    whose, own = row_codes(["game", "cycle", "team"], right, parts)
    stranger = ~np.isin(own, whose)
    (cycle,) = row_codes(["game", "cycle"], parts)
    (part,) = row_codes(["game", "cycle", "part"], parts)
    groups = parts.groupby(cycle)
    is_sum = groups["part"].transform("min") == bonuses.SUM_PART
    double = repeats(part) | ((parts["part"] != bonuses.SUM_PART) & is_sum)
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
