"""Configuration errors name the key and what it may have meant."""

import copy
import os
from pathlib import Path

import pytest
from calscore.core import schema
from calscore.core.errors import DataError
from calscore.runner import config, input_paths
from calscore.tournament import files, packets
from readers import PAPER
from support import ROOT, configuration

DEMO = configuration("config")
GRACE = configuration("grace")


def test_defaults_are_filled_in():
    study = config.load(DEMO)["demo"]
    assert study["options"]["primary_segmentation"] == "sentence-100"
    assert study["options"]["level"] == 0.95
    assert config.study_features(study) == {
        "buzzes", "release", "guesses", "replayed", "survey", "simulated", "published", "wording", "heard", "models",
    }  # fmt: skip
    assert config.study_features(config.load(GRACE)["grace"]) == {
        "buzzes", "irt", "release", "published", "compared", "wording", "heard", "irt_live", "models",
    }  # fmt: skip
    assert config.study_features(config.load(DEMO)["grace"]) == {
        *("buzzes", "irt without texts", "release", "published", "compared"),
        *("extract", "guesses", "marked", "outputs", "replayed", "heard", "models"),
    }


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("options", "segmentation"), ["x"], "did you mean 'segmentations'"),
        (("options", "matcher"), "engin", "did you mean 'engine'"),
        (("options", "segmentations"), ["sentence-0"], "options/segmentations/0"),
        (("options", "primary_segmentation"), "words-7", "one of segmentations"),
        (("options", "replicates"), "many", "found 'many', expected type integer"),
        (("options", "level"), 95, "exclusiveMaximum 1"),
        (("studies", "demo", "titel"), "x", "did you mean 'title'"),
        (("studies", "Demo"), {"title": "x"}, "pattern"),
        (("release",), "/somewhere", "a configuration with texts"),
        (("studies", "grace", "inputs", "survey"), "s.csv", "make grace FETCH=1"),
        (("studies", "grace", "inputs", "guesses"), [{"path": "f", "format": "model_output"}], "jsonl; others need the texts"),
        (("onyl",), "demo", "did you mean 'only'"),
        (("only",), "grase", "one of grace, confidence-gap, demo"),
        (("options", "models"), {"m": {"name": "M", "threshold": 0.7}}, r"at most 0; for a probability of 0.7 write -0.357"),
        (("options", "level"), float("nan"), "options/level: found nan, expected type number"),
        (("options", "replicates"), 10**12, "expected maximum 1000000"),
        (("options", "models"), {False: {"name": "M"}}, "row options/models: found False, expected text: a key in quotes"),
        (("options", "models"), {"m": {"name": "M "}}, "options/models/m/name: found 'M '"),
        (("options", "categories"), {"Arts": [""]}, "options/categories/Arts/0: found ''"),
        (("options", "categories"), {"all": ["Art"]}, "found 'all', expected pattern"),
        (("studies", 2024), {"title": "x"}, "row studies: found 2024, expected text: a key in quotes"),
        (("studies", "x" * 300), {"title": "x"}, "pattern"),
        (("studies", "demo", "inputs"), {"buzz_csv": "b.csv"}, "column buzz_csv: found 'buzz_csv', expected no raw buzz logs beside simulate"),
        (("studies", "demo", "title"), "x\ud800", "text of whole characters"),
        (("studies", "demo", "title"), "x\0", "studies/demo/title: found .*expected text without NUL"),
        (("options", "thresholds"), [float("nan")], "options/thresholds/0: found nan"),
        (("options", "seed"), 1.0, "options/seed: found 1.0, expected type integer"),
        (("options", "seed"), 10**30, "options/seed: .*maximum 4294967295"),
        (("options", "segmentations"), ["words-100000000000000000000"], "options/segmentations/0"),
        (("options", "models"), {"m": {"name": ""}}, "options/models/m/name"),
        (("options", "models"), {"": {"name": "M"}}, "options/models"),
        (("options", "models"), {"a\0b": {"name": "M"}}, "options/models: found .*expected text without NUL"),
        (("options", "models"), {"a\ud800": {"name": "M"}}, "options/models: .*text of whole characters"),
        (("options", "models"), {"m": {"name": "M"}, "n": {"name": "M"}}, "options/models/n, column name: found 'M', expected a name that occurs once"),
    ],
)  # fmt: skip
def test_a_wrong_key_is_named(path, value, message):
    raw = copy.deepcopy(DEMO)
    place = raw
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    with pytest.raises(DataError, match=message):
        config.load(raw)


