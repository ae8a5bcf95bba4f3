"""What is read off a fitted model: groups that are compared, chances, skills and aspects."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from calscore.irt import checks, effects, model, uncertainty
from calscore.stats.bootstrap import Bootstrap
from irt_worlds import world as make_world

AGENTS = pd.DataFrame(
    {
        "agent": [f"h{i}" for i in range(12)] + [f"a{i}" for i in range(6)] + ["b0", "b1", "c0"],
        "kind": ["human"] * 12 + ["ai"] * 9,
        "agent_type": ["human team"] * 12 + ["live"] * 6 + ["offline"] * 2 + ["other"],
        "responses": 20, "right": 9,
    }
)  # fmt: skip


def test_groups_that_are_compared():
    """Humans together and, where there are several, by type; systems by type; who answered little, or always alike, is in none."""
    table = AGENTS.copy()
    table.loc[[0, 1, 12], "responses"] = [9, 20, 20]
    table.loc[[1, 12], "right"] = [20, 0]
    groups = effects.comparison_groups(table)
    assert groups.sum(axis=1).to_dict() == {
        ("human", "human"): 10, ("ai", "live"): 5, ("ai", "offline"): 2, ("ai", "other"): 1,
    }  # fmt: skip
    table.loc[[3, 4], "agent_type"] = "human player"
    by_type = effects.comparison_groups(table).sum(axis=1)
    assert by_type["human"].to_dict() == {"human": 10, "human team": 8, "human player": 2}
    levels = pd.Series(effects.prior_groups(table), index=table["agent"])
    # Types of fewer than three agents share the mean of their kind.
    assert levels[["h0", "a0", "b0", "c0"]].tolist() == ["human team", "live", "ai", "ai"]


def test_depth_is_the_fifth_by_words_heard():
    items = pd.DataFrame({"question_id": list("aaabb"), "end_word": [3, 10, 15, 1, 8]})
    assert effects.question_fifths(items, True).tolist() == [1, 4, 5, 1, 5]
    assert effects.question_fifths(items, False).tolist() == [0] * 5


def test_chances_by_place_are_those_of_the_model():
    """By hand: chances averaged over agents of a type and items of a depth or category, and differences from humans."""
    made = make_world(3, agents=21, questions=30, items=120, size=12, factors=4, dimensions=1)
    signs = np.where(made.right, 1.0, -1.0)
    agents = AGENTS.assign(responses=120, right=(signs > 0).sum(axis=0))
    fit = model.fit(model.project(made.embeddings, 4), signs, 1, restarts=1)
    depth = np.where(made.clue <= 2, 1, 5)
    category = np.where(np.arange(120) % 3, "Arts", "History")
    summary = effects.Summary(fit, effects.comparison_groups(agents), depth, category)
    ones = np.ones(120)
    estimate = summary(fit.parameters, fit.relevance, ones)
    draws = uncertainty.bootstrap(fit, signs, made.question, Bootstrap(20, 0, 0.95), summary)
    table = effects.accuracy_table(summary, estimate, draws, signs, 0.95)
    rows = table.set_index(["agent_type", "depth"])
    p = fit.predict_seen()
    live = p[np.ix_(depth == 5, range(12, 18))].mean()
    human = p[np.ix_(depth == 5, range(12))].mean()
    assert rows.loc[("live", 5), "p"] == pytest.approx(live)
    assert rows.loc[("live", 5), "difference"] == pytest.approx(live - human)
    assert rows.loc[("offline", 0), "observed"] == pytest.approx((signs[:, 18:20] > 0).mean())
    about = effects.accuracy_table(summary, estimate, draws, signs, 0.95, "category")
    about = about.set_index(["agent_type", "category"])
    assert about.loc[("live", "History"), "p"] == pytest.approx(p[::3, 12:18].mean())
    assert (about.loc["live"]["responses"] == [480, 240]).all()
    # Humans of one type have no rows of their own.
    answers = pd.DataFrame([(a, str(i), signs[i, k] > 0) for k, a in enumerate(agents["agent"]) for i in range(120)], columns=["agent", "item_id", "correct"])  # fmt: skip
    given = agents.assign(compared=effects.comparable(agents)), answers
    kinds = pd.DataFrame({"item_id": map(str, range(120)), "category": category})
    assert checks.chances_by_category(about.reset_index(), *given, kinds).failures == 0
    skills = fit.parameters.skills[:, 0]
    apart = skills[12:18].mean() - skills[:12].mean()
    assert rows.loc[("live", 0), "logits"] == pytest.approx(apart)
    assert rows.loc["human"]["difference"].isna().all()
    items = pd.DataFrame({"category": category})
    study = SimpleNamespace(agents=agents, signs=signs, questions=made.question, items=items)
    listed = effects.agent_table(fit, study, estimate, draws, Bootstrap(20, 0, 0.95))
    level = skills[effects.comparable(agents)].mean()
    expected = dict(zip(agents["agent"], (skills - level) * fit.relevance.mean(), strict=True))
    assert listed.set_index("agent")["skill"].to_dict() == pytest.approx(expected)
    aspects = effects.aspect_table(fit, study, estimate, draws, 0.95).set_index("agent")
    # The only aspect is as relevant to all categories, and a skill on it is that over all items.
    assert set(aspects["categories"]) == {"all"}
    assert aspects["skill"].to_dict() == pytest.approx(expected)
    assert checks.aspects_make_up_skills(aspects.reset_index(), listed).failures == 0
    assert (table["low"] <= table["p"]).all() and (table["p"] <= table["high"]).all()
    one_kind = effects.Summary(fit, effects.comparison_groups(agents.assign(kind="ai")), depth)
    estimate = one_kind(fit.parameters, fit.relevance, ones)
    draws = uncertainty.bootstrap(fit, signs, made.question, Bootstrap(10, 0, 0.95), one_kind)
    assert effects.accuracy_table(one_kind, estimate, draws, signs, 0.95)["difference"].isna().all()
