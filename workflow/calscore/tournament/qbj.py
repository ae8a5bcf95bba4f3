"""QBJ: bare match files as MODAQ writes them, whole tournaments, and a folder of both with packets.

A bare match is one JSON object with ``match_teams`` and ``match_questions``. A whole tournament is
``{"version", "objects"}`` whose objects refer to each other by ``{"$ref": id}``; a reference that
leads nowhere is allowed. Each match question names its cycle, the tossup of the packet, perhaps a
replacement, and its buzzes with ``buzz_position.word_index``, 0-based.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from ..core import strict_json
from ..core.errors import DataError
from ..raw.release import check_raw
from . import bonuses, packets
from .match_log import Log, part_columns
from .packets import GameNote

_ROUND = re.compile(r"(?:round|rd|(?<![a-z])r)[ _.-]*0*(\d+)", re.I)
_PHASE = re.compile(r"prelim|play-?off|final|cross-?over|placement|consolation|tie-?break", re.I)
_ANY = re.compile(r"(?:matches|match|games?|qbjs?|rooms?)(?![a-z])", re.I)
"""Folders of a tournament that are called by neither a site, a round nor a phase."""
DECLARED = {
    "declared": "points",
    "bonus_points": "bonus_points",
    "bounceback_points": "bonus_bounceback_points",
    "without_bonus": "correct_tossups_without_bonuses",
}
"""Column of a log's sides → what a match calls it of one of its teams."""
_DEEPEST = 8
"""Levels to which references are followed."""


class _References:
    """``objects`` of a whole tournament by id; ``dangling`` counts references to missing ids. ``DataError`` for a repeated id."""

    def __init__(self, objects: list[dict], file: str) -> None:
        self.file = file
        self.by_id: dict[str, dict] = {}
        self.dangling: Counter = Counter()
        for number, item in enumerate(objects, start=1):
            key = item.get("id")
            if key in self.by_id:
                raise DataError.at(file, f"object {number}", "id", key, "an id that occurs once")
            if key is not None:
                self.by_id[key] = item

    def resolve(self, value: object, depth: int = 0) -> Any:
        """``value`` with each ``{"$ref": id}`` replaced by its object, at any depth; a missing id becomes ``{"id": id, "name":
        id}``. ``DataError`` for circles (more than eight levels deep) and ids that are no text."""
        if depth > _DEEPEST:
            expected = f"references at most {_DEEPEST} deep, no circle"
            raise DataError.at(self.file, "", "$ref", value, expected)
        if isinstance(value, list):
            return [self.resolve(item, depth) for item in value]
        if not isinstance(value, dict):
            return value
        if "$ref" in value:
            key = value["$ref"]
            if not isinstance(key, str):
                raise DataError.at(self.file, "", "$ref", key, "text")
            if key not in self.by_id:
                self.dangling[key] += 1
                return {"id": key, "name": key}
            return self.resolve(self.by_id[key], depth + 1)
        return {name: self.resolve(item, depth) for name, item in value.items()}


class Place(NamedTuple):
    """Tournament, round and phase of a match, from its folders or its whole tournament, None if unknown."""

    tournament: str | None
    round_name: str | None = None
    phase: str | None = None


def _round_matches(tournament: dict) -> Iterator[tuple[Any, Place]]:
    """Yield (match, its place) of each match of a tournament's rounds; the phase is None for a single or unnamed one."""
    phases = tournament.get("phases") or []
    for phase in phases:
        # A single phase is the whole tournament.
        title = _text(phase.get("name")) if len(phases) > 1 else None
        for item in phase.get("rounds") or []:
            name = item.get("name", item.get("number"))
            place = Place(tournament.get("name"), None if name is None else str(name), title)
            for match in item.get("matches") or []:
                yield match, place


def _name(item: dict) -> str:
    """Name of a team, player or packet of a match, stripped."""
    return item["name"].strip()


def _text(value: object) -> str | None:
    """``value`` stripped if it is text with other than spaces, else None."""
    return value.strip() if isinstance(value, str) and value.strip() else None


