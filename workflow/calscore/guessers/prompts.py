"""Prompts from template files (Appendices D.4 and E.1; the wording is the template's)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..core.checksums import text_sha256
from ..core.errors import DataError
from ..core.package import DATA

if TYPE_CHECKING:
    from jinja2 import Template

TEMPLATES = DATA / "prompts"
"""The templates that come with the workflow, one file per elicitation."""


class Request(NamedTuple):
    """One question to a model: what it is about, and what is sent. ``position``: words heard, None if the question does not
    unfold. ``parameters``: all that is sent but the model and the prompt."""

    elicitation: str
    question_id: str
    position: int | None
    model: str
    prompt: str
    parameters: dict

    @property
    def key(self) -> str:
        """SHA-256 (hexadecimal) of model, prompt and parameters, so that equal requests share one reply."""
        content = [self.model, self.prompt, self.parameters]
        text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return text_sha256(text)

    @property
    def place(self) -> str:
        """Where the request belongs, for messages: the question, and the word and elicitation if it has a position."""
        heard = "" if self.position is None else f" word {self.position} ({self.elicitation})"
        return f"{self.question_id}{heard}"


def read_template(path: Path | str) -> Template:
    """The Jinja template in a file, with the slots ``question`` and, optionally, ``examples`` (question, answer).
    ``DataError`` if it cannot be read, is malformed, lacks ``question`` or has other slots."""
    import jinja2
    import jinja2.meta
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    file = str(path)
    try:
        text = Path(path).read_text(encoding="utf-8")
        used = jinja2.meta.find_undeclared_variables(environment.parse(text))
    except (OSError, UnicodeDecodeError) as error:
        raise DataError.at(file, "", "", str(error), "a prompt template") from None
    except jinja2.TemplateSyntaxError as error:
        raise DataError.at(file, str(error.lineno), "", error.message, "a Jinja template") from None
    unknown = used - {"examples", "question"}
    if unknown or "question" not in used:
        expected = "the slots question and (where wanted) examples"
        raise DataError.at(file, "", "slot", ", ".join(sorted(unknown)) or None, expected)
    return environment.from_string(text)


def guesser_templates(guesser: dict) -> dict[str, Template]:
    """Elicitation → prompt template of a guesser: the file in its ``prompts``, else the workflow's."""
    return {
        name: read_template(guesser["prompts"].get(name) or TEMPLATES / f"{name}.txt")
        for name in guesser["elicitations"]
    }


def guessing_segmentation(segmentation: str) -> str:
    """Segmentation at whose clue ends guessers are asked: ``segmentation``, or sentence-100 in place of given and authors."""
    return "sentence-100" if segmentation in ("given", "authors") else segmentation


def prompt_requests(
    questions, clues, retriever, templates: dict, model: str, parameters: dict, examples: int
) -> list[Request]:
    """One :class:`Request` for each row of ``clues`` (of one segmentation) and elicitation, in that order: the template filled
    with the words of the question (table ``questions``) heard at the clue's end. ``templates``, ``parameters``: by
    elicitation; ``examples``: how many past questions a prompt shows, without those that leak (``Retriever.leaks``). None are
    shown if ``retriever`` is None."""
    texts = dict(zip(questions["question_id"], questions["text"], strict=True))
    if retriever is not None:
        leaks = dict(zip(texts, retriever.leaks(list(texts.values())), strict=True))
        corpus = retriever.corpus
    result = []
    for question, position in zip(clues["question_id"], clues["end_word"].tolist(), strict=True):
        heard = " ".join(texts[question].split()[:position])
        examples_shown = []
        if retriever is not None:
            examples_shown = [
                {"question": corpus["text"][i], "answer": corpus["title"][i]}
                for i in retriever.examples(heard, leaks[question], examples)
            ]
        for elicitation, form in templates.items():
            prompt = form.render(examples=examples_shown, question=heard).rstrip("\n")
            sent = parameters[elicitation]
            result.append(Request(elicitation, question, position, model, prompt, sent))
    return result
