"""What is read off a fitted model: clusters, regressions, pairs, and whether the model holds."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from calscore.irt import checks, diagnostics, effects, evaluate, model, outcomes, uncertainty
from calscore.stats.bootstrap import Bootstrap
from irt_worlds import match
from irt_worlds import world as make_world
from scipy.stats import spearmanr
from statsmodels.stats.proportion import proportion_confint

SETTINGS = {"seed": 0, "held_out": 0.2, "components": 4, "fold_restarts": 1, "penalty": "none", "difficulty_sd": 1,
            "relevance_sd": 1, "aspect_sd": 1, "kinds": None, "agent_groups": None, "words_heard": True, "cumulative": True,
            "item_residual": True, "replicates": 200, "level": 0.95, "preset": None}  # fmt: skip


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


def test_waiting_is_measured_on_models_that_also_had_to_guess():
    """Right guesses at clues 2 and 3, a right buzz at 3: one of two known clues was let pass."""
    table = pd.DataFrame(
        [("GPT (live)", "q1", 3, 0, 2, 0.0), ("T", "q1", 1, 0, 0, 0.0)],
        columns=["agent", "question_id", "right_from", "wrong_to", "silent_to", "share"],
    )
    rows = [("GPT (logit guesses)", "q1", c, c != 1) for c in (1, 2, 3, 4)]
    given = pd.DataFrame(rows, columns=["agent", "question_id", "clue", "correct"])
    assert outcomes.measured_wait(table, given) == pytest.approx(0.5)
    assert np.isnan(outcomes.measured_wait(table[1:], given))


def test_held_out_cells_leave_whole_questions_and_whole_blocks():
    """What a model sees of a held-out agent-and-question cell is nothing."""
    rng = np.random.default_rng(0)
    names = np.repeat([f"q{i}" for i in range(30)], 3)
    items = pd.DataFrame({"question_id": names, "end_word": np.tile([5, 10, 15], 30)})
    signs = np.where(rng.random((90, 6)) < 0.5, 1.0, -1.0)
    settings = SETTINGS | {"components": 4}
    fold = np.repeat(np.arange(3), 30)
    study = evaluate.Study(items, None, signs, np.zeros((90, 5)), settings)

    def predicted(signs):
        given = study._replace(signs=signs)
        return evaluate.heldout_predictions("1pl", 0, given, evaluate.splits(given, fold), {})

    seen, unseen = predicted(signs)
    assert np.isfinite(unseen).all()
    hidden = np.isfinite(seen).reshape(30, 3, 6)
    assert (hidden.all(axis=1) == hidden.any(axis=1)).all()
    assert 0.2 < hidden.mean() < 0.5
    # Other verdicts in one hidden block change nothing that is predicted for it.
    block, agent = next(map(tuple, np.argwhere(hidden.all(axis=1))))
    changed = signs.copy()
    changed[3 * block : 3 * block + 3, agent] *= -1
    again, _ = predicted(changed)
    rows = slice(3 * block, 3 * block + 3)
    assert (again[rows, agent] == seen[rows, agent]).all()
    losses = evaluate.question_losses("1pl", 0, "unseen", unseen, signs, names)
    assert losses["n"].sum() == 540
    halves = np.full((90, 6), 0.5)
    constant = evaluate.question_losses("constant", 0, "unseen", halves, signs, names)
    assert constant["loss"].sum() / constant["n"].sum() == pytest.approx(np.log(2))
    table = evaluate.loss_table(pd.concat([losses, constant]), Bootstrap(200, 0, 0.95), {})
    table = table.set_index("model")
    gap = table.loc["constant", "log_loss"] - table.loc["1pl", "log_loss"]
    assert table.loc["constant", "difference"] == pytest.approx(gap)
    columns = ["difference", "difference_low", "difference_high"]
    assert (table.loc["1pl", columns] == 0).all()


@pytest.mark.parametrize(
    ("key", "columns"), [("caimira", 0), ("caimira_covariates", 1), ("words", 2)]
)
def test_what_a_model_knows_of_items_where_words_heard_are_left_out(key, columns):
    items = pd.DataFrame({"end_word": [1, 4, 9]})
    given = np.ones((3, 2)), np.zeros((3, 0)), SETTINGS | {"words_heard": False}
    study = evaluate.Study(items, None, *given, np.ones((3, 1)))
    known, slope = study.known_columns(key)
    assert (0 if known is None else known.shape[1], slope) == (columns, False)


def test_a_tag_of_difficulty_lowers_the_loss_on_unseen_questions():
    """Difficulty is what the writers say and nothing in the text: only the model that sees their tags can tell."""
    rng = np.random.default_rng(2)
    tag = rng.integers(0, 3, 60)
    skill = rng.standard_normal(20)
    logits = skill[None] - 2.0 * (tag[:, None] - 1)
    signs = np.where(rng.random(logits.shape) < model.sigmoid(logits), 1.0, -1.0)
    items = pd.DataFrame({"end_word": 5 + np.arange(60) % 7, "question_id": "q"})
    items["question_id"] += items.index.astype(str)
    settings = SETTINGS | {"components": 8}
    known = evaluate.standardise(pd.get_dummies(pd.Series(tag), dtype=float))
    text = rng.standard_normal((60, 5))
    losses = {}
    for key in ("caimira", "caimira_covariates"):
        study = evaluate.Study(items, None, signs, text, settings, known)
        parts = evaluate.splits(study, np.arange(60) % 3)
        p = evaluate.heldout_predictions(key, 1, study, parts, {})[1]
        losses[key] = -np.log(np.where(signs > 0, p, 1 - p)).mean()
    own = np.log1p(np.exp(-signs * logits)).mean()
    assert losses["caimira"] > own + 0.15
    assert losses["caimira_covariates"] < own + 0.05


# share that the model has right by number of aspects, of a sweep 1, 2, 3, 8 with dimensions 5 → numbers that are tried
TRIED = [
    ({1: 0.6, 2: 0.7, 3: 0.65}, [1, 2, 3, 5]),
    ({1: 0.6, 2: 0.6}, [1, 2, 5]),
    ({1: 0.5, 2: 0.6, 3: 0.7, 5: 0.8}, [1, 2, 3, 5, 8]),
    ({1: 0.5, 2: 0.6, 3: 0.7, 5: 0.7}, [1, 2, 3, 5]),
]


@pytest.mark.parametrize(("right", "tried"), TRIED)
@pytest.mark.parametrize("preset", [None, "as_paper"])
def test_aspects_are_added_as_long_as_the_loss_on_seen_questions_falls(
    monkeypatch, right, tried, preset
):
    signs = np.ones((6, 3))
    items = pd.DataFrame({"question_id": list("aabbcc")})
    sweep = {"dimensions": 5, "dimension_sweep": [8, 1, 2, 3], "folds": 2, "preset": preset}

    def heldout_predictions(key, dimensions, *_):
        share = right.get(dimensions, 0.5) if key == "caimira" else 0.5
        # What is unseen says the opposite, and does not count.
        return np.full(signs.shape, share), np.full(signs.shape, 1 - share)

    monkeypatch.setattr(evaluate, "heldout_predictions", heldout_predictions)
    study = evaluate.Study(items, None, signs, np.zeros((6, 1)), SETTINGS | sweep)
    losses = evaluate.evaluate_models(study)
    by = losses.drop_duplicates(["model", "dimensions"]).groupby("model", sort=False)["dimensions"]
    expected = {"constant": [0], "1pl": [0], "words": [1], "caimira": tried}
    if preset:
        expected |= {"2pl": [0], "mirt": tried}
    assert by.apply(list).to_dict() == expected


def test_the_fewest_aspects_are_chosen_whose_loss_is_about_the_least():
    """By hand: five questions of ten responses; the least loss has 5 aspects, 2 are within one standard error, 1 is not."""
    best = np.array([5.0, 6.0, 4.0, 5.0, 5.0])
    gaps = {1: [0.5, 0.4, 0.6, 0.5, 0.5], 2: [0.5, -0.4, 0.3, -0.2, 0.1]}
    gaps |= {5: [0.0] * 5, 8: [0.1] * 5}
    rows = [
        ("caimira", m, split, f"q{q}", best[q] / 2 + gap[q] * (split == "seen"), 5)
        for m, gap in gaps.items()
        for split in ("seen", "unseen")
        for q in range(5)
    ]
    columns = ["model", "dimensions", "split", "question_id", "loss", "n"]
    losses = pd.DataFrame(rows, columns=columns)
    # 2 aspects: mean gap .06 a question, standard deviation .36, standard error .36 / √5 = .16.
    assert evaluate.choose_dimensions(losses) == 2
    assert evaluate.choose_dimensions(losses[losses["dimensions"] != 2]) == 5
