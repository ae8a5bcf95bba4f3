"""Whether the model holds: fit, differential functioning, the scale."""

import numpy as np
import pytest
from calscore.irt import checks, diagnostics, model
from calscore.stats.bootstrap import Bootstrap
from irt_worlds import match
from irt_worlds import world as make_world
from scipy.stats import spearmanr
from statsmodels.stats.proportion import proportion_confint


@pytest.fixture(scope="module")
def rasch():
    """Rasch responses of 30 agents to 80 questions of 4 items: (p, signs, questions, clues)."""
    rng = np.random.default_rng(0)
    p = model.sigmoid(rng.standard_normal(30) - rng.standard_normal((320, 1)))
    signs = np.where(rng.random(p.shape) < p, 1.0, -1.0)
    return p, signs, np.repeat(np.arange(80), 4), np.tile(np.arange(1, 5), 80)


def test_mean_squares_are_one_where_the_model_holds(rasch):
    p, signs, _, _ = rasch
    for axis in (0, 1):
        infit, outfit, n = diagnostics.mean_squares(p, signs, axis)
        assert infit.mean() == pytest.approx(1, abs=0.05)
        assert outfit.mean() == pytest.approx(1, abs=0.1)
        assert (n == signs.shape[axis]).all()
    noisy = signs.copy()
    noisy[:, 0] = np.where(np.random.default_rng(1).random(320) < 0.5, 1, -1)
    infit, outfit, _ = diagnostics.mean_squares(p, noisy, 0)
    assert infit.argmax() == 0
    assert infit[0] > 1.1
    # By hand for one item with one response.
    one = np.zeros((1, 30))
    one[0, 4] = -1
    assert diagnostics.mean_squares(p[:1], one, 1)[1][0] == pytest.approx(p[0, 4] / (1 - p[0, 4]))


def test_fit_of_agents_counts_questions_and_not_clues(rasch):
    p, signs, question, _ = rasch
    first = signs[::4, :3]
    alone = diagnostics.agent_fit(p[::4, :3], first, question[::4], Bootstrap(300, 5, 0.9))
    right = (first > 0).sum(axis=0)
    # One answer a question: Wilson's interval on nearly as many answers (the design effect is 80 / 79).
    low, high = proportion_confint(right, 80, 0.1, "wilson")
    assert alone["accuracy"] == pytest.approx(right / 80)
    assert alone["accuracy_low"] == pytest.approx(low, abs=2e-3)
    assert alone["accuracy_high"] == pytest.approx(high, abs=2e-3)
    # The same answer at four clues is worth no more than at one.
    repeated = (np.repeat(values, 4, axis=0) for values in (p[::4, :3], first))
    four = diagnostics.agent_fit(*repeated, question, Bootstrap(300, 5, 0.9))
    for name, value in alone.items():
        assert four[name] == pytest.approx(value), name
    # By hand: infit of the first agent in every replicate.
    weights = Bootstrap(300, 5, 0.9).question_weights(80)
    gap = ((first[:, 0] > 0) - p[::4, 0]) ** 2
    under = p[::4, 0] * (1 - p[::4, 0])
    drawn = [(w @ gap) / (w @ under) for w in weights]
    bounds = alone["infit_low"][0], alone["infit_high"][0]
    assert bounds == pytest.approx(tuple(np.quantile(drawn, [0.05, 0.95])))
    drawn = [(w @ (gap / under)) / w.sum() for w in weights]
    assert alone["outfit_high"][0] == pytest.approx(np.quantile(drawn, 0.95))


