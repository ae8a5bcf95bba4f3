"""Pages without the texts of questions and answers, and what stands in their place."""

import json
import shutil

import pandas as pd
import pytest
from calscore.core.results_folder import Study
from calscore.core.store import read_csv
from calscore.pages import audit, base, explorer, notebooks
from calscore.pages.redaction import redact
from markupsafe import Markup
from support import ROOT, masthead


@pytest.fixture(scope="module")
def study(tiny_buzz):
    return Study(tiny_buzz)


def page(study, name: str, hidden: bool) -> str:
    said = masthead("t", ["buzzes"], hidden=hidden)
    if name == "explorer":
        return "".join(explorer.page(study, said).values())
    checks = read_csv(study.folder / "audit" / "checks.csv")
    return audit.page(study, checks, said)["audit_page"]


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


def test_hidden_texts_stand_in_no_notebook(tiny_buzz, tmp_path):
    folder = tmp_path / "results" / "tiny_buzz"
    shutil.copytree(tiny_buzz, folder)
    path = folder / "audit" / "provenance.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    record["study"]["options"]["texts"] = "hidden"
    path.write_text(json.dumps(record), encoding="utf-8")
    scripts = sorted((ROOT / "notebooks").glob("*.py"))
    made = notebooks.execute_notebooks(Study(folder), scripts, masthead("t", ["buzzes"], hidden=True))
    assert len(made) == 2 * len(scripts) == 8
    for name, text in made.items():
        assert said_on(text, Study(tiny_buzz)) == [], name
    paper = made["notebook_regenerate_paper_html"]
    count = len(read_csv(folder / "tables" / "statements.csv"))
    assert f"All {count} statements of the paper" in paper
    body = paper.split("<main")[1]
    # Text first, every piece of code folded.
    assert body.index("<h1") < body.index('<details class="code">')
    assert body.count('<details class="code">') == body.count('class="highlight') > 8


def test_a_hidden_text_keeps_its_words_and_what_is_missing_stays_missing():
    rows = pd.DataFrame({"text": ["one two three", "four"], "n_words": [3, 1], "guess": ["x", None], "clue": [1, 2]})  # fmt: skip
    found = redact(rows)
    assert found["text"].str.split().str.len().tolist() == [3, 1]
    assert found["guess"].fillna("missing").tolist() == ["", "missing"]
    assert found["clue"].tolist() == [1, 2]
    assert rows["guess"][0] == "x"


# a text from outside → as every page shows it, in HTML and in the data of its scripts
CONTROLS = [
    ("a\0b", "a␀b"),
    ("\x01\x08\x0b\x0c\x1b\x1f", "␁␈␋␌␛␟"),
    ("\x7f", "␡"),
    ("\x85\x9b", "\ufffd\ufffd"),
    ("tab\tand\nline\rend", "tab\tand\nline\rend"),
    (r"said \u0000 and \\u0000 and \b", r"said \u0000 and \\u0000 and \b"),
    ("é \u202e ☃ 😀", "é ⟨U+202E⟩ ☃ 😀"),
]


@pytest.mark.parametrize(("text", "shown"), CONTROLS)
def test_control_characters_are_seen(text, shown):
    assert json.loads(base.embed({"a": [text]})) == {"a": [shown]}
    page = base.environment().from_string("<p>{{ text }}</p>{{ raw }}")
    assert page.render(text=text, raw=Markup(f"<b>{text}</b>")) == f"<p>{shown}</p><b>{shown}</b>"


def test_three_digits_in_the_explorer_are_those_of_the_tables():
    values = [0.622478, 0.429502]
    assert [f"{value:.3f}" for value in explorer._round(values)] == ["0.622", "0.430"]
