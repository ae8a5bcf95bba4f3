"""What buzzes say, under several assumptions: systems against humans, and against the truth where it is known.

The assumption of ``censored`` is that players buzz once they know. The bracket has players who let a known clue pass. Every
row is fitted with one skill an agent, words heard and an item residual, to single players (not groups), teams and systems,
so that nothing but the assumption differs.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from ..core import store
from ..stats.bootstrap import Bootstrap
from . import agents as agents_module
from . import effects, evaluate, outcomes, uncertainty
from .model import Penalty, fit, project

#: Chances that a player lets a known clue pass: the other end of the bracket, beside what is measured.
WAITS = (0.3, 0.5)


def compared_agents(agents, irt_outcomes, agent_responses) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(frame agent, kind of all who buzzed and of other systems, sorted by agent; responses of those other systems).

    Arguments are tables. Human groups are left out, as their players are there. Agents that buzzed and are not in
    ``agents`` are human.
    """
    buzzed = irt_outcomes["agent"].unique()
    kinds = agents.set_index("agent")["kind"].reindex(buzzed, fill_value="human")
    systems = agents[~agents["agent"].isin(buzzed) & (agents["kind"] == "ai")]
    cast = pd.concat([kinds.rename_axis("agent").reset_index(), systems[["agent", "kind"]]])
    cast = cast.sort_values("agent", ignore_index=True)
    return cast, agent_responses[agent_responses["agent"].isin(systems["agent"])]


def fit_reading(items, agents, table, offline, reading: str, wait: float, settings: dict) -> tuple:
    """(fit, estimate, draws, responses, signs) under one assumption on buzzes; estimate and draws of :class:`effects.Summary`.

    ``settings``: seed, refits, level. ``reading``: of :data:`.outcomes.READINGS`. ``items``: sorted by question and clue;
    ``agents``: agent, kind; ``table``: irt_outcomes; ``offline``: responses of systems that were asked item by item. ``wait``:
    chance that a known clue passes; above 0 it decides, instead of ``reading``, which cells are open.
    """
    length = evaluate.length_features(items["end_word"])
    both = [outcomes.responses_under_reading(items, table, reading), offline]
    responses = pd.concat(both, ignore_index=True)
    signs = agents_module.response_matrix(responses, items, agents)
    if wait:
        pending = outcomes.open_outcomes(items, agents, table, wait)
    else:
        undecided = outcomes.censored_mask(responses, items, table["agent"], reading)
        censored = table[: None if reading == "censored" else 0]
        pending = outcomes.censored_outcomes(responses.assign(undecided=undecided), items, agents, censored)
    coordinates = project(np.empty((len(items), 0)), extra=length, slope=True)
    penalty = Penalty(groups=agents["kind"].to_numpy(dtype=str))
    fitted = fit(coordinates, signs, 1, penalty, 1, settings["seed"], pending)
    met = np.abs(signs).sum(axis=0) > 0
    sides = {kind: met & (agents["kind"] == kind).to_numpy() for kind in ("human", "ai")}
    groups = pd.DataFrame(sides.values(), index=list(sides), columns=agents["agent"])
    summary = effects.Summary(fitted, groups, effects.question_fifths(items, cumulative=True))
    resampling = Bootstrap(settings["refits"], settings["seed"], settings["level"])
    draws = uncertainty.bootstrap(
        fitted, signs, items["question_id"].to_numpy(), resampling, summary, pending
    )
    estimate = summary(fitted.parameters, fitted.relevance, np.ones(len(items)))
    return fitted, estimate, draws, responses, signs


def reading_table(
    item_list, agents, irt_outcomes, agent_responses, settings: dict, irt_truth: Path | None = None
) -> dict[str, pd.DataFrame]:
    """``{"irt_readings": table}``: mean skill of systems less that of humans, in logits, for each assumption.

    Rows: ``censored``, with each of :data:`WAITS`, with a measured wait if any, then the other :data:`.outcomes.READINGS`;
    none where nobody buzzed or there is one kind of agents. ``settings``: seed, refits, level.
    ``irt_truth``: file for :func:`true_skills`; the column ``truth`` is their difference, else nan."""
    items = item_list.sort_values(["question_id", "clue"], ignore_index=True)
    cast, systems = compared_agents(agents, irt_outcomes, agent_responses)
    ai = (cast["kind"] == "ai").to_numpy()
    if ai.all() or not ai.any():
        return {"irt_readings": store.empty("irt_readings")}
    weight, level = ai / ai.sum() - ~ai / (~ai).sum(), settings["level"]
    truth = weight @ true_skills(irt_truth).loc[cast["agent"]] if irt_truth else np.nan
    measured = outcomes.measured_wait(irt_outcomes, agent_responses)
    cases = [("censored", 0.0, "none"), *(("censored", wait, "assumed") for wait in WAITS)]
    if np.isfinite(measured):
        cases.append(("censored", measured, "measured"))
    cases += [(reading, 0.0, "none") for reading in outcomes.READINGS if reading != "censored"]
    rows = []
    for reading, wait, source in cases:
        fitted, estimate, draws, responses, signs = fit_reading(
            items, cast, irt_outcomes, systems, reading, wait, settings
        )
        met = np.abs(signs).sum(axis=0) > 0
        low, high = uncertainty.percentile_bounds(draws["skill"] @ weight, level)
        late = draws["by_place"][:, -1, 0]
        gap = uncertainty.percentile_bounds(late[:, 1] - late[:, 0], level)
        human, system = estimate["by_place"][-1, 0]
        rows.append(
            {
                "reading": reading, "wait": wait, "wait_source": source,
                "humans": (met & ~ai).sum(), "systems": (met & ai).sum(),
                "responses": len(responses), "right": responses["correct"].mean(),
                "difference": weight @ estimate["skill"], "low": low, "high": high,
                "p_human": human, "p_ai": system, "p_difference": system - human,
                "p_difference_low": gap[0], "p_difference_high": gap[1], "tau": fitted.tau,
                "truth": truth,
            }
        )  # fmt: skip
    return {"irt_readings": store.frame(rows, "irt_readings")}


def true_skills(path: Path) -> pd.Series:
    """Agent → true skill (logits) from the truth file (JSON) of a simulated study: the mean over items of Σ relevance · skill."""
    simulation = json.loads(path.read_text(encoding="utf-8"))
    relevance = np.array([item["relevance"] for item in simulation["items"].values()])
    skills = simulation["systems"] | simulation["players"]
    return pd.Series(np.array(list(skills.values())) @ relevance.mean(axis=0), index=list(skills))
