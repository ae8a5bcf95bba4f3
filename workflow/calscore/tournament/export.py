"""Any study with buzzes as match files of QBJ, packets and buzz CSV, so that others can read it.

A match that the source does not tell (the GRACE release has none) becomes a record of one team and
one packet, marked by ``"_game": null``. Fields that begin with an underscore are ours: whether a
value is known, how it is known that a team heard a question, whether a team is a model.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter

import pandas as pd

from ..core import data_issues, store
from ..core.data_issues import Finding, data_issue
from ..core.visible import escape_in_json
from . import bonuses, packets
from .names import hide, secret_key
from .qbj import DECLARED
from .standings import USUAL

VERSION = "2.1"

SCORES = ["bonus_points", "bounceback_points", "bonuses"]
"""What a side's row of the CSV tables says beside its points."""
_ROOM = ["game", "cycle", "tossup", "team", "kind"]
BUZZ = ["order", "player", "buzz_position", "value", "correct"]
_NUMBERS = {"buzz_position": "Int64", "value": "Float64", "tossups_heard": "Int64"}
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


def packet_documents(
    questions, power=None, bonus_items=None
) -> tuple[dict[str, dict], list[Finding]]:
    """File name → packet. ``power``: words before the power mark by question_id.

    Text that the format would alter is marked ``"_words": "all"``: every word counts.
    """
    documents, findings = {}, []
    width = _width(questions)
    for packet, rows in questions.sort_values(["packet", "number"]).groupby("packet"):
        tossups = []
        for row in rows.itertuples():
            words = None if power is None else _plain(power.get(row.question_id))
            text = _with_power(_escaped(row.text), words)
            tossup = {
                "number": int(row.number),
                "question": text,
                "answer": _escaped(row.answerline),
                "metadata": row.category_raw,
            }
            read = packets.spoken(text)
            if read.text != row.text or read.power_word != words:
                tossup |= {"question": row.text, "_words": "all"}
                tossup |= {} if words is None else {"_power_word": words}
                detail = "it holds what looks like a pronunciation guide, a power mark, HTML or a moderator's note"
                findings.append(
                    data_issue(
                        "export",
                        "text that other software reads differently",
                        row.question_id,
                        detail,
                    )
                )
            tossups.append(tossup)
        document = {"name": f"Packet {packet:0{width}d}", "tossups": tossups}
        listed = [] if bonus_items is None else _bonuses_of(bonus_items, packet)
        document |= {"bonuses": listed} if listed else {}
        documents[f"qbj/packets/packet-{packet:0{width}d}.json"] = document
    return documents, findings


def _width(questions) -> int:
    return max(2, len(str(int(questions["packet"].max()))))


def records(questions, buzzes, exposures) -> dict[str, pd.DataFrame]:
    """games, heard, plays and rosters of a study whose source has no match files.

    A team plays a packet once: its match, where a buzz names it, holds for every question of the packet
    that it heard; else the record is of that team and packet alone, and not known.
    """
    declared = buzzes.loc[buzzes["match"].notna(), ["packet", "team", "match"]]
    declared = declared.drop_duplicates(["packet", "team"]).rename(columns={"match": "game"})
    place = questions.set_index("question_id")["number"]

    def name(part):
        merged = part.merge(declared, on=["packet", "team"], how="left")
        alone = "p" + merged["packet"].astype(str).str.zfill(2) + "-" + merged["team"]
        lookup = merged["game"].notna()
        return merged.assign(
            game=merged["game"].where(lookup, alone),
            known=lookup,
            tossup=merged["question_id"].map(place),
        )

    heard = name(exposures).sort_values(["game", "tossup", "team"], kind="stable")
    heard["cycle"] = heard.groupby("game")["tossup"].rank(method="dense").astype(int)
    plays = name(buzzes).merge(
        heard[["game", "tossup", "cycle"]].drop_duplicates(), on=["game", "tossup"], how="left"
    )
    plays = plays.sort_values(["game", "tossup", "word_index", "team"], kind="stable")
    plays["order"] = plays.groupby(["game", "tossup"]).cumcount() + 1
    games = heard.drop_duplicates("game").rename(columns={"packet": "number"})
    read = games["game"].map(heard.groupby("game")["cycle"].max())
    games = games.assign(round=games["number"], tossups_read=read)
    rosters = plays.loc[plays["player"].notna(), ["game", "team", "player"]].drop_duplicates()
    columns = ["game", "known", "round", "number", "tossups_read"]
    return {
        "games": games[columns].reset_index(drop=True),
        "heard": heard,
        "plays": plays,
        "rosters": rosters.assign(tossups_heard=pd.NA),
    }


