"""A tournament as match files of QBJ and packets, so that others can read it.

Fields that begin with an underscore are ours: whether a value is known, which teams heard a question, whether a team
is a model.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter

import pandas as pd

from ..core.visible import escape_in_json
from . import bonuses
from .names import hide, secret_key
from .qbj import DECLARED
from .standings import USUAL

ABSENT = "packet missing"
"""Packet that a match is written with where its own is not known: no packet has that name."""


def _with_power(text: str, words) -> str:
    """``text`` with the power mark after its first ``words`` words; as it is for null."""
    if pd.isna(words):
        return text
    starts = [result.start() for result in re.finditer(r"\S+", text)]
    if words >= len(starts):
        return f"{text} (*)"
    place = starts[int(words)]
    return f"{text[:place]}(*) {text[place:]}"


def _plain(value):
    """A number or text for JSON: a whole number where it is one, None for null."""
    if isinstance(value, str) or pd.isna(value):
        return value if isinstance(value, str) else None
    return int(value) if value == int(value) else float(value)


def _present(values: dict) -> dict:
    """Numbers and texts for JSON, nulls left out."""
    return {key: _plain(value) for key, value in values.items() if not pd.isna(value)}


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)


def _bonuses_of(items, packet) -> list[dict]:
    """Bonuses of a packet by their place in it; one that is missing before the last is a bonus without parts."""
    own = {number: rows for number, rows in items[items["packet"] == packet].groupby("number")}
    result = []
    for number in range(1, max(own, default=0) + 1):
        rows = own.get(number, items.iloc[:0]).sort_values("part")
        levels = rows["difficulty"].astype(object).where(rows["difficulty"].notna(), None)
        lead, category = ("".join(rows[name].head(1)) for name in ("leadin", "category_raw"))
        result.append(
            {
                "leadin": _escaped(lead),
                "parts": [_escaped(text) for text in rows["text"]],
                "answers": [_escaped(text) for text in rows["answerline"]],
                "values": [_plain(value) for value in rows["value"]],
                "difficultyModifiers": [level and level[0] for level in levels],
                "metadata": category,
            }
        )
    return result


def _bonus(rows: list) -> dict:
    """What a match says of the bonus of a cycle."""
    rows = sorted(rows, key=lambda row: row.part)
    points, back, number = rows[0].points, rows[0].bounceback, rows[0].bonus
    if rows[0].part == bonuses.WHOLE:
        return _present({"bonus_points": points, "bonus_bounceback_points": back})
    parts = [
        _present({"controlled_points": row.points, "bounceback_points": row.bounceback})
        for row in rows
    ]
    if pd.isna(number):
        return {"bonus": {"parts": parts}}
    question = {"parts": len(parts), "type": "bonus", "question_number": int(number)}
    return {"bonus": {"question": question, "parts": parts}}


def packet_documents(questions, power, bonus_items) -> dict[int, dict]:
    """Number → packet. ``power``: words before the power mark by question_id."""
    documents = {}
    for packet, rows in questions.sort_values(["packet", "number"]).groupby("packet"):
        tossups = [
            {
                "number": int(row.number),
                "question": _with_power(_escaped(row.text), _plain(power.get(row.question_id))),
                "answer": _escaped(row.answerline),
                "metadata": row.category_raw,
            }
            for row in rows.itertuples()
        ]
        listed = _bonuses_of(bonus_items, packet)
        documents[packet] = {"tossups": tossups} | ({"bonuses": listed} if listed else {})
    return documents


def documents(tables: dict) -> dict[str, dict]:
    """File name → JSON document of the tidy tables of a tournament.

    What has no known text is written too: it counts in points and conversion. The order of rows is kept, packets are
    named by number.
    """
    questions = tables["questions"]
    power = tables["tossups"].set_index("question_id")["power_word"]
    width = max(2, len(str(int(questions["packet"].max()))))
    files = {
        f"qbj/packets/packet-{number:0{width}d}.json": {"name": f"Packet {number:0{width}d}"}
        | document
        for number, document in packet_documents(questions, power, tables["bonus_items"]).items()
    }
    rooms = ["cycle", "tossup"]
    group = {
        name: _by(tables[name].sort_values(order, kind="stable").itertuples(), "game")
        for name, order in (("heard", rooms), ("plays", [*rooms, "order"]))
    }
    for name in ("rosters", "bonus_plays", "sides", "box_scores"):
        group[name] = _by(tables[name].itertuples(), "game")
    for place, game in enumerate(tables["games"].itertuples(), start=1):
        told = {"_phase": game.phase, "overtime_tossups_read": game.overtime}
        files[f"qbj/matches/match-{place:04d}.qbj"] = {
            "tossups_read": int(game.tossups_read),
            **_match(*(rows.get(game.game, []) for rows in group.values())),
            "packets": ABSENT if pd.isna(game.number) else f"Packet {int(game.number):0{width}d}",
            "_round": _plain(game.round),
            "_tournament": game.tournament,
            **_present(told),
            **({} if game.individual else {"_individual": False}),
            "_game": game.game,
        }
    return files


def _by(rows, *key) -> dict:
    """Rows in lists by ``key``, in order. Most games are small: lists take a tenth of what frames take."""
    result: dict = {}
    for row in rows:
        values = tuple(getattr(row, name) for name in key)
        result.setdefault(values if len(key) > 1 else values[0], []).append(row)
    return result


def _match(heard: list, plays: list, rosters: list, scored: list, sides: list, box: list) -> dict:
    """``match_teams`` and ``match_questions`` of one game from its rows.

    A team that is only seen to buzz beside others is none of the match's teams; reading finds it again.
    """
    kinds = {row.team: row.kind for row in heard}
    players = _by(rosters, "team")
    declared = {row.team: row for row in sides}
    listed = {row.team for row in heard if row.source != "buzzed"} | set(players) or set(kinds)
    listed |= set(declared) - set(kinds)
    teams = [team for team in dict.fromkeys([*kinds, *players, *declared]) if team in listed]
    kinds = {team: row.kind for team, row in declared.items()} | kinds
    buzzes = _by(plays, "cycle", "tossup")
    after = {cycle: _bonus(rows) for cycle, rows in _by(scored, "cycle").items()}
    questions = []
    for key, rows in _by(heard, "cycle", "tossup").items():
        question = {
            "question_number": int(key[0]),
            "tossup_question": {"parts": 1, "type": "tossup", "question_number": int(key[1])},
            "buzzes": [_buzz(row) for row in buzzes.get(key, [])],
        }
        if any(row.correct for row in buzzes.get(key, [])):
            question |= after.get(key[0], {})
        sources = {row.team: row.source for row in rows if row.team in listed}
        if set(sources) != listed:
            question["_heard"] = sources
        questions.append(question)
    counts = _by(box, "team")
    # Answers of a match that lists no tossup are known by their kinds alone.
    answers = _buzzed(plays) if questions else _counted(box)
    match_teams = []
    for team in teams:
        people = [{"name": row.player} for row in players.get(team, [])]
        side = {"team": _team(team, kinds.get(team)) | {"players": people}}
        if team in declared:
            side |= _score(declared[team], counts.get(team, []), bool(scored))
        side["match_players"] = [
            {"player": {"name": row.player}}
            | _present({"tossups_heard": row.tossups_heard})
            | {"answer_counts": _answer_counts(answers.get((team, row.player), {}))}
            for row in players.get(team, [])
        ]
        match_teams.append(side | {"lineups": [{"first_question": 1, "players": people}]})
    return {"match_teams": match_teams, "match_questions": questions}


def _team(name: str, kind) -> dict:
    return {"name": name} | ({"_kind": "model"} if kind == "model" else {})


def _points(row) -> float | int:
    """Points as written: where they are not known, 10 for a right answer and 0 for a wrong one."""
    return 10 * bool(row.correct) if pd.isna(row.value) else _plain(row.value)


def _buzz(row) -> dict:
    place = _present({"word_index": row.word_index})
    mark = {"_value_known": False} if pd.isna(row.value) else {}
    return (
        ({"buzz_position": place} if place else {})
        | {"team": _team(row.team, row.kind), "result": {"value": _points(row)} | mark}
        | ({"player": {"name": row.player}} if isinstance(row.player, str) else {})
    )


def _buzzed(plays: list) -> dict:
    """Team and player → points → how many of its buzzes scored them."""
    points: dict = {}
    for buzz in plays:
        points.setdefault((buzz.team, buzz.player), Counter())[_points(buzz)] += 1
    return points


def _counted(box: list) -> dict:
    """:func:`_buzzed` of rows of tidy/box_scores, each kind of answer at its usual points."""
    return {
        (row.team, row.player): {value: int(getattr(row, kind)) for kind, value in USUAL.items()}
        for row in box
    }


def _answer_counts(points: dict) -> list[dict]:
    return [{"number": n, "answer": {"value": value}} for value, n in sorted(points.items()) if n]


def _score(side, box: list, listed: bool) -> dict:
    """What a match declares of a side; ``listed``: the match lists its bonuses."""
    right = sum(row.superpowers + row.powers + row.tens for row in box)
    without = None if listed or pd.isna(side.bonuses) else right - side.bonuses
    values = side._asdict() | {"without_bonus": without}
    return _present({key: values[column] for column, key in DECLARED.items()})


def dump(document) -> str:
    """JSON text, the same for the same document."""
    return escape_in_json(json.dumps(document, ensure_ascii=False, indent=1)) + "\n"


def write_export(
    folder,
    questions,
    games,
    heard,
    plays,
    rosters,
    tossups,
    bonus_plays,
    bonus_items,
    sides,
    box_scores,
    export_names: str,
) -> None:
    """The documents of a tournament written to ``folder``."""
    tables = {"games": games, "heard": heard, "plays": plays, "rosters": rosters}
    tables |= {"bonus_plays": bonus_plays, "sides": sides, "box_scores": box_scores}
    if export_names != "keep":
        tables = hide(tables, secret_key())
    tables |= {"questions": questions, "tossups": tossups, "bonus_items": bonus_items}
    for name, document in documents(tables).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(dump(document), encoding="utf-8")