def container_matches(document: dict, file: str, log: Log) -> list[tuple[Any, Place, str]]:
    """(match, place, key) of each match of a whole tournament: those of rounds, then matches that no round names (their
    tournament is None if the file has several). ``key``: the match's id, else a name made up. References are resolved; a match
    that is a dangling reference is left out. Dangling references are noted in ``log``; ``DataError`` for a wrong schema."""
    check_raw(document, "qbj_objects", file, lambda path: ("", path))
    references = _References(document["objects"], file)
    tournaments, result, visited = [], [], set()
    for item in document["objects"]:
        if item.get("type") == "Tournament":
            tournaments.append(references.resolve(item))
            check_raw(tournaments[-1], "qbj_tournament", file, lambda path: ("", path))
    known_ids = references.by_id | references.dangling
    for tournament in tournaments:
        for number, (match, place) in enumerate(_round_matches(tournament), start=1):
            key = match.get("id") if isinstance(match, dict) else None
            if not isinstance(key, str) or key not in known_ids:
                result.append((match, place, f"{place.round_name or 'match'}-{number}"))
            elif key not in references.dangling and key not in visited:
                visited.add(key)
                result.append((match, place, key))
    title = tournaments[0].get("name") if len(tournaments) == 1 else None
    matches = (item for item in document["objects"] if item.get("type") == "Match")
    for number, match in enumerate(matches, start=1):
        if match.get("id") not in visited:
            key = match.get("id") or f"match-{number}"
            result.append((references.resolve(match), Place(title), key))
    for key, count in sorted(references.dangling.items()):
        detail = f"$ref {key!r} occurs {count} times and no object has that id"
        log.note("reference that leads nowhere", f"{file}: {key}", detail)
    return result


def _packet_name(match: dict) -> str | None:
    """Name of the packet as the match has it, the first of several; None without one."""
    source = match.get("packets")
    if isinstance(source, list):
        names = [item if isinstance(item, str) else item["name"] for item in source]
        source = names[0] if names else None
    return _text(source)


def _tossups_heard(side: dict, cycles: list[int], note: GameNote) -> dict[str, int | None]:
    """Player of the team ``side`` → tossups heard (None if not declared). For a player listed several times, which is noted,
    it counts ``cycles`` of the line-ups, else takes the largest number."""
    listed: dict[str, list] = {}
    for item in side.get("match_players") or []:
        listed.setdefault(_name(item["player"]), []).append(item.get("tossups_heard"))
    lineups = sorted(side.get("lineups") or [], key=lambda item: item["first_question"])
    result = {player: counts[0] for player, counts in listed.items()}
    for player, counts in listed.items():
        if len(counts) == 1:
            continue
        begun = [[item for item in lineups if item["first_question"] <= cycle] for cycle in cycles]
        played = sum(player in map(_name, items[-1]["players"]) for items in begun if items)
        result[player] = played or max((n for n in counts if n is not None), default=None)
        stated = ", ".join("no number" if count is None else str(count) for count in counts)
        taken = f"{played} by the line-ups are used" if played else "the largest is used"
        detail = (
            f"{player} of {_name(side['team'])} stands {len(counts)} times with {stated} tossups; {taken}"
        )
        note("player listed more than once", detail)
    return result


def _declared_answers(match: dict) -> Iterator[tuple[str, str, float, int]]:
    """Yield (team, player, points, count) of each entry of answer_counts of a match."""
    for side in match["match_teams"]:
        for item in side.get("match_players") or []:
            for entry in item.get("answer_counts") or []:
                value = float((entry.get("answer") or entry["answer_type"])["value"])
                yield (_name(side["team"]), _name(item["player"]), value, entry["number"])


def _add_sides(log: Log, match: dict, game: str, cycles: list[int], note: GameNote) -> dict[str, dict]:
    """Add to ``log`` the rosters of a match, and its answer counts if it lists no tossup. Returns team → :data:`DECLARED`."""
    declared: dict[str, dict] = {}
    for side in match["match_teams"]:
        name = _name(side["team"])
        if name in declared:
            note("team twice in one match", f"{name!r} stands twice")
            continue
        declared[name] = {column: side.get(key) for column, key in DECLARED.items()}
        if side.get("lightning_points"):
            note("lightning points", f"{name} scored {side['lightning_points']} in a lightning round")
        for player, heard in _tossups_heard(side, cycles, note).items():
            row = {"game": game, "team": name, "player": player, "tossups_heard": heard}
            log.rosters.append(row)
    if not match.get("match_questions"):
        answers = ((game, *answer) for answer in _declared_answers(match))
        log.answers += [dict(zip(part_columns("answers"), answer, strict=True)) for answer in answers]
    return declared


