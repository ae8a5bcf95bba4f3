"""Loss on what a model has not seen, and how many aspects it tells."""

import numpy as np
import pandas as pd
import pytest
from calscore.irt import evaluate, model
from calscore.stats.bootstrap import Bootstrap

SETTINGS = {"seed": 0, "held_out": 0.2, "components": 4, "fold_restarts": 1, "penalty": "none", "difficulty_sd": 1,
            "relevance_sd": 1, "aspect_sd": 1, "kinds": None, "agent_groups": None, "words_heard": True, "cumulative": True,
            "item_residual": True, "replicates": 200, "level": 0.95, "preset": None}  # fmt: skip


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


@pytest.mark.parametrize(("key", "columns"), [("caimira", 0), ("caimira_covariates", 1), ("words", 2)])
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
def test_aspects_are_added_as_long_as_the_loss_on_seen_questions_falls(monkeypatch, right, tried, preset):
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
