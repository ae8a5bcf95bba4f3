"""What is read off a fitted model: clusters, regressions, pairs, and whether the model holds."""

import numpy as np
import pandas as pd
import pytest
from calscore.core import store
from calscore.irt import analysis, checks, diagnostics, evaluate, model, pipeline
from calscore.stats.resample import bootstrap_weights
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
    alone = diagnostics.agent_fit(p[::4, :3], first, question[::4], 300, 5, 0.9)
    right = (first > 0).sum(axis=0)
    # One answer a question: Wilson's interval on nearly as many answers (the design effect is 80 / 79).
    low, high = proportion_confint(right, 80, 0.1, "wilson")
    assert alone["accuracy"] == pytest.approx(right / 80)
    assert alone["accuracy_low"] == pytest.approx(low, abs=2e-3)
    assert alone["accuracy_high"] == pytest.approx(high, abs=2e-3)
    # The same answer at four clues is worth no more than at one.
    four = diagnostics.agent_fit(
        np.repeat(p[::4, :3], 4, axis=0), np.repeat(first, 4, axis=0), question, 300, 5, 0.9
    )
    for name, value in alone.items():
        assert four[name] == pytest.approx(value), name
    # By hand: infit of the first agent in every replicate.
    weights = bootstrap_weights(80, 300, 5)
    gap = ((first[:, 0] > 0) - p[::4, 0]) ** 2
    under = p[::4, 0] * (1 - p[::4, 0])
    drawn = [(w @ gap) / (w @ under) for w in weights]
    assert [alone["infit_low"][0], alone["infit_high"][0]] == pytest.approx(
        np.quantile(drawn, [0.05, 0.95]).tolist()
    )
    drawn = [(w @ (gap / under)) / w.sum() for w in weights]
    assert alone["outfit_high"][0] == pytest.approx(np.quantile(drawn, 0.95))


def test_q3_finds_clues_that_hang_together(rasch):
    p, signs, question, clue = rasch
    table = diagnostics.q3(p, signs, question, clue).set_index("distance")
    assert list(table.index) == [0, 1, 2, 3]
    assert table["mean"].abs().max() < 0.03
    dependent = signs.copy()
    dependent[1::4] = dependent[::4]
    found = diagnostics.q3(p, dependent, question, clue).set_index("distance")
    assert found.loc[1, "mean"] > 0.2
    assert abs(found.loc[0, "mean"]) < 0.03
    gap = (signs > 0) - p
    first = [np.corrcoef(gap[4 * q], gap[4 * q + 3])[0, 1] for q in range(80)]
    assert table.loc[3, "mean"] == pytest.approx(np.mean(first))


def test_differential_functioning_is_found_and_only_there(rasch):
    p, _, question, _ = rasch
    kinds = np.array(["human"] * 20 + ["ai"] * 10)
    groups = np.where(question % 4 == 0, "biased", np.where(question % 4 == 1, "one", "two"))
    shift = np.where((groups == "biased")[:, None] & (kinds == "ai"), 1.0, 0.0)
    rng = np.random.default_rng(2)
    logits = np.log(p / (1 - p))
    signs = np.where(rng.random(p.shape) < model.sigmoid(logits + shift), 1.0, -1.0)
    table = diagnostics.differential(p, signs, kinds, groups, question, "group", 0.95)
    table = table.set_index("group")
    assert table.loc["biased", "shift"] == pytest.approx(1.0, abs=0.3)
    # The interval excludes 0 where p is below 1 − level.
    assert (((table["low"] > 0) | (table["high"] < 0)) == (table["p"] < 0.05)).all()
    assert table["low"].to_numpy() == pytest.approx(table["shift"] - 1.959964 * table["standard_error"])  # fmt: skip
    assert table.loc["biased", "p_holm"] < 0.001
    assert (table.loc[["one", "two"], "p_holm"] > 0.05).all()
    signs[:, kinds == "ai"] *= groups[:, None] != "two"
    assert "two" not in set(
        diagnostics.differential(p, signs, kinds, groups, question, "g", 0.95)["group"]
    )


