"""Configuration of a study of item responses."""

import pytest
from calscore.runner import config
from support import configuration


def test_configuration_of_a_study():
    studies = config.load(configuration("config"))
    features = {"irt", "answered", "heard", "simulated", "published"}
    assert config.study_features(studies["demo-irt"]) == features
    settings = studies["demo-irt"]["options"]["irt"]
    # What the study does not say has the schema's default.
    assert (settings["components"], settings["dimensions"]) == (24, 5)
    options = {"irt": {"preset": "as_paper", "dimensions": 3}}
    paper = {"analyses": ["irt"], "simulate": {"seed": 1}, "options": options}
    settings = config.load({"studies": {"x": paper}})["x"]["options"]["irt"]
    # What the study says itself goes before the preset.
    chosen = [settings[name] for name in ("dimensions", "penalty", "aspect_sd")]
    assert chosen == [3, "as_printed", None]
    misspelt = {"options": {"irt": {"dimension": 3}}}
    for study, message in ((misspelt, "did you mean 'dimensions'"), ({}, "agents: found None")):
        with pytest.raises(config.DataError, match=message):
            config.load({"studies": {"x": {"analyses": ["irt"]} | study}})
