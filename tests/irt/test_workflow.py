"""The study demo-irt to the end, and item response models of the release."""

import json

import numpy as np
import pandas as pd
import pytest
import yaml
from calscore.core import catalog, store
from calscore.runner import config
from support import ROOT, run_snakemake, workspace


def test_demo_irt_makes_everything(demo_irt):
    missing = [
        p
        for p in catalog.available_files({"irt", "answered", "heard", "simulated"})
        if not (demo_irt / p).exists()
    ]
    assert not missing
    assert pd.read_csv(demo_irt / "audit" / "unavailable.csv").empty
    assert not (demo_irt / "tidy").exists()


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
    mean = sum(share[kind] * np.mean(list(truth[side].values()), axis=0)
               for kind, side in (("ai", "systems"), ("human", "players")))  # fmt: skip
    # Of the mean agent: an aspect on which most are good makes an item easy.
    hard = np.array([item["difficulty"] for item in truth["items"].values()]) - about @ mean
    items = pd.read_csv(demo_irt / "tables" / "irt_items.csv").set_index("item_id")
    items = items.loc[list(truth["items"])]
    hard = hard - hard.mean()
    assert ((items["low"] <= hard) & (hard <= items["high"])).mean() > 0.9


def test_rasch_stands_beside_every_loss(demo_irt):
    loss = pd.read_csv(demo_irt / "tables" / "irt_loss.csv")
    for split, part in loss.groupby("split"):
        rasch = part[part["model"] == "1pl"]["log_loss"].item()
        gap = part["log_loss"] - rasch
        assert gap.to_numpy() == pytest.approx(part["difference"].to_numpy()), split
    # In this world the text says what a question is about and not how hard it is: the simulator made it so.
    unseen = loss[loss["split"] == "unseen"].set_index(["model", "dimensions"])
    assert unseen.loc[("caimira", 1), "beyond_words_high"] > 0
    assert unseen.loc[("caimira", 2), "log_loss"] < unseen.loc[("words", 1), "log_loss"] - 0.01


def mine(tmp_path, demo_irt, **changes):
    """A study of one's own on response files, as a configuration file."""
    folder = workspace(tmp_path / "mine")
    raw = demo_irt / "simulated" / "irt"
    agents = {
        "items": str(raw / "queries.jsonl"),
        "agents": str(raw / "agents.jsonl"),
        "responses": [
            {"path": str(raw / "responses.jsonl"), "format": "jsonl"},
            {"path": str(raw / "table.csv"), "format": "table"},
        ],
        "buzzes": str(raw / "buzzes.csv"),
    }
    study = {"analyses": ["irt"], "inputs": {"agents": agents | changes}}
    (folder / "mine.yaml").write_text(yaml.safe_dump({"studies": {"mine": study}}))
    return folder


def test_response_files_of_ones_own(tmp_path, demo_irt):
    folder = mine(tmp_path, demo_irt)
    run_snakemake(
        "results/mine/irt/agent_responses.parquet", "--configfile", "mine.yaml", cwd=folder
    )
    ours = store.read(folder / "results" / "mine" / "irt" / "agent_responses.parquet")
    theirs = store.read(demo_irt / "irt" / "agent_responses.parquet")
    # Without the simulator's seed: groups and ties are drawn with the same one by default.
    pd.testing.assert_frame_equal(ours, theirs)


def test_configuration_of_a_study():
    studies = config.load(
        yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
    )
    features = {"irt", "answered", "heard", "simulated", "published"}
    assert config.study_features(studies["demo-irt"]) == features
    settings = studies["demo-irt"]["options"]["irt"]
    assert settings["components"] == 24
    # What the study does not say has the schema's default.
    assert settings["dimensions"] == 5
    paper = {
        "x": {
            "analyses": ["irt"],
            "simulate": {"seed": 1},
            "options": {"irt": {"preset": "as_paper", "dimensions": 3}},
        }
    }
    settings = config.load({"studies": paper})["x"]["options"]["irt"]
    # What the study says itself goes before the preset.
    assert (settings["dimensions"], settings["penalty"], settings["aspect_sd"]) == (
        3,
        "as_printed",
        None,
    )
    with pytest.raises(config.DataError, match="did you mean 'dimensions'"):
        config.load({"studies": {"x": {"analyses": ["irt"], "options": {"irt": {"dimension": 3}}}}})
    with pytest.raises(config.DataError, match="column agents: found None"):
        config.load({"studies": {"x": {"analyses": ["irt"]}}})
