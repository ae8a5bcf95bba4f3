"""Names of people: as they are, as pseudonyms, or left out."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import numpy as np
import pandas as pd

from ..core.store import frame
from .standings import UNNAMED


def pseudonyms(names, prefix: str, seed: int) -> dict[str, str]:
    """Name → prefix and number, in an order drawn with ``seed`` so that it tells nothing."""
    names = sorted(set(names))
    order = np.random.default_rng(seed).permutation(len(names))
    width = max(2, len(str(len(names))))
    return {
        name: f"{prefix} {place + 1:0{width}d}" for name, place in zip(names, order, strict=True)
    }


def _people(frames) -> set[tuple[str, str]]:
    """(team, player) of every row that names a player."""
    parts = [
        part[["team", "player"]].dropna().drop_duplicates() for part in frames if "player" in part
    ]
    pairs = {tuple(pair) for part in parts for pair in part.itertuples(index=False)}
    return {pair for pair in pairs if pair[1] != UNNAMED}


def _rename(frame, teams: dict, people: dict, games: dict, how: str):
    """``frame`` with its columns team, player, game and match replaced."""
    frame = frame.copy()
    if "player" in frame:
        pairs = zip(frame["team"], frame["player"], strict=True)
        new = [None if how == "exclude" else people.get(pair) for pair in pairs]
        frame["player"] = pd.array(new, dtype=object)
    if "team" in frame:
        frame["team"] = [teams.get(name, name) for name in frame["team"]]
    for column in ("game", "match"):
        if column in frame:
            frame[column] = pd.array([games.get(name) for name in frame[column]], dtype=object)
    return frame


def hide(tables: dict, how: str, seed: int) -> dict:
    """Tables with human names as ``how`` says: buzzes and exposures, or games, heard, plays and rosters.

    ``exclude`` leaves players out; teams, which cannot be left out, get pseudonyms in both cases.
    Matches, whose names may tell teams, are numbered anew. Models keep their names.
    """
    if how == "keep":
        return tables
    named = [part[["team", "kind"]] for part in tables.values() if "kind" in part]
    both = pd.concat(named)
    models = set(both.loc[both["kind"] == "model", "team"])
    rosters = set(tables["rosters"]["team"]) if "rosters" in tables else set()
    teams = pseudonyms({*both["team"], *rosters} - models, "Team", seed)
    people = pseudonyms(_people(tables.values()), "Player", seed + 1)
    told = {
        name
        for part in tables.values()
        for column in ("game", "match")
        if column in part
        for name in part[column].dropna()
    }
    games = pseudonyms(told, "Game", seed + 2)
    hidden = {name: _rename(part, teams, people, games, how) for name, part in tables.items()}
    if how == "exclude" and "rosters" in hidden:
        hidden["rosters"] = hidden["rosters"].iloc[:0]
    return hidden


def _as_words(names) -> re.Pattern:
    """Any of the names where it stands as a word, longest first."""
    ordered = sorted(names, key=lambda name: (-len(name), name))
    return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in ordered))


def _packets(tables: dict, teams) -> dict[str, str]:
    """Packet → the name shown: packets that bear a team's name are called by their number, all of them."""
    questions = tables["questions"]
    called = questions["source_id"].str.rpartition("/")[0]
    numbers = dict(zip(called, questions["packet"], strict=True))
    pattern = _as_words(teams)
    if not teams or not any(pattern.search(name) for name in numbers):
        return {}
    return {name: f"Packet {number:02d}" for name, number in numbers.items()}


def _places(plays, files: dict, games: dict) -> dict[str, str]:
    """Place of a buzz in its file → the same without names; a match of a whole tournament by its number."""
    found = {}
    for row in plays[["game", "source_row"]].itertuples(index=False):
        file, _, place = row.source_row.partition("#")
        within, _, buzz = place.rpartition(": ")
        number = f"{games[row.game]}: " if within else ""
        found[row.source_row] = f"{files.get(file, 'file')}#{number}{buzz}"
    return found


def conceal(tables: dict, log, how: str, seed: int, here: dict | None = None):
    """Tidy tables and findings of a log with names as ``how`` says; ``keep`` returns them as they are.

    Files and games, whose names may tell teams, are numbered (files as in ``here``: path → path in raw/), and
    packets where one bears a team's name; in findings every name is replaced where it stands as a word.
    """
    if how == "keep":
        return tables, log.findings
    sides, games = log.frame("sides"), log.frame("games")
    kinds = tables["heard"].drop_duplicates("team").set_index("team")["kind"]
    humans = {name for name in {*sides["team"], *kinds.index} if kinds.get(name) != "model"}
    teams = pseudonyms(humans, "Team", seed)
    frames = [tables["plays"], tables["rosters"], log.frame("plays"), log.frame("rosters")]
    people = pseudonyms(_people(frames), "Player", seed + 1)
    game = pseudonyms({*games["game"], *tables["games"]["game"]}, "Game", seed + 2)
    file = pseudonyms(games["file"], "file", seed + 3) | (here or {})
    packet = _packets(tables, humans)
    replaced = dict(tables)
    shown = ("buzzes", "exposures", "plays", "heard", "rosters", "games", "sides", "bonus_plays")
    for name in (*shown, "box_scores"):
        replaced[name] = _rename(tables[name], teams, people, game, how)
    box = replaced["box_scores"]
    box["player"] = box["player"].astype(object).where(box["player"].notna(), UNNAMED)
    if how == "exclude":
        replaced["rosters"] = replaced["rosters"].iloc[:0]
        box = box.drop(columns="tossups_heard").groupby(["game", "team", "player"]).sum(min_count=1)
        replaced["box_scores"] = frame(box.reset_index(), "box_scores")
    for name in ("games", "tossups"):
        shown = tables[name]["packet"].map(lambda one: packet.get(one, one))
        replaced[name] = replaced[name].assign(packet=shown)
    place = tables["questions"]["source_id"].str.rpartition("/")
    shown = place[0].map(lambda one: packet.get(one, one))
    replaced["questions"] = tables["questions"].assign(source_id=shown + "/" + place[2])
    replaced["games"]["file"] = replaced["games"]["file"].map(file)
    place = _places(tables["plays"], file, game)
    for name in ("buzzes", "plays"):
        replaced[name]["source_row"] = tables[name]["source_row"].map(place)
    players = {pair[1]: new for pair, new in people.items()}
    # What the configuration calls a file by stands in findings too.
    stems = {
        spelled: file[path]
        for path in file
        for spelled in (PurePosixPath(path).name, PurePosixPath(path).stem)
    }
    known = stems | file | players | packet | game | teams
    pattern = _as_words(known)
    findings = [
        one._replace(
            place=pattern.sub(lambda m: known[m[0]], one.place),
            detail=pattern.sub(lambda m: known[m[0]], one.detail),
        )
        for one in log.findings
    ]
    return replaced, findings