def add_match(log: Log, match: dict, file: str, game: str, place: Place, match_id: str = "") -> None:
    """Check a match (``DataError`` with all faults) and add its rows to ``log`` under the name ``game``; ``match_id``: its id
    in a whole tournament. A round that ``place`` lacks is read from the match or file name. Forfeited matches, and questions
    past tossups_read without a buzz, are only noted."""
    row = f"match {match_id}" if match_id else ""
    check_raw(match, "qbj_match", file, lambda path: (row, path))
    location = f"{file}#{match_id}: " if match_id else f"{file}#"

    def note(kind, detail):
        log.note(kind, game, detail)

    if any(side.get("forfeit_loss") for side in match["match_teams"]):
        note("match was forfeited", "one of its teams has forfeit_loss")
        return
    stem, round_name = _ROUND.search(Path(file).stem), place.round_name
    if round_name is None and match.get("_round") is not None:
        round_name = str(match["_round"])
    elif round_name is None and stem:
        round_name = stem[1]
    questions = sorted(match.get("match_questions") or [], key=itemgetter("question_number"))
    # 20.0 is a whole number in JSON.
    read = None if match.get("tossups_read") is None else int(match["tossups_read"])
    listed_cycles = [question["question_number"] for question in questions]
    cycles = listed_cycles[:read] if questions else list(range(1, (read or 0) + 1))
    declared = _add_sides(log, match, game, cycles, note)
    if not questions:
        note("match without questions", f"no match_questions, tossups_read {read}")
    log.games.append(
        {
            "game": game,
            "tournament": place.tournament,
            "round": round_name,
            "packet": _packet_name(match),
            "tossups_read": read if read is not None else len(questions),
            "overtime": match.get("overtime_tossups_read"),
            "phase": place.phase,
            "file": file,
        }
    )
    for cycle, count in Counter(listed_cycles).items():
        if count > 1:
            note("cycle listed twice", f"question_number {cycle} stands {count} times")
    outside: Counter = Counter()
    entries: Counter = Counter()
    shifted = replaced = 0
    for order, question in enumerate(questions, start=1):
        cycle, buzzes = question["question_number"], question.get("buzzes") or []
        number, thrown = _tossup_read(question, note)
        shifted += number != cycle
        replaced += thrown
        if read is not None and order > read and not buzzes:
            detail = f"cycle {cycle} stands in the file, {read} tossups were read"
            note("question beyond tossups_read", detail)
            continue
        log.bonuses += bonuses.scored_bonus_parts(question, game, cycle, note)
        cycle_columns = {"game": game, "cycle": cycle, "tossup": number}
        log.heard += [cycle_columns | {"team": team, "source": "match"} for team in declared]
        for entry, buzz in enumerate(buzzes, start=1):
            if _name(buzz["team"]) not in declared:
                outside[_name(buzz["team"])] += 1
            entries[cycle, number] += 1
            row = cycle_columns | {"order": entries[cycle, number]} | _buzz_row(buzz)
            log.plays.append(row | {"source_row": f"{location}cycle {cycle}/buzz {entry}"})
    if shifted > 0:
        detail = f"{shifted} of {len(questions)} cycles have another number than their tossup"
        note("cycle is not the tossup number", f"{detail}, {replaced} tossups were replaced")
    listed = {team: side | {"listed": True} for team, side in declared.items()}
    for team, count in sorted(outside.items()):
        detail = f"{count} buzzes of {team!r}, the match is of {', '.join(declared)}"
        note("buzz by a team that is not in the match", detail)
        listed[team] = {"listed": False}
    side = {"game": game, "kind": "human"}
    log.sides += [side | {"team": team} | fields for team, fields in listed.items()]
    if read is not None and len(questions) < read and questions:
        detail = f"{len(questions)} questions are listed, {read} tossups were read"
        note("fewer questions than tossups_read", detail)
    _check_counts(match, questions, note)


