"""Checks of item response models.

The model is not fitted again. Its skills, relevances and difficulties are tables, its text weights follow
from those by least squares (without error, or the tables are not what the model says), and everything
else is computed from it once more.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from .checks import Outcome, _near, again, bad, by, invariant

DATA = ("item_list", "agents", "agent_responses")
MODEL = (*DATA, "embeddings", "item_parameters", "skills", "irt_stability")
REFITTED = ("bootstrap_low", "bootstrap_high")
"""Columns from the model fitted to resampled questions."""
ITEM = ["question_id", "clue"]
AGENT = ["kind", "agent_type", "agent"]


def _settings(c) -> dict:
    """Options of item response models over the shared ones."""
    return c.options | c.options["irt"]


# --- what was answered -------------------------------------------------------------------------


def _from_clues(c):
    def make(c):
        from ..irt import steps

        guesses = c["responses"] if "responses" in c.tables else None
        given = c["questions"], c["clues"], c["buzzes"], guesses, c.names
        return steps.prepared(_settings(c), *given, c.options["primary_segmentation"])

    return c.again("from clues", ("questions", "clues", "buzzes", "responses"), make)


def _live(name):
    @again(name, "questions", "clues", "buzzes", may=("responses",))
    def from_clues(c):
        """Items, agents and their responses follow from clues, buzzes and judged guesses."""
        return _from_clues(c)[name]


for _name in DATA:
    _live(_name)


@invariant("group_members", "agents", "agent_responses")
def _groups(c):
    """A group has as many players as its size says, none of them twice; it is a human agent."""
    t = c["group_members"]
    by = t.groupby("agent")["player"]
    human = set(c["agents"].loc[c["agents"]["kind"] == "human", "agent"])
    wrong = (by.transform("size") != t["size"]) | t["player"].duplicated()
    return bad(t, wrong | ~t["agent"].isin(human), "agent", "player")


@invariant("embeddings", "item_list")
def _texts(c):
    """Every item has a vector, all of one model and length; the hash is that of the embedded text."""
    from ..irt import embeddings

    t = c["embeddings"].sort_values("item_id", ignore_index=True)
    items = c["item_list"].sort_values("item_id", ignore_index=True)
    if not t["item_id"].equals(items["item_id"]):
        return Outcome(len(t), abs(len(t) - len(items)) or 1, "other items than the items")
    given = c.ran("embed_items") is None or c.ran("embed_items").input.get("vectors")
    parts = ("clues",) if given else tuple(_settings(c)["text"])
    size = t["vector"].map(len)
    wrong = t["hash"] != [embeddings.digest(text) for text in embeddings.texts(items, parts)]
    wrong |= (size != size.mode().iloc[0]) | (t["model"] != t["model"].mode().iloc[0])
    return bad(t, wrong, "item_id", "model")


# --- held out ----------------------------------------------------------------------------------


@again(
    "irt_loss",
    "heldout_losses",
    of=by("split", "model", "dimensions"),
)
def _loss(c):
    """Held-out losses, differences and their intervals follow from the losses of questions."""
    from ..irt import evaluate

    return evaluate.loss_table(c["heldout_losses"], "1pl", *c.drawn.values())


@again("irt_verdict", "heldout_losses")
def _verdict(c):
    """What is said of text follows from the losses of questions."""
    from ..irt import evaluate

    return evaluate.verdict(c["heldout_losses"], _settings(c)["dimensions"], *c.drawn.values())


@invariant("heldout_losses", "agent_responses")
def _held_out_once(c):
    """On unseen questions every response is predicted; on seen ones by every model the same."""
    t = c["heldout_losses"]
    n = c["agent_responses"].groupby("question_id").size()
    wanted = t["question_id"].map(n)
    usual = t.groupby(["split", "question_id"])["n"].transform("median")
    wrong = (t["split"] == "unseen") & (t["n"] != wanted)
    wrong |= (t["n"] > wanted) | (t["n"] != usual)
    return bad(t, wrong, "split", "model", "dimensions", "question_id", "n")


@invariant("irt_calibration", "heldout_losses", "agent_responses")
def _bins(c):
    """Each model's bins hold all its predictions; all models' hold as many right answers; means lie in
    their bins, shares in their intervals.
    """
    t, losses = c["irt_calibration"], c["heldout_losses"]
    count = _settings(c)["bins"]
    key = ["model", "split"]
    # A model's number of aspects is not told here, and all have the same responses.
    known = losses.drop_duplicates(["split", "model", "question_id"]).groupby(key)["n"].sum()
    right = (t["n"] * t["observed"]).round(6)
    sums = pd.DataFrame({"n": t["n"], "right": right}).groupby([t["model"], t["split"]]).sum()
    wrong = ~_near(sums["n"], known.reindex(sums.index))
    total = float(c["agent_responses"]["correct"].sum())
    at = sums.index.get_level_values("split")
    usual = np.where(at == "unseen", total, sums.groupby("split")["right"].transform("median"))
    wrong |= ~_near(sums["right"], usual, 1e-4)
    outcome = bad(sums.reset_index(), wrong, *key, "n", "right")
    lost = known.index.difference(sums.index)
    if outcome.failures or len(lost):
        return Outcome(
            len(t), outcome.failures + len(lost), outcome.detail or f"missing: {lost[0]}"
        )
    outside = (t["predicted"] * count < t["bin"] - 1 - 1e-9) | (
        t["predicted"] * count > t["bin"] + 1e-9
    )
    outside |= (right % 1 > 1e-4) & (right % 1 < 1 - 1e-4)
    outside |= (t["low"] > t["observed"] + 1e-12) | (t["high"] < t["observed"] - 1e-12)
    outside |= t.duplicated([*key, "bin"]) | t[["bin", "predicted", "observed"]].isna().any(axis=1)
    return bad(t, outside, *key, "bin", "n", "predicted", "observed")


# --- what holds of the model by itself -----------------------------------------------------------


@invariant("item_parameters")
def _relevance_is_shared_out(c):
    """The relevances of an item make up 1; its difficulty is the sum of its effective ones."""
    t = c["item_parameters"]
    wrong = ~_near(t["relevance"].map(np.sum), 1)
    wrong |= ~_near(t["effective_difficulty"].map(np.sum), t["difficulty"])
    return bad(t, wrong, "item_id", "difficulty")


@invariant("skills")
def _centred_on_all_agents(c):
    """Over all agents the centred skills of an aspect have mean 0; a bootstrap interval holds some width."""
    t = c["skills"]
    mean = t.groupby("aspect")["centred"].transform("mean")
    return bad(t, ~_near(mean, 0) | ~(t["bootstrap_low"] < t["bootstrap_high"]), "agent", "aspect")


@invariant("irt_stability", "skills")
def _restarts(c):
    """One row per restart and aspect, the best first and itself the model; what concerns a whole
    restart is said alike in all its rows.
    """
    t = c["irt_stability"]
    m = int(c["skills"]["aspect"].max())
    whole = ["objective", "tau", "difficulty_correlation", "cluster_ari"]
    by_restart = t.groupby("restart")[whole]
    wrong = (by_restart.transform("nunique") > 1).any(axis=1)
    wrong |= (~by_restart.transform("count").isin([0, m])).any(axis=1)
    wrong |= t[["objective", "tau"]].isna().any(axis=1)
    wrong |= t["objective"].diff() < -1e-12
    wrong |= t["aspect"] != np.arange(len(t)) % m + 1
    wrong |= t["restart"] != np.arange(len(t)) // m + 1
    alike = [name for name in t if name.endswith("correlation") or name == "cluster_ari"]
    wrong |= (t[alike].abs() > 1 + 1e-9).any(axis=1)
    own = (t["restart"] == 1).to_numpy()
    wrong |= own & ~(t[alike].isna() | _near(t[alike], 1)).all(axis=1)
    expected = _settings(c)["restarts"] * m
    outcome = bad(t, wrong, "restart", "aspect")
    if len(t) != expected:
        return Outcome(len(t), outcome.failures + 1, f"{len(t)} rows, {expected} wanted")
    return outcome


# --- the model of all responses ----------------------------------------------------------------


def _given(c):
    """Items, signs (J, I) and agents in the order of the fit."""
    from ..irt import agents as agents_module

    items = c["item_list"].sort_values(ITEM, ignore_index=True)
    agents = c["agents"].sort_values(AGENT, ignore_index=True)
    return items, agents_module.matrix(c["agent_responses"], items, agents), agents


def _fit(c):
    """The fitted model, put together from its tables."""
    from ..irt import embeddings, evaluate, model

    settings = _settings(c)
    items, signs, agents = _given(c)
    text = embeddings.stack(c["embeddings"].set_index("item_id").loc[items["item_id"]])
    x = evaluate.with_length(text, items["end_word"]) if settings["words_heard"] else text
    projection, x = model.project(x, settings["components"])
    table = c["item_parameters"].set_index("item_id").loc[items["item_id"]]
    relevance, effective = (
        np.vstack(table[name]) for name in ("relevance", "effective_difficulty")
    )
    wide = c["skills"].pivot(index="agent", columns="aspect", values="skill")
    skills = wide.loc[agents["agent"]].to_numpy()
    # Relevance is a softmax: its logarithm is linear in the text but for what all aspects share.
    logs = np.log(relevance)
    logs = logs - logs.mean(axis=1, keepdims=True)
    of_r = np.linalg.lstsq(np.column_stack([x, np.ones(len(x))]), logs, rcond=None)[0]
    of_d = np.linalg.lstsq(x, effective / relevance, rcond=None)[0]
    first = c["irt_stability"].iloc[0]
    tau = float(first["tau"])
    parts = skills, of_d.T, of_r[:-1].T, of_r[-1]
    bare = model.Parameters(*parts, np.zeros(0))
    mean, variance = np.zeros(0), np.zeros(len(items))
    if tau:
        r, d = model.item_terms(bare, x)
        offsets = r @ skills.T - (r * d).sum(axis=1)[:, None]
        mean, variance, _ = model.residual_posterior(offsets, signs, tau)
    penalty = replace(evaluate.penalty_of(settings), tau=tau)
    found = model.Parameters(*parts, mean)
    total = int(np.abs(signs).sum())
    return model.Fit(found, projection, x, penalty, variance, float(first["objective"]), total)


def _made(c) -> dict:
    """All tables that rest on the model but its refits: name → frame."""

    def make(c):
        from ..irt import analysis, steps

        items, signs, agents = _given(c)
        features = analysis.text_features(items)
        path = c.ran("fit_irt").input.get("item_features") if c.ran("fit_irt") else None
        if path:
            more = analysis.read_features(path[0], items)
            features = pd.concat([features, more], axis=1)
        settings = _settings(c) | {"refits": 1}
        return steps.fit_tables(_fit(c), items, agents, signs, features, settings)

    return c.again("fit_irt", MODEL, make)


def _of_model(table, statement, skip=()):
    def from_model(c):
        return _made(c)[table]

    from_model.__doc__ = statement
    rule = "fit_irt" if table == "irt_relevance" else None
    again(table, *(one for one in MODEL if one != table), skip=skip, rule=rule)(from_model)


for _table, _statement in (
    ("skills", "Centred skills, standard errors and Laplace intervals follow from skills."),
    (
        "item_parameters",
        "Relevance and difficulty are what the text says; residuals, clusters and fit follow.",
    ),
    ("complementarity", "The best human and system of each item follow."),
    ("irt_contrasts", "Contrasts of agents and types follow from skills."),
    ("irt_agent_fit", "Accuracy and fit of agents follow from model and responses."),
    ("irt_q3", "Correlations of residuals follow from model and responses."),
    ("irt_dif", "Human-AI differences follow from model and responses."),
    ("irt_clusters", "Profiles of clusters are means over their items."),
    ("irt_cluster_accuracy", "Accuracies by cluster follow from responses."),
    ("irt_relevance", "What makes aspects relevant follows from items and texts."),
    ("irt_complementarity", "Means over items follow, with intervals."),
    ("irt_pairs", "Pairs of humans and systems follow from model and responses."),
):
    _of_model(_table, _statement, REFITTED if _table in ("skills", "irt_contrasts") else ())


@again("irt_skills", "skills", of=by("agent", "aspect"))
def _skills_shown(c):
    """The final table is the typed one."""
    return c["skills"]