def documents(questions, matches: dict, title: str = "study"):
    """(file name → JSON document, CSV tables buzzes, heard and rosters, findings) of a study.

    ``matches``: games, heard, plays and rosters as in tidy/, and tossups where power marks are known; or
    :func:`records`. What has no known text is written too: it counts in points and conversion. The order
    of rows is kept, packets are named by number.
    """
    tossups = matches.get("tossups")
    power = None if tossups is None else tossups.set_index("question_id")["power_word"]
    files, findings = packet_documents(questions, power, matches.get("bonus_items"))
    width = _width(questions)
    games = matches["games"]
    label = [ABSENT if pd.isna(n) else f"Packet {int(n):0{width}d}" for n in games["number"]]
    games = games.assign(label=label, place=range(len(games)))
    parts = {}
    for name, order in (("heard", []), ("plays", ["order"]), ("rosters", None)):
        part = matches[name].merge(games[["game", "place"]], on="game")
        groups = ["place"] if order is None else ["place", "cycle", "tossup", *order]
        parts[name] = part.sort_values(groups, kind="stable", ignore_index=True)
    group = {name: _by(part.itertuples(), lambda row: row.game) for name, part in parts.items()}
    for name in ("bonus_plays", "sides", "box_scores"):
        part = matches.get(name)
        group[name] = {} if part is None else _by(part.itertuples(), lambda row: row.game)
    for game in games.itertuples():
        files[f"qbj/matches/match-{game.place + 1:04d}.qbj"] = {
            "tossups_read": int(game.tossups_read),
            **_match(*(rows.get(game.game, []) for rows in group.values())),
            "packets": game.label,
            "_round": _plain(game.round),
            **({"_tournament": game.tournament} if hasattr(game, "tournament") else {}),
            **_told(game),
            "_game": str(game.game) if game.known else None,
        }
    rosters, box = parts["rosters"], matches.get("box_scores")
    counts = ["game", "team", "player", *USUAL]
    if box is not None:
        # No buzz tells what players answered in a match that lists no tossup.
        alone = box.loc[~box["game"].isin(set(parts["heard"]["game"])), counts]
        if len(alone):
            rosters = rosters.merge(
                alone.astype(dict.fromkeys(USUAL, "Int64")), "left", on=counts[:3]
            )
    plays = parts["plays"].rename(columns={"word_index": "buzz_position"})
    tables = {
        "buzzes": _csv(plays, games, title, [*_ROOM, *BUZZ]),
        "heard": _csv(parts["heard"], games, title, [*_ROOM, "source"]),
        "rosters": _csv(rosters, games, title, ["game", "team", "player", "tossups_heard", *USUAL]),
    }
    declared, scored = matches.get("sides"), matches.get("bonus_plays")
    if declared is not None and len(declared):
        of_game = ["tossups_read", "overtime", "phase", "individual"]
        rows = declared.drop(columns="points").rename(columns={"declared": "points"})
        rows = rows.merge(games[["game", *of_game]], "left", on="game")
        columns = ["game", "team", "kind", "points", *SCORES, *of_game]
        tables["scores"] = _csv(rows, games, title, columns)
    if scored is not None and len(scored):
        columns = ["game", "cycle", "team", "part", "points", "bonus", "bounceback"]
        tables["bonuses"] = _csv(scored, games, title, columns)
    return files, tables, findings


def _told(game) -> dict:
    """Phase and overtime of a game, where they are known, and that it does not count for individuals."""
    declared = {"_phase": "phase", "overtime_tossups_read": "overtime"}
    out = {} if getattr(game, "individual", True) else {"_individual": False}
    return _present({key: getattr(game, name, None) for key, name in declared.items()}) | out


def _csv(part, games, title: str, columns: list[str]):
    """Those of ``columns`` that a part has, with what its games are called."""
    group = games.set_index("game").loc[part["game"]]
    table = part[[name for name in columns if name in part]].reset_index(drop=True)
    tournament = group["tournament"].to_numpy() if "tournament" in group else title
    table.insert(0, "tournament", tournament)
    table.insert(1, "round", pd.array([_plain(value) for value in group["round"]], dtype=object))
    table.insert(3, "game_known", group["known"].to_numpy(dtype=bool))
    table.insert(4, "packet", group["label"].to_numpy())
    return table.astype({name: kind for name, kind in _NUMBERS.items() if name in table})


