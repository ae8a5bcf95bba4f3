"""The item response model: its gradient, its predictions, what it recovers, and models without text."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from calscore.irt import baselines, censored, model, outcomes, uncertainty
from calscore.stats.bootstrap import Bootstrap
from irt_worlds import ITEMS, log_loss, match, paper_size
from irt_worlds import world as make_world
from scipy.optimize import linear_sum_assignment
from scipy.stats import spearmanr

TAUS = [0.0, 0.5]
NO_RESIDUAL = model.Penalty(tau=0.0)


@pytest.fixture(scope="module")
def small():
    """A small world: embeddings, signs with missing cells, world."""
    world = make_world(3, agents=12, questions=20, items=70, size=30, factors=6, dimensions=3)
    rng = np.random.default_rng(0)
    signs = np.where(world.right, 1.0, -1.0) * (rng.random(world.right.shape) < 0.7)
    return world, signs


def predict(fit, embeddings):
    """Probabilities on unseen items."""
    return fit.predict_unseen(fit.projection(embeddings))


def extra_columns(world, seed=0):
    """Two columns of what else is known of items, standardised."""
    columns = np.random.default_rng(seed).standard_normal((len(world.embeddings), 2))
    return (columns - columns.mean(axis=0)) / columns.std(axis=0)


@pytest.mark.parametrize("tau", [0.0, 0.8])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("slope", [False, True])
def test_gradient_is_that_of_finite_differences(small, tau, weighted, slope):
    world, signs = small
    _, design = model.project(world.embeddings, 5, extra_columns(world), slope)
    rng = np.random.default_rng(1)
    start = model.starting_point(rng, design, signs, 3)
    start = replace(start, residual=np.zeros(len(signs) if tau else 0))
    vector = start.pack() + 0.1 * rng.standard_normal(start.pack().size)
    groups = [0] * 8 + [1] * 4
    penalty = model.Penalty(1e-3, 1e-3, 0.7, 1.3, 0.5, 1.1, 0.4, tau, model.scaled_membership(groups), groups)
    penalty = replace(penalty, centre=penalty.draw(rng, start))
    weights = rng.integers(0, 3, len(signs)).astype(float) if weighted else None
    arguments = start, design, signs, penalty, weights
    for point in (vector, np.zeros_like(vector)):
        analytic = model.objective(point, *arguments)[1]
        numeric = [
            model.objective(point + s, *arguments)[0] - model.objective(point - s, *arguments)[0]
            for s in 1e-5 * np.eye(point.size)
        ]
        assert np.abs(analytic - np.array(numeric) / 2e-5).max() < 1e-6


def test_an_agents_level_is_drawn_to_the_mean_of_its_group():
    """One right answer is no reason to top the table. Level ~ N(mean of its group, σ²), σ estimated."""
    made = make_world(3, agents=40, questions=60, items=240, size=12, factors=4, dimensions=1)
    signs = np.where(made.right, 1.0, -1.0)
    sides = np.repeat([0, 1], [25, 15])
    kind = np.where(sides == 1, 1 / 15, -1 / 25)
    penalty = model.Penalty(groups=sides)
    text = model.project(made.embeddings, 4)
    whole = model.fit(text, signs, 1, penalty, restarts=1)
    level = whole.parameters.skills[:, 0]
    spread = np.mean([level[sides == k].var(ddof=1) for k in (0, 1)]) ** 0.5
    assert whole.penalty.level_sd == pytest.approx(spread, rel=0.1)
    bare = signs.copy()
    bare[:, 0] = 0
    # The item on which the only answer is a surprise.
    bare[made.probability.mean(axis=1).argmin(), 0] = 1
    single = model.fit(text, bare, 1, penalty, restarts=1)
    skills = single.parameters.skills[:, 0]
    assert abs(skills[0] - skills[1:25].mean()) < 1.5
    moved = kind @ skills - (kind @ level)
    assert abs(moved) < 0.1 + abs(level[0] - level[1:25].mean()) / 25
    draws = uncertainty.bootstrap(
        single, bare, made.question, Bootstrap(40, 0, 0.95), lambda p, *_: {"skill": p.skills[:, 0]}
    )["skill"]
    low, high = uncertainty.percentile_bounds(draws - draws.mean(axis=1, keepdims=True), 0.95)
    # As wide as what is known of the group, not of width 0.
    assert high[0] - low[0] > 2 * single.penalty.level_sd
    assert (high - low)[1:].max() < high[0] - low[0]


@pytest.mark.parametrize(("seed", "slope"), [(0, False), (1, True)])
def test_relevance_never_sees_words_heard(seed, slope):
    """Agents gain from clues at different rates: that is a slope, and no kind of knowledge."""
    made = make_world(seed, agents=30, questions=60, items=240, size=16, factors=6, dimensions=1)
    depth = made.clue - made.clue.mean()
    depth = (depth / depth.std())[:, None]
    gains = np.random.default_rng(seed).standard_normal(30)
    logits = np.log(made.probability / (1 - made.probability)) + depth * gains
    drawn = np.random.default_rng(9).random(logits.shape)
    signs = np.where(drawn < model.sigmoid(logits), 1.0, -1.0)
    fit = model.fit(model.project(made.embeddings, 8, depth, slope), signs, 2, restarts=2)
    assert abs(spearmanr(fit.relevance[:, 0], made.clue)[0]) < 0.1
    if slope:
        assert np.corrcoef(fit.parameters.slope, gains)[0, 1] > 0.95
        assert fit.parameters.slope.mean() == pytest.approx(0, abs=1e-6)


def test_objective_is_the_papers(small):
    """Equations 9 to 12, written out cell by cell."""
    world, signs = small
    _, design = model.project(world.embeddings, 5)
    p, x = model.starting_point(np.random.default_rng(2), design, signs, 3), design.values
    total, n = 0.0, 0
    d_raw = x @ p.w_difficulty.T
    d = d_raw - d_raw.mean(axis=0)
    for j in range(signs.shape[0]):
        raw = p.w_relevance @ x[j] + p.b_relevance
        r = np.exp(raw) / np.exp(raw).sum()
        for i in range(signs.shape[1]):
            if signs[j, i]:
                probability = 1 / (1 + np.exp(-(p.skills[i] - d[j]) @ r))
                total -= np.log(probability if signs[j, i] > 0 else 1 - probability)
                n += 1
    expected = total / n + 1e-3 * np.abs(d).sum() + 2e-3 * np.abs(p.skills).sum()
    penalty = model.Penalty(1e-3, 2e-3, None, None, None, None)
    found = model.objective(p.pack(), p, design, signs, penalty)[0]
    # The smoothing of |x| takes at most SMOOTH from each entry.
    slack = model.SMOOTH * (1e-3 * d.size + 2e-3 * p.skills.size)
    assert expected - slack <= found <= expected


@pytest.mark.parametrize("tau", TAUS)
def test_a_prediction_is_the_same_alone_and_in_any_order(small, tau):
    world, signs = small
    text = model.project(world.embeddings[:50], 8)
    fit = model.fit(text, signs[:50], 3, model.Penalty(tau=tau), restarts=1)
    new = world.embeddings[50:]
    together = predict(fit, new)
    order = np.random.default_rng(0).permutation(len(new))
    assert (predict(fit, new[order]) == together[order]).all()
    for j in range(len(new)):
        assert (predict(fit, new[j : j + 1])[0] == together[j]).all()
    # Difficulty is centred over the training items, whatever is predicted.
    assert np.abs(model.item_terms(fit.parameters, fit.design)[1].mean(axis=0)).max() < 1e-10
    alone = model.item_terms(fit.parameters, fit.projection(new[:1]))[1]
    assert np.abs(alone).max() > 1e-3


def test_open_cells_are_as_right_as_one_draw_for_all_of_them_has_it(small):
    """By draws: a share u of (0, 1) is right where u < p; kept are those that were wrong on some items, right on another."""
    world, signs = small
    fit = model.fit(model.project(world.embeddings, 8), signs, 3, NO_RESIDUAL, restarts=1)
    p = fit.predict_seen()
    cases = [
        (0, 0, 2, -1, (2, 3), 0.0), (7, 4, 5, 6, (7, 8), 0.0), (2, 10, 10, 10, (11,), 0.0),
        (3, 0, 1, -1, (1, 2), 0.6), (5, 20, 20, -1, (20, 21), 1.0), (8, 30, 32, -1, (32, 33), 0.3),
    ]  # fmt: skip
    fields = np.array(
        [(column, first, rows[-1] + 1 - first, stop - first, right + 1 - first if right >= 0 else 0, 0)
         for column, first, stop, right, rows, _ in cases]
    ).T  # fmt: skip
    open_ = censored.OpenOutcomes(*fields, np.array([case[5] for case in cases]))
    found = model.e_step(fit.parameters, fit.design, signs, open_)
    u = (np.arange(100_000) + 0.5) / 100_000
    for column, first, stop, right, rows, share in cases:
        kept = np.all([u >= p[j, column] for j in range(first, stop)] or [u > 0], axis=0)
        if right >= 0:
            kept &= u < p[right, column]
        # What the next clue adds has been heard in part: who knew by then would have said so.
        before = max([p[j, column] for j in range(first, stop)], default=0.0)
        kept &= (u >= before + share * (p[stop, column] - before)) | (share == 0)
        for j in rows if kept.any() else ():
            share = (u[kept] < p[j, column]).mean()
            assert (found[j, column] + 1) / 2 == pytest.approx(share, abs=1e-3)
    known, still = open_.observed_signs(signs), np.zeros(signs.shape, dtype=bool)
    for column, *_, rows, _ in cases:
        still[list(rows), column] = True
    assert (known == np.where(still, 0, signs)).all()
    assert (found[~still] == signs[~still]).all()
    assert model.e_step(fit.parameters, fit.design, signs, None) is signs


def test_a_cell_that_is_half_right_is_half_of_each(small):
    world, signs = small
    _, x = model.project(world.embeddings, 5)
    p = model.starting_point(np.random.default_rng(2), x, signs, 3)
    losses = {}
    for value in (-1.0, 1.0, 0.5):
        of = signs.copy()
        of[3, 4] = value
        losses[value] = model.objective(p.pack(), p, x, of, model.Penalty(), total=1.0)
    for k in (0, 1):
        mixed = 0.25 * losses[-1.0][k] + 0.75 * losses[1.0][k]
        assert losses[0.5][k] == pytest.approx(mixed)


def test_the_same_seed_gives_the_same_fit(small):
    world, signs = small
    given = model.project(world.embeddings[:30], 8), signs[:30], 3
    first, again = (model.fit(*given, restarts=2, seed=5) for _ in range(2))
    assert (first.parameters.pack() == again.parameters.pack()).all()
    assert first.objective <= model.fit(*given, restarts=1, seed=5).objective
    other = model.fit(*given, restarts=1, seed=6)
    assert (first.parameters.pack() != other.parameters.pack()).any()


def test_values_that_are_not_finite_are_refused(small):
    world, signs = small
    broken = world.embeddings.copy()
    broken[3, 2] = np.nan
    with pytest.raises(ValueError, match="finite"):
        model.project(broken)
    for wrong in (signs[:-1], signs[0], 2 * signs):
        with pytest.raises(ValueError, match="must be"):
            model.fit(model.project(world.embeddings), wrong)


@pytest.fixture(scope="module")
def recovered():
    """A fit of the paper's model to a world of the paper's size."""
    world, signs, held = paper_size(0)
    text = model.project(world.embeddings[:ITEMS])
    fit = model.fit(text, signs, penalty=NO_RESIDUAL, restarts=1)
    order = match(world.relevance[:ITEMS], fit.relevance)
    return world, signs, held, model.permuted(fit, order)


def test_held_out_loss_is_near_the_generating_models(recovered):
    world, _, held, fit = recovered
    right, truth = world.right[:ITEMS][held], world.probability[:ITEMS][held]
    assert log_loss(fit.predict_seen()[held], right) - log_loss(truth, right) < 0.004
    right, truth = world.right[ITEMS:], world.probability[ITEMS:]
    assert log_loss(predict(fit, world.embeddings[ITEMS:]), right) - log_loss(truth, right) < 0.006


def of_text(fit, world):
    """Of a fit to the training items: τ, difficulty rᵀd and δ = rᵀd + residual, estimated and true (2, J)."""
    told = (world.relevance * world.difficulty).sum(axis=1)[: len(fit.variance)]
    text = np.array([fit.offset - fit.parameters.residual, told])
    rest = np.array([fit.parameters.residual, world.residual[: len(fit.variance)]])
    return fit.tau, text, text + rest


@pytest.mark.parametrize(
    ("agents", "items"),
    [(100, 1000), pytest.param(200, 5000, marks=pytest.mark.full)],
    ids=["1e5 responses", "1e6 responses"],
)
def test_the_text_keeps_its_difficulty_beside_a_residual(agents, items):
    """With τ = 0.8, where the printed penalty takes rᵀd to 0 and what it tells into the residual."""
    world = make_world(1, agents, items // 4, items, size=64, factors=12, dimensions=3, tau=0.8)
    signs = np.where(world.right, 1.0, -1.0)
    given = model.project(world.embeddings, 16), signs, 3
    tau, text, delta = of_text(model.fit(*given, restarts=1), world)
    assert tau == pytest.approx(0.8, abs=0.06)
    assert text[0].std() == pytest.approx(text[1].std(), rel=0.1)
    assert np.corrcoef(text)[0, 1] > 0.95
    assert np.corrcoef(delta)[0, 1] > 0.96
    if items > 1000:
        printed = model.Penalty(1e-6, 1e-6)
        tau, text, _ = of_text(model.fit(*given, printed, restarts=1), world)
        assert text[0].std() < 0.1 * text[1].std()
        assert tau > 1.0


def test_skills_and_difficulties_are_recovered(recovered):
    world, _, _, fit = recovered
    both = np.corrcoef(fit.parameters.skills.T, world.skills.T)[:5, 5:]
    assert (linear_sum_assignment(-both)[1] == np.arange(5)).all()
    assert np.diag(both).min() >= 0.95
    delta = fit.offset
    truth = (world.relevance * world.difficulty).sum(axis=1)[:ITEMS]
    assert np.corrcoef(delta, truth)[0, 1] >= 0.98


def test_a_residual_beyond_the_text_is_found():
    """τ is recovered, and difficulties of seen items are better than by text alone."""
    world = make_world(4, agents=60, questions=150, items=600, unseen_questions=60, size=64,
                           factors=8, dimensions=2, tau=0.8)  # fmt: skip
    signs = np.where(world.right[:600], 1.0, -1.0)
    rng = np.random.default_rng(0)
    held = rng.random(signs.shape) < 0.3
    given = model.project(world.embeddings[:600], 16), np.where(held, 0, signs), 2
    fit, plain = (model.fit(*given, penalty, restarts=2) for penalty in (None, NO_RESIDUAL))
    assert fit.tau == pytest.approx(0.8, abs=0.12)
    right, unseen, new = world.right[:600][held], world.right[600:], world.embeddings[600:]
    better, worse = (log_loss(one.predict_seen()[held], right) for one in (fit, plain))
    assert better < worse - 0.02
    better, worse = (log_loss(predict(one, new), unseen) for one in (fit, plain))
    assert better < worse
    relevance, difficulty = model.item_terms(fit.parameters, fit.projection(new))
    z = relevance @ fit.parameters.skills.T - (relevance * difficulty).sum(axis=1)[:, None]
    predicted = predict(fit, new)
    # Marginalising: the probability at logit z is that of a logistic-normal.
    nodes = np.random.default_rng(1).standard_normal(200_000)
    for cell in ((0, 0), (3, 7), (11, 40)):
        exact = model.sigmoid(z[cell] + fit.tau * nodes).mean()
        assert predicted[cell] == pytest.approx(exact, abs=0.005)
        assert abs(model.sigmoid(z[cell]) - exact) > abs(predicted[cell] - exact)


def test_quadrature_of_the_residual_is_exact():
    rng = np.random.default_rng(0)
    offsets = rng.standard_normal((6, 9))
    signs = rng.choice([-1.0, 0.0, 1.0], (6, 9))
    cells = model.SparseResponses.from_signs(signs)
    logits = offsets[cells.row, cells.column]
    mean, variance, marginal = model.residual_posterior(logits, cells, 0.9)
    grid = np.linspace(-8, 8, 20_001)
    for j in range(6):
        u = signs[j][:, None] * (offsets[j][:, None] - grid)
        log = -(np.logaddexp(0, -u) * (signs[j] != 0)[:, None]).sum(axis=0)
        density = np.exp(log - 0.5 * (grid / 0.9) ** 2) / (0.9 * np.sqrt(2 * np.pi))
        total = density.sum() * (grid[1] - grid[0])
        assert marginal[j] == pytest.approx(np.log(total), abs=1e-6)
        first = (density * grid).sum() / density.sum()
        second = (density * (grid - first) ** 2).sum() / density.sum()
        assert (mean[j], variance[j]) == pytest.approx((first, second), abs=1e-5)


def test_held_out_loss_is_no_worse_than_py_irts():
    """A tenth of the responses of 200 test takers to 40 items; py-irt 0.7.1 (1PL, hierarchical priors) on the same cells."""
    rng = np.random.default_rng(8)
    theta, b = rng.standard_normal(200), np.linspace(-1.5, 1.5, 40)
    signs = np.where(rng.random((200, 40)) < model.sigmoid(1.2 * (theta[:, None] - b)), 1.0, -1.0)
    hidden = np.random.default_rng(8).random(signs.shape) < 0.1
    p = baselines.fit_marginal(np.where(hidden, 0.0, signs).T, "1PL").predict_seen().T
    assert log_loss(p[hidden], signs[hidden] > 0) <= 0.5527444532181883


def test_rasch_with_random_items_recovers_its_parameters():
    rng = np.random.default_rng(0)
    theta, b = rng.standard_normal(30), 1.5 * rng.standard_normal(1500)
    right = rng.random((1500, 30)) < model.sigmoid(theta - b[:, None])
    signs = np.where(right, 1.0, -1.0)
    found = baselines.fit_marginal(signs, "1PL")
    # The items' mean is 0 by the model, not exactly in the sample.
    assert np.corrcoef(found.skills, theta)[0, 1] > 0.99
    assert np.abs(found.skills - (theta - b.mean())).max() < 0.25
    assert found.sd == pytest.approx(b.std(), abs=0.1)
    two = baselines.fit_marginal(signs, "2PL")
    assert two.spread < 0.25
    both = (log_loss(fit.predict_seen(), right) for fit in (two, found))
    assert next(both) <= next(both) + 1e-4
    assert found.predict() == pytest.approx(model.sigmoid(theta), abs=0.2)
    assert found.predict_seen().shape == signs.shape


def test_mirt_tells_two_dimensions_from_one():
    rng = np.random.default_rng(1)
    skills, which = rng.standard_normal((40, 2)) * 1.5, rng.integers(0, 2, 400)
    logits = skills[:, which].T - 0.5 * rng.standard_normal((400, 1))
    right = rng.random((400, 40)) < model.sigmoid(logits)
    held = rng.random(right.shape) < 0.2
    visible = np.where(held, 0, np.where(right, 1.0, -1.0))
    losses = [log_loss(baselines.fit_mirt(visible, m)[held], right[held]) for m in (1, 2)]
    assert losses[1] < losses[0] - 0.03


def summary(parameters, relevance, weights):
    return {"skills": parameters.skills, "relevance": relevance}


def test_the_same_seed_gives_the_same_replicates(small):
    world, signs = small
    fit = model.fit(model.project(world.embeddings, 8), signs, 3, restarts=1)
    given = fit, signs, world.question, Bootstrap(6, 0, 0.95), summary
    draws = uncertainty.bootstrap(*given)
    assert draws["skills"].shape == (6, 12, 3)
    assert draws["relevance"].sum(axis=2) == pytest.approx(1)
    again = uncertainty.bootstrap(*given)
    assert (draws["skills"] == again["skills"]).all()
    turned = model.permuted(fit, [2, 0, 1])
    assert match(fit.relevance, turned.relevance) == [1, 2, 0]
    back = model.permuted(turned, match(fit.relevance, turned.relevance))
    assert (back.relevance == fit.relevance).all()


@pytest.mark.parametrize(
    ("draws", "level", "bounds"),
    [(39, 0.95, (1, 39)), (40, 0.9, (2.05, 38.95)), (9, 0.5, (2.5, 7.5)), (5, 0.95, (1, 5))],
)
def test_few_refits_have_bounds_as_wide_as_they_say(draws, level, bounds):
    """Of n draws the k-th smallest has k / (n + 1) of further draws below it."""
    drawn = np.random.default_rng(0).permutation(np.arange(1.0, draws + 1))
    assert uncertainty.percentile_bounds(drawn, level) == pytest.approx(bounds)


@pytest.mark.parametrize("tau", TAUS)
def test_refits_go_as_low_as_a_long_descent(small, tau):
    """Items drawn anew and priors moved: the skills are those that plain descent comes to, aspect by aspect."""
    world, signs = small
    text = model.project(world.embeddings, 5)
    found = model.fit(text, signs, 2, model.Penalty(tau=tau), restarts=1)
    resampling = Bootstrap(4, 3, 0.95)
    draws = uncertainty.bootstrap(found, signs, world.question, resampling, summary)
    drawn = [s[:, match(found.relevance, r)] for s, r in zip(*draws.values(), strict=True)]
    weights = resampling.question_weights(len(np.unique(world.question)))
    for number, (skills, times) in enumerate(zip(drawn, weights, strict=True)):
        centre = found.penalty.draw(np.random.default_rng([3, number]), found.parameters)
        penalty = replace(found.penalty, centre=centre)
        given = found.design, signs, penalty, times[world.question].astype(float)
        parameters, _ = model.descend(found.parameters, *given, 4000, 1e-12)
        relevance = model.item_terms(parameters, found.design)[0]
        order = match(found.relevance, relevance)
        assert skills == pytest.approx(parameters.skills[:, order], abs=0.08)


def test_the_spread_of_agents_is_estimated():
    """Rasch levels of two groups, with standard deviation .6 within each."""
    rng = np.random.default_rng(0)
    groups = np.repeat([0, 1], 100)
    true = np.where(groups == 1, 2.0, 0.0) + 0.6 * rng.standard_normal(200)
    information = rng.uniform(1, 30, 200)
    seen = true + rng.standard_normal(200) / np.sqrt(information)
    # Shrunk to the means of the groups, as a fit with another prior has them.
    means = np.array([seen[groups == g].mean() for g in (0, 1)])[groups]
    shrunk = means + (seen - means) * information / (information + 1 / 1.5**2)
    sd = model.estimate_group_sd(shrunk, information, groups, 1.5)
    assert sd == pytest.approx(0.6, abs=0.1)


WAITS = (0.0, 0.4)


@pytest.mark.parametrize("wait", WAITS)
def test_silence_says_as_much_as_waiting_allows(wait):
    """By draws: an agent knows from the clue at which u < p, and lets each known clue pass with chance ``wait``."""
    p = np.array([0.15, 0.3, 0.5, 0.8])
    rng = np.random.default_rng(1)
    since = (rng.random(400_000)[:, None] >= p).sum(axis=1) + 1
    waits = rng.geometric(1 - wait, 400_000) - 1 if wait else np.zeros(400_000, dtype=int)
    buzz = since + waits
    cases = [(2, 3, 0), (3, 0, 0), (1, 0, 2)]  # silent_to, right_from, wrong_to
    layout = np.arange(3), np.zeros(3, dtype=int), np.full(3, 4)
    outcome = censored.OpenOutcomes(*layout, *np.array(cases).T, np.zeros(3), wait)
    filled = outcome.fill(np.zeros((4, 3)), lambda rows, columns: p[rows])
    for column, (silent, right, wrong) in enumerate(cases):
        kept = (buzz > silent) & ((buzz == right) | (right == 0)) & (since > wrong)
        expected = np.array([(since[kept] <= clue).mean() for clue in (1, 2, 3, 4)])
        # What was seen is in the signs: buzzes, and silence of who buzz at once.
        clue = np.arange(1, 5)
        left = clue != max(right, wrong) if wait else clue > max(silent, right, wrong)
        assert (filled[left, column] + 1) / 2 == pytest.approx(expected[left], abs=0.01)
        assert (filled[~left, column] == 0).all()


def test_errors_of_items_hold_what_nobody_stayed_to_hear():
    """Questions differ more than their clues do, and a fifth of the humans leave at each clue. Skills are nearly known."""
    held = []
    for seed in range(2):
        rng = np.random.default_rng(seed)
        clue = np.tile(np.arange(1, 5), 150)
        items = pd.DataFrame({"question_id": np.repeat(np.arange(150), 4), "clue": clue})
        items["item_id"] = items.index
        hard = rng.exponential(1.0, 150)[items["question_id"]]
        hard = hard - rng.exponential(0.6, (150, 4)).cumsum(axis=1).ravel()
        chance = model.sigmoid(rng.standard_normal(26) - hard[:, None]).reshape(150, 4, 26)
        knows = rng.random((150, 1, 26)) < chance
        ends = knows | (rng.random(knows.shape) < 0.2)
        at, ended = ends.argmax(axis=1), ends.any(axis=1)
        right = np.take_along_axis(knows, at[:, None], 1)[:, 0] & ended
        number, agent = (index.ravel() for index in np.indices(at.shape))
        table = pd.DataFrame({"agent": agent, "question_id": number, "wrong_to": 0, "share": 0.0})
        table["right_from"] = np.where(right, at + 1, 0).ravel()
        table["silent_to"] = np.where(ended, at + ~right, 4).ravel()
        rows = outcomes.responses_under_reading(items, table, "censored")
        rows["undecided"] = outcomes.censored_mask(rows, items, range(26), "censored")
        agents = pd.DataFrame({"agent": range(26)})
        pending = outcomes.censored_outcomes(rows, items, agents, table)
        signs = np.zeros((600, 26))
        signs[rows["item_id"], rows["agent"]] = np.where(rows["correct"], 1.0, -1.0)
        fit = model.fit(model.project(np.empty((600, 0))), signs, 1, restarts=1, pending=pending)
        nothing = np.zeros((2, 600))
        errors = uncertainty.item_errors(fit, signs, items["question_id"], nothing, pending)
        gap = fit.offset - fit.offset.mean() - (hard - hard.mean())
        held.append((np.abs(gap) < 1.96 * errors)[clue > 2])
    assert np.mean(held) > 0.88
