"""The registry of formats that guesses come in, and what a new one takes."""

import pandas as pd
from calscore.core import schema
from calscore.raw import formats, guess_sources

QUESTIONS = pd.DataFrame({"question_id": ["p01-q01"], "text": ["one two three"], "n_words": [3], "packet": [1], "number": [1], "source_id": ["1"]})  # fmt: skip


def test_the_configuration_knows_every_format():
    item = schema.schema()["$defs"]["inputs"]["properties"]["guesses"]["items"]["properties"]
    assert item["format"]["enum"] == list(formats.FORMATS)


def test_short_names_of_files():
    assert formats.format_of_path("a/runs.jsonl") == "jsonl"
    assert formats.format_of_path("runs.jsonl.gz") == "jsonl"
    assert formats.format_of_path("runs.csv.gz") is None
    assert formats.format_of_path("runs.csv") == "precursor"
    assert formats.format_of_path("folder") == "model_output"
    assert formats.format_of_path("runs.xlsx") is None


def test_a_new_format_is_a_reader_and_an_entry(tmp_path, monkeypatch):
    """Tab-separated guesses: the registry alone carries them to the tidy tables."""
    path = tmp_path / "runs.tsv"
    path.write_text("p01-q01\t2\tfoo\t0.5\n")

    def read(path, questions, entry):
        names = ["question_id", "position", "guess", "confidence"]
        rows = pd.read_csv(path, sep="\t", names=names)
        rows = rows.assign(model=entry["model"], elicitation="verbalized", source_row="runs.tsv#1")
        return guess_sources.ParsedSource(rows.to_dict("records"))

    monkeypatch.setitem(formats.FORMATS, "tsv", formats.Format(".tsv"))
    monkeypatch.setitem(guess_sources.READERS, "tsv", read)
    source = {"path": str(path), "format": "tsv", "model": "mine"}
    assert formats.format_of_path("x.tsv") == "tsv"
    assert formats.local_files([source]) == [str(path)]
    found = guess_sources.tidy_guesses(QUESTIONS, [source])
    assert found["guesses"]["guess"].item() == "foo"
    assert found["alignment"].empty
