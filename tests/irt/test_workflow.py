"""The study demo-irt to the end, and item response models of the release."""

import pandas as pd
import pytest
import yaml
from calscore.core import catalog, store
from calscore.runner import config
from support import ROOT, failing, run_snakemake, workspace


def test_demo_irt_makes_everything(demo_irt):
    missing = [p for p in catalog.available({"irt", "simulated"}) if not (demo_irt / p).exists()]
    assert not missing
    assert pd.read_csv(demo_irt / "audit" / "unavailable.csv").empty
    assert not (demo_irt / "tidy").exists()


def test_figures_say_that_they_are_simulated(demo_irt):
    for path in sorted((demo_irt / "figures").glob("irt_*.svg")):
        assert "SIMULATED DATA" in path.read_text(encoding="utf-8"), path.name


def test_skills_and_items_hang_together(demo_irt):
    skills = store.read(demo_irt / "irt" / "skills.parquet")
    assert skills.groupby("aspect")["centred"].mean().abs().max() < 1e-9
    items = store.read(demo_irt / "irt" / "item_parameters.parquet")
    for row in items.itertuples():
        assert sum(row.relevance) == pytest.approx(1)
        assert sum(row.effective_difficulty) == pytest.approx(row.difficulty)
    contrasts = pd.read_csv(demo_irt / "tables" / "irt_contrasts.csv")
    one = contrasts[(contrasts["contrast"] == "agents") & (contrasts["aspect"] > 0)].iloc[0]
    pair = skills[skills["aspect"] == one["aspect"]].set_index("agent")["skill"]
    assert one["difference"] == pytest.approx(pair[one["first"]] - pair[one["second"]])
    kinds = contrasts[contrasts["contrast"] == "kinds"]
    mean = skills.groupby(["aspect", "kind"])["skill"].mean().unstack()
    ahead = mean["ai"] - mean["human"]
    # Over all items: what an item is about, summed over items.
    ahead[0] = sum(ahead[k] * r for row in items["relevance"] for k, r in enumerate(row, 1)) / len(items)  # fmt: skip
    assert kinds["difference"].to_numpy() == pytest.approx(ahead[kinds["aspect"]].to_numpy())
    assert 0 in set(kinds["aspect"])


def test_the_default_reading_recovers_what_the_study_was_made_with(demo_irt):
    table = pd.read_csv(demo_irt / "tables" / "irt_readings.csv").set_index("reading")
    held = (table["low"] <= table["truth"]) & (table["truth"] <= table["high"])
    assert held.to_dict() == {"censored": True, "silence_wrong": False, "backfilled": False}
    assert table.loc["backfilled", "difference"] < 0 < table.loc["backfilled", "truth"]


def test_rasch_stands_beside_every_loss(demo_irt):
    loss = pd.read_csv(demo_irt / "tables" / "irt_loss.csv")
    for split, part in loss.groupby("split"):
        rasch = part[part["model"] == "1pl"]["log_loss"].item()
        assert (part["log_loss"] - rasch).to_numpy() == pytest.approx(
            part["difference"].to_numpy()
        ), split
    verdict = pd.read_csv(demo_irt / "tables" / "irt_verdict.csv")
    assert set(verdict["reference"]) == {"Rasch (1PL)", "Rasch + words heard"}
    # In this world the text says something: the simulator made it so.
    best = verdict[verdict["name"].str.contains("words heard") & (verdict["split"] == "unseen")]
    assert (best["verdict"] == "better").all()


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


def test_bad_responses_are_one_clear_error(tmp_path, demo_irt):
    lines = (demo_irt / "simulated" / "irt" / "queries.jsonl").read_text().splitlines()
    broken = tmp_path / "queries.jsonl"
    broken.write_text("\n".join([lines[0].replace('"text"', '"txt"'), *lines[1:]]))
    folder = mine(tmp_path, demo_irt, items=str(broken))
    output = failing(folder, "--configfile", "mine.yaml")
    assert "queries.jsonl, row q1_1, column text: found None, expected text" in output
    assert not (folder / "results" / "mine" / "irt" / "items.parquet").exists()


def test_configuration_of_a_study():
    studies = config.load(
        yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
    )
    assert config.study_features(studies["demo-irt"]) == {
        "irt",
        "answered",
        "simulated",
        "published",
    }
    settings = studies["demo-irt"]["options"]["irt"]
    assert settings["components"] == 24
    # What the study does not say has the schema's default.
    assert settings["dimensions"] == 5
    with pytest.raises(config.DataError, match="did you mean 'dimensions'"):
        config.load({"studies": {"x": {"analyses": ["irt"], "options": {"irt": {"dimension": 3}}}}})
    with pytest.raises(config.DataError, match="column agents: found None"):
        config.load({"studies": {"x": {"analyses": ["irt"]}}})