def _tossup_read(question: dict, note: GameNote) -> tuple[int, bool]:
    """(number of the tossup read in a cycle, the cycle's if it is missing (noted); whether it replaced another)."""
    cycle, tossup = question["question_number"], question.get("tossup_question") or {}
    replacement = question.get("replacement_tossup_question")
    number = (replacement or tossup).get("question_number")
    if number is None:
        number = cycle
        note("no tossup number", f"cycle {cycle} does not say which tossup was read")
    if replacement:
        out = tossup.get("question_number")
        thrown = out if out != number else number - 1
        buzzes = question.get("buzzes")
        buzzed = f"; buzzes: {len(buzzes)}" if buzzes else ""
        detail = f"cycle {cycle}: tossup {number} was read in place of {thrown}{buzzed}"
        note("tossup replaced", detail)
    return number, bool(replacement)


def _buzz_row(buzz: dict) -> dict:
    """team, player (None if not named), word_index (None without a position), value and correct (value above 0) of a buzz."""
    position = (buzz.get("buzz_position") or {}).get("word_index")
    value = float(buzz["result"]["value"])
    return {
        "team": _name(buzz["team"]),
        "player": _name(buzz["player"]) if buzz.get("player") else None,
        "word_index": None if position is None else int(position),
        "value": value,
        "correct": value > 0,
    }


def _check_counts(match: dict, questions: list[dict], note: GameNote) -> None:
    """Note a match whose answer_counts differ from its buzzes by named players (the first difference), if it has both."""
    counted: Counter = Counter()
    for buzz in (buzz for question in questions for buzz in question.get("buzzes") or []):
        if buzz.get("player"):
            value = float(buzz["result"]["value"])
            counted[_name(buzz["team"]), _name(buzz["player"]), value] += 1
    declared: Counter = Counter()
    for *answer, number in _declared_answers(match):
        declared[tuple(answer)] += number
    if questions and declared and +declared != +counted:
        odd = sorted((declared - counted) + (counted - declared))[0]
        detail = f"{odd[1]} of {odd[0]}: {declared[odd]} answers of {odd[2]:g} points declared, {counted[odd]} buzzes"
        note("answer counts differ from the buzzes", detail)


def read_qbj_files(members: dict[str, bytes], title: str) -> Log:
    """Log of QBJ matches, whole tournaments and packets. ``members``: POSIX path → content; ``title``: tournament of matches in
    no folder of their own. The first folder not called a round, phase, room or matches is the tournament; a whole one has its own
    name, else its file's. Other files are noted. Raises ``DataError`` with the faults of all files, or if no file has a match."""
    log, faults, games = Log(), [], set()
    for file, content in members.items():
        try:
            _add_file(log, strict_json.load(content, file), file, title, games)
        except DataError as error:
            faults += error.faults
    if faults:
        raise DataError(faults)
    if not log.games:
        raise DataError.at(title, "", "", len(members), "at least one file with a match")
    return log


def _place_from_folders(names: Iterable[str]) -> Place:
    """Tournament (the first folder of another name), round and phase that the folder ``names`` tell, None where they do not."""
    tournament = round_name = phase = None
    for name in names:
        number = _ROUND.search(name) or re.fullmatch(r"0*(\d{1,2})", name)
        if number:
            round_name = number[1]
        elif _PHASE.search(name):
            phase = name
        elif not _ANY.match(name):
            tournament = tournament or name
    return Place(tournament, round_name, phase)


def _add_file(log: Log, document: object, file: str, title: str, games: set[str]) -> None:
    """Add the packet, match or matches of a parsed file to ``log``, note others. ``games``: names in use, to which it adds."""

    def unique(key: str) -> str:
        """``key``, numbered if a game has that name; it joins ``games``."""
        name, count = key, 1
        while name in games:
            count += 1
            name = f"{key} ({count})"
        games.add(name)
        return name

    path = Path(file)
    if packets.is_packet(document):
        log.add_packet(document, file)
    elif isinstance(document, dict) and "objects" in document:
        for match, place, key in container_matches(document, file, log):
            place = place._replace(tournament=place.tournament or path.stem)
            add_match(log, match, file, unique(key), place, key)
    elif isinstance(document, dict) and {"match_teams", "match_questions"} & set(document):
        place = _place_from_folders(path.parts[:-1])
        place = place._replace(tournament=place.tournament or title)
        add_match(log, document, file, unique(path.stem), place)
    else:
        detail = "neither match_teams, nor objects, nor tossups"
        log.note("file is no match and no packet", file, detail)
