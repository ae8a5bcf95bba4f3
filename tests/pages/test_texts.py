"""Pages without the texts of questions and answers, and what stands in their place."""

import pandas as pd
import pytest
from calscore.core.store import read_csv
from calscore.core.study import Study
from calscore.pages import audit, explorer
from calscore.pages.texts import without
from support import masthead


@pytest.fixture(scope="module")
def study(tiny_buzz):
    return Study(tiny_buzz)


def page(study, name: str, hidden: bool) -> str:
    said = masthead("t", ["buzzes"], hidden=hidden)
    if name == "explorer":
        return explorer.build(study, said)
    return audit.build(study, read_csv(study.folder / "audit" / "checks.csv"), said)


def said_on(text: str, study) -> list[str]:
    """Texts and answers of the study that stand on a page."""
    q = study["questions"]
    answers = set(q["answerline"]) | set(study["guesses"]["guess"].dropna())
    known = [*q["text"].str[:40], *(one for one in answers if len(one) > 8)]
    return [one for one in known if one in text]


@pytest.mark.parametrize("name", ["explorer", "audit"])
def test_hidden_texts_stand_on_no_page(study, name):
    assert said_on(page(study, name, hidden=False), study)
    hidden = page(study, name, hidden=True)
    assert said_on(hidden, study) == []
    assert "noindex" not in hidden


def test_a_hidden_text_keeps_its_words_and_what_is_missing_stays_missing():
    rows = pd.DataFrame({"text": ["one two three", "four"], "n_words": [3, 1], "guess": ["x", None], "clue": [1, 2]})  # fmt: skip
    found = without(rows)
    assert found["text"].str.split().str.len().tolist() == [3, 1]
    assert found["guess"].fillna("missing").tolist() == ["", "missing"]
    assert found["clue"].tolist() == [1, 2]
    assert rows["guess"][0] == "x"
