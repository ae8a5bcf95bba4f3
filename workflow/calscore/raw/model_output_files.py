"""The authors' per-clue model outputs (``packetN_model_human_output.json``): guesses, and the buzzes they hold."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from pathlib import Path

from ..core.data_issues import Finding
from ..core.errors import DataError, Fault
from ..core.strict_json import read
from .guesses import QuestionIndex, normal_text, row
from .release import MARK, PACKET_NAME, check_raw

PATTERN = "*packet*_model_human_output.json"
_OF_THE_RELEASE = ("buzz past the end", "team buzzed more than once", "no human buzz")
"""Findings that are about the release's buzzes, and say nothing where others are used."""


def documents(folder) -> list[tuple[str, int, list]]:
    """(file name, packet, its questions) of every file in ``folder``, by number of the packet.

    Raises ``DataError`` where there is none, or one breaks the raw schema.
    """
    files = sorted(Path(folder).glob(PATTERN))
    if not files:
        expected = "packetN_model_human_output.json files"
        raise DataError(Fault(str(folder), "", "file name", None, expected))
    parsed = []
    for path in files:
        name = PACKET_NAME.search(path.name)
        if not name:
            raise DataError(
                Fault(path.name, "", "file name", path.name, "a name with packet<number>")
            )
        document = read(path)
        check_raw(document, "model_output", path.name)
        parsed.append((path.name, int(name[1]), document))
    return sorted(parsed, key=lambda item: item[1:2])


def _models(question: dict) -> list[str]:
    return [key for key in question if re.fullmatch(r"M\d+", key)]


def digest(parsed: list[tuple[str, int, list]]) -> str:
    """SHA-256 of the numbers in :func:`documents`, whatever else the files say and how they are laid out.

    Of the lines packet, tossup_index, model, run (from 0), repr(conf), + or − as the mark, separated by tabs.
    """
    lines = hashlib.sha256()
    for _, packet, document in parsed:
        for question in document:
            for model in sorted(_models(question)):
                for run, output in enumerate(question[model]):
                    mark = "+" if output["correctness"] else "-"
                    fields = (
                        packet,
                        question["tossup_index"],
                        model,
                        run,
                        repr(float(output["conf"])),
                        mark,
                    )
                    lines.update(("\t".join(map(str, fields)) + "\n").encode())
    return lines.hexdigest()


def check_numbers(folder, expected: str, origin: str) -> None:
    """Raise ``DataError`` where the numbers of the files in ``folder`` do not have the digest ``expected``."""
    value = digest(documents(folder))
    if value != expected:
        column = "SHA-256 of packets, questions, models, confidences and marks"
        raise DataError(Fault(origin, "", column, value, expected))


class _Places:
    """Which question of the study one of the files is."""

    def __init__(self, questions):
        self.index = QuestionIndex(questions)
        self.by_source: dict[tuple[int, str], list[str]] = {}
        for question in questions.itertuples():
            self.by_source.setdefault((question.packet, question.source_id), []).append(
                question.question_id
            )

    def find(self, packet: int, question: dict) -> tuple[str | None, bool]:
        """(question_id or None, whether by its text): by the text of the last run, else by packet and index."""
        texts = [question[key][-1]["run"] for key in _models(question) if question[key]]
        for text in texts:
            if question_id := self.index.by_text.get(normal_text(text)):
                return question_id, True
        ids = self.by_source.get((packet, str(question.get("tossup_index"))), [])
        return (ids[0] if len(ids) == 1 else None), False


def guesses(folder, questions, elicitation: str) -> tuple[list[dict], list[Finding]]:
    """Rows of tidy/guesses from the authors' files, and findings.

    Questions are found by the text of their last run, else by packet and ``tossup_index``; ``conf``
    is a natural logarithm for ``logit`` (its exponential is the released code's confidence) and a
    probability for ``verbalized``. Questions that the study lacks are findings, not rows.
    """
    places = _Places(questions)
    rows, findings = [], []
    for file, packet, document in documents(folder):
        for number, question in enumerate(document, start=1):
            question_id, by_text = places.find(packet, question)
            place = f"{file}, question {number}"
            if question_id is None:
                detail = f"tossup_index {question.get('tossup_index')} matches no question by text or index"
                finding = ("question not in the study", "warning", place, detail, "left out")
                findings.append(Finding("guesses", *finding))
                continue
            if not by_text:
                detail = f"its text is not that of {question_id}"
                handling = "matched by packet and tossup_index"
                finding = ("question matched by index only", "warning", place, detail, handling)
                findings.append(Finding("guesses", *finding))
            words = places.index.words[question_id]
            rows += _runs(file, number, question, question_id, words, elicitation)
    return rows, findings


def _runs(file, number, question, question_id, words, elicitation) -> list[dict]:
    rows, faults = [], []
    logit = elicitation == "logit"
    for model in _models(question):
        for run, output in enumerate(question[model], start=1):
            conf = float(output["conf"])
            place = f"question {number}, {model}, run {run}"
            position = len(output["run"].split())
            if logit and conf > 0:
                faults.append(Fault(file, place, "conf", conf, "a natural logarithm, at most 0"))
            if not logit and not 0 <= conf <= 1:
                faults.append(Fault(file, place, "conf", conf, "a probability from 0 to 1"))
            if not 1 <= position <= words:
                observed, expected = f"{position} words", f"at most {words} words"
                faults.append(Fault(file, place, "run", observed, expected))
            record = {
                "model": model,
                "elicitation": elicitation,
                "position": position,
                "guess": output["guess"],
                "mean_logprob": min(conf, 0.0) if logit else None,
                "confidence": None if logit else conf,
                "buzzed": output.get("buzzed"),
                "correct": output["correctness"],
            }
            rows.append(row(question_id, record, f"{file}#{number}/{model}/{run}"))
    if faults:
        raise DataError(faults)
    return rows


