"""The study demo-irt to the end, and item response models of the release."""

import json

import numpy as np
import pandas as pd
import pytest
from calscore.runner import config
from support import configuration


def test_figures_say_that_they_are_simulated(demo_irt):
    for path in sorted((demo_irt / "figures").glob("irt_*.svg")):
        assert "SIMULATED DATA" in path.read_text(encoding="utf-8"), path.name


def test_the_default_reading_recovers_what_the_study_was_made_with(demo_irt):
    """The truth lies in the interval where players buzz once they know, which the simulated ones do."""
    table = pd.read_csv(demo_irt / "tables" / "irt_readings.csv").set_index(["reading", "wait"])
    holds = (table["low"] <= table["truth"]) & (table["truth"] <= table["high"])
    assert holds["censored", 0.0] and not holds["backfilled", 0.0] and not holds["censored", 0.5]
    assert table.loc[("backfilled", 0.0), "difference"] < 0 < table["truth"].iloc[0]
    truth = json.loads((demo_irt / "simulated" / "irt" / "truth.json").read_text("utf-8"))
    about = np.array([item["relevance"] for item in truth["items"].values()])
    agents = pd.read_csv(demo_irt / "tables" / "irt_agents.csv")
    share = agents.groupby("kind")["responses"].sum() / agents["responses"].sum()
    sides = {"ai": truth["systems"], "human": truth["players"]}
    mean = sum(share[kind] * np.mean([*of.values()], axis=0) for kind, of in sides.items())
    # Of the mean agent: an aspect on which most are good makes an item easy.
    hard = np.array([item["difficulty"] for item in truth["items"].values()]) - about @ mean
    items = pd.read_csv(demo_irt / "tables" / "irt_items.csv").set_index("item_id")
    items = items.loc[list(truth["items"])]
    hard = hard - hard.mean()
    assert ((items["low"] <= hard) & (hard <= items["high"])).mean() > 0.9


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
