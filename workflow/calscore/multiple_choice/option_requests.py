"""Asking a model: requests without and with options, its replies, their verdicts, wrong answers.

Requests and replies are JSON Lines that share an ``id``; whatever sends the one and writes the other
is not part of this module. Replies become results files in the published schema. Functions that a rule
calls take ``raw``, the folder of the question file ``question_file``.
"""

import json
import re
from collections.abc import Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..core import data_issues, strict_json
from ..core.data_issues import Finding
from ..core.errors import DataError, Faults
from ..core.package import DATA
from ..raw.parse_replies import labelled_probability, read_reply
from . import NONE, RIGHT, SETTINGS, WRONG, option_numbers
from .option_files import QUESTION_COLUMNS, RESULT_KEYS, VERDICTS, is_number, plain, read_questions

data_issue = partial(data_issues.data_issue, "asking")

_FIELD = re.compile(r"\{\{(\w+)\}\}")
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_CONFIDENCE = re.compile(r"\bconfidence", re.IGNORECASE)
_REFUSED = re.compile(
    r"^\W*(?:i\s+(?:do\s+not|don['’]t|cannot|can['’]t|could\s+not|am\s+(?:not|unable))|i['’]m\s+(?:not|unable)"
    r"|(?:not\s+sure|unknown|unsure|unclear|none|no\s+answer|n/?a)\W*$"
    r"|there\s+is\s+no\s+(?:definitive|publicly|reliable|available|known|record|information)"
    r"|no\s+(?:definitive|reliable|available|known|record|information))",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\b(NOT[_ ]ATTEMPTED|INCORRECT|CORRECT)\b", re.IGNORECASE)
_LETTERS = {"A": "CORRECT", "B": "INCORRECT", "C": "NOT_ATTEMPTED"}


def prompt(name: str, **fields: str) -> str:
    """The prompt ``name`` (normal, distractor, judge or generation): its template with each ``{{field}}`` replaced, once, so
    that a field may hold braces itself. ``KeyError`` for a field not given, ``FileNotFoundError`` for another ``name``."""
    return _FIELD.sub(lambda match: fields[match[1]], _template(name))


@cache
def _template(name: str) -> str:
    """Text of the file options_<name>.txt among the prompts."""
    return (DATA / "prompts" / f"options_{name}.txt").read_text(encoding="utf-8")


def option_orders(questions: pd.DataFrame, seed: int) -> dict[int, list[str]]:
    """Row → options, stripped, in the order in which they are offered: the right answer and the wrong ones, also repeated, that
    are there and differ from it (:func:`.plain`). The order depends on ``seed`` and the row's number alone."""
    last_row = int(questions["row"].max()) if len(questions) else -1
    ranks = np.random.default_rng(seed).random((last_row + 1, 4))
    orders = {}
    for question in questions.itertuples(index=False):
        texts = [question.answer, question.wrong_1, question.wrong_2, question.wrong_3]
        right = plain(question.answer)
        usable = [
            k for k, text in enumerate(texts) if isinstance(text, str) and (k == 0 or plain(text) != right)
        ]
        order = sorted(usable, key=lambda k, row=question.row: ranks[row, k])
        orders[int(question.row)] = [texts[k].strip() for k in order]
    return orders


def plan(questions: pd.DataFrame, seed: int) -> list[dict]:
    """Requests, all without options, then all with: id (<setting>/<row>), setting, row, prompt, options (ordered by ``seed``)."""
    orders = option_orders(questions, seed)
    requests = []
    for setting in SETTINGS:
        for row, question in zip(questions["row"], questions["question"], strict=True):
            options = orders[int(row)]
            request = {"id": f"{setting}/{row}", "setting": setting, "row": int(row)}
            if setting == "distractor":
                request["options"] = options
            listed_options = "".join(f"\n- {text}" for text in options)
            request["prompt"] = prompt(setting, question=question, options=listed_options)
            requests.append(request)
    return requests


def plan_verdicts(answers: list[dict], questions: pd.DataFrame) -> list[dict]:
    """One request {id, prompt} to a judge model per answer of ``answers`` (:func:`parse_answers`), with the answer's id."""
    texts = questions.set_index("row")[["question", "answer"]].to_dict("index")
    return [
        {
            "id": answer["id"],
            "prompt": prompt("judge", **texts[answer["row"]], predicted=answer["predicted_answer"]),
        }
        for answer in answers
    ]


def option_request_lines(raw: Path, question_file: str, option_order_seed: int) -> dict[str, str]:
    """{"planned": JSON Lines} of :func:`plan`'s requests on a question file, for asked/option_requests."""
    questions, _ = read_questions(raw / question_file)
    return {"planned": lines(plan(questions, option_order_seed))}


def verdict_request_lines(
    raw: Path, question_file: str, request_file: Path, reply_file: Path, model: str
) -> dict[str, str]:
    """{"planned": JSON Lines} for asked/<model>_<judging>_verdict_requests, one for each readable reply of ``model``."""
    questions, _ = read_questions(raw / question_file)
    answers, _ = parse_answers(*exchange(request_file, reply_file), model)
    return {"planned": lines(plan_verdicts(answers, questions))}


def distractor_request_lines(raw: Path, question_file: str) -> dict[str, str]:
    """{"planned": JSON Lines} for asked/distractor_requests, one for each question: id (its row as text) and prompt."""
    questions, _ = read_questions(raw / question_file)
    texts = questions[["question", "answer"]].to_dict("records")
    return {
        "planned": lines(
            {"id": str(row), "prompt": prompt("generation", **text)}
            for row, text in zip(questions["row"], texts, strict=True)
        )
    }


def lines(rows: Iterable[dict]) -> str:
    """The rows as JSON Lines, each line ended by a newline; "" without rows."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def exchange(request_file: Path, reply_file: Path) -> tuple[list[dict], list[dict]]:
    """(requests, replies) in two files, in their order; ``DataError`` for a reply to no request. A request may lack its reply."""
    requests = read_lines(request_file, "prompt")
    return requests, read_lines(reply_file, "reply", {request["id"] for request in requests})


def read_lines(path: str | Path, key: str, known_ids: set[str] | None = None) -> list[dict]:
    """Objects of a JSON Lines file, in order. Each has an ``id`` (text), which occurs once and is among ``known_ids`` where
    given, and a text under ``key``. ``DataError`` with every fault; other keys are kept."""
    faults, rows = Faults(Path(path).name), {}
    for number, row in strict_json.read_objects(path, faults):
        bad = [name for name in ("id", key) if not isinstance(row.get(name), str)]
        for name in bad:
            faults.add(number, name, row.get(name), "text")
        if bad:
            continue
        if row["id"] in rows:
            faults.add(number, "id", row["id"], "an id that occurs once")
        elif known_ids is not None and row["id"] not in known_ids:
            faults.add(number, "id", row["id"], "an id of the requests")
        else:
            rows[row["id"]] = row
    faults.refuse()
    return list(rows.values())


def _json_object(reply: str) -> dict | None:
    """The object from the first { to the last } of a reply; None where that is no JSON object."""
    match = _OBJECT.search(reply)
    if not match:
        return None
    record = strict_json.parse_reply(match[0])
    return record if isinstance(record, dict) else None


def _percent(value: object) -> float | None:
    """A confidence from 0 to 100, given as 85, "85", "85%" or "85/100"; None for anything else."""
    if isinstance(value, str):
        labelled = labelled_probability(f"confidence: {value}", 100)
        value = None if labelled is None or labelled[0] is None else round(100 * labelled[0], 10)
    if not is_number(value) or not 0 <= value <= 100:
        return None
    return int(value) if float(value).is_integer() else float(value)


def parse_answer(reply: str) -> tuple[str | None, float | None]:
    """(answer, confidence 0–100) of a reply; None for a part that is not there. Read is a JSON object with "answer", else what
    :func:`calscore.raw.parse_replies.read_reply` finds; a number after "confidence", out of 100, then goes before its probability."""
    record = _json_object(reply)
    if record is not None and "answer" in record:
        answer = record["answer"]
        stated = record.get("confidence_score", record.get("confidence"))
        text = str(answer).strip() if isinstance(answer, (str, int, float)) else None
        return text, _percent(stated)
    guess, probability, _ = read_reply(reply)
    stated = _CONFIDENCE.search(reply)
    labelled = labelled_probability(reply[stated.start() :], 100) if stated else None
    if labelled:
        probability = labelled[0]
    return guess, None if probability is None else _percent(round(100 * probability, 10))


def parse_answers(requests: list[dict], replies: list[dict], model: str) -> tuple[list[dict], list[Finding]]:
    """(answers in the order of the requests, findings on replies missing, unreadable or of a confidence below 1). Each answer:
    id, setting, row, options (None without), predicted_answer, confidence (0–100). A reply without a readable confidence is
    left out; one with a confidence and no answer is kept, with the answer "". ``model``: named in the findings."""
    replied = {reply["id"]: reply["reply"] for reply in replies}
    answers, findings = [], []
    for request in requests:
        reply, place = replied.get(request["id"]), f"{model}, {request['id']}"
        if reply is None:
            continue
        answer, confidence = parse_answer(reply)
        if confidence is None:
            findings.append(data_issue("unreadable reply", place, repr(reply)[:200]))
            continue
        if 0 < confidence < 1:
            detail = f"confidence {confidence} on a scale to 100"
            findings.append(data_issue("confidence below 1", place, detail))
        common = {name: request.get(name) for name in ("id", "setting", "row", "options")}
        answers.append(common | {"predicted_answer": answer or "", "confidence": confidence})
    absent = [request["id"] for request in requests if request["id"] not in replied]
    if absent:
        detail = f"{len(absent)} requests, first {absent[0]}"
        findings.append(data_issue("requests without a reply", model, detail))
    return answers, findings


def engine_verdict(question: str, gold: str, answer: str, options: list[str] | None = None) -> int:
    """1 right, 0 wrong, −1 not attempted (empty, or not accepted and worded as a refusal): verdict of the answer engine on
    ``answer``. An answer that is one of ``options`` (:func:`.plain`) is right if that is ``gold``, else wrong."""
    from ..answers.grammar import LONGEST
    from ..answers.hybrid_judge import judge
    from ..answers.parse import line_of

    text = answer.strip()
    if options:
        chosen = [option for option in options if plain(option) == plain(text)]
        if chosen:
            return RIGHT if plain(chosen[0]) == plain(gold) else WRONG
    if not text:
        return NONE
    if len(text) > LONGEST:
        return WRONG
    judged = judge(line_of([gold.strip()]), text, question=question)
    if judged.verdict == "accept":
        return RIGHT
    return NONE if _REFUSED.match(text) else WRONG


def model_verdict(reply: str) -> int | None:
    """1 (CORRECT, or A alone), 0 (INCORRECT, B), −1 (NOT_ATTEMPTED, C): label in a judge model's reply or in
    ``label`` of its JSON; None unless just one. Words may be in any case, letters are capitals."""
    record = _json_object(reply)
    text = str(record["label"]) if record and "label" in record else reply
    letter = re.fullmatch(r"\W*([ABC])\W*", text)
    if letter:
        return VERDICTS[_LETTERS[letter[1]]]
    labels = {label.upper().replace(" ", "_") for label in _LABEL.findall(text)}
    return VERDICTS[labels.pop()] if len(labels) == 1 else None


def judge_answers(
    answers: list[dict], questions: pd.DataFrame, model: str, verdicts: list[dict] | None = None
) -> tuple[list[dict], list[Finding]]:
    """(answers with question, gold_answer and ``output``: 1, 0 or −1; findings). ``answers``: of :func:`parse_answers`. One
    without a readable verdict is only a finding. ``verdicts``: replies {id, reply} of a judge model; None: the engine."""
    by_row = questions.set_index("row")
    labels = {reply["id"]: reply["reply"] for reply in verdicts or []}
    judged, findings = [], []
    for answer in answers:
        question, gold = by_row.at[answer["row"], "question"], by_row.at[answer["row"], "answer"]
        if verdicts is None:
            output = engine_verdict(question, gold, answer["predicted_answer"], answer["options"])
        else:
            output = model_verdict(labels.get(answer["id"], ""))
        if output is None:
            excerpt = repr(labels.get(answer["id"]))[:200]
            place = f"{model}, {answer['id']}"
            findings.append(data_issue("unreadable verdict", place, excerpt))
        else:
            texts = {"question": question, "gold_answer": gold, "output": output}
            judged.append(answer | texts)
    return judged, findings


def results_text(judged: list[dict], setting: str) -> str:
    """The results file of a setting in the published schema (JSON: row → entry), with the order of the options. ``judged``:
    answers of :func:`judge_answers`. ``DataError`` where no answer of the setting is left."""
    document = {}
    for answer in sorted(judged, key=lambda entry: entry["row"]):
        if answer["setting"] == setting:
            keys = [*RESULT_KEYS, *(["options"] if answer["options"] else [])]
            document[str(answer["row"])] = {key: answer[key] for key in keys}
    if not document:
        raise DataError.at("replies", "", "id", setting, "a readable reply in each setting")
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def results_files(
    raw: Path,
    question_file: str,
    request_file: Path,
    reply_file: Path,
    model: str,
    verdict_file: Path | None = None,
) -> dict[str, Any]:
    """{normal, distractor: text (:func:`results_text`) of a model's results file; findings: list of ``Finding``}.

    Files are JSON Lines, but ``question_file``, below ``raw``. Answers are judged by the replies in ``verdict_file``, else by
    the engine. ``DataError`` where a setting has no answer, or for a faulty file."""
    questions, _ = read_questions(raw / question_file)
    requests, replies = exchange(request_file, reply_file)
    answers, findings = parse_answers(requests, replies, model)
    verdicts = None
    if verdict_file:
        verdicts = read_lines(verdict_file, "reply", {request["id"] for request in requests})
    judged, extra = judge_answers(answers, questions, model, verdicts)
    texts = {setting: results_text(judged, setting) for setting in SETTINGS}
    return texts | {"findings": findings + extra}


def distractor_faults(answer: str, wrong: object) -> list[str]:
    """What keeps three wrong answers from being used, in words; [] where nothing does. They must be three texts, none of them
    empty or equal to the answer or each other. None may be accepted as the answer by a certain rule of the answer engine. Where
    the answer has digits, so must they (the same kind of answer)."""
    if not isinstance(wrong, list) or len(wrong) != 3:
        return ["not three wrong answers"]
    if not all(isinstance(text, str) and text.strip() for text in wrong):
        return ["an empty wrong answer"]
    faults = []
    normal = [plain(text) for text in wrong]
    if plain(answer) in normal:
        faults.append("a wrong answer equal to the answer")
    elif any(_surely_right(answer, text) for text in wrong):
        faults.append("a wrong answer that is the answer in other words")
    if len(set(normal)) < 3:
        faults.append("wrong answers that repeat")
    if re.search(r"\d", answer) and not all(re.search(r"\d", text) for text in wrong):
        faults.append("a wrong answer of another kind: no digits")
    return faults


def _surely_right(answer: str, text: str) -> bool:
    """Whether a certain rule of the answer engine accepts ``text`` for ``answer``."""
    from ..answers.hybrid_judge import certain, judge_by_rules
    from ..answers.parse import line_of

    judged = judge_by_rules(line_of([answer.strip()]), text)
    return judged.verdict == "accept" and certain(judged)


def read_distractors(questions: pd.DataFrame, replies: list[dict]) -> tuple[pd.DataFrame, list[Finding]]:
    """(``questions`` with the three wrong answers that a model wrote, findings). ``replies``: {id (row as text), reply}. Where
    a reply is missing, unreadable or faulty, that question has three None."""
    replied = {reply["id"]: reply["reply"] for reply in replies}
    columns, findings = [], []
    for row, answer in zip(questions["row"], questions["answer"], strict=True):
        reply = replied.get(str(row))
        wrong = (_json_object(reply or "") or {}).get("wrong_answers")
        problems = ["no reply"] if reply is None else distractor_faults(answer, wrong)
        columns.append([None] * 3 if problems else [text.strip() for text in wrong])
        if problems:
            excerpt = f"{'; '.join(problems)}: {wrong!r}"[:300]
            findings.append(data_issue("unusable distractors", f"row {row}", excerpt))
    wrong = pd.DataFrame(columns, questions.index, option_numbers.WRONG, dtype=object)
    return questions.assign(**wrong), findings


def question_file_with_distractors(raw: Path, question_file: str, reply_file: Path | None) -> dict[str, Any]:
    """{questions_with_distractors: text of a question file, wrong answers that pass; findings}. ``DataError``: no ``reply_file``."""
    if not reply_file:
        expected = "a file of replies to asked/distractor_requests.jsonl"
        raise DataError.at("config", "inputs", "distractor_replies", None, expected)
    questions, _ = read_questions(raw / question_file)
    known_rows = {str(row) for row in questions["row"]}
    table, findings = read_distractors(questions, read_lines(reply_file, "reply", known_rows))
    text = as_published(table).to_csv(index=False, lineterminator="\n")
    return {"questions_with_distractors": text, "findings": findings}


def as_published(questions: pd.DataFrame) -> pd.DataFrame:
    """``questions`` (option_questions) with the columns of the published question file; metadata are a dict as text,
    without keys that a question lacks."""
    fields = questions[["topic", "answer_type"]].to_dict("records")
    metadata = [repr({key: text for key, text in each.items() if pd.notna(text)}) for each in fields]
    texts = questions[["question", "answer", *option_numbers.WRONG]].fillna("")
    return texts.set_axis(QUESTION_COLUMNS[1:], axis=1).assign(metadata=metadata)[[*QUESTION_COLUMNS]]
