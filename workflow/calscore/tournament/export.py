"""Any study with buzzes as match files of QBJ, packets and buzz CSV, so that others can read it.

A match that the source does not tell (the GRACE release has none) becomes a record of one team and
one packet, marked by ``"_game": null``. Fields that begin with an underscore are ours: whether a
value is known, how it is known that a team heard a question, whether a team is a model.
"""

from __future__ import annotations

import html
import json

import pandas as pd

from ..findings import Finding
from . import packets

VERSION = "2.1"


def packet_documents(questions) -> tuple[dict[str, dict], list[Finding]]:
    """File name → packet. Text that the format would alter is marked ``"_words": "all"``: every word counts."""
    documents, odd = {}, []
    width = max(2, len(str(int(questions["packet"].max()))))
    for packet, of in questions.sort_values(["packet", "number"]).groupby("packet"):
        tossups = []
        for row in of.itertuples():
            text = html.escape(row.text, quote=False)
            tossup = {
                "number": int(row.number),
                "question": text,
                "answer": html.escape(row.answerline, quote=False),
                "metadata": row.category_raw,
            }
            if packets.spoken(text).text != row.text:
                tossup |= {"question": row.text, "_words": "all"}
                odd.append(row.question_id)
            tossups.append(tossup)
        name = f"Packet {packet:0{width}d}"
        documents[f"qbj/packets/packet-{packet:0{width}d}.json"] = {
            "name": name,
            "tossups": tossups,
        }
    findings = [
        Finding(
            "export",
            "text that other software reads differently",
            "warning",
            question,
            "it holds what looks like a pronunciation guide, a power mark, HTML or a moderator's note",
            'exported as it is with "_words": "all"; other readers may count fewer words',
        )
        for question in odd
    ]
    return documents, findings