REMOVED = [
    ("options", "export_names", "keep"),
    ("options", "names", "exclude"),
    ("options", "irt", {"clusters": 3}),
    ("options", "irt", {"relevance_threshold": 0.1}),
    ("options", "irt", {"bins": 10}),
    ("inputs", "scores_csv", "scores.csv"),
    ("analyses", None, ["irt_diagnostics"]),
]


@pytest.mark.parametrize(("section", "key", "value"), REMOVED)
def test_a_removed_key_or_value_is_one_clear_error(section, key, value):
    study = {"simulate": {"seed": 1}, section: {key: value} if key else value}
    with pytest.raises(DataError) as error:
        config.load({"studies": {"mine": study}})
    (fault,) = error.value.faults
    name = key if isinstance(value, str) else next(iter(value))
    assert name in str(fault) and "expected" in str(fault), fault


def test_a_study_without_a_title_has_its_name():
    assert config.load({"studies": {"mine": {"simulate": {"seed": 1}}}})["mine"]["title"] == "mine"


def test_study_needs_raw_logs():
    with pytest.raises(DataError, match="the raw buzz logs"):
        config.load({"studies": {"mine": {"title": "Mine"}}})


def test_shorthands():
    given = {"release": "here", "guesses": "runs.jsonl", "survey": "s.csv"}
    inputs = config.load(GRACE | given)["grace"]["inputs"]
    assert (inputs["release_dir"], inputs["survey"]) == ("here", "s.csv")
    assert inputs["guesses"][0]["format"] == "jsonl"
    with pytest.raises(DataError, match=r"a \.jsonl or \.jsonl\.gz file, a folder"):
        config.load(GRACE | {"guesses": "runs.xlsx"})


def test_a_study_option_wins_over_the_shared_one():
    raw = copy.deepcopy(DEMO)
    raw["options"]["replicates"] = 500
    raw["studies"]["demo"]["options"] = {"replicates": 300}
    assert config.load(raw)["demo"]["options"]["replicates"] == 300


NAMED = [
    # place below a study, value that names it, what is expected there
    (("inputs", "guesses"), [{"path": "gone.jsonl", "format": "jsonl"}], "guesses/1", "file"),
    (("inputs", "guesses"), [{"path": "gone", "format": "model_output"}], "guesses/1", "file"),
    (("inputs", "guesses"), [{"path": "here", "format": "jsonl"}], "guesses/1", "file of the format jsonl"),
    (("inputs", "guesses"), [{"path": "here", "format": "model_output"}], "guesses/1", "folder with files"),
    (("inputs", "guesses"), [{"path": "some.csv", "format": "jsonl"}], "guesses/1", "file of the format jsonl"),
    (("inputs", "guesses"), [{"path": "pipe.jsonl", "format": "jsonl"}], "guesses/1", "file or folder"),
    (("inputs", "guesses"), [{"path": "link.jsonl", "format": "jsonl"}], "guesses/1", r"exists (the link leads nowhere)"),
    (("inputs", "qbj_dir"), "", "inputs", "folder that exists"),
    (("inputs", "qbj_dir"), "gone", "inputs", "folder"),
    (("inputs", "qbj_dir"), "some.csv", "inputs", "folder"),
    (("inputs", "buzz_csv"), "here", "inputs", "file"),
    (("inputs", "survey"), "gone.csv", "inputs", "file"),
    (("inputs", "corpus"), {"name": "past.json", "path": "gone.json"}, "corpus", "file"),
    (("inputs", "agents"), {"items": "gone.jsonl"}, "agents", "file"),
    (("inputs", "agents"), {"items": "some.csv", "responses": [{"path": "gone.csv", "format": "wide"}]}, "responses/1", "file"),
    (("inputs", "release_dir"), "here", "release_dir", "file that exists"),
    (("published",), "gone.yaml", "studies/grace", "file"),
    (("inputs", "survey"), "x" * 300, "inputs", "file that exists"),
    (("inputs", "survey"), "x/" * 3000, "inputs", "file that exists"),
    (("inputs", "survey"), "loop.csv", "inputs", "file that exists (the link leads nowhere)"),
    (("inputs", "release_dir"), "x" * 300, "inputs", "folder that exists"),
    (("inputs", "guesses"), [{"path": "x" * 300, "format": "jsonl"}], "guesses/1", "file or folder that exists"),
    (("inputs", "option_replies"), [{"model": "m", "path": ""}], "option_replies/1", "file that exists"),
    (("inputs", "agents"), {"items": "some.csv", "buzzes": "gone.csv"}, "inputs/agents", "file"),
    (("inputs", "agents"), {"items": "some.csv", "summaries": "here"}, "inputs/agents", "file"),
]  # fmt: skip


