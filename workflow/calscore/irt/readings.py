"""What buzzes say, under several assumptions: systems against humans, and against the truth where it is known.

The assumption of ``censored`` is that players buzz once they know. The bracket has players who let a known clue pass. Every
row is fitted with one skill an agent, words heard and an item residual, to single players (not groups), teams and systems,
so that nothing but the assumption differs.
"""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from ..core import store
from ..stats.bootstrap import Bootstrap
from . import agents as agents_module
from . import effects, evaluate, outcomes, uncertainty
from .model import Penalty, fit, project

#: Chances that a player lets a known clue pass: the other end of the bracket, beside what is measured.
WAITS = (0.3, 0.5)


def compared_agents(agents, irt_outcomes, agent_responses):
    """Who is compared: (agents with kinds, responses of those who did not buzz)."""
    buzzed = irt_outcomes["agent"].unique()
    named = agents.set_index("agent")["kind"]
    kinds = pd.Series(buzzed, index=buzzed).map(named).fillna("human")
    # Groups are made of players that are here themselves.
    systems = agents[~agents["agent"].isin(buzzed)]
    if len(buzzed):
        systems = systems[systems["kind"] == "ai"]
    cast = pd.DataFrame(
        {"agent": [*buzzed, *systems["agent"]], "kind": [*kinds, *systems["kind"]]}
    ).sort_values("agent", ignore_index=True)
    return cast, agent_responses[agent_responses["agent"].isin(systems["agent"])]


def fit_reading(items, cast, table, offline, reading: str, wait: float, settings):
    """The model of one reading: (fit, replicates, responses, signs, what is open).

    Replicates are those of :class:`effects.Summary`, for the agents of each kind that have a response.
    """
    length = evaluate.length_features(items["end_word"])
    both = [outcomes.responses_under_reading(items, table, reading), offline]
    responses = pd.concat(both, ignore_index=True)
    signs = agents_module.matrix(responses, items, cast)
    if wait:
        pending = outcomes.open_outcomes(items, cast, table, wait)
    else:
        undecided = outcomes.censored_mask(responses, items, table["agent"], reading)
        censored = table[: None if reading == "censored" else 0]
        pending = outcomes.censored_outcomes(
            responses.assign(undecided=undecided), items, cast, censored
        )
    coordinates = project(np.empty((len(items), 0)), extra=length, slope=True)
    penalty = Penalty(groups=cast["kind"].to_numpy(dtype=str))
    fitted = fit(coordinates, signs, 1, penalty, 1, settings["seed"], pending)
    met = np.abs(signs).sum(axis=0) > 0
    sides = {kind: met & (cast["kind"] == kind).to_numpy() for kind in ("human", "ai")}
    groups = pd.DataFrame(sides.values(), index=list(sides), columns=cast["agent"])
    summary = effects.Summary(fitted, groups, effects.depths(items, cumulative=True))
    resampling = Bootstrap(settings["refits"], settings["seed"], settings["level"])
    draws = uncertainty.bootstrap(
        fitted, signs, items["question_id"].to_numpy(), resampling, summary, pending
    )
    estimate = summary(fitted.parameters, fitted.relevance, np.ones(len(items)))
    return fitted, estimate, draws, responses, signs, pending


def reading_table(
    item_list, agents, irt_outcomes, agent_responses, settings, irt_truth=None
) -> dict:
    """tables/irt_readings: systems against humans, by what is assumed of buzzes; nothing where there is one kind."""
    rows, _ = _compare_readings(
        item_list, agents, irt_outcomes, agent_responses, settings, irt_truth
    )
    return {"irt_readings": store.frame(rows, "irt_readings")}


