"""Names of people: as they are, or pseudonyms."""

import contextlib
import hmac
import os
import re
import secrets
import tempfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

import pandas as pd

from ..core.data_issues import Finding
from ..core.errors import DataError
from .match_log import Log
from .standings import UNNAMED

SECRET = "CALSCORE_SECRET"
"""Environment variable that names the file of the key of pseudonyms."""
ORDER = {
    "games": ["game"],
    "sides": ["game", "team"],
    "heard": ["game", "cycle", "tossup", "team"],
    "plays": ["game", "cycle", "tossup", "order"],
    "rosters": ["game", "team", "player"],
    "box_scores": ["game", "team", "player"],
    "bonus_plays": ["game", "cycle", "part"],
    "exposures": ["question_id", "team"],
    "buzzes": ["question_id", "match", "word_index", "correct", "team"],
}
"""Table → columns that its rows are sorted by under pseudonyms: the order of names would tell names."""


def secret_key() -> bytes:
    """Key of the pseudonyms (at least 32 bytes), from the file that :data:`SECRET` names, or calscore/secret in $XDG_CONFIG_HOME
    or ~/.config. A missing one is written with a random key; ``DataError`` for a shorter key or an unusable file."""
    # Without a home, expanduser leaves the tilde: the folder is then made beside the study.
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    path = Path(os.environ.get(SECRET) or Path(base) / "calscore" / "secret")
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent) as file:
                file.write(secrets.token_hex(32).encode())
                file.flush()
                # Whoever is first makes the key, also where two jobs run at once.
                with contextlib.suppress(FileExistsError):
                    os.link(file.name, path)
        key = path.read_bytes().strip()
    except OSError as error:
        expected = f"a file that can be written and read; {SECRET} names another one"
        raise DataError.at(str(path), "", "", error.strerror, expected) from None
    if len(key) < 32:
        raise DataError.at(str(path), "", "", f"{len(key)} bytes", "a key of at least 32 bytes")
    return key


def pseudonyms(names: Iterable, prefix: str, key: bytes) -> dict:
    """Name → "prefix hash", a keyed hash (HMAC-SHA-256) of 8 hexadecimal digits or, if any collide, for all as many more as
    tell them apart. A name keeps its hash when others are added without a collision. Names may be tuples; {} for none."""
    names, length = set(names), 8
    while True:
        hashes = {
            name: hmac.new(key, f"{prefix}\0{name}".encode(), "sha256").hexdigest()[:length] for name in names
        }
        if len(set(hashes.values())) == len(names):
            return {name: f"{prefix} {digest}" for name, digest in hashes.items()}
        length += 8


def _hidden_names(frames: list[pd.DataFrame], key: bytes) -> tuple[dict, dict, dict]:
    """Pseudonyms by team, by (team, player) and by game, for all names in the frames but models and :data:`UNNAMED`."""

    def values(*columns) -> set[tuple]:
        """Distinct rows of the frames that have some columns, without nulls."""
        parts = [part[list(columns)].dropna().drop_duplicates() for part in frames if {*columns} <= {*part}]
        return {row for part in parts for row in part.itertuples(index=False, name=None)}

    models = {team for team, kind in values("team", "kind") if kind == "model"}
    people = {pair for pair in values("team", "player") if pair[1] != UNNAMED}
    games = {game for column in ("game", "match") for (game,) in values(column)}
    return (
        pseudonyms({team for (team,) in values("team")} - models, "Team", key),
        pseudonyms(people, "Player", key),
        pseudonyms(games, "Game", key),
    )


def _rename(frame: pd.DataFrame, teams: dict, people: dict, games: dict) -> pd.DataFrame:
    """A copy of ``frame`` with its columns team, player, game and match replaced. Teams and players without a pseudonym keep
    their name; games without one become None."""
    frame = frame.copy()
    if "player" in frame:
        pairs = zip(frame["team"], frame["player"], strict=True)
        new = [people.get(pair, pair[1]) for pair in pairs]
        frame["player"] = pd.array(new, dtype=object)
    if "team" in frame:
        frame["team"] = [teams.get(name, name) for name in frame["team"]]
    for column in ("game", "match"):
        if column in frame:
            frame[column] = pd.array([games.get(name) for name in frame[column]], dtype=object)
    return frame


