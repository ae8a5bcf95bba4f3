"""The readings of outcomes side by side: what each says of AI systems against humans, and against the truth where it is known.

Every reading is fitted with one skill an agent, the words heard and an item residual, to single players (not
groups), teams and systems, so that nothing but the reading differs.
"""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from ..core import store
from . import agents as agents_module
from . import evaluate, outcomes, uncertainty
from .model import fit


def cast(agents, irt_outcomes, agent_responses):
    """Who is compared: (agents with kinds, responses of those who did not buzz)."""
    buzzed = irt_outcomes["agent"].unique()
    named = agents.set_index("agent")["kind"]
    kinds = pd.Series(buzzed, index=buzzed).map(named).fillna("human")
    # Groups are made of players that are here themselves.
    others = agents[~agents["agent"].isin(buzzed)]
    if len(buzzed):
        others = others[others["kind"] == "ai"]
    who = pd.DataFrame(
        {"agent": [*buzzed, *others["agent"]], "kind": [*kinds, *others["kind"]]}
    ).sort_values("agent", ignore_index=True)
    return who, agent_responses[agent_responses["agent"].isin(others["agent"])]


def censoring_tables(
    item_list, agents, irt_outcomes, agent_responses, settings, truth=None
) -> dict:
    """irt_readings, and irt_recovery where there is a ``truth`` (:func:`read_truth`)."""
    items = item_list.sort_values(["question_id", "clue"], ignore_index=True)
    who, others = cast(agents, irt_outcomes, agent_responses)
    ai = (who["kind"] == "ai").to_numpy()
    if ai.all() or not ai.any() or irt_outcomes.empty:
        return {name: store.empty(name) for name in ("irt_readings", "irt_recovery")}
    questions = items["question_id"].to_numpy()
    length = evaluate.length_features(items["end_word"])
    level = settings["level"]
    weight = ai / ai.sum() - ~ai / (~ai).sum()
    rows, known = [], []
    for reading in outcomes.READINGS:
        both = [outcomes.responses_under_reading(items, irt_outcomes, reading), others]
        responses = pd.concat(both, ignore_index=True)
        left = outcomes.censored_mask(responses, items, irt_outcomes["agent"], reading)
        signs = agents_module.matrix(responses, items, who)
        told = irt_outcomes[: None if reading == "censored" else 0]
        pending = outcomes.pending(responses.assign(undecided=left), items, who, told)
        met = np.abs(signs).sum(axis=0) > 0
        found = fit(length, signs, 1, 2, restarts=1, seed=settings["seed"], pending=pending)
        draws, _ = uncertainty.bootstrap(
            found, signs, questions, settings["refits"], settings["seed"], pending=pending
        )
        skill, drawn = found.parameters.skills[:, 0], draws[:, :, 0]
        low, high = uncertainty.percentile_bounds(drawn @ weight, level)
        row = {
            "reading": reading, "humans": int((met & ~ai).sum()), "systems": int((met & ai).sum()),
            "responses": len(responses), "right": responses["correct"].mean(),
            "difference": weight @ skill, "low": low, "high": high, "tau": found.tau,
        }  # fmt: skip
        if truth is not None:
            mine = pd.concat([
                _recovered(reading, "skill", who, skill, uncertainty.percentile_bounds(uncertainty.centred(drawn.T).T, level), truth[0]),
                _recovered_items(reading, items, found, truth[1], level),
            ])  # fmt: skip
            known.append(mine)
            row["truth"] = weight @ truth[0].loc[who["agent"]].to_numpy()
        rows.append(row)
    recovery = pd.concat(known, ignore_index=True) if known else store.empty("irt_recovery")
    return {"irt_readings": store.frame(rows, "irt_readings"), "irt_recovery": recovery}


def _recovered(reading, quantity, who, estimate, bounds, truth):
    """Rows of irt_recovery: agents' skills less the mean of all."""
    true = truth.loc[who["agent"]].to_numpy()
    return pd.DataFrame(
        {
            "reading": reading, "quantity": quantity, "name": who["agent"], "kind": who["kind"],
            "truth": true - true.mean(), "estimate": estimate - estimate.mean(),
            "low": bounds[0], "high": bounds[1],
        }
    )  # fmt: skip


def _recovered_items(reading, items, found, truth, level):
    from scipy.stats import norm

    middle = (found.relevance * found.difficulty).sum(axis=1)
    middle = middle + (found.parameters.residual if found.tau else 0.0)
    estimate, true = middle - middle.mean(), truth.loc[items["item_id"]].to_numpy()
    half = norm.ppf((1 + level) / 2) * np.sqrt(found.variance)
    return pd.DataFrame(
        {
            "reading": reading, "quantity": "difficulty", "name": items["item_id"], "kind": "item",
            "truth": true - true.mean(), "estimate": estimate,
            "low": estimate - half, "high": estimate + half,
        }
    )  # fmt: skip


def read_truth(path):
    """What a simulated study was made with: (skill of each agent, difficulty of each item).

    A skill is the mean over all items of what the agent has on their aspects, Σ r s.
    """
    made = json.loads(path.read_text(encoding="utf-8"))
    share = np.array([one["relevance"] for one in made["items"].values()]).mean(axis=0)
    skills = made["systems"] | made["players"]
    return (
        pd.Series({name: float(share @ np.array(skill)) for name, skill in skills.items()}),
        pd.Series({name: one["difficulty"] for name, one in made["items"].items()}),
    )