@pytest.mark.parametrize(("place", "value", "row", "expected"), NAMED)
def test_a_named_file_is_there_before_anything_runs(tmp_path, monkeypatch, place, value, row, expected):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    (tmp_path / "some.csv").write_text("a\n1\n")
    (tmp_path / "link.jsonl").symlink_to("gone.jsonl")
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    os.mkfifo(tmp_path / "pipe.jsonl")
    study = config.load(GRACE)["grace"] | {"published": None}
    inside = study
    for name in place[:-1]:
        inside = inside[name]
    inside[place[-1]] = value
    with pytest.raises(DataError) as error:
        input_paths.check_paths({"grace": study})
    assert row in str(error.value)
    assert expected in str(error.value).split("expected ")[1]
    assert len(str(error.value).splitlines()) == (4 if row == "release_dir" else 1)


def texts(spec, name=""):
    """(name, schema) of every text below a schema that no enumeration or pattern holds."""
    if "$ref" in spec:
        return
    items = {name: spec["items"]} if "items" in spec else {}
    for key, one in (spec.get("properties", {}) | items).items():
        yield from texts(one, key)
    if "string" in str(spec.get("type")) and not {"enum", "pattern"} & {*spec}:
        yield name, spec


def test_every_text_of_the_inputs_is_looked_up_or_known_to_be_no_file():
    no_files = {"name", "group", "model", "url", "base_url", "currency", "password", "same_as"}
    no_files |= {"stop", "guesser", "judge", "distractor_guesser"}
    found = texts(schema.schema()["$defs"]["inputs"])
    assert {name for name, one in found if one.get("format") not in input_paths.WORDS} == no_files