def _by(rows, key) -> dict:
    """Rows in lists by ``key``, in order. Most games are small: lists take a tenth of what frames take."""
    result: dict = {}
    for row in rows:
        result.setdefault(key(row), []).append(row)
    return result


def _match(heard: list, plays: list, rosters: list, scored: list, sides: list, box: list) -> dict:
    """``match_teams`` and ``match_questions`` of one game from its rows.

    A team that is only seen to buzz beside others is none of the match's teams; reading finds it again.
    """

    def tossup(row):
        return row.cycle, row.tossup

    kinds = {row.team: row.kind for row in heard}
    players = _by(rosters, lambda row: row.team)
    declared = {row.team: row for row in sides}
    listed = {row.team for row in heard if row.source != "buzzed"} | set(players) or set(kinds)
    listed |= set(declared) - set(kinds)
    teams = [team for team in dict.fromkeys([*kinds, *players, *declared]) if team in listed]
    kinds = {team: row.kind for team, row in declared.items()} | kinds
    buzzes = _by(plays, tossup)
    after = {cycle: _bonus(rows) for cycle, rows in _by(scored, lambda row: row.cycle).items()}
    questions = []
    for key, rows in _by(heard, tossup).items():
        sources = {row.team: row.source for row in rows if row.team in listed}
        question = {
            "question_number": int(key[0]),
            "tossup_question": {"parts": 1, "type": "tossup", "question_number": int(key[1])},
            "buzzes": [_buzz(row) for row in buzzes.get(key, [])],
        }
        if any(row.correct for row in buzzes.get(key, [])):
            question |= after.get(key[0], {})
        if set(sources) != listed or len(set(sources.values())) > 1:
            question["_heard"] = sources
        elif set(sources.values()) != {"match"}:
            question["_heard"] = next(iter(sources.values()))
        questions.append(question)
    counts = _by(box, lambda row: row.team)
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


def whole_tournament(files: dict, title: str) -> dict:
    """The matches of :func:`documents` as one ``{"version", "objects"}`` file."""
    matches = {name: doc for name, doc in files.items() if name.startswith("qbj/matches/")}
    phases: dict = {}
    objects = []
    for name, document in matches.items():
        key = name.removeprefix("qbj/matches/").removesuffix(".qbj")
        objects.append({"type": "Match", "id": key, **document})
        rounds = phases.setdefault(document.get("_phase"), {})
        rounds.setdefault(document["_round"], []).append({"$ref": key})
    listed = []
    for phase, rounds in phases.items():
        # Without a name beside others, these are the games of no phase.
        name = {} if phase is None and len(phases) > 1 else {"name": phase or "All rounds"}
        of_rounds = [
            ({} if number is None else {"name": str(number)}) | {"matches": group}
            for number, group in rounds.items()
        ]
        listed.append(name | {"rounds": of_rounds})
    tournament = {"type": "Tournament", "name": title, "phases": listed}
    return {"version": VERSION, "objects": [tournament, *objects]}


def dump(document) -> str:
    """JSON text, the same for the same document."""
    return (
        escape_in_json(json.dumps(document, ensure_ascii=False, indent=1, sort_keys=False)) + "\n"
    )


def write_export(
    folder,
    questions,
    buzzes,
    exposures,
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
    study: str,
) -> None:
    """The documents, CSV tables and findings of a study written to ``folder``.

    Matches are those of games, heard, plays, rosters and tossups, where the study has them (else None).
    """
    if games is None:
        matches = {"buzzes": buzzes, "exposures": exposures}
    else:
        matches = {"games": games, "heard": heard, "plays": plays, "rosters": rosters}
        matches |= {"bonus_plays": bonus_plays, "sides": sides, "box_scores": box_scores}
    if export_names != "keep":
        matches = hide(matches, export_names, secret_key())
    if games is None:
        matches = records(questions, **matches)
    else:
        matches |= {"tossups": tossups, "bonus_items": bonus_items}
    files, tables, odd = documents(questions, matches, study)
    titles = [] if games is None else list(games["tournament"].unique())
    total = whole_tournament(files, titles[0] if len(titles) == 1 else study)
    for name, document in (files | {"tournament.qbj": total}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(dump(document), encoding="utf-8")
    for name, table in (tables | {"findings": data_issues.frame(odd)}).items():
        store.write_csv(table, folder / f"{name}.csv")