def test_clusters_and_their_profiles():
    rng = np.random.default_rng(0)
    centres = np.array([[-2.0, 0], [0, 2], [3, 3]])
    truth = rng.integers(0, 3, 90)
    effective = centres[truth] + 0.1 * rng.standard_normal((90, 2))
    relevance = model.softmax(rng.standard_normal((90, 2)))
    labels = analysis.cluster(effective, 3, 0)
    assert (labels == truth + 1).all()
    table = analysis.cluster_profiles(labels, relevance, effective).set_index(["cluster", "aspect"])
    of = truth == 1
    expected = effective[of, 1].sum() / relevance[of, 1].sum()
    assert table.loc[(2, 2), "effective_difficulty"] == pytest.approx(expected)
    assert table.loc[(2, 2), "relevance"] == pytest.approx(relevance[of, 1].mean())
    everything = effective[:, 1].sum() / relevance[:, 1].sum()
    assert table.loc[(0, 2), "effective_difficulty"] == pytest.approx(everything)
    assert analysis.cluster(np.repeat(effective[:2], 3, axis=0), 12, 0).max() == 2


def test_accuracy_by_cluster_counts_responses():
    signs = np.array([[1.0, -1, 0], [1, 1, -1], [-1, 0, 1], [1, 1, 1]])
    agents = pd.DataFrame(
        {"agent": list("abc"), "kind": ["human", "human", "ai"], "agent_type": ["h", "h", "m"]}
    )
    table = analysis.cluster_accuracy(
        np.array([1, 1, 2, 2]), signs, agents, list("pqrs"), 100, 0, 0.95
    )
    table = table.set_index(["agent_type", "agent", "cluster"])[["responses", "accuracy"]]
    assert table.loc[("h", "all", 1)].tolist() == [4, 0.75]
    assert table.loc[("h", "a", 1)].tolist() == [2, 1.0]
    assert table.loc[("h", "b", 2)].tolist() == [1, 1.0]
    assert table.loc[("m", "c", 1)].tolist() == [1, 0.0]
    assert table.loc[("m", "all", 0)].tolist() == [3, pytest.approx(2 / 3)]
    assert len(table) == 3 * 5


def test_of_many_agents_the_best_of_each_kind_are_compared():
    agents = pd.DataFrame(
        {"agent": [f"a{i}" for i in range(50)], "kind": ["human"] * 25 + ["ai"] * 25}
    )
    skill = np.r_[np.arange(25), -np.arange(25)]
    human = {f"a{i}" for i in range(5, 25)}
    assert set(analysis.leading(agents, "agent", skill)) == human | {f"a{i}" for i in range(25, 45)}


def test_of_many_pairs_those_that_gain_most_are_kept(monkeypatch):
    rng = np.random.default_rng(0)
    signs = rng.choice([-1.0, 0, 1], (60, 8), p=[0.3, 0.3, 0.4])
    agents = pd.DataFrame({"agent": list("abcdefgh"), "kind": ["human", "ai"] * 4})
    given = np.full(signs.shape, 0.5), signs, agents, np.arange(60), 50, 0, 0.95
    whole = analysis.pairs(*given)
    assert len(whole) == 16
    monkeypatch.setattr(analysis, "MOST_PAIRS", 5)
    pd.testing.assert_frame_equal(analysis.pairs(*given), whole.head(5))
    assert analysis.pairs(given[0], signs, agents[agents["kind"] == "ai"], *given[3:]).empty


def features(n, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "strong": rng.standard_normal(n) * 3 + 5,
            "noise": rng.standard_normal(n),
            "flag": (rng.random(n) < 0.4).astype(float),
            "same": np.ones(n),
        }
    )


