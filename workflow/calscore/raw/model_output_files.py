"""The authors' per-clue model outputs (``packetN_model_human_output.json``): guesses, and the buzzes they hold."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core import store
from ..core.data_issues import Finding, data_issue
from ..core.errors import DataError, Faults, split_source_row
from ..core.strict_json import read
from . import archive
from .formats import FORMATS, model_output_folder
from .guesses import QuestionIndex, guess_row, normal_text
from .release import MARK, Release, check_raw, format_mark, packet_number, parse_packets

if TYPE_CHECKING:
    import pandas as pd

    from .release import BuzzEntry, Parsed


def read_documents(folder: str | Path) -> list[tuple[str, int, list[dict]]]:
    """(file name, packet, its questions as in the file) of every output file (pattern of :data:`.formats.FORMATS`) in ``folder``, by packet number.
    ``DataError`` if there is none, or one breaks the raw schema."""
    files = sorted(Path(folder).glob(FORMATS["model_output"].pattern))
    if not files:
        expected = "packetN_model_human_output.json files"
        raise DataError.at(str(folder), "", "file name", None, expected)
    parsed = []
    for path in files:
        parsed.append((path.name, packet_number(path.name), read(path)))
        check_raw(parsed[-1][-1], "model_output", path.name)
    return sorted(parsed, key=itemgetter(1))


def _model_keys(question: dict) -> list[str]:
    """Keys M<number> of a question, in its order, also with an empty list of runs."""
    return [key for key in question if re.fullmatch(r"M\d+", key)]


def numbers_digest(parsed: list[tuple[str, int, list[dict]]]) -> str:
    """SHA-256 (hexadecimal) of the numbers in ``parsed`` (:func:`read_documents`), whatever else the files say. Each
    line hashed: packet, tossup_index, model (sorted as text), run (from 0), repr(conf), mark + or -; tabs between."""
    lines = hashlib.sha256()
    for _, packet, document in parsed:
        for question in document:
            for model in sorted(_model_keys(question)):
                for run, output in enumerate(question[model]):
                    mark = "+" if output["correctness"] else "-"
                    confidence = repr(float(output["conf"]))
                    fields = packet, question["tossup_index"], model, run, confidence, mark
                    lines.update(("\t".join(map(str, fields)) + "\n").encode())
    return lines.hexdigest()


def check_numbers(folder: str | Path, expected: str, origin: str) -> None:
    """``DataError``, naming ``origin``, if the files in ``folder`` do not have the :func:`numbers_digest` ``expected``."""
    value = numbers_digest(read_documents(folder))
    if value != expected:
        column = "SHA-256 of packets, questions, models, confidences and marks"
        raise DataError.at(origin, "", column, value, expected)


def _match_questions(
    folder: str | Path, questions: pd.DataFrame
) -> Iterator[tuple[str, int, dict, str | None, bool]]:
    """Yield (file, number in it from 1, question, question_id or None, whether matched by text) of every question of
    the outputs. The text is that of a model's last run; else packet and tossup_index, if one question has them."""
    by_text = QuestionIndex(questions).by_text
    by_source = questions.groupby(["packet", "source_id"])["question_id"].agg(list).to_dict()
    for file, packet, document in read_documents(folder):
        for number, question in enumerate(document, start=1):
            runs = filter(None, map(question.get, _model_keys(question)))
            texts = (normal_text(outputs[-1]["run"]) for outputs in runs)
            same_text = next((by_text[text] for text in texts if text in by_text), None)
            same_index = by_source.get((packet, str(question.get("tossup_index"))), [])
            same_index = same_index[0] if len(same_index) == 1 else None
            yield file, number, question, same_text or same_index, bool(same_text)


def parse_guesses(folder: str | Path, questions: pd.DataFrame, elicitation: str) -> Parsed:
    """(rows of tidy/guesses, findings) from the authors' files in ``folder``. Questions are matched by the text of their last
    run, else by packet and ``tossup_index``; unknown ones are findings. ``conf`` is a natural logarithm for "logit" (its
    exponential is the released code's confidence), a probability for "verbalized"; ``DataError`` if out of range."""
    words = dict(zip(questions["question_id"], questions["n_words"], strict=True))
    rows, findings = [], []
    for file, number, question, question_id, by_text in _match_questions(folder, questions):
        place = f"{file}, question {number}"
        if question_id is None:
            detail = f"tossup_index {question.get('tossup_index')} matches no question by text or index"
            findings.append(data_issue("guesses", "question not in the study", place, detail))
            continue
        if not by_text:
            detail = f"its text is not that of {question_id}"
            findings.append(data_issue("guesses", "question matched by index only", place, detail))
        rows += _run_rows(file, number, question, question_id, words[question_id], elicitation)
    return rows, findings


def _run_rows(
    file: str, number: int, question: dict, question_id: str, words: int, elicitation: str
) -> list[dict]:
    """Rows of tidy/guesses from question ``number`` of a file, of ``words`` words. ``DataError`` with each value out of range."""
    rows, faults = [], Faults(file)
    logit = elicitation == "logit"
    for model in _model_keys(question):
        for run, output in enumerate(question[model], start=1):
            conf = float(output["conf"])
            place = f"question {number}, {model}, run {run}"
            position = len(output["run"].split())
            if logit and conf > 0:
                faults.add(place, "conf", conf, "a natural logarithm, at most 0")
            if not logit and not 0 <= conf <= 1:
                faults.add(place, "conf", conf, "a probability from 0 to 1")
            if not 1 <= position <= words:
                faults.add(place, "run", f"{position} words", f"at most {words} words")
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
            rows.append(guess_row(question_id, record, f"{file}#{number}/{model}/{run}"))
    faults.refuse()
    return rows


