"""Checks on what a simulated study was made with."""

from __future__ import annotations

import json

import numpy as np

from ..audit.outcome import bad, near

_CHANCES = ("calscore", "part accuracy", "question accuracy")
"""Truths that the simulator's file does not hold as they are: of h, and of what bonuses are drawn with."""


def truth_of_the_simulator(recovery, folder):
    """The truth is in the simulator's file: marks, unread replies, packets, shares right, slips and hazards are counted again."""
    known = json.loads((folder / "simulated" / "truth.json").read_text(encoding="utf-8"))
    wanted = {}
    for elicitation, models in known.get("correct", {}).items():
        for model, marks in models.items():
            text = "".join(marks.values())
            wanted["accuracy", f"{model}, {elicitation}"] = text.count("1") / len(text)
    for model in known["models"] if "unparsable" in known else ():
        lost = sum(one[0] == model for one in known["unparsable"])
        wanted["replies not read", model] = lost
    for team, packets in known.get("packets_played", {}).items():
        wanted["packets played", team] = len(packets)
    for model, of in known.get("models", {}).items() if "packets_played" not in known else ():
        without, given = of["normal"], of["distractor"]
        wanted["right, without options", model] = without["right"]
        wanted["right, with options", model] = given["right"]
        wanted["right, change by options", model] = given["right"] - without["right"]
        wanted["ECE, without options", model] = without["ece_as_wrong"]
        wanted["ECE, with options", model] = given["ece_as_wrong"]
    given = known.get("parameters", {})
    for name in given.get("annotators", {}).get("names", ()):
        wanted["agrees with the shared judge", name] = 1 - given["annotators"]["slip"]
    if "own_judge" in given:
        called = "not attempted, called an answer by the own judge"
        wanted[called, "all"] = given["own_judge"]["none_wrong"]
    wanted["hazards found", "all"] = len(known.get("hazards", ()))
    keys = zip(recovery["quantity"], recovery["name"], strict=True)
    again = [wanted.get(key, np.nan) for key in keys]
    wrong = ~near(recovery["truth"], again) & ~recovery["quantity"].isin(_CHANCES)
    return bad(recovery, wrong, "quantity", "name")