def test_regression_is_that_of_statsmodels():
    """With balanced classes the weights are equal, and errors are statsmodels' clustered ones."""
    import statsmodels.api as sm

    x = features(400)
    score = (x["strong"] - 5) / 3 + np.random.default_rng(1).logistic(size=400)
    y = (score > np.median(score)).to_numpy()
    relevance = np.column_stack([np.where(y, 0.9, 0.1), np.where(y, 0.1, 0.9)])
    question = np.repeat(np.arange(100), 4)
    table = analysis.relevance_regression(relevance, x, question, 0.6, 0.95)
    of = table[table["aspect"] == 1].set_index("feature")
    assert of["status"].to_dict() == {
        "strong": "fitted",
        "noise": "fitted",
        "flag": "fitted",
        "same": "constant",
    }
    z = x[["strong", "noise", "flag"]].copy()
    for name in ("strong", "noise"):
        z[name] = (z[name] - z[name].mean()) / z[name].std(ddof=0)
    reference = sm.GLM(y.astype(float), sm.add_constant(z), family=sm.families.Binomial()).fit(
        cov_type="cluster", cov_kwds={"groups": question}
    )
    for name in z:
        assert of.loc[name, "coefficient"] == pytest.approx(reference.params[name], abs=1e-6)
        assert of.loc[name, "standard_error"] == pytest.approx(reference.bse[name], rel=1e-4)
        assert of.loc[name, "p"] == pytest.approx(reference.pvalues[name], abs=1e-6)
    assert of.loc["strong", "p_holm"] < 0.001 < of.loc["noise", "p_holm"]
    # Holm over all aspects' coefficients: six here.
    smallest = table["p"].min()
    assert table["p_holm"].min() == pytest.approx(min(1.0, 6 * smallest))


def test_regression_of_difficulty_is_that_of_statsmodels():
    """Of the whole difficulty ordinary least squares, of an aspect's weighted by relevance; errors by question."""
    import statsmodels.api as sm

    x = features(400)
    rng = np.random.default_rng(1)
    question = np.repeat(np.arange(100), 4)
    y = 0.5 * (x["strong"] - 5) / 3 - 1.2 * x["flag"] + rng.standard_normal(100)[question]
    relevance = np.column_stack([np.full(400, 0.97), np.full(400, 0.03)])
    d = np.column_stack([3 * y, rng.standard_normal(400)])
    table = analysis.difficulty_regression(y.to_numpy(), d, relevance, x, question, 0.95)
    of = table[table["aspect"] == 0].set_index("feature")
    z = x[["strong", "noise", "flag"]].copy()
    for name in ("strong", "noise"):
        z[name] = (z[name] - z[name].mean()) / z[name].std(ddof=0)
    reference = sm.OLS(y, sm.add_constant(z)).fit(cov_type="cluster", cov_kwds={"groups": question})
    for name in z:
        assert of.loc[name, "coefficient"] == pytest.approx(reference.params[name])
        assert of.loc[name, "standard_error"] == pytest.approx(reference.bse[name])
    assert of["status"].to_dict() == dict.fromkeys(z, "fitted") | {"same": "constant"}
    thrice = table[table["aspect"] == 1].set_index("feature")
    assert thrice.loc["flag", "coefficient"] == pytest.approx(3 * reference.params["flag"])
    assert set(table[table["aspect"] == 2]["status"]) == {"few"}
    assert of.loc["flag", "p_holm"] < 0.001 < of.loc["noise", "p_holm"]


def test_questions_are_counted_by_category():
    items = pd.DataFrame(
        {"question_id": list("aabc"), "category": ["Art", "Art", "Art", "History"]}
    )
    agents = pd.DataFrame({"agent": list("xyz"), "kind": ["human", "human", "ai"]})
    signs = np.array([[1, 0, -1], [1, 1, 0], [0, 0, 1], [0, -1, 0]])
    table = analysis.categories(items, signs, agents).set_index("category")
    assert table.loc["Art"].to_dict() == {
        "questions": 2,
        "items": 3,
        "human_responses": 3,
        "ai_responses": 2,
    }
    assert table.loc["History"].to_dict() == {
        "questions": 1,
        "items": 1,
        "human_responses": 1,
        "ai_responses": 0,
    }


def test_regression_guards():
    x = features(200).assign(double=lambda t: 2 * t["noise"], tells=np.repeat([0.0, 1.0], 100))
    y = np.repeat([False, True], 100)
    y[:20] = ~y[:20]
    perfect = np.repeat([0.1, 0.9], 100)
    relevance = np.column_stack([perfect, np.where(y, 0.9, 0.1), np.full(200, 0.1)])
    table = analysis.relevance_regression(relevance, x, np.repeat(np.arange(50), 4), 0.6, 0.95)
    status = table.pivot(index="feature", columns="aspect", values="status")
    assert status.loc["tells", 1] == "separated"
    assert status.loc["double", 1] == "collinear"
    assert status.loc["noise", 1] == "fitted"
    assert (status[3] == "one class").all()
    assert table[table["aspect"] == 3]["coefficient"].isna().all()
    assert np.isfinite(table[table["status"] == "fitted"]["p_holm"]).all()