def _entries(position) -> list[tuple[int, str]]:
    """(0-based word index, mark) of ``position``: by index with the marks there, or one by one as in the release."""
    parts = [position] if isinstance(position, dict) else position
    return [
        (int(index), mark)
        for part in parts
        for index, marks in part.items()
        for mark in ([marks] if isinstance(marks, str) else marks)
    ]


def buzzes(folder, questions) -> tuple[list[dict], list[Finding]]:
    """Rows of tidy/buzzes from the ``position`` entries of the authors' files, and findings.

    Word indexes are 0-based, teams named as in the release (H humans, M models). An entry that stands
    twice counts once.
    """
    places = _Places(questions)
    packets = dict(zip(questions["question_id"], questions["packet"], strict=True))
    rows, findings, covered = [], [], set()

    def note(finding, severity, place, detail, handling):
        findings.append(Finding("outputs", finding, severity, place, detail, handling))

    for file, packet, document in documents(folder):
        for number, question in enumerate(document, start=1):
            question_id, _ = places.find(packet, question)
            if question_id is None or "position" not in question:
                continue
            covered.add(question_id)
            signs, teams = {}, Counter()
            for entry, (index, mark) in enumerate(_entries(question["position"]), start=1):
                team, sign = MARK.fullmatch(mark).groups()
                source_row = f"{file}#{number}/position/{entry}"
                if (index, team) in signs:
                    if signs[index, team] != sign:
                        expected = f"one mark of {team} at word {index}"
                        raise DataError(
                            Fault(file, f"question {number}", "position", mark, expected)
                        )
                    note("buzz written twice", "info", question_id, f"{mark} at word {index}", "kept once")  # fmt: skip
                    continue
                signs[index, team] = sign
                teams[team] += 1
                if index >= places.index.words[question_id]:
                    detail = f"{mark} at word {index} of {places.index.words[question_id]}"
                    handling = "kept, counted in the last clue"
                    note("buzz past the end", "warning", question_id, detail, handling)
                rows.append(
                    {
                        "question_id": question_id,
                        "packet": packets[question_id],
                        "match": None,
                        "team": team,
                        "player": None,
                        "kind": "human" if team.startswith("H") else "model",
                        "word_index": index,
                        "correct": sign == "+",
                        "value": None,
                        "source_row": source_row,
                    }
                )
            for team, count in sorted(teams.items()):
                if count > 1:
                    detail = f"{team} has {count} buzzes"
                    note("team buzzed more than once", "warning", question_id, detail, "all kept")
            if not any(team.startswith("H") for team in teams):
                note("no human buzz", "info", question_id, "no human team buzzed", "with these buzzes h is 0 at every clue")  # fmt: skip
    for question_id in sorted(set(questions["question_id"]) - covered):
        detail = "the outputs have no position entries of it"
        note("question without buzzes", "warning", question_id, detail, "no buzz of theirs")
    return rows, findings


def _keys(rows: list[dict]) -> set[tuple]:
    return {
        (buzz["question_id"], buzz["team"], buzz["word_index"], buzz["correct"]) for buzz in rows
    }


def buzz_set_difference(
    output_buzzes: list[dict], released: list[dict], n_questions: int, used: str
) -> Finding:
    """How the buzzes of the outputs differ from the release's; ``used``: release or outputs."""
    outputs, release = _keys(output_buzzes), _keys(released)
    differing = len({key[0] for key in outputs ^ release})
    detail = (
        f"{differing} of {n_questions} questions differ: {len(outputs - release)} buzzes stand only in the outputs, "
        f"{len(release - outputs)} only in the release, {len(outputs & release)} in both"
    )
    whose = {"release": "the release's", "outputs": "the outputs'"}[used]
    handling = f"{whose} buzzes are used (human_buzzes: {used})"
    return Finding("outputs", "two sets of buzzes", "warning", "model outputs", detail, handling)


def tidy(
    questions, release: Path, files: dict, password: str, sources: list[dict], human_buzzes: str, fetched=None
) -> dict:  # fmt: skip
    """The table output_buzzes, and how it differs from the buzzes of the release's packets."""
    from ..core import store
    from . import archive
    from .release import parse_packets

    rows, findings = buzzes(folder(sources, fetched), questions)
    members = archive.read_members(release / files["archive"]["name"], password)
    released = parse_packets(members, {}, {}).buzzes
    findings.append(buzz_set_difference(rows, released, len(questions), human_buzzes))
    return {"output_buzzes": store.frame(rows, "output_buzzes"), "findings": findings}


def folder(sources: list[dict], fetched: Path | None) -> Path:
    """Folder of the first source in this format: its buzzes are the outputs'."""
    from . import formats

    placed = formats.resolve_source_paths(sources, fetched)
    return Path(next(source["path"] for source in placed if source["format"] == "model_output"))


def replace_release_buzzes(
    questions, findings: list[Finding], sources: list[dict], fetched
) -> tuple[list, list]:
    """Buzzes of the outputs in place of the release's, and those of the release's findings that stay."""
    rows, _ = buzzes(folder(sources, fetched), questions)
    return rows, [finding for finding in findings if finding.finding not in _OF_THE_RELEASE]
