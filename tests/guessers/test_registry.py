"""The registry of kinds of guessers, and what a new one takes."""

import copy
import json

import pandas as pd
import pytest
from calscore.audit import rebuild
from calscore.clues import segment
from calscore.core import schema
from calscore.core.errors import DataError
from calscore.guessers import registry
from calscore.raw import guess_sources
from calscore.runner import config
from support import ROOT

QUESTIONS = pd.DataFrame({"question_id": ["p01-q01", "p01-q02"], "text": ["one two three", "four five"], "n_words": [3, 2], "packet": 1, "number": [1, 2], "source_id": ["1", "2"]})  # fmt: skip
BUZZ = {"inputs": {"release": {"password": "x", "archive": {"name": "a.zip"}}}}


def known():
    properties = schema.schema()["$defs"]["inputs"]["properties"]["guessers"]["items"]["properties"]
    return properties["kind"]


def study(**guesser):
    entry = copy.deepcopy(BUZZ)
    entry["inputs"]["guessers"] = [guesser]
    return config.load({"studies": {"mine": entry}})["mine"]


def echo(task):
    """The last word heard, from a module of its own."""
    texts = task.questions.set_index("question_id")["text"]
    lines = [
        {
            "model": task.guesser["name"],
            "elicitation": "verbalized",
            "question_id": row.question_id,
            "position": int(row.end_word),
            "guess": texts[row.question_id].split()[row.end_word - 1],
            "confidence": 0.5,
        }
        for row in segment.cut_questions(task.questions, [task.segmentation]).itertuples()
    ]
    return lines, []


def test_the_configuration_knows_every_kind():
    assert known()["enum"] == list(registry.KINDS)


def test_a_new_kind_is_a_function_an_entry_and_a_name(tmp_path, monkeypatch):
    """The registry alone carries its guesses to the tidy tables; no rule and no script names a kind."""
    with pytest.raises(DataError, match="one of tfidf, openai, file"):
        study(name="parrot", kind="echo")
    monkeypatch.setitem(registry.KINDS, "echo", registry.Kind(echo, keys=("model",)))
    monkeypatch.setitem(known(), "enum", list(registry.KINDS))
    with pytest.raises(DataError, match="the key, for kind echo"):
        study(name="parrot", kind="echo")
    mine = study(name="parrot", kind="echo", model="last word")
    features = config.study_features(mine)
    assert "guesses" in features and not features & {"endpoint", "past"}
    found = registry.run_guesser(mine["inputs"]["guessers"][0], QUESTIONS, None, "replies", "words-1", 1)
    assert found["past"] == ""
    path = tmp_path / "parrot.jsonl"
    path.write_text(found["guesses"])
    table = guess_sources.tidy_guesses(QUESTIONS, [], [path])["guesses"]
    assert set(table["model"]) == {"parrot"}
    assert table["guess"].tolist() == ["one", "two", "three", "four", "five"]
    for file in [
        *(ROOT / "workflow").glob("rules/*.smk"),
        *(ROOT / "workflow").glob("scripts/*.py"),
    ]:
        text = file.read_text(encoding="utf-8")
        assert not [kind for kind in ("tfidf", "openai") if kind in text], file


def test_guesses_come_at_the_clues_of_the_primary_segmentation(monkeypatch):
    """But for given, which is where guesses were made."""
    seen = []

    def note(task):
        seen.append(task.segmentation)
        return [{"guess": "é"}], [{"guess": None}]

    monkeypatch.setitem(registry.KINDS, "echo", registry.Kind(note))
    for segmentation in ("given", "words-90"):
        found = registry.run_guesser({"kind": "echo"}, QUESTIONS, None, "replies", segmentation, 1)
    assert seen == ["sentence-100", "words-90"]
    assert found["guesses"] == '{"guess": "é"}\n'
    assert json.loads(found["past"]) == {"guess": None}


def test_only_a_kind_with_an_endpoint_is_asked_answer_options():
    replies = [{"model": "mine", "guesser": "base"}]
    inputs = {"option_questions": {"name": "q.csv"}, "option_replies": replies}
    inputs["guessers"] = [{"name": "base", "kind": "tfidf"}]
    with pytest.raises(DataError, match="a guesser of kind openai, not tfidf"):
        config.load({"studies": {"mine": {"analyses": ["options"], "inputs": inputs}}})


def test_what_an_endpoint_said_is_not_made_again():
    said = [{"params": {"guesser": {"kind": kind}}} for kind in registry.KINDS]
    assert [rebuild.asks_endpoint(one) for one in said] == [one.endpoint for one in registry.KINDS.values()]
    assert not rebuild.asks_endpoint({"params": {"seed": 1}})