def test_text_features_read_the_text():
    table = pd.DataFrame(
        {
            "item_id": ["a_1", "b_1"],
            "clue": [1, 1],
            "category": ["History", "Music"],
            "text": [
                "After the fall of Rome, this largest city saw Justinian in the 6th century.",
                "The guest took a rest in the west of this forest.",
            ],
        }
    )
    found = analysis.text_features(table)
    assert found.loc["a_1", ["c_History", "t_range", "t_relative", "o_superlative"]].tolist() == [
        1,
        1,
        1,
        1,
    ]
    assert found.loc["b_1", ["c_Music", "t_range", "t_relative", "o_superlative"]].tolist() == [
        1,
        0,
        0,
        0,
    ]
    assert found.loc["a_1", "names_per_100_words"] == pytest.approx(100 * 2 / 14)
    assert found.loc["b_1", "names_per_100_words"] == 0
    assert found.loc["b_1", "words_per_sentence"] == 11


@pytest.mark.parametrize(
    ("text", "category", "trash"),
    [
        ("This rapper released the album Illmatic.", "Fine Arts", 1),
        ("Gay Talese wrote that this man has a cold.", "Trash", 1),
        ("Neil Cohn studies works of this type.", "Pop Culture", 1),
        ("Their debut single was written by a boy band.", "unknown", 1),
        ("A single electron in this band scatters.", "Science", 0),
        ("Bands of singles met the agent of history here.", "History", 0),
    ],
)
def test_trash_is_the_category_where_it_is_known_and_else_words_of_pop_culture(
    text, category, trash
):
    """Appendix D: o_TRASH reflects the TRASH category of quizbowl; a single electron is no pop culture."""
    table = pd.DataFrame({"item_id": ["a_1"], "clue": [1], "category": [category], "text": [text]})
    assert analysis.text_features(table)["o_trash"].item() == trash


def test_complementarity_of_items_and_pairs():
    agents = pd.DataFrame({"agent": ["h1", "h2", "m1"], "kind": ["human", "human", "ai"]})
    table = pd.DataFrame({"item_id": ["a", "b"], "question_id": ["p", "q"], "clue": [1, 2], "end_word": [3, 9],
                          "category": ["x", "y"]})  # fmt: skip
    p = np.array([[0.5, 0.2, 0.4], [0.1, 0.6, 0.9]])
    found = analysis.complementarity(p, table, agents)
    assert found["best_human"].tolist() == ["h1", "h2"]
    assert found["p_union"].tolist() == pytest.approx([0.7, 0.96])
    assert found["gain"].tolist() == pytest.approx([0.2, 0.06])
    summary = analysis.complementarity_summary(found, 100, 0, 0.95).set_index(
        ["grouping", "group", "quantity"]
    )
    assert summary.loc[("all", "all", "gain"), "mean"] == pytest.approx(0.13)
    rng = np.random.default_rng(0)
    signs = np.where(rng.random((60, 3)) < 0.5, 1.0, -1.0)
    signs[:30, 2], signs[30:, 2] = -signs[:30, 0], 0
    probability = np.full((60, 3), 0.5)
    pairs = analysis.pairs(probability, signs, agents, np.arange(60), 200, 0, 0.95)
    one = pairs[pairs["human"] == "h1"].iloc[0]
    assert one["items"] == 30
    assert one["either_right"] == 1.0
    assert one["gain"] == pytest.approx(1 - max(one["human_right"], one["ai_right"]))
    assert one["gain_independent"] == pytest.approx(0.25)
    assert one["low"] <= one["gain"]


def test_without_a_kind_there_is_nobody_to_complement():
    none = analysis.complementarity_summary(store.empty("complementarity"), 100, 0, 0.95)
    assert none.empty
    assert not store.validation_errors(none, "irt_complementarity")


