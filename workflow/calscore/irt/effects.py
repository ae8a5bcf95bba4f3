"""What a fitted model says of agents: chances of a right answer by type and depth or category, and skills."""

import numpy as np
import pandas as pd

from ..core import store
from . import diagnostics, uncertainty
from .evaluate import Study
from .model import Fit, Parameters, item_offset, item_terms, probability

#: Parts of a question, by the share of its words that were heard.
DEPTHS = 5
#: Responses that an agent needs to be compared, and types of systems that are compared at most.
ENOUGH, MOST_TYPES = 10, 20
#: Categories that say what an aspect is of.
TOP_CATEGORIES = 3


def comparable(agents: pd.DataFrame) -> np.ndarray:
    """Mask (I,) of ``agents`` (responses, right) with at least :data:`ENOUGH` responses, right and wrong ones among them."""
    n, right = agents["responses"], agents["right"]
    return ((n >= ENOUGH) & (right > 0) & (right < n)).to_numpy()


def prior_groups(agents: pd.DataFrame) -> np.ndarray:
    """For each of ``agents`` (agent, kind, agent_type), the group whose levels share a prior mean: names, (I,).

    This is its type where at least three agents have it, else its kind.
    """
    size = agents.groupby("agent_type")["agent"].transform("size")
    return agents["agent_type"].where(size >= 3, agents["kind"]).to_numpy(dtype=str)


def question_fifths(items: pd.DataFrame, cumulative: bool) -> np.ndarray:
    """Fifth of its question (1 to 5, by words heard) in which each item ends, (J,); all 0 unless ``cumulative``.

    ``items``: question_id, end_word. A question is as long as its longest item.
    """
    if not cumulative:
        return np.zeros(len(items), dtype=int)
    length = items.groupby("question_id")["end_word"].transform("max")
    return np.ceil(DEPTHS * items["end_word"] / length).astype(int).to_numpy()


def comparison_groups(agents: pd.DataFrame) -> pd.DataFrame:
    """Frame of masks, (kind, agent_type) × agent: all humans, then each kind by type, most responses first.

    ``agents``: agent, kind, agent_type, responses, right. Only :func:`comparable` agents and :data:`MOST_TYPES` types of a
    kind. Humans of a single type have no row of their own.
    """
    use = comparable(agents)
    rows = {}
    human = (agents["kind"] == "human").to_numpy() & use
    if human.any():
        rows["human", "human"] = human
    for kind in ("human", "ai"):
        part = agents[use & (agents["kind"] == kind)]
        sizes = part.groupby("agent_type")["responses"].sum().sort_values(ascending=False)
        # A single type of humans is all of them.
        for name in sizes.index[: MOST_TYPES if kind == "ai" or len(sizes) > 1 else 0]:
            rows.setdefault((kind, name), (agents["agent_type"] == name).to_numpy() & use)
    index = pd.MultiIndex.from_tuples(list(rows), names=["kind", "agent_type"])
    return pd.DataFrame(list(rows.values()), index=index, columns=agents["agent"])


class Summary:
    """Function of parameters, relevance and weights of items that summarises the estimate and each replicate alike.

    ``groups``: of :func:`comparison_groups`; ``depth`` (:func:`question_fifths`) and ``category``: of items (J,).
    """

    def __init__(self, fit: Fit, groups, depth: np.ndarray, category: np.ndarray | None = None):
        self.fit, self.groups = fit, groups
        share = groups.to_numpy(float)
        self.share = share / np.maximum(share.sum(axis=1, keepdims=True), 1)
        self.places = [("depth", level, (depth == level) | (level == 0)) for level in sorted({0, *depth})]
        names = () if category is None else np.unique(category)
        self.places += [("category", name, category == name) for name in names]

    def __call__(self, parameters: Parameters, relevance: np.ndarray, weights: np.ndarray) -> dict:
        """``skill`` over all items (I,), ``by_aspect`` (m, I), ``slope`` (I,), ``difficulty`` (J,), ``by_place`` (places, 2, G).

        ``weights``: of items (J,). ``by_place`` has mean chances, then mean logits without difficulty, over
        the items of each of ``places``: all, each fifth, each category.
        """
        fit, design = self.fit, self.fit.design
        offset = item_offset(parameters, relevance, item_terms(parameters, design)[1])
        chance = probability(parameters, design, relevance, offset, fit.variance) @ self.share.T
        about = np.average(relevance, axis=0, weights=weights)
        logit = relevance @ (self.share @ parameters.skills).T
        if parameters.slope.size:
            logit = logit + design.depth[:, None] * (self.share @ parameters.slope)
        by_place = []
        for _, _, inside in self.places:
            times = weights * inside
            mean = [times @ values / max(times.sum(), 1e-9) for values in (chance, logit)]
            by_place.append(mean)
        skills = {"skill": parameters.skills @ about, "by_aspect": parameters.skills.T}
        places = {"difficulty": offset, "by_place": np.array(by_place)}
        return skills | {"slope": parameters.slope} | places