def _groups(buzzes, exposures) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Buzzes and exposures with the ``game`` that they are written under, and whether it is known."""
    told = buzzes.loc[buzzes["match"].notna(), ["packet", "team", "match"]].drop_duplicates()
    # A team plays a packet once: its match holds for every question of the packet that it heard.
    told = told.drop_duplicates(["packet", "team"])

    def name(part):
        merged = part.merge(
            told.rename(columns={"match": "game"}), on=["packet", "team"], how="left"
        )
        alone = "p" + merged["packet"].astype(str).str.zfill(2) + "-" + merged["team"]
        known = merged["game"].notna()
        return merged.assign(game=merged["game"].where(known, alone), known=known)

    return name(buzzes), name(exposures)


def _records(buzzes, exposures, games):
    """Buzzes and heard rows under games. ``games`` (tidy/heard with game) wins where a study has it."""
    if games is None:
        return _groups(buzzes, exposures)
    heard = games[games["question_id"].notna()].drop_duplicates(["question_id", "team"])
    known = exposures.merge(
        heard[["question_id", "team", "game", "known"]], on=["question_id", "team"], how="left"
    )
    return buzzes.merge(
        heard[["question_id", "team", "game", "known"]], on=["question_id", "team"], how="left"
    ), known


def documents(questions, buzzes, exposures, heard=None, title: str = "study"):
    """(file name → JSON document, buzzes CSV, heard CSV, findings) of a study.

    ``heard``: tidy/heard with the column ``known`` of tidy/games, for studies that have matches.
    """
    files, findings = packet_documents(questions)
    place = questions.set_index("question_id")[["packet", "number"]]
    buzzes, exposures = _records(buzzes, exposures, heard)
    width = max(2, len(str(int(questions["packet"].max()))))
    label = {p: f"Packet {p:0{width}d}" for p in questions["packet"].unique()}
    for part in (buzzes, exposures):
        part["number"] = part["question_id"].map(place["number"])
    buzzes = buzzes.sort_values(["game", "number", "word_index", "team"], kind="stable")
    by_question = {key: rows for key, rows in buzzes.groupby(["game", "number"], sort=True)}
    for count, (game, rows) in enumerate(exposures.groupby("game", sort=True), start=1):
        packet = int(rows["packet"].iloc[0])
        known = bool(rows["known"].iloc[0])
        matched = []
        mine = rows.sort_values(["number", "team"])
        for cycle, (number, of) in enumerate(mine.groupby("number"), start=1):
            entries = by_question.get((game, number))
            question = {
                "question_number": cycle,
                "tossup_question": {"parts": 1, "type": "tossup", "question_number": int(number)},
                "buzzes": [] if entries is None else [_buzz(row) for row in entries.itertuples()],
            }
            sources = set(of["source"])
            if sources != {"match"}:
                question["_heard"] = sorted(sources)[0]
            matched.append(question)
        teams = mine.drop_duplicates("team")[["team", "kind"]].sort_values("team")
        sides = [
            _side(
                row, buzzes[(buzzes["game"] == game) & (buzzes["team"] == row.team)], len(matched)
            )
            for row in teams.itertuples()
        ]
        document = {
            "tossups_read": len(matched),
            "match_teams": sides,
            "match_questions": matched,
            "packets": label[packet],
            "_round": packet,
            "_game": str(game) if known else None,
        }
        files[f"qbj/matches/match-{count:04d}.qbj"] = document
    csv = _csv(buzzes, label, title).assign(
        player=buzzes["player"].to_numpy(),
        buzz_position=buzzes["word_index"].to_numpy(),
        value=buzzes["value"].to_numpy(),
        correct=buzzes["correct"].to_numpy(),
    )
    csv["value"] = pd.array(csv["value"], dtype="Float64")
    who = exposures.sort_values(["game", "number", "team"])
    heard_csv = _csv(who, label, title).assign(source=who["source"].to_numpy())
    return files, csv, heard_csv, findings


def _csv(part, label, title):
    return pd.DataFrame(
        {
            "tournament": title,
            "round": part["packet"].to_numpy(),
            "game": part["game"].to_numpy(),
            "game_known": part["known"].to_numpy(dtype=bool),
            "packet": part["packet"].map(label).to_numpy(),
            "tossup": part["number"].to_numpy(),
            "team": part["team"].to_numpy(),
            "kind": part["kind"].to_numpy(),
        }
    )


def _buzz(row) -> dict:
    known = row.value is not None and not pd.isna(row.value)
    value = float(row.value) if known else (10.0 if row.correct else 0.0)
    result = {"value": int(value) if value == int(value) else value}
    if not known:
        result["_value_known"] = False
    buzz = {
        "buzz_position": {"word_index": int(row.word_index)},
        "team": {"name": row.team},
        "result": result,
    }
    if row.kind == "model":
        buzz["team"]["_kind"] = "model"
    if isinstance(row.player, str):
        buzz["player"] = {"name": row.player}
    return buzz


def _side(team, buzzes, read: int) -> dict:
    side = {"team": {"name": team.team}, "bonus_points": 0}
    if team.kind == "model":
        side["team"]["_kind"] = "model"
    players = sorted({p for p in buzzes["player"] if isinstance(p, str)})
    side["match_players"] = []
    for player in players:
        counts = (
            buzzes.loc[buzzes["player"] == player, "value"].dropna().value_counts().sort_index()
        )
        side["match_players"].append(
            {
                "player": {"name": player},
                "tossups_heard": read,
                "answer_counts": [
                    {"number": int(n), "answer": {"value": int(v) if v == int(v) else v}}
                    for v, n in counts.items()
                ],
            }
        )
    side["team"]["players"] = [{"name": player} for player in players]
    side["lineups"] = [{"first_question": 1, "players": [{"name": player} for player in players]}]
    return side


def whole_tournament(files: dict, title: str) -> dict:
    """The matches of :func:`documents` as one ``{"version", "objects"}`` file."""
    matches = {name: doc for name, doc in files.items() if name.startswith("qbj/matches/")}
    rounds: dict = {}
    objects = []
    for name, document in matches.items():
        key = name.removeprefix("qbj/matches/").removesuffix(".qbj")
        objects.append({"type": "Match", "id": key, **document})
        rounds.setdefault(document["_round"], []).append({"$ref": key})
    tournament = {
        "type": "Tournament",
        "name": title,
        "phases": [
            {
                "name": "All rounds",
                "rounds": [{"name": str(r), "matches": m} for r, m in sorted(rounds.items())],
            }
        ],
    }
    return {"version": VERSION, "objects": [tournament, *objects]}


def dump(document) -> str:
    """JSON text, the same for the same document."""
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=False) + "\n"