def dif_world(seed, shift):
    """Rasch responses that depend on each other within a question (Q3 about .65); one of eight categories is ``shift`` easier
    for systems. p is fitted without knowing it."""
    rng = np.random.default_rng(seed)
    question = np.repeat(np.arange(96), 4)
    category = question % 8
    kinds = np.array(["human"] * 20 + ["ai"] * 10)
    skills, hard = rng.standard_normal(30), rng.standard_normal((384, 1))
    own = (2.5 * rng.standard_normal((96, 30)))[question]
    extra = shift * ((category == 0)[:, None] & (kinds == "ai"))
    signs = np.where(rng.random(own.shape) < model.sigmoid(skills - hard + own + extra), 1.0, -1.0)
    text, penalty = model.project(np.empty((384, 0))), model.Penalty(groups=kinds)
    fit = model.fit(text, signs, 1, penalty, restarts=1)
    tables = [
        diagnostics.differential_functioning(fit.predict_seen(), signs, kinds, groups, question, name, 0.95)
        for name, groups in (("category", category), ("question", question))
    ]  # fmt: skip
    return [table.set_index("group") for table in tables]


@pytest.mark.parametrize("shift", [0.0, 1.5])
def test_false_alarms_of_differential_functioning(shift):
    """At most 6 % of clean categories and questions are told from 0, with one category that differs and without."""
    alarms, large = {"category": [], "question": []}, []
    for seed in range(25):
        for name, table in zip(alarms, dif_world(seed, shift), strict=True):
            if shift:
                differs = table.index.astype(int) % 8 == 0
                if name == "category":
                    large.append(table.loc["0", "size"] == "C")
                table = table[~differs]
            alarms[name] += (table["p"] < 0.05).tolist()
    assert np.mean(alarms["category"]) <= 0.06
    assert np.mean(alarms["question"]) <= 0.06
    assert not shift or np.mean(large) > 0.6


def test_what_a_shift_is_and_where_there_is_none(rasch):
    p, signs, question, _ = rasch
    kinds = np.array(["human"] * 20 + ["ai"] * 10)
    groups = np.where(question % 2 == 0, "even", "odd")
    table = diagnostics.differential_functioning(p, signs, kinds, groups, question, "g", 0.95)
    assert (((table["low"] > 0) | (table["high"] < 0)) == (table["p"] < 0.05)).all()
    signs = signs.copy()
    signs[:, kinds == "ai"] *= groups[:, None] != "odd"
    table = diagnostics.differential_functioning(p, signs, kinds, groups, question, "g", 0.95)
    assert table["group"].tolist() == ["even"]


def test_restarts_agree_where_the_data_are_plenty():
    world = make_world(6, agents=60, questions=150, items=600, size=64, factors=6, dimensions=2)
    signs = np.where(world.right, 1.0, -1.0)
    text, plain = model.project(world.embeddings, 12), model.Penalty(tau=0.0)
    restarts = [model.fit(text, signs, 2, plain, restarts=1, seed=seed) for seed in range(4)]
    fit = min(restarts, key=lambda restart: restart.objective)
    near = [r for r in restarts if r.objective < fit.objective + 1e-4]
    assert len(near) >= 2
    for restart in near:
        order = match(fit.relevance, restart.relevance)
        both = np.corrcoef(fit.parameters.skills.T, restart.parameters.skills[:, order].T)
        assert np.diag(both[:2, 2:]).min() > 0.99
    assert spearmanr(fit.parameters.skills.mean(axis=1), world.skills.mean(axis=1))[0] > 0.9
    errors = np.full(60, 0.2)
    skills, compared = fit.parameters.skills[:, 0], np.arange(60) < 50
    scale = diagnostics.scale_table(fit, skills, compared, errors, np.full(600, 0.3))
    value = scale.set_index(["quantity", "place"])["value"]
    variance = fit.parameters.skills[:, 0].var(ddof=1)
    assert value["reliability", "agents"] == pytest.approx(1 - 0.04 / variance)
    middle = fit.parameters.skills @ fit.relevance.mean(axis=0)
    # An item at the height of an agent is as likely right as wrong.
    assert value["mean difficulty", "items"] == pytest.approx(fit.offset.mean() - skills[:50].mean())  # fmt: skip
    p = model.sigmoid(middle.mean() + 2 - fit.offset)
    assert value["test information", "+2"] == pytest.approx((p * (1 - p)).sum())
    assert checks.numbers_of_the_scale(scale).failures == 0
