"""Tables of a fitted study."""

import json

import numpy as np
import pandas as pd
import pytest
from calscore.core.errors import DataError
from calscore.irt import pipeline
from irt_files import prepared, sources, table_of


def test_a_type_of_agents_that_humans_and_systems_share_is_two_types():
    """An open event lists teams and systems under one type; shares right are counted apart, and drawn."""
    table = table_of()
    who = pd.DataFrame(
        [("a", "human", "open"), ("b", "human", "closed"), ("c", "ai", "open"), ("d", "ai", "own")],
        columns=["agent", "kind", "agent_type"],
    )
    responses = who[["agent"]].merge(table[["item_id", "question_id", "clue"]], how="cross")
    responses = responses.assign(correct=responses["agent"] != "c", backfilled=False)
    found = pipeline.validate_tables(table, who, responses, [])
    types = found["agents"].set_index("agent")["agent_type"].to_dict()
    assert types == {"a": "open, human", "b": "closed", "c": "open, ai", "d": "own"}


def test_where_players_buzz_a_text_goes_on(tmp_path):
    with pytest.raises(DataError, match="column cumulative: found False, expected true"):
        prepared(sources(tmp_path), cumulative=False)


def test_difficulties_that_the_study_was_made_with_come_back(demo_irt):
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
