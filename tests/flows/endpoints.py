"""Tiny studies whose models are asked at an endpoint: what it replies, and raw files to ask about."""

import json
import os
import re
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from calscore.multiple_choice import option_files
from calscore.simulate import choices, grace
from endpoint import Server
from support import run_snakemake

KEY = "sk-very-secret-0123456789"
WORDS = [
    *("harbour", "lantern", "granite", "meadow", "copper"),
    *("violin", "orchard", "falcon", "glacier", "saffron"),
]
QUESTIONS = 12


def last_word(prompt: str) -> str:
    """The last word heard is the guess; some verbalized replies cannot be parsed."""
    heard = prompt.rsplit("Question: ", 1)[1].replace("\nThe answer is:", "").split()
    if "Probability:" not in prompt:
        return heard[-1]
    said = "high" if len(heard[-1]) > 9 else f"0.{len(heard[-1])}"
    return f"The answer is: {heard[-1]}\nProbability: {said}"


def past_questions() -> list[dict]:
    """Ten past questions on words, in the format of QANTA."""
    return [
        {"qanta_id": i, "answer": w, "page": w.title(), "text": f"This {w} stands near {WORDS[i - 1]} number {i}, for 10 points."}
        for i, w in enumerate(WORDS)
    ]  # fmt: skip


def replying(questions):
    """A model that is right on even rows, tells JSON over several lines, and judges mine by rows."""
    by_text = {one.question: one for one in questions.itertuples()}

    def reply(prompt: str) -> str:
        if prompt.startswith("Judge an answer"):
            asked = re.search(r"^Question: (.*)$", prompt, re.MULTILINE)[1]
            return "CORRECT" if by_text[asked].row % 3 == 0 else "INCORRECT"
        asked = by_text[re.findall(r"^Question: (.*)$", prompt, re.MULTILINE)[-1]]
        if "Generate three wrong answers" in prompt:
            return json.dumps({"wrong_answers": [f"{asked.row}{x} wrong" for x in "abc"]})
        answer = asked.answer if asked.row % 2 == 0 else "I do not know."
        confidence = 90 if "Options:" in prompt.rsplit("Here is a new example", 1)[1] else 60
        return f'```json\n{{\n"answer": {json.dumps(answer)},\n"confidence_score": {confidence}\n}}\n```'

    return reply


@contextmanager
def serving(reply):
    """A server that replies, no proxy, and its key in the environment."""
    kept = {k: v for k, v in os.environ.items() if k.lower() not in ("http_proxy", "all_proxy")}
    with Server(reply) as server, mock.patch.dict(os.environ, kept | {"MINE_KEY": KEY}, clear=True):
        yield server


def assert_keyless(folder: Path) -> None:
    """No file of a working folder, but for the configuration that it sees, holds the key."""
    for path in folder.rglob("*"):
        if path.is_file() and "config" not in path.relative_to(folder).parts[:1]:
            assert KEY.encode() not in path.read_bytes(), path


def ask(folder: Path, name: str, reply) -> None:
    """Run the study of <name>.yaml in ``folder`` with an endpoint that replies."""
    path = folder / f"{name}.yaml"
    with serving(reply) as server:
        path.write_text(path.read_text(encoding="utf-8").replace("ENDPOINT", server.url))
        run_snakemake("--configfile", path.name, cwd=folder)


def asked_buzzes(folder: Path) -> None:
    """The study ``tiny_endpoint``: a small release, past questions, a model and the baseline."""
    sizes = {"packets": 3, "questions_per_packet": 5, "teams": 8}
    grace.write_grace(grace.simulate_grace(sizes, 1), folder / "release")
    (folder / "past.json").write_text(json.dumps(past_questions()))
    ask(folder, "tiny_endpoint", last_word)


def asked_choices(folder: Path) -> None:
    """The study ``tiny_asked_choices``."""
    choices.write_choices(
        choices.simulate_choices({"questions": QUESTIONS, "annotators": {"answers": 3}}, 5), folder
    )
    questions, _ = option_files.read_questions(folder / "options" / "questions.csv")
    ask(folder, "tiny_asked_choices", replying(questions))