def _names_pattern(names: Iterable[str]) -> re.Pattern:
    """Pattern that matches any of the names as whole words, longer names first; without names it matches ""."""
    ordered = sorted(names, key=lambda name: (-len(name), name))
    return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in ordered))


def _packet_labels(tables: dict[str, pd.DataFrame], teams: dict[str, str]) -> dict[str, str]:
    """Packet → "Packet NN" for every packet of the questions if the name of any has one of the ``teams`` in it, else {}."""
    questions = tables["questions"]
    called = (source.rpartition("/")[0] for source in questions["source_id"])
    numbers = dict(zip(called, questions["packet"], strict=True))
    pattern = _names_pattern(teams)
    if not teams or not any(pattern.search(name) for name in numbers):
        return {}
    return {name: f"Packet {number:02d}" for name, number in numbers.items()}


def _hidden_source_rows(plays: pd.DataFrame, files: dict[str, str], games: dict) -> dict[str, str]:
    """Each ``source_row`` of ``plays`` → the same with the file's pseudonym; the id of a match in a whole tournament becomes
    the game's. ``files``, ``games``: name → pseudonym."""
    result = {}
    for row in plays[["game", "source_row"]].itertuples(index=False):
        file, _, place = row.source_row.rpartition("#")
        nested, _, buzz = place.rpartition(": ")
        number = f"{games[row.game]}: " if nested else ""
        result[row.source_row] = f"{files.get(file, 'file')}#{number}{buzz}"
    return result


def conceal(
    tables: dict[str, pd.DataFrame], log: Log, key: bytes
) -> tuple[dict[str, pd.DataFrame], list[Finding]]:
    """(``tables``, findings of ``log``, sorted) under pseudonyms, rows sorted anew by :data:`ORDER`. Teams but models, players,
    games and files are renamed, and all packets where one bears a team's name. In findings each such whole word is replaced."""
    parts = [log.frame(name) for name in ("sides", "games", "plays", "rosters")]
    teams, people, game = _hidden_names([*(tables[name] for name in ORDER), *parts], key)
    file = pseudonyms(log.frame("games")["file"], "file", key) | log.paths
    packet = _packet_labels(tables, teams)
    replaced = tables | {name: _rename(tables[name], teams, people, game) for name in ORDER}
    for name in ("games", "tossups"):
        labels = tables[name]["packet"].map(lambda finding: packet.get(finding, finding))
        replaced[name] = replaced[name].assign(packet=labels)
    places = (source.rpartition("/") for source in tables["questions"]["source_id"])
    labels = [f"{packet.get(name, name)}/{number}" for name, _, number in places]
    replaced["questions"] = tables["questions"].assign(source_id=pd.array(labels, dtype=object))
    replaced["games"]["file"] = replaced["games"]["file"].map(file)
    place = _hidden_source_rows(tables["plays"], file, game)
    for name in ("buzzes", "plays"):
        replaced[name]["source_row"] = tables[name]["source_row"].map(place)
    players = {pair[1]: new for pair, new in sorted(people.items())}
    # What the configuration calls a file by stands in findings too.
    paths = {path: PurePosixPath(path) for path in file}
    stems = {part: file[path] for path, pure in paths.items() for part in (pure.name, pure.stem)}
    lookup = stems | file | players | packet | game | teams
    pattern = _names_pattern(lookup)

    def plain(text: str) -> str:
        """``text`` with every name in ``lookup`` replaced."""
        return pattern.sub(lambda match: lookup[match[0]], text)

    findings = [
        finding._replace(place=plain(finding.place), detail=plain(finding.detail)) for finding in log.findings
    ]
    for name, order in ORDER.items():
        replaced[name] = replaced[name].sort_values(order, kind="stable", ignore_index=True)
    return replaced, sorted(findings)