def test_held_out_cells_leave_whole_questions_and_whole_blocks():
    """What a model sees of a held-out agent-and-question cell is nothing."""
    rng = np.random.default_rng(0)
    items = pd.DataFrame(
        {
            "question_id": np.repeat([f"q{i}" for i in range(30)], 3),
            "end_word": np.tile([5, 10, 15], 30),
        }
    )
    signs = np.where(rng.random((90, 6)) < 0.5, 1.0, -1.0)
    settings = {"seed": 0, "held_out": 0.2, "components": 4, "fold_restarts": 1,
                "penalty": "none", "difficulty_sd": 1, "relevance_sd": 1, "aspect_sd": 1, "kinds": None}  # fmt: skip
    fold = np.repeat(np.arange(3), 30)

    def predicted(signs):
        parts = evaluate.splits(items, signs, fold, settings)
        return evaluate.held_out("1pl", 0, np.zeros((90, 5)), items, signs, parts, settings, {})

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
    losses = evaluate.question_losses("1pl", 0, "unseen", unseen, signs, items["question_id"])
    assert losses["n"].sum() == 540
    constant = evaluate.question_losses(
        "constant", 0, "unseen", np.full((90, 6), 0.5), signs, items["question_id"]
    )
    assert constant["loss"].sum() / constant["n"].sum() == pytest.approx(np.log(2))
    table = evaluate.loss_table(pd.concat([losses, constant]), "1pl", 200, 0, 0.95).set_index(
        "model"
    )
    gap = table.loc["constant", "log_loss"] - table.loc["1pl", "log_loss"]
    assert table.loc["constant", "difference"] == pytest.approx(gap)
    assert table.loc["1pl", ["difference", "difference_low", "difference_high"]].tolist() == [
        0,
        0,
        0,
    ]


def test_a_tag_of_difficulty_lowers_the_loss_on_unseen_questions():
    """Difficulty is what the writers say and nothing in the text: only the model that sees their tags can tell."""
    rng = np.random.default_rng(2)
    tag = rng.integers(0, 3, 60)
    skill = rng.standard_normal(20)
    logits = skill[None] - 2.0 * (tag[:, None] - 1)
    signs = np.where(rng.random(logits.shape) < model.sigmoid(logits), 1.0, -1.0)
    items = pd.DataFrame(
        {"question_id": [f"q{i}" for i in range(60)], "end_word": 5 + np.arange(60) % 7}
    )
    settings = {"seed": 0, "held_out": 0.2, "components": 8, "fold_restarts": 1, "penalty": "none",
                "difficulty_sd": 1, "relevance_sd": 1, "aspect_sd": 1, "kinds": None}  # fmt: skip
    known = evaluate.standardised(pd.get_dummies(pd.Series(tag), dtype=float))
    text = rng.standard_normal((60, 5))
    losses = {}
    for key in ("caimira", "caimira_covariates"):
        parts = evaluate.splits(items, signs, np.arange(60) % 3, settings)
        given = items, signs, parts, settings, {}, known
        p = evaluate.held_out(key, 1, text, *given)[1]
        losses[key] = -np.log(np.where(signs > 0, p, 1 - p)).mean()
    own = np.log1p(np.exp(-signs * logits)).mean()
    assert losses["caimira"] > own + 0.15
    assert losses["caimira_covariates"] < own + 0.05


@pytest.mark.parametrize(("spread", "chosen"), [(1.0, {1.0, 2.0}), (0.0, {0.25})])
def test_the_width_of_the_prior_is_that_of_the_aspects(spread, chosen):
    """Agents that differ by aspect by a standard deviation of 1, and not at all: the evidence says so, and the table is checked."""
    made = make_world(4, agents=24, questions=40, items=160, size=12, factors=4, dimensions=2)
    skills = made.skills.mean(axis=1, keepdims=True)
    skills = skills + spread * (made.skills - skills)
    offset = (made.relevance * made.difficulty).sum(axis=1)
    probability = model.sigmoid(made.relevance @ skills.T - offset[:, None])
    signs = np.where(np.random.default_rng(1).random(probability.shape) < probability, 1.0, -1.0)
    who = pd.DataFrame({"kind": ["human"] * 14 + ["ai"] * 10})
    settings = {"components": 6, "seed": 0, "level": 0.95, "penalty": "none", "item_residual": False,
                "difficulty_sd": 1, "relevance_sd": 2, "aspect_sd": 1.0, "configured": 2, "kinds": None}  # fmt: skip
    found = model.fit(made.embeddings, signs, 2, 6, residual=False, restarts=1)
    table = pipeline.prior_widths(found, who, signs, settings)
    assert set(table[table["chosen"]]["aspect_sd"]) <= chosen
    assert checks.widths_of_the_prior(table).failures == 0
    assert checks.widths_of_the_prior(table.assign(chosen=True)).failures > 0
    own = skills @ made.relevance.mean(axis=0)
    # Over all aspects the width hardly matters.
    of = table[(table["aspect"] == 0) & table["chosen"]].iloc[0]
    assert of["difference"] == pytest.approx(own[14:].mean() - own[:14].mean(), abs=3 * of["standard_error"])  # fmt: skip
    assert pipeline.prior_widths(found, who.assign(kind="ai"), signs, settings).empty


