"""Texts of questions and answers as pages show them: the one place that hides them."""

from __future__ import annotations

from html import escape

import pandas as pd

from ..core.results_folder import Study

WORD = "▪"
"""Stands for a word of a hidden text, so that what is placed by words keeps its place."""
TEXTS = {
    *("text", "answerline", "answer", "question", "guess", "sent", "raw", "read", "reply"),
    *("explanation", "detail"),
}
"""Columns of any table that hold texts of questions, answers, or what was said to them."""


class RedactedStudy:
    """A study (:class:`calscore.core.results_folder.Study`) as pages read it: with ``hidden``, tables without
    texts. ``whole`` has them, to compute with. A hidden text of n words is n marks, another hidden cell is
    empty; a missing one stays missing but for texts and answers of questions, which an extract lacks."""

    def __init__(self, study, hidden: bool):
        self.whole, self.hidden = study, hidden

    @classmethod
    def read(cls, folder) -> RedactedStudy:
        """The study of a results folder; ``hidden`` as its option ``texts`` says."""
        study = Study(folder)
        return cls(study, study.options.get("texts") == "hidden")

    def __getattr__(self, name: str):
        return getattr(self.whole, name)

    def __contains__(self, name: str) -> bool:
        return name in self.whole

    def __getitem__(self, name: str):
        return self.redact(self.whole[name])

    def redact(self, frame: pd.DataFrame) -> pd.DataFrame:
        """``frame`` after :func:`redact` where texts are hidden, else itself."""
        return redact(frame) if self.hidden else frame

    def get(self, name: str):
        """The table, None where the study has none of that name."""
        frame = self.whole.get(name)
        return None if frame is None else self.redact(frame)


def redact(frame: pd.DataFrame) -> pd.DataFrame:
    """A copy with "" in the columns of :data:`TEXTS`, missing cells still missing. Of questions every text is
    one :data:`WORD` per word and every answer line "", missing or not."""
    blank = {name: frame[name].where(frame[name].isna(), "") for name in TEXTS & set(frame)}
    if {"text", "n_words"} <= set(frame):
        # Questions of an extract have no texts to begin with.
        blank["text"] = [" ".join([WORD] * int(n)) for n in frame["n_words"]]
        blank["answerline"] = ""
    return frame.assign(**blank)


def quoted(text: str) -> str:
    """A text from outside as a quotation in HTML, in which nothing is markup, Markdown or a formula."""
    return f'<blockquote class="tex2jax_ignore mathjax_ignore">{escape(text)}</blockquote>'
