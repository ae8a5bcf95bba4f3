"""Tables of proper scores: what is undefined or infinite, and of one piece."""

import numpy as np
import pandas as pd
import pytest
from calscore.core import store
from calscore.ledger import attainable_scores
from calscore.scores import metrics, proper_scoring, proper_tables, score
from calscore.stats import resample
from calscore.stats.bootstrap import Bootstrap


def responses(seed: int, certain: bool = False):
    """Scored rows of one segmentation: two models, 30 questions of 1 to 6 clues, h where p01-q01 is 1."""
    rng = np.random.default_rng(seed)
    parts = []
    sizes = rng.integers(1, 7, 30)
    names = [f"p01-q{i + 1:02d}" for i in range(30)]
    curves = {d: [np.sort(rng.random(n)) for n in sizes] for d in metrics.DEFINITIONS.values()}
    for model in ("a", "b"):
        for i, (name, size) in enumerate(zip(names, sizes, strict=True)):
            c = rng.random(size)
            part = pd.DataFrame(
                {
                    "segmentation": "given",
                    "model": model,
                    "elicitation": "logit",
                    "reduction": "mean_prob",
                    "marks": "engine",
                    "question_id": name,
                    "clue": np.arange(1, size + 1),
                    "confidence": np.round(c) if certain else c,
                    "correct": rng.random(size) < c if model == "a" else np.ones(size, bool),
                }
            )
            for definition, curve in curves.items():
                part[definition] = 1.0 if i == 0 else curve[i]
            parts.append(part)
    return pd.concat(parts, ignore_index=True)


def proper_scores(rows, bootstrap):
    """Table proper without two-way bounds."""
    drawn = proper_tables.iter_series_draws(rows, bootstrap)
    lines = [line for one in drawn for line in proper_tables.proper_rows(one, bootstrap)]
    return store.frame(lines, "proper")


def cell(table, **key):
    for column, value in key.items():
        table = table[table[column] == value]
    assert len(table) == 1
    return table.iloc[0]


def test_the_table_is_valid_and_says_what_is_undefined():
    rows = responses(1)
    table = proper_scores(rows, Bootstrap(200, 1, 0.95))
    assert not store.validation_errors(table, "proper")
    assert len(table) == 2 * 2 * len(metrics.metric_names("proper"))
    for definition in metrics.DEFINITIONS:
        one = cell(table, model="b", definition=definition, metric="auroc")
        assert np.isnan(one["value"]) and np.isnan(one["low"])
        assert one["note"].startswith("every answer is right: undefined")
        one = cell(table, model="a", definition=definition, metric="calscore_normalised")
        assert one["note"] == "1 of 30 questions left out: h is 1 at every clue"
        assert one["low"] < one["value"] < one["high"]
        h = rows.loc[rows["model"] == "a", ["question_id", metrics.DEFINITIONS[definition]]]
        low, high = attainable_scores.attainable_calscore(
            h.set_axis(["question_id", "h"], axis=1).assign(clue=np.arange(len(h))), definition
        )
        for metric, value in (("calscore_least", low), ("calscore_greatest", high)):
            assert cell(table, model="a", definition=definition, metric=metric)["value"] == pytest.approx(
                value, abs=1e-12
            )


def test_certain_and_wrong_gives_infinity_and_a_clipped_value_beside_it():
    table = proper_scores(responses(2, certain=True), Bootstrap(200, 1, 0.95))
    plain = cell(table, model="a", definition="paper", metric="log_score")
    clipped = cell(table, model="a", definition="paper", metric="log_score_clipped")
    assert plain["value"] == np.inf and "certain and wrong" in plain["note"]
    assert 0 < clipped["low"] < clipped["value"] < clipped["high"] < 26 * np.log(4)
    assert "2^-52" in clipped["note"]
    assert not store.validation_errors(table, "proper")


def test_ratios_of_sums_give_the_table_by_a_matrix_product():
    rows = responses(3)
    one = rows[rows["model"] == "a"]
    (of,) = score.clues_of(one)
    weights = np.ones((1, len(of.questions)))
    for definition in metrics.DEFINITIONS:
        found = proper_tables.proper_replicates(of, definition, weights)
        for name, sums in proper_tables.proper_question_sums(of, definition).items():
            assert resample.ratio_draws(weights, *sums) == pytest.approx(found[name], abs=1e-12)
        scope = score.scored_clues(one, definition)
        assert found["brier"] == pytest.approx(metrics.brier(scope["correct"], scope["confidence"]))


def test_answers_that_two_segmentations_share_are_drawn_once(monkeypatch):
    rows = responses(3)
    alike, unlike = rows.assign(segmentation="alike"), rows.assign(segmentation="unlike")
    unlike.loc[unlike.index[0], "confidence"] /= 2
    apart = [proper_scores(one, Bootstrap(50, 1, 0.95)) for one in (rows, alike, unlike)]
    drawn = []
    ranked = proper_scoring.rank_scores
    monkeypatch.setattr(proper_scoring, "rank_scores", lambda *given: drawn.append(1) or ranked(*given))
    together = proper_scores(pd.concat([rows, alike, unlike]), Bootstrap(50, 1, 0.95))
    assert len(drawn) == 5, "two models under two definitions, and the one changed clue, no last one"
    for one in apart:
        name = one["segmentation"].iloc[0]
        of = together[together["segmentation"] == name].reset_index(drop=True)
        pd.testing.assert_frame_equal(of, one)


def test_the_tables_of_the_demo_are_of_one_piece(demo):
    """A difference is that of the two scores; at full coverage the risk is the share of wrong answers."""
    wide = pd.read_csv(demo / "tables" / "proper_scores.csv")
    named = wide[wide["definition"] == "paper"].set_index(["elicitation", "model"])
    for row in pd.read_csv(demo / "tables" / "proper_comparisons.csv").itertuples():
        a = named.loc[(row.elicitation_a, row.model_a), row.metric]
        b = named.loc[(row.elicitation_b, row.model_b), row.metric]
        assert row.difference == pytest.approx(a - b, abs=1e-12)
    curve = pd.read_csv(demo / "tables" / "risk_coverage.csv")
    series = ["definition", "model", "elicitation", "reduction", "marks"]
    whole = curve[curve["coverage"] == 1].set_index(series)["risk"]
    scores = pd.read_parquet(demo / "scores" / "model_scores.parquet")
    scores = scores[(scores["metric"] == "accuracy") & (scores["segmentation"] == "sentence-100")]
    accuracy = scores.set_index(series)["value"].reindex(whole.index)
    assert whole.to_numpy() == pytest.approx(1 - accuracy.to_numpy())


def test_an_interval_never_lies_between_a_number_and_infinity():
    draws = np.array([1.0, 2.0, 3.0, np.inf, np.nan])
    with np.errstate(all="raise"):
        assert proper_tables.percentile_bounds(draws, 0.8) == (1.0, np.inf)
        assert proper_tables.percentile_bounds(np.full(4, np.inf), 0.9) == (np.inf, np.inf)
        assert proper_tables.percentile_bounds(draws[:3], 0.5) == (1.5, 2.5)
    assert np.isnan(proper_tables.percentile_bounds(np.full(3, np.nan), 0.9)).all()


def test_smooth_ece_of_a_perfect_model_has_a_note():
    rows = responses(4, certain=True).assign(correct=lambda rows: rows["confidence"] == 1)
    table = proper_scores(rows, Bootstrap(20, 1, 0.95))
    one = cell(table, model="a", definition="paper", metric="ece_smooth")
    assert one["value"] <= proper_scoring.FINEST and one["note"].startswith("at least this, at most 0.0005:")
