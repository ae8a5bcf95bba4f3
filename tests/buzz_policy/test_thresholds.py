"""Thresholds, expected wins and buzzpoints against plain loops, and on real runs."""

import numpy as np
import pandas as pd
import pytest
from calscore.buzz_policy import checks, opponent_curve, thresholds
from calscore.stats import resample
from calscore.stats.bootstrap import Bootstrap
from statsmodels.stats.proportion import proportion_confint

PROTOBOWL = opponent_curve.Opponents("protobowl", opponent_curve.PROTOBOWL)
EVEN = opponent_curve.Opponents("fitted", (1.0, -1.0))  # π(t) = 1 − t


def made(n=40, seed=0, model="m", name="study"):
    """States of one series: scores rise, right guesses grow likelier."""
    rng = np.random.default_rng(seed)
    rows = []
    for q in range(n):
        size = int(rng.integers(1, 9))
        for t in range(1, size + 1):
            right = rng.random() < t / size
            score = -float(rng.exponential(0.1 if right else 0.6)).__round__(2)
            rows.append((name, model, "logit", f"q{q:03d}", 10 * t, 10 * size, score, right))
    table = pd.DataFrame(
        rows, columns=["set", "model", "elicitation", "question_id", "position", "n_words", "score", "correct"]
    )  # fmt: skip
    table["revealed"] = table["position"] / table["n_words"]
    table["guess"] = np.where(table["correct"], "right", "wrong")
    table["mean_logprob"], table["sum_logprob"] = table["score"], 3 * table["score"]
    table["buzzed"] = pd.array([None] * len(table), "boolean")
    table["scale"] = "mean log-probability"
    table["x_log_confidence"] = table["score"]
    table["x_revealed"] = table["revealed"]
    return table


def by_hand(rows, threshold, opponents):
    """Algorithm 1 and expected wins as a loop: value per question."""
    values = {}
    columns = [rows[name].tolist() for name in ("question_id", "score", "correct", "revealed")]
    for question, score, correct, revealed in zip(*columns, strict=True):
        if score > threshold and question not in values:
            values[question] = float(opponents(revealed)) if correct else 0.0
    return [values.get(question, 0.0) for question in rows["question_id"].unique()]


@pytest.mark.parametrize("seed", range(3))
def test_the_best_threshold_is_that_of_a_plain_search(seed):
    rows = made(20, seed=seed)
    sequence = thresholds.Sequence.from_states(rows)
    tried = thresholds.candidate_thresholds(sequence)
    for pi in (PROTOBOWL, EVEN):
        means = [np.mean(by_hand(rows, t, pi)) for t in tried]
        value = sequence.correct * pi(sequence.revealed)
        assert thresholds.threshold_curve(sequence, tried, value) == pytest.approx(means)
        assert thresholds.threshold_curve_by_question(sequence, tried, value).mean(axis=0) == pytest.approx(
            means
        )
        best = thresholds.tune_threshold(sequence, pi)
        assert best.expected_wins == pytest.approx(max(means))
        assert best.threshold == tried[int(np.argmax(np.round(means, 12)))]
        reach = tried[np.array(means) >= 0.99 * max(means) - 1e-12]
        assert (best.flat_low, best.flat_high) == (reach[0], reach[-1])
        for t in tried[::7]:
            found = thresholds.expected_wins_by_question(
                sequence, thresholds.threshold_buzz_rows(sequence, t), pi
            )
            assert found == pytest.approx(by_hand(rows, t, pi))


def test_optimal_and_stable():
    rows = pd.concat([made(1)] * 6, ignore_index=True).head(6)
    rows["question_id"] = ["a", "a", "a", "b", "b", "c"]
    rows["correct"] = [True, False, True, True, True, False]
    sequence = thresholds.Sequence.from_states(rows)
    assert thresholds.first_right_rows(sequence).tolist() == [0, 3, -1]
    assert thresholds.stable_rows(sequence).tolist() == [2, 3, -1]


def test_no_question_is_decided_by_what_it_was_learnt_from():
    rows = made(60, seed=2)
    sequence = thresholds.Sequence.from_states(rows)
    folds = resample.group_folds(sequence.questions, 5, 7)
    assert np.bincount(folds).tolist() == [12] * 5
    decided = {d.rule: d for d in thresholds.decisions(rows, [EVEN], [-0.05], 5, 7)}
    for fold in range(5):
        rest = rows[~rows["question_id"].isin(sequence.questions[folds == fold])]
        best = thresholds.tune_threshold(thresholds.Sequence.from_states(rest.reset_index(drop=True)), EVEN)
        assert set(decided["tuned"].thresholds[folds == fold]) == {best.threshold}
    # The right answers of one fold turned around change what the others use, not its own threshold.
    turned = rows.copy()
    mine = rows["question_id"].isin(sequence.questions[folds == 0])
    turned.loc[mine, "correct"] = ~turned.loc[mine, "correct"]
    again = {d.rule: d for d in thresholds.decisions(turned, [EVEN], [-0.05], 5, 7)}
    for rule in ("tuned", "trained"):
        assert (again[rule].thresholds[folds == 0] == decided[rule].thresholds[folds == 0]).all()
        assert (again[rule].rows[folds == 0] == decided[rule].rows[folds == 0]).all()
        assert (again[rule].thresholds != decided[rule].thresholds).any()


