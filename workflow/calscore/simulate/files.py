"""A simulated study as files in the raw formats of the release, model outputs and survey."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from ..raw.safe_pickle import dump_plain
from .parameters import LIVE_MODELS

if TYPE_CHECKING:
    from .grace import Study

FOLDER = "[public]ALL_final_buzzpoints"


def _mark(team: str, correct: bool) -> str:
    return f"[{team}, {'+' if correct else '-'}]"


def release_packets(study: Study) -> dict[int, list[dict]]:
    """Packet number → its questions, with the keys of the release in their order."""
    by_question: dict[str, list] = {}
    for buzz in study.buzzes.itertuples():
        entry = (buzz.word_index, _mark(buzz.team, buzz.correct))
        by_question.setdefault(buzz.question_id, []).append(entry)
    packets: dict[int, list[dict]] = {}
    for question in study.questions.itertuples():
        words = question.text.split()
        position = by_question.get(question.question_id, [])
        for index, mark in position:
            words[index] += f" {mark}"
        packets.setdefault(question.packet, []).append(
            {
                "tossup_index": question.tossup_index,
                "category": question.category,
                "question": question.text,
                "answer": question.answer,
                "question_buzzpoints": " ".join(words),
                "position": [{str(index): mark} for index, mark in position],
            }
        )
    return packets


def participation_tables(study: Study) -> tuple[list[dict], dict, list[str]]:
    """Contents of the three participation pickles: (rows of questions with all teams, tossup_index → teams, all teams).

    ``human_teams`` and ``model_teams`` are those that buzzed, ``seen`` all that the packet was read
    to (as ``total_human_teams``, which holds the models too).
    """
    order = {team: i for i, team in enumerate((*LIVE_MODELS, *study.truth["teams"]))}
    heard: dict[int, set[str]] = {}
    for room in study.rooms.itertuples():
        heard.setdefault(room.packet, set()).update((room.side_a, room.side_b))
    teams_heard = {packet: sorted(teams, key=order.get) for packet, teams in heard.items()}
    buzzed = study.buzzes.groupby("question_id")["team"].agg(list).to_dict()
    per_packet, combined = [], {}
    for question in study.questions.itertuples():
        base = {"tossup_index": question.tossup_index, "packet": question.packet}
        teams = sorted(buzzed.get(question.question_id, []), key=order.get)
        per_packet.append(base | {"total_human_teams": list(teams_heard[question.packet])})
        combined[question.tossup_index] = base | {
            "human_teams": [team for team in teams if team not in LIVE_MODELS],
            "model_teams": [team for team in teams if team in LIVE_MODELS],
            "seen": list(teams_heard[question.packet]),
        }
    return per_packet, combined, sorted(set().union(*heard.values()), key=order.get)


def guess_lines(study: Study) -> list[str]:
    """The lines of ``guesses.jsonl``."""
    lines = []
    marks = iter(study.guesses["correct"].tolist()) if study.truth["parameters"]["marked"] else None
    columns = ("model", "elicitation", "question_id", "position", "guess", "token_logprobs", "raw")
    for row in zip(*(study.guesses[name].tolist() for name in columns), strict=True):
        record = dict(zip(columns, row, strict=True))
        logit = record["elicitation"] == "logit"
        for name in ("raw",) if logit else ("guess", "token_logprobs"):
            del record[name]
        if marks is not None:
            record["correct"] = next(marks)
        lines.append(json.dumps(record, ensure_ascii=False))
    return lines


def write_grace(study: Study, folder: str | Path) -> None:
    """Write the study's raw files into ``folder`` (made if missing); equal studies, equal bytes.

    The archive of packets (not encrypted, as nobody has to be kept from it), ``human_team_per_question.pkl``,
    ``human_model_team_per_question.pkl``, ``all_teams.pkl``, ``guesses.jsonl``, ``survey.csv`` and ``truth.json``.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / f"{FOLDER}_enc.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for packet, content in release_packets(study).items():
            # Without a time of its own a member is dated 1980.
            member = zipfile.ZipInfo(f"{FOLDER}/packet{packet}_buzzpoints.json")
            archive.writestr(member, json.dumps(content, indent=2), zipfile.ZIP_DEFLATED)
    per_packet, combined, teams = participation_tables(study)
    (folder / "human_team_per_question.pkl").write_bytes(dump_plain(per_packet))
    (folder / "human_model_team_per_question.pkl").write_bytes(dump_plain(combined))
    (folder / "all_teams.pkl").write_bytes(dump_plain(teams))
    (folder / "guesses.jsonl").write_bytes(("\n".join(guess_lines(study)) + "\n").encode())
    columns = ["player", "question_id", "clue", "position", "guess", "buzz"]
    table = study.survey[columns].to_csv(index=False, lineterminator="\n")
    (folder / "survey.csv").write_bytes(table.encode())
    truth = json.dumps(study.truth, indent=1, ensure_ascii=False, sort_keys=True)
    (folder / "truth.json").write_bytes((truth + "\n").encode())


def write_grace_study(truth: Path, seed: int, parameters: dict | None) -> None:
    """A whole simulated study beside ``truth``, the file that says how it came about."""
    from .grace import simulate_grace

    write_grace(simulate_grace(parameters or {}, seed), truth.parent)
