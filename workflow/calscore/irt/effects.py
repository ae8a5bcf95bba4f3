"""What a fitted model says of agents: chances of a right answer by kind and depth, and skills."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..core import store
from . import diagnostics, uncertainty
from .model import Fit, item_offset, item_terms, probability

#: Parts of a question, by the share of its words that were heard.
DEPTHS = 5
#: Responses that an agent needs to be compared, and types of systems that are compared at most.
ENOUGH, MOST_TYPES = 10, 20


def comparable(agents) -> np.ndarray:
    """Agents with enough responses, right and wrong ones among them, (I,)."""
    n, right = agents["responses"], agents["right"]
    return ((n >= ENOUGH) & (right > 0) & (right < n)).to_numpy()


def prior_groups(agents) -> np.ndarray:
    """Groups of agents whose levels have a common mean: types of three agents or more, else the kind."""
    size = agents.groupby("agent_type")["agent"].transform("size")
    return agents["agent_type"].where(size >= 3, agents["kind"]).to_numpy(dtype=str)


def depths(items, cumulative: bool) -> np.ndarray:
    """Fifth of its question in which each item ends, (J,); 0 for items that do not go on from each other."""
    if not cumulative:
        return np.zeros(len(items), dtype=int)
    length = items.groupby("question_id")["end_word"].transform("max")
    return np.ceil(DEPTHS * items["end_word"] / length).astype(int).to_numpy()


def members(agents) -> pd.DataFrame:
    """Groups that are compared: (kind, name) → agents (G, I); humans together, systems by type, the largest first."""
    use = comparable(agents)
    rows = {}
    human = (agents["kind"] == "human").to_numpy() & use
    if human.any():
        rows["human", "human"] = human
    systems = agents[(agents["kind"] == "ai") & use]
    sizes = systems.groupby("agent_type")["responses"].sum().sort_values(ascending=False)
    for name in sizes.index[:MOST_TYPES]:
        rows["ai", name] = (agents["agent_type"] == name).to_numpy() & use
    index = pd.MultiIndex.from_tuples(list(rows), names=["kind", "agent_type"])
    return pd.DataFrame(list(rows.values()), index=index, columns=agents["agent"])


class Summary:
    """What is taken from the estimate and from each replicate, ``groups`` as of :func:`members`."""

    def __init__(self, fit: Fit, groups, depth):
        self.fit, self.depth, self.groups = fit, depth, groups
        share = self.groups.to_numpy(float)
        self.share = share / np.maximum(share.sum(axis=1, keepdims=True), 1)
        self.levels = [0, *sorted(set(depth) - {0})]

    def __call__(self, parameters, relevance, weights) -> dict:
        """Skills over all items, slopes, difficulties, and chances by group and depth."""
        fit, design = self.fit, self.fit.design
        offset = item_offset(parameters, relevance, item_terms(parameters, design)[1])
        chance = probability(parameters, design, relevance, offset, fit.variance) @ self.share.T
        about = np.average(relevance, axis=0, weights=weights)
        logit = relevance @ (self.share @ parameters.skills).T
        if parameters.slope.size:
            logit = logit + design.depth[:, None] * (self.share @ parameters.slope)
        by_depth = []
        for level in self.levels:
            times = weights * ((self.depth == level) | (level == 0))
            mean = [times @ values / max(times.sum(), 1e-9) for values in (chance, logit)]
            by_depth.append(mean)
        return {
            "skill": parameters.skills @ about,
            "slope": parameters.slope,
            "difficulty": offset,
            "by_depth": np.array(by_depth),
        }


def accuracy_table(summary: Summary, estimate, draws, signs, level: float):
    """tables/irt_accuracy: P(right) by kind of agent and depth, with differences from humans there and in logits."""
    bounds = uncertainty.percentile_bounds
    groups, rows = summary.groups, []
    human = groups.index.get_loc(("human", "human")) if ("human", "human") in groups.index else None
    for d, depth in enumerate(summary.levels):
        at_depth = (summary.depth == depth) | (depth == 0)
        value, drawn = estimate["by_depth"][d], draws["by_depth"][:, d]
        for g, (kind, name) in enumerate(groups.index):
            cells = signs[np.ix_(at_depth, groups.to_numpy()[g])]
            n = np.count_nonzero(cells)
            ends = bounds(drawn[:, 0, g], level)
            row = [kind, name, depth, int(groups.iloc[g].sum()), n]
            row += [(cells > 0).sum() / n if n else np.nan, value[0, g], *ends]
            for scale in (0, 1):
                if human is None or kind == "human":
                    row += [np.nan] * 3
                    continue
                gap = drawn[:, scale, g] - drawn[:, scale, human]
                row += [value[scale, g] - value[scale, human], *bounds(gap, level)]
            rows.append(row)
    return pd.DataFrame(rows, columns=store.columns("irt_accuracy"))


def agent_table(fit: Fit, study, estimate, draws, resampling):
    """tables/irt_agents: skill over all items less the mean of those compared, slope, share right, infit and outfit."""
    agents, level = study.agents, resampling.level
    use = comparable(agents)
    middle = use if use.any() else np.ones(len(use), dtype=bool)

    def centred(skills):
        return skills - skills[..., middle].mean(axis=-1, keepdims=True)

    table = agents[["agent", "kind", "agent_type", "responses"]].assign(compared=use)
    low, high = uncertainty.percentile_bounds(centred(draws["skill"]), level)
    table = table.assign(skill=centred(estimate["skill"]), skill_low=low, skill_high=high)
    slope = np.full((3, len(agents)), np.nan)
    if estimate["slope"].size:
        slope = np.array([estimate["slope"], *uncertainty.percentile_bounds(draws["slope"], level)])
    table = table.assign(slope=slope[0], slope_low=slope[1], slope_high=slope[2])
    statistics = diagnostics.agent_fit(fit.predict_seen(), study.signs, study.questions, resampling)
    table = table.assign(**statistics).sort_values(["kind", "agent_type", "agent"])
    return table[store.columns("irt_agents")].reset_index(drop=True)