def test_nothing_is_refused_that_is_there_or_is_fetched(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs.jsonl").write_text("{}\n")
    study = config.load(DEMO)["demo"] | {"published": None}
    study["inputs"]["guesses"] = [
        {"path": "runs.jsonl", "format": "jsonl"},
        {"path": None, "addresses": ["https://example.org/packet1_model_human_output.json"], "format": "model_output"},
    ]  # fmt: skip
    input_paths.check_paths({"demo": study})


@pytest.mark.parametrize("lost", ["cup", "cup/packet1.json", "cup/room/a.qbj", "cup/room"])
def test_what_a_folder_holds_can_be_read(tmp_path, monkeypatch, lost):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cup" / "room").mkdir(parents=True)
    (tmp_path / "cup" / "packet1.json").write_text('{"tossups": []}')
    (tmp_path / "cup" / "room" / "a.qbj").write_text("{}")
    (tmp_path / "cup" / "link").symlink_to("nowhere")
    inputs = {"qbj_dir": "cup", "guesses": [{"path": "g.jsonl", "format": "jsonl"}]}
    given = config.load({"studies": {"cup": {"inputs": inputs}}})
    (tmp_path / "g.jsonl").write_text("{}\n")
    input_paths.check_paths(given)
    # Root reads all.
    known = os.access
    monkeypatch.setattr(os, "access", lambda at, mode: known(at, mode) and Path(at) != Path(lost))
    told = "column qbj_dir: found 'cup', expected a folder that can be read"
    told += rf" \({lost} cannot\)" * (lost != "cup")
    with pytest.raises(DataError, match=rf"{told}$"):
        input_paths.check_paths(given)


@pytest.mark.parametrize("odd", [lambda path: path.mkdir(), os.mkfifo])
def test_a_folder_or_pipe_that_is_called_as_a_packet_is_passed_over(tmp_path, odd):
    (tmp_path / "packet1.json").write_text('{"tossups": []}')
    odd(tmp_path / "a.json")
    assert packets.has_packets(tmp_path)
    assert [path.name for path in files.source_files("qbj", tmp_path)] == ["packet1.json"]


def test_a_near_name_is_suggested(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_runs.jsonl").write_text("{}\n")
    study = config.load(DEMO)["demo"] | {"published": None}
    study["inputs"]["guesses"] = [{"path": "my_run.jsonl", "format": "jsonl"}]
    with pytest.raises(DataError, match=r"did you mean 'my_runs\.jsonl'"):
        input_paths.check_paths({"demo": study})


@pytest.mark.parametrize(("study", "file"), [("grace", "confidence_gap"), ("confidence-gap", "grace")])
def test_the_numbers_of_another_paper_are_refused(study, file):
    given = configuration(study)
    loaded = config.load(given)[study]
    input_paths.check_paths({study: loaded})
    loaded["published"] = path = str(ROOT / "config" / "published" / f"{file}.yaml")
    message = f"column published: found '{path}', expected the numbers of a study"
    with pytest.raises(DataError, match=message):
        input_paths.check_paths({study: loaded})


@pytest.mark.parametrize("text", ["[1]", "a: [", "", "\x00", "table1: 1\ntable1: 2"])
def test_published_numbers_that_are_no_yaml_are_refused(tmp_path, text):
    path = tmp_path / "numbers.yaml"
    path.write_text(text, encoding="utf-8")
    loaded = config.load(GRACE)["grace"] | {"published": str(path)}
    with pytest.raises(DataError, match="column published"):
        input_paths.check_paths({"grace": loaded})


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("GPT-4", "[4]", "models/M1: found [4]"),
        ("{M1: GPT-4}", "{M2: GPT-4}", "row table1/scores/logit, column M1: found 'M1', expected a key of models"),
        ("decimals: 1", "decimals: 1.5", "table1/decimals: found 1.5"),
        ('"0.5"', '"0,5"', "table1/scores/logit/M1/mce: found '0,5'"),
        ("{mce: 1, calscore", "{calscore", "column mce: found None"),
        ("ranks: {logit", "ranks: {verbalized", "row table1/ranks/logit, column M1: found None"),
        ("{mce: 1", "{ece: 1, mce: 1", "row table1/ranks/logit, column M1: found {'ece': 1"),
        ("- {id: a", "- a\n  - {id: a", "claims/0: found 'a'"),
        ("{one: as it says}", "one", "claims/0/readings: found 'one'"),
        ("statement: s", "statement: s, note: 12", "claims/0/note: found 12"),
        ("claims:", "claim:", "column claims: found None"),
    ],
)  # fmt: skip
def test_published_numbers_of_another_shape_are_named_before_anything_runs(tmp_path, old, new, place):
    path = tmp_path / "numbers.yaml"
    assert old in PAPER
    path.write_text(PAPER.replace(old, new, 1))
    loaded = config.load(GRACE)["grace"] | {"published": str(path)}
    with pytest.raises(DataError) as error:
        input_paths.check_paths({"grace": loaded})
    assert len(str(error.value).splitlines()) == 1
    assert f"{path}, " in str(error.value)
    assert place in str(error.value)


def test_replies_are_awaited_until_a_run_has_rested_on_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study = config.load(DEMO)["demo"] | {"published": None}
    study["inputs"]["option_replies"] = [{"model": "m", "path": "replies.jsonl", "verdicts": None}]
    input_paths.check_paths({"demo": study})
    made = tmp_path / "results" / "demo" / "tidy"
    made.mkdir(parents=True)
    (made / "option_results.parquet").write_bytes(b"")
    message = r"option_replies/1, column path: found 'replies\.jsonl', expected a file that exists"
    with pytest.raises(DataError, match=message):
        input_paths.check_paths({"demo": study})