def test_rules_and_their_tables():
    study, earlier = made(50, seed=1), made(70, seed=9, name="past")
    found = thresholds.policy_tables(
        pd.concat([study, earlier]), [PROTOBOWL, EVEN], [-0.03, -0.05], 5, Bootstrap(200, 1, 0.95)
    )
    table = found["thresholds"].set_index(["set", "rule", "opponents"]).sort_index()
    assert set(table.loc["study"].index.get_level_values("rule")) == {
        "given -0.03", "given -0.05", "given -0.03 (sum)", "given -0.05 (sum)", "tuned", "trained",
        "tuned on past questions", "trained on past questions", "optimal", "stable",
    }  # fmt: skip
    assert "tuned on past questions" not in table.loc["past"].index.get_level_values("rule")
    for rule in table.loc["study"].index.get_level_values("rule"):
        for name in ("protobowl", "fitted"):
            row = table.loc[("study", rule, name)]
            assert row["expected_wins"] <= table.loc[("study", "optimal", name), "expected_wins"]
            assert row["low"] <= row["expected_wins"] <= row["high"]
    one = table.loc[("study", "given -0.05", "fitted")]
    assert one["expected_wins"] == pytest.approx(np.mean(by_hand(study, -0.05, EVEN)))
    sequence = thresholds.Sequence.from_states(study)
    at = thresholds.threshold_buzz_rows(sequence, -0.05)
    buzzed = at >= 0
    right, n = sequence.correct[at[buzzed]].sum(), buzzed.sum()
    for name, count, total in (("buzz_rate", n, 50), ("precision", right, n)):
        ends = proportion_confint(count, total, 0.05, "wilson")
        assert one[[name, f"{name}_low", f"{name}_high"]].tolist() == pytest.approx([count / total, *ends])
    drawn = [
        np.average(sequence.revealed[at[buzzed]], weights=w[buzzed])
        for w in resample.bootstrap_weights(50, 200, 1)
    ]
    assert one[["mean_revealed_low", "mean_revealed_high"]].tolist() == pytest.approx(
        np.quantile(drawn, [0.025, 0.975]).tolist()
    )
    known = table.loc[("study", "optimal", "fitted"), ["precision_low", "precision_high"]]
    assert known.tolist() == [1, 1]
    learnt = thresholds.tune_threshold(thresholds.Sequence.from_states(earlier), EVEN).threshold
    assert table.loc[("study", "tuned on past questions", "fitted"), "threshold"] == learnt
    # On three times the scale, the sum exceeds a threshold where the mean exceeds a third of it.
    points = found["buzzpoints"]
    summed = points[(points["set"] == "study") & (points["rule"] == "given -0.03 (sum)")]
    third = thresholds.threshold_buzz_rows(thresholds.Sequence.from_states(study), -0.03 / 3)
    assert (summed["position"].notna().to_numpy() == (third >= 0)).all()
    sizes = points.groupby(["set", "rule", "opponents"]).size()
    assert set(sizes["study"]) == {50}
    assert (points["position"].isna() == points["correct"].isna()).all()
    drawn = found["expected_wins"]
    assert drawn.groupby(["set", "opponents"])["best"].sum().eq(1).all()
    for name, count, total in (
        ("buzz_rate", drawn["buzz_rate"] * drawn["questions"], drawn["questions"]),
        (
            "precision",
            drawn["precision"] * drawn["buzz_rate"] * drawn["questions"],
            drawn["buzz_rate"] * drawn["questions"],
        ),
    ):
        some = total > 0
        low, high = proportion_confint(count[some].round(), total[some].round(), 0.05, "wilson")
        assert drawn.loc[some, f"{name}_low"].to_numpy() == pytest.approx(low.to_numpy())
        assert drawn.loc[some, f"{name}_high"].to_numpy() == pytest.approx(high.to_numpy())
        assert drawn.loc[~some, f"{name}_low"].isna().all()
    best = drawn[drawn["best"] & (drawn["set"] == "study") & (drawn["opponents"] == "fitted")]
    assert best["expected_wins"].item() == pytest.approx(drawn.query("set == 'study' and opponents == 'fitted'")["expected_wins"].max())  # fmt: skip