def test_the_residual_goes_on_from_the_text_alone():
    """The fit with residual begins with the one without: that it is at hand saves a descent and changes no bit; nor do
    coordinates that are at hand."""
    made = make_world(5, 12, 16, 48, size=10, factors=4, dimensions=2, tau=1.0)
    signs, x = np.where(made.right, 1.0, -1.0), made.embeddings
    given = {"dimensions": 2, "components": 6, "restarts": 3}
    plain = model.fit(x, signs, residual=False, **given)
    one, other = model.fit(x, signs, **given), model.fit(x, signs, after=plain, **given)
    assert other.objective == one.objective
    assert (other.predict_seen() == one.predict_seen()).all()
    again = model.fit(one.x, signs, projection=one.projection, **given)
    assert (again.predict(x) == one.predict(x)).all()
    # A few responses alone.
    cells = np.array([0, 7, 47]), np.array([11, 0, 3])
    assert one.predict_seen(cells) == pytest.approx(one.predict_seen()[cells], rel=1e-12)
    assert one.at(one.x, cells) == pytest.approx(one.predict(x)[cells], rel=1e-12)


def test_calibration_bins_hold_what_falls_in_them():
    p = np.array([[0.05, 0.15], [0.95, 1.0]])
    signs = np.array([[-1.0, 1], [1, 1]])
    rows = pd.DataFrame(
        evaluate.calibration("m", "seen", p, signs, ["a", "b"], 10, 100, 0, 0.95)
    ).set_index("bin")
    assert rows["n"].to_dict() == {1: 1, 2: 1, 10: 2}
    assert rows.loc[10, "predicted"] == pytest.approx(0.975)
    assert rows.loc[10, "observed"] == 1.0


def test_restarts_agree_where_the_data_are_plenty():
    world = make_world(6, agents=60, questions=150, items=600, size=64, factors=6, dimensions=2)
    signs = np.where(world.right, 1.0, -1.0)
    fit = model.fit(world.embeddings, signs, 2, 12, residual=False, restarts=3)
    labels = analysis.cluster(diagnostics.effective(fit), 6, 0)
    table = diagnostics.stability(fit, labels, 0)
    first = table[table["restart"] == 1]
    assert first[
        ["relevance_correlation", "skill_correlation", "cluster_ari"]
    ].to_numpy() == pytest.approx(1.0)
    # Those that reached the same objective are the same model; another optimum is told by its objective.
    best = table["objective"].min()
    near = table[table["objective"] < best + 1e-4]
    assert near["restart"].nunique() >= 2
    assert near["skill_correlation"].min() > 0.99
    assert (table["objective"] >= best).all()
    assert spearmanr(fit.parameters.skills.mean(axis=1), world.skills.mean(axis=1))[0] > 0.9


# share that the model has right by number of aspects, of a sweep 1, 2, 3, 8 with dimensions 5 → numbers that are tried
TRIED = [
    ({1: 0.6, 2: 0.7, 3: 0.65}, [1, 2, 3, 5]),
    ({1: 0.6, 2: 0.6}, [1, 2, 5]),
    ({1: 0.5, 2: 0.6, 3: 0.7, 5: 0.8}, [1, 2, 3, 5, 8]),
    ({1: 0.5, 2: 0.6, 3: 0.7, 5: 0.7}, [1, 2, 3, 5]),
]