def _position_marks(position: dict | list[dict]) -> list[tuple[int, str]]:
    """(0-based word index, mark) of each buzz in ``position``: a mapping of word index → mark or marks, or a list of such."""
    parts = [position] if isinstance(position, dict) else position
    return [
        (int(index), mark)
        for part in parts
        for index, marks in part.items()
        for mark in ([marks] if isinstance(marks, str) else marks)
    ]


def position_entries(folder: str | Path, questions: pd.DataFrame) -> dict[str, list[BuzzEntry]]:
    """question_id → its buzzes (0-based word, team, right, source row). Left out: questions unknown or without ``position``."""
    by_question: dict[str, list] = {}
    for file, number, question, question_id, _ in _match_questions(folder, questions):
        if question_id is None or "position" not in question:
            continue
        entries = by_question.setdefault(question_id, [])
        for entry, (index, mark) in enumerate(_position_marks(question["position"]), start=1):
            team, sign = MARK.fullmatch(mark).groups()
            entries.append((index, team, sign == "+", f"{file}#{number}/position/{entry}"))
    return by_question


def parse_buzzes(folder: str | Path, questions: pd.DataFrame) -> Parsed:
    """(rows of tidy/buzzes, findings, as of :func:`buzz_rows`) from the ``position`` entries of the authors' files in
    ``folder``. A question without ``position`` is a finding. Teams are named as in the release (H humans, M models)."""
    return buzz_rows(questions.to_dict("records"), position_entries(folder, questions))


def buzz_rows(questions: list[dict], entries: Mapping[str, list[BuzzEntry]]) -> Parsed:
    """(rows of tidy/buzzes, findings) of ``entries``: question_id → (0-based word, team, right, source row) each.
    ``questions``: rows of tidy/questions. Findings: questions not in ``entries``, repeated buzzes, which count
    once, and those of :meth:`.release.Release.add_buzzes`; ``DataError`` for two marks of a team at one word."""
    by_id = {question["question_id"]: question for question in questions}
    outputs = Release(stage="outputs")
    for question_id, positions in entries.items():
        distinct: dict[tuple, tuple] = {}
        for entry in positions:
            index, team, right, source_row = entry
            mark, kept_entry = format_mark(team, right), distinct.setdefault((index, team), entry)
            if kept_entry[2] != right:
                expected = f"one mark of {team} at word {index}"
                file = split_source_row(source_row)[0]
                raise DataError.at(file, question_id, "position", mark, expected)
            if kept_entry is not entry:
                outputs.note("buzz written twice", question_id, f"{mark} at word {index}")
        outputs.add_buzzes(by_id[question_id], distinct.values())
    for question_id in sorted(set(by_id) - set(entries)):
        detail = "the outputs have no position entries of it"
        outputs.note("question without buzzes", question_id, detail)
    return outputs.buzzes, outputs.findings


def buzz_set_difference(
    output_buzzes: list[dict], released: list[dict], n_questions: int, used: str
) -> Finding:
    """Finding that counts the buzzes (question, team, word, mark) only in the outputs, only in the release and in both. Both
    lists are rows of tidy/buzzes; ``used``: whose the study uses, "release" or "outputs"."""
    key = itemgetter("question_id", "team", "word_index", "correct")
    outputs, release = set(map(key, output_buzzes)), set(map(key, released))
    differing = len({question_id for question_id, *_ in outputs ^ release})
    detail = (
        f"{differing} of {n_questions} questions differ by a buzz or its word: {len(outputs - release)} buzzes stand only in the outputs, "
        f"{len(release - outputs)} only in the release, {len(outputs & release)} in both"
    )
    whose = {"release": "the release's", "outputs": "the outputs'"}[used]
    handling = f"{whose} buzzes are used (human_buzzes: {used})"
    return Finding("outputs", "two sets of buzzes", "warning", "model outputs", detail, handling)


def parse_output_buzzes(
    questions: pd.DataFrame,
    release: Path,
    files: dict[str, dict],
    password: str,
    sources: list[dict],
    human_buzzes: str,
    fetched: Path | None = None,
) -> dict[str, Any]:
    """{output_buzzes: frame, findings: list}, the last finding telling how the release's buzzes differ. ``files``: role → entry
    with its name in ``release``; ``human_buzzes``: "release" or "outputs"; ``sources``, ``fetched``: for
    :func:`.formats.model_output_folder`."""
    rows = parse_buzzes(model_output_folder(sources, fetched), questions)
    members = archive.read_members(release / files["archive"]["name"], password)
    return tidy_output_buzzes(rows, parse_packets(members, {}, {}).buzzes, questions, human_buzzes)


def tidy_output_buzzes(
    output_buzzes: Parsed, released: list[dict], questions: pd.DataFrame, human_buzzes: str
) -> dict[str, Any]:
    """{output_buzzes: frame, findings: list} of ``output_buzzes``, (rows, findings). One finding more, added in place, compares
    them with the rows ``released``; ``human_buzzes``: which of both the study uses, "release" or "outputs"."""
    rows, findings = output_buzzes
    findings.append(buzz_set_difference(rows, released, len(questions), human_buzzes))
    return {"output_buzzes": store.frame(rows, "output_buzzes"), "findings": findings}