def test_states_take_the_scale_that_there_is():
    questions = pd.DataFrame({"question_id": ["a"], "text": ["One, two points three four"], "n_words": [5]})
    guesses = pd.DataFrame(
        {
            "model": ["l", "l", "v", "v"],
            "elicitation": ["logit", "logit", "verbalized", "verbalized"],
            "question_id": "a",
            "position": [3, 5, 3, 5],
            "guess": ["two x", "two x", None, "y"],
            "mean_logprob": [-0.5, -0.1, np.nan, np.nan],
            "token_logprobs": [[-0.4, -0.6], [-0.1], None, None],
            "confidence": [np.nan, np.nan, np.nan, 0.5],
            "buzzed": pd.array([None, None, None, None], "boolean"),
        }
    )
    right = pd.Series([True, True, None, False], dtype="boolean")
    table = thresholds.states_with_features(guesses, right, questions, "study")
    assert table["score"].tolist() == [-0.5, -0.1, -np.inf, np.log(0.5)]
    assert table["sum_logprob"].tolist()[:2] == [-1.0, -0.1]
    assert table["scale"].tolist() == ["mean log-probability"] * 2 + ["log confidence"] * 2
    assert table["correct"].tolist() == [True, True, False, False]
    assert table["x_overlap"].tolist() == [0.5, 0.5, 0, 0]
    assert table["x_points_said"].tolist() == [1, 1, 1, 1]
    assert table["x_repeats"].tolist() == [0, np.log(2), 0, 0]
    assert np.isfinite(table["x_log_confidence"]).all()


def test_a_series_without_any_confidence_has_no_threshold():
    rows = made(5).assign(score=-np.inf, mean_logprob=np.nan, sum_logprob=np.nan)
    rules = [d.rule for d in thresholds.decisions(rows, [EVEN], [-0.05], 5, 1)]
    assert rules == ["optimal", "stable"]
    assert thresholds.expected_win_curve(rows, [EVEN], [-0.05], Bootstrap(100, 1, 0.95)) is None


def test_one_question_and_one_outcome():
    rows = made(1, seed=3)
    alone = thresholds.threshold_table(
        rows, thresholds.decisions(rows, [EVEN], [-9], 5, 1), [EVEN], Bootstrap(50, 1, 0.95)
    ).set_index("rule")
    # One buzz says where it was, and nothing about where others would be.
    assert alone.loc["given -9", "buzzes"] == 1
    assert alone.loc["given -9", ["mean_revealed_low", "mean_words_high"]].isna().all()
    assert alone.loc["given -9", "buzz_rate_low"] < 0.5
    rules = {d.rule for d in thresholds.decisions(rows, [EVEN], [-0.05], 5, 1)}
    assert "tuned" not in rules
    flat = thresholds.probability_model([[0.0], [1.0]], [False, False])
    assert flat([[5.0]]).tolist() == [0.25]


def test_the_trained_buzzer_learns_what_the_confidence_does_not_say():
    """Guesses are right from the half of the question on, whatever their confidence."""
    rng = np.random.default_rng(0)
    rows = made(80, seed=4)
    rows["score"] = np.round(np.log(rng.uniform(0.3, 0.99, len(rows))), 3)
    rows["mean_logprob"] = rows["x_log_confidence"] = rows["score"]
    rows["correct"] = rows["revealed"] >= 0.5
    found = thresholds.policy_tables(rows, [EVEN], [-0.05], 5, Bootstrap(200, 1, 0.95))[
        "thresholds"
    ].set_index("rule")
    assert found.loc["trained", "expected_wins"] > found.loc["tuned", "expected_wins"] + 0.05
    assert found.loc["trained", "precision"] > 0.95


@pytest.mark.parametrize(("rule", "opponents"), [("stated", "any"), ("tuned", "fitted")])
def test_a_wrong_count_of_any_rule_fails_its_check(rule, opponents):
    key = {"set": "study", "model": "m", "elicitation": "logit"}
    buzzpoints = pd.DataFrame(
        [
            key | {"rule": name, "opponents": pi, "question_id": q, "position": p, "correct": p == 1}
            for name, pis in {"stated": ["any"], "tuned": ["fitted", "protobowl"]}.items()
            for pi in pis
            for q, p in (("a", 1), ("b", 2), ("c", None))
        ]
    )
    shares = {name: 0.5 for name in ("precision", "mean_revealed", "mean_words", "expected_wins")}
    bounds = {f"{name}_{end}": value for name in ("precision", "mean_revealed", "mean_words", "buzz_rate") for end, value in (("low", 0), ("high", 9))}  # fmt: skip
    table = pd.DataFrame(
        [
            key | {"rule": name, "opponents": pi, "questions": 3, "buzzes": 2, "correct": 1, "buzz_rate": 2 / 3}
            | shares | bounds | {"low": 0, "high": 9}
            for name in ("stated", "tuned")
            for pi in ("fitted", "protobowl")
        ]
    )  # fmt: skip
    assert checks.counts_of_thresholds(table, buzzpoints).failures == 0
    place = (table["rule"] == rule) & (table["opponents"] == "fitted")
    table.loc[place, "correct"] = 2
    assert checks.counts_of_thresholds(table, buzzpoints).failures == 1
    table.loc[place, "correct"] = 1
    lost = (buzzpoints["rule"] != rule) | (buzzpoints["opponents"] != opponents)
    assert checks.counts_of_thresholds(table, buzzpoints[lost]).failures > 0