def _compare_readings(item_list, agents, irt_outcomes, agent_responses, settings, irt_truth):
    """Rows of tables/irt_readings; and agents' skills under each reading, which irt_recovery has beside the truth."""
    items = item_list.sort_values(["question_id", "clue"], ignore_index=True)
    cast, systems = compared_agents(agents, irt_outcomes, agent_responses)
    ai = (cast["kind"] == "ai").to_numpy()
    if ai.all() or not ai.any() or irt_outcomes.empty:
        return [], []
    weight, level = ai / ai.sum() - ~ai / (~ai).sum(), settings["level"]
    skills = read_truth(irt_truth)[0].loc[cast["agent"]].to_numpy() if irt_truth else None
    measured = outcomes.measured_wait(irt_outcomes, agent_responses)
    cases = [("censored", 0.0, "none"), *(("censored", wait, "assumed") for wait in WAITS)]
    if np.isfinite(measured):
        cases.append(("censored", measured, "measured"))
    cases += [(reading, 0.0, "none") for reading in outcomes.READINGS if reading != "censored"]
    rows, recovered = [], []
    for reading, wait, source in cases:
        fitted, estimate, draws, responses, signs, _ = fit_reading(
            items, cast, irt_outcomes, systems, reading, wait, settings
        )
        met = np.abs(signs).sum(axis=0) > 0
        low, high = uncertainty.percentile_bounds(draws["skill"] @ weight, level)
        late = draws["by_depth"][:, -1, 0]
        gap = uncertainty.percentile_bounds(late[:, 1] - late[:, 0], level)
        human, system = estimate["by_depth"][-1, 0]
        rows.append(
            {
                "reading": reading, "wait": wait, "wait_source": source,
                "humans": (met & ~ai).sum(), "systems": (met & ai).sum(),
                "responses": len(responses), "right": responses["correct"].mean(),
                "difference": weight @ estimate["skill"], "low": low, "high": high,
                "p_human": human, "p_ai": system, "p_difference": system - human,
                "p_difference_low": gap[0], "p_difference_high": gap[1], "tau": fitted.tau,
                "truth": np.nan if skills is None else weight @ skills,
            }
        )  # fmt: skip
        if skills is not None and not wait:
            drawn = draws["skill"] - draws["skill"].mean(axis=1, keepdims=True)
            low, high = uncertainty.percentile_bounds(drawn, level)
            value = estimate["skill"] - estimate["skill"].mean()
            about = {"quantity": "skill", "name": cast["agent"], "kind": cast["kind"]}
            about |= {"truth": skills - skills.mean(), "estimate": value, "low": low, "high": high}
            recovered.append(pd.DataFrame({"reading": reading, **about}))
    return rows, recovered


def recovery_tables(
    item_list, agents, irt_outcomes, agent_responses, irt_items, settings, irt_truth
) -> dict:
    """tables/irt_readings; and tables/irt_recovery: skills under each reading, and difficulties of irt_items, beside
    those of the simulation.
    """
    rows, parts = _compare_readings(
        item_list, agents, irt_outcomes, agent_responses, settings, irt_truth
    )
    share = agents.loc[agents["kind"] == "ai", "responses"].sum() / agents["responses"].sum()
    real = read_truth(irt_truth, share)[1].loc[irt_items["item_id"]].to_numpy()
    about = {"reading": settings["reading"], "quantity": "difficulty", "name": irt_items["item_id"]}
    about |= {"kind": "item", "truth": real - real.mean(), "estimate": irt_items["difficulty"]}
    parts.append(pd.DataFrame({**about, "low": irt_items["low"], "high": irt_items["high"]}))
    return {
        "irt_readings": store.frame(rows, "irt_readings"),
        "irt_recovery": pd.concat(parts, ignore_index=True),
    }


def read_truth(path, share: float = 0.0):
    """What a simulated study was made with: (skill of each agent, difficulty of each item).

    A skill is the mean over all items of what the agent has on their aspects, Σ r s. A difficulty is that for the mean
    agent, δ − Σ r s̄, systems having a ``share`` of the responses: an aspect on which most are good makes an item easy.
    """
    simulation = json.loads(path.read_text(encoding="utf-8"))
    about = np.array([item["relevance"] for item in simulation["items"].values()])
    sides = [np.array(list(simulation[side].values())) for side in ("systems", "players")]
    mean = share * sides[0].mean(axis=0) + (1 - share) * sides[1].mean(axis=0)
    names, skills = (
        [*simulation["systems"], *simulation["players"]],
        np.vstack(sides) @ about.mean(axis=0),
    )
    hard = np.array([item["difficulty"] for item in simulation["items"].values()]) - about @ mean
    return pd.Series(skills, index=names), pd.Series(hard, index=list(simulation["items"]))