def accuracy_table(
    summary: Summary, estimate: dict, draws: dict, signs, level: float, column: str = "depth"
) -> pd.DataFrame:
    """tables/irt_accuracy (``column`` depth, 0: all items) or irt_categories (category): P(right) by group and place.

    Rows by place, then group. Differences from humans at the same place are nan for humans and without any. ``estimate``: what
    ``summary`` gives; ``draws``: of :func:`uncertainty.bootstrap` with it; ``signs`` (J, I).
    """
    bounds = uncertainty.percentile_bounds
    groups, rows = summary.groups, []
    human = groups.index.get_loc(("human", "human")) if ("human", "human") in groups.index else None
    for d, (kind_of_place, place, inside) in enumerate(summary.places):
        if kind_of_place != column:
            continue
        value, drawn = estimate["by_place"][d], draws["by_place"][:, d]
        for g, (kind, name) in enumerate(groups.index):
            cells = signs[np.ix_(inside, groups.to_numpy()[g])]
            n = np.count_nonzero(cells)
            ends = bounds(drawn[:, 0, g], level)
            row = [kind, name, place, int(groups.iloc[g].sum()), n]
            row += [(cells > 0).sum() / n if n else np.nan, value[0, g], *ends]
            for scale in (0, 1):
                if human is None or kind == "human":
                    row += [np.nan] * 3
                    continue
                gap = drawn[:, scale, g] - drawn[:, scale, human]
                row += [value[scale, g] - value[scale, human], *bounds(gap, level)]
            rows.append(row)
    table = "irt_accuracy" if column == "depth" else "irt_categories"
    return pd.DataFrame(rows, columns=store.columns(table))


def _centred(skills: np.ndarray, agents: pd.DataFrame) -> np.ndarray:
    """Skills (…, I) less the mean of comparable agents, of all agents where none is comparable."""
    use = comparable(agents)
    middle = use if use.any() else np.ones(len(use), dtype=bool)
    return skills - skills[..., middle].mean(axis=-1, keepdims=True)


def aspect_table(fit: Fit, study: Study, estimate: dict, draws: dict, level: float) -> pd.DataFrame:
    """tables/irt_aspects, a row for each aspect (from 1) and agent: skill less the mean of comparable agents, categories.

    These are up to :data:`TOP_CATEGORIES` where the aspect is most relevant, or ``all`` with one aspect. Sorted by aspect,
    kind, agent_type and agent. ``estimate``, ``draws`` as in :func:`accuracy_table`."""
    agents = study.agents
    skills = _centred(estimate["by_aspect"], agents)
    low, high = uncertainty.percentile_bounds(_centred(draws["by_aspect"], agents), level)
    relevance = pd.DataFrame(fit.relevance).groupby(study.items["category"].to_numpy()).mean()
    tables = []
    for k, mean in enumerate(fit.relevance.mean(axis=0)):
        top = relevance[k].nlargest(TOP_CATEGORIES)
        words = ", ".join(f"{name} {share:.2f}" for name, share in top.items())
        words = words if len(skills) > 1 else "all"
        table = agents[["agent", "kind", "agent_type"]].assign(
            aspect=k + 1,
            relevance=mean,
            categories=words,
            skill=skills[k],
            skill_low=low[k],
            skill_high=high[k],
        )
        tables.append(table.sort_values(["kind", "agent_type", "agent"]))
    return pd.concat(tables, ignore_index=True)[store.columns("irt_aspects")]


def agent_table(fit: Fit, study: Study, estimate, draws, resampling) -> pd.DataFrame:
    """tables/irt_agents, a row for each agent: skill over all items less the mean of comparable agents, slope, accuracy, fit.

    ``estimate`` and ``draws`` as in :func:`accuracy_table`. ``slope`` is nan in a fit without slopes. Rows are sorted by
    kind, agent_type and agent.
    """
    agents, level = study.agents, resampling.level
    table = agents[["agent", "kind", "agent_type", "responses"]].assign(compared=comparable(agents))
    low, high = uncertainty.percentile_bounds(_centred(draws["skill"], agents), level)
    skill = _centred(estimate["skill"], agents)
    table = table.assign(skill=skill, skill_low=low, skill_high=high)
    slope = [np.nan] * 3
    if estimate["slope"].size:
        slope = [estimate["slope"], *uncertainty.percentile_bounds(draws["slope"], level)]
    table = table.assign(slope=slope[0], slope_low=slope[1], slope_high=slope[2])
    statistics = diagnostics.agent_fit(fit.predict_seen(), study.signs, study.questions, resampling)
    table = table.assign(**statistics).sort_values(["kind", "agent_type", "agent"])
    return table[store.columns("irt_agents")].reset_index(drop=True)