@pytest.mark.parametrize(("right", "tried"), TRIED)
def test_aspects_are_added_as_long_as_the_loss_on_seen_questions_falls(monkeypatch, right, tried):
    signs = np.ones((6, 3))
    items = pd.DataFrame({"question_id": list("aabbcc")})
    settings = {
        "dimensions": 5, "dimension_sweep": [8, 1, 2, 3], "folds": 2, "bins": 10,
        "replicates": 100, "seed": 0, "level": 0.95, "held_out": 0.2,
    }  # fmt: skip

    def held_out(key, dimensions, *_):
        share = right.get(dimensions, 0.5) if key == "caimira" else 0.5
        # What is unseen says the opposite, and does not count.
        return np.full(signs.shape, share), np.full(signs.shape, 1 - share)

    monkeypatch.setattr(evaluate, "held_out", held_out)
    losses, bins = pipeline.evaluate_models(items, signs, None, settings)
    by = losses.drop_duplicates(["model", "dimensions"]).groupby("model", sort=False)["dimensions"]
    sweep, plain = {key: tried for key in evaluate.BY_DIMENSION}, {"1pl_length": [1]}
    paper = {key: [5] for key in ("caimira_printed", "caimira_batch", "caimira_residual")}
    expected = {key: [0] for key in ("constant", "1pl", "2pl")} | plain | paper | sweep
    names = [key for key in evaluate.NAMES if key != "caimira_covariates"]
    assert by.apply(list).to_dict() == expected
    assert list(losses["model"].unique()) == names
    assert set(bins["model"]) == set(names) and len(bins) == 2 * len(names)


def test_the_fewest_aspects_are_chosen_whose_loss_is_about_the_least():
    """By hand: five questions of ten responses; the least loss has 5 aspects, 2 are within one standard error, 1 is not."""
    best = np.array([5.0, 6.0, 4.0, 5.0, 5.0])
    gaps = {
        1: [0.5, 0.4, 0.6, 0.5, 0.5],
        2: [0.5, -0.4, 0.3, -0.2, 0.1],
        5: [0.0] * 5,
        8: [0.1] * 5,
    }
    rows = [
        ("caimira", m, split, f"q{q}", best[q] / 2 + gap[q] * (split == "seen"), 5)
        for m, gap in gaps.items()
        for split in ("seen", "unseen")
        for q in range(5)
    ]
    columns = ["model", "dimensions", "split", "question_id", "loss", "n"]
    losses = pd.DataFrame(rows, columns=columns)
    # 2 aspects: mean gap .06 a question, standard deviation .36, standard error .36 / √5 = .16.
    assert evaluate.chosen(losses) == 2
    assert evaluate.chosen(losses[losses["dimensions"] != 2]) == 5


def test_the_best_are_chosen_on_the_other_half_of_the_questions():
    """17 humans and 3 systems that are all alike: whoever is best on his own answers seems better, and 17 more than 3."""
    table = pd.DataFrame(
        {"question_id": [f"q{j:02d}" for j in range(80)], "clue": 1, "end_word": 5}
    )
    table = table.assign(item_id=table["question_id"], category="all")
    who = pd.DataFrame({"agent": [f"a{i:02d}" for i in range(20)]})
    who["kind"] = ["human"] * 17 + ["ai"] * 3
    settings = {"dimensions": 1, "components": 2, "seed": 3, "item_residual": False, "penalty": "none",
                "difficulty_sd": 1.0, "relevance_sd": 2.0, "aspect_sd": 1.0, "kinds": None}  # fmt: skip
    means = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        signs = np.where(rng.random((80, 20)) < 0.6, 1.0, -1.0)
        found = model.fit(rng.standard_normal((80, 2)), signs, 1, 2, residual=False, restarts=1)
        known, choice = pipeline.split_half_predictions(found, table, signs, settings)
        own = analysis.complementarity(found.predict_seen(), table, who)
        apart = analysis.complementarity(known, table, who, choice)
        means.append([one[name].mean() for one in (own, apart) for name in ("p_human", "p_ai")])
    human, ai, human_apart, ai_apart = np.mean(means, axis=0)
    assert human > 0.67
    assert human - ai > 0.03
    assert human_apart == pytest.approx(0.6, abs=0.04)
    assert ai_apart == pytest.approx(0.6, abs=0.04)
