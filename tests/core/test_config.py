"""Configuration errors name the key and what it may have meant."""

import copy

import pytest
import yaml
from calscore.core import config
from calscore.core.errors import DataError
from support import ROOT

DEMO = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
GRACE = yaml.safe_load((ROOT / "config" / "grace.yaml").read_text())


def test_defaults_are_filled_in():
    study = config.load(DEMO)["demo"]
    assert study["options"]["primary_segmentation"] == "sentence-100"
    assert study["options"]["level"] == 0.95
    assert config.features(study) == {
        "buzzes", "release", "guesses", "replayed", "survey", "simulated", "published",
    }  # fmt: skip
    assert config.features(config.load(GRACE)["grace"]) == {"buzzes", "irt", "release", "published"}


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
        (("release",), "/somewhere", "a configuration with the study grace"),
        (("only",), "grace", "one of demo"),
        (("options", "models"), {"m": {"name": "M", "threshold": 0.7}}, r"at most 0; for a probability of 0.7 write -0.357"),
        (("options", "models"), {"m": {"name": "M", "threshold": 70}}, r"for a probability of 0.7 write -0.357"),
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


def test_a_study_without_a_title_has_its_name():
    assert config.load({"studies": {"mine": {"simulate": {"seed": 1}}}})["mine"]["title"] == "mine"


def test_study_needs_raw_logs():
    with pytest.raises(DataError, match="the raw buzz logs"):
        config.load({"studies": {"mine": {"title": "Mine"}}})


def test_shorthands():
    study = config.load(GRACE | {"release": "here", "guesses": "runs.jsonl", "survey": "s.csv"})[
        "grace"
    ]
    assert study["inputs"]["release_dir"] == "here"
    assert study["inputs"]["guesses"][0]["format"] == "jsonl"
    assert study["inputs"]["survey"] == "s.csv"
    with pytest.raises(DataError, match=r"a \.jsonl file, a folder, or a \.csv file"):
        config.load(GRACE | {"guesses": "runs.xlsx"})


def test_a_study_option_wins_over_the_shared_one():
    raw = copy.deepcopy(DEMO)
    raw["options"]["replicates"] = 500
    raw["studies"]["demo"]["options"] = {"replicates": 300}
    assert config.load(raw)["demo"]["options"]["replicates"] == 300
