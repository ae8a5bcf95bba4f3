"""Comparisons of models with each other and with people, on simulated studies."""

import itertools
from functools import partial

import numpy as np
import pandas as pd
import pytest
from calscore.core import store
from calscore.human import curves
from calscore.inference import comparisons
from calscore.scores import (
    metrics,
    proper_scoring,
    proper_tables,
    streaming,
    tables,
    two_way_bootstrap,
)
from calscore.scores import score as scores
from calscore.stats import ranks, resample
from calscore.stats.bootstrap import Bootstrap
from scipy import stats

SERIES = scores.SERIES


def question_scores(rows):
    """Scores of questions as the workflow has them."""
    return streaming.score_tables(rows, Bootstrap(2, 0, 0.9))["question_scores"]


def read(folder, *names):
    return [store.read(folder / f"{name}.parquet") for name in names]


@pytest.fixture(scope="module")
def rows(demo):
    responses, curve = read(demo, "judged/responses", "human/human_curve")
    return scores.scored_rows(responses, curve)


@pytest.fixture(scope="module")
def crowds(demo):
    return curves.team_clue_counts_from_table(*read(demo, "human/crowd", "tidy/clues"))


def test_every_pair_is_compared_and_families_are_corrected(demo):
    (compared,) = read(demo, "inference/differences")
    declared = compared[compared["family"] == "declared"]
    models = sorted(set(declared["model_a"]) | set(declared["model_b"]))
    assert len(models) == 6
    found = declared.groupby("elicitation_a")[["model_a", "model_b"]].apply(
        lambda of: {frozenset(pair) for pair in of.to_numpy().tolist()}
    )
    assert all(pairs == {frozenset(p) for p in itertools.combinations(models, 2)} for pairs in found)
    assert set(declared["metric"]) == {"calscore"}
    assert declared["p_adjusted"].to_numpy() == pytest.approx(ranks.holm_adjust(declared["p"]))
    assert (compared["p_adjusted"] >= compared["p"] - 0.02).all()
    around = compared[["simultaneous_low", "simultaneous_high"]]
    assert (around.notna().all(axis=1) == (compared["family"] == "declared")).all()
    assert (declared["simultaneous_low"] < declared["low"]).all()
    assert (declared["simultaneous_high"] > declared["high"]).all()
    assert (compared["p_adjusted"] > compared["p"]).mean() > 0.5


def two_way_draws(rows, crowd, definition, *weights):
    (clues,) = scores.clues_of(rows)
    names = [metric.name for metric in metrics.metrics_for("scores") if metric.human]
    return two_way_bootstrap.two_way_draws(clues, crowd, definition, weights, names)


def test_crowd_gives_the_human_curve_and_two_way_draws_the_scores(demo, rows, crowds):
    """With every team and question once, h is the table's and each draw is the score itself."""
    curve, values = read(demo, "human/human_curve", "scores/model_scores")
    one = crowds["sentence-100"]
    ones = np.ones((2, len(one.teams)))
    for definition in curves.H_DEFINITIONS:
        h = one.rows.assign(again=one.curves([definition], ones)[0][definition][:, 0])
        mask = (curve["segmentation"] == "sentence-100") & (curve["h_definition"] == definition)
        merged = h.merge(curve[mask], on=["question_id", "clue"], validate="one_to_one")
        assert len(merged) == len(one.rows) == mask.sum()
        assert merged["again"].to_numpy() == pytest.approx(merged["h"].to_numpy(), abs=1e-15)
    of = rows[rows["segmentation"] == "sentence-100"].reset_index(drop=True)
    w = np.ones((2, of["question_id"].nunique()))
    for definition in metrics.DEFINITIONS:
        for metric, drawn in two_way_draws(of, one, definition, w, ones).items():
            mask = (values["segmentation"] == "sentence-100") & (values["metric"] == metric)
            expected = values[mask & (values["definition"] == definition)].sort_values(SERIES)
            assert drawn[:, 1] == pytest.approx(expected["value"].to_numpy(), abs=1e-12)


CLUES, TEAMS, REPLICATES = 3, 4, 40


@pytest.fixture(scope="module")
def small():
    """Nine questions of three clues, three models, four teams, of which few heard a question."""
    rng = np.random.default_rng(12)
    ids = [f"q{i}" for i in range(9)]
    questions = pd.DataFrame({"question_id": ids, "category": ["Arts"] * 5 + ["History"] * 4})
    questions["category_fine"] = questions["category"]
    heard = rng.random((9, TEAMS)) < 0.5
    heard[:, 0] |= ~heard.any(axis=1)
    when = rng.integers(0, CLUES + 1, (9, TEAMS))
    right = rng.random((9, TEAMS)) < 0.6
    buzzed = heard & (when < CLUES)
    by = buzzed[:, None] & (when[:, None] <= np.arange(CLUES)[None, :, None])
    so_far = (by & right[:, None]).reshape(-1, TEAMS).astype(float)
    every = by.reshape(-1, TEAMS).astype(float)
    last = np.repeat(buzzed, CLUES, axis=0).astype(float)
    at = pd.MultiIndex.from_product([ids, range(1, CLUES + 1)], names=["question_id", "clue"])
    teams = pd.Index([f"t{i}" for i in range(TEAMS)])
    parts = {
        "buzzed_so_far": (so_far, every),
        "buzzed_on_question": (so_far, last),
        "heard": (so_far, np.repeat(heard, CLUES, axis=0).astype(float)),
    }
    crowd = curves.TeamClueCounts(at.to_frame(index=False), teams, parts)
    h, _ = crowd.curves(curves.H_DEFINITIONS, np.ones((1, TEAMS)))
    curve = crowd.rows.assign(**{name: of[:, 0] for name, of in h.items()})
    frames = []
    for model in ("a", "b", "c"):
        frame = curve.assign(
            segmentation="given",
            model=model,
            elicitation="verbalized",
            reduction="stated",
            marks="engine",
            confidence=rng.random(len(curve)),
            correct=rng.random(len(curve)) < 0.5,
        )
        # Model c lacks two questions and one clue.
        if model == "c":
            frame = frame[~frame["question_id"].isin(["q1", "q7"])].drop(index=0)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True), crowd, questions


def slow_draws(rows, crowd, definition, kept=None, score="calscore"):
    """(models, R): CalScore in each two-way replicate, teams, clues and questions one by one."""
    ids = sorted(rows["question_id"].unique())
    w, v = Bootstrap(REPLICATES, 1, 0.95).two_way_weights(len(ids), TEAMS)
    top, bottom = crowd.parts[metrics.DEFINITIONS[definition]]
    heard = crowd.parts["heard"][1]
    place = {key: n for n, key in enumerate(crowd.rows.itertuples(index=False, name=None))}
    drawn = []
    for _, one in rows.groupby("model"):
        drawn.append([])
        for r in range(REPLICATES):
            total = weight = 0.0
            for question, part in one.groupby("question_id"):
                if kept is not None and question not in kept:
                    continue
                at = [place[question, clue] for clue in part["clue"]]
                if not sum(v[r, t] * heard[at[0], t] for t in range(TEAMS)):
                    continue
                gains, left = [], []
                for n, right, c in zip(at, part["correct"], part["confidence"], strict=True):
                    under = sum(v[r, t] * bottom[n, t] for t in range(TEAMS))
                    h = sum(v[r, t] * top[n, t] for t in range(TEAMS)) / under if under else 0.0
                    g = (1 if right else -1) if definition == "paper" else int(right)
                    gains.append((1 - h) * g * c)
                    left.append(1 - h)
                share = sum(gains) / len(gains)
                rest = sum(left) / len(left)
                worst = -rest if definition == "paper" else 0.0
                if score == "calscore_normalised" and not rest:
                    continue
                share = {
                    "calscore": share,
                    "calscore_normalised": share / rest if rest else 0.0,
                    "calscore_least": rest,
                    "calscore_greatest": worst,
                }[score]
                error = 1 - (metrics.renormalise(share) if definition == "paper" else share)
                times = w[r, ids.index(question)]
                total, weight = total + times * error, weight + times
            drawn[-1].append(total / weight if weight else np.nan)
    return np.array(drawn)


@pytest.fixture(scope="module")
def compared(small):
    rows, crowd, questions = small
    return comparisons.paired_differences(
        rows,
        questions,
        {"given": crowd},
        primary_segmentation="given",
        primary_definition="paper",
        reductions=["mean_prob"],
        declared_metrics=["calscore"],
        permutations=50,
        bootstrap=Bootstrap(REPLICATES, 1, 0.9),
    )


def test_comparisons_are_shown_in_one_segmentation_with_names(compared):
    table = comparisons.named_comparisons(compared[0], "given", ["mean_prob"], {"a": "A"})
    assert len(table) == len(compared[0]) and "segmentation" not in table
    assert set(zip(table["model_a"], table["name_a"], strict=True)) == {("a", "A"), ("b", "b")}
    assert comparisons.named_comparisons(compared[0], "words-2", ["mean_prob"], {}).empty


@pytest.mark.parametrize("definition", ["paper", "release"])
def test_two_way_ranks_are_those_of_the_scores_of_each_replicate(small, compared, definition):
    rows, crowd, _ = small
    drawn = slow_draws(rows, crowd, definition)
    counts = np.zeros((3, 3))
    known = 0
    for replicate in drawn.T:
        if np.isnan(replicate).any():
            continue
        known += 1
        for model in range(3):
            counts[model, sum(other < replicate[model] - 1e-12 for other in replicate)] += 1
    table = compared[1]
    table = table[table["definition"] == definition]
    of = table[table["metric"] == "calscore"]
    found = of.pivot(index="model", columns="rank", values="two_way_share").to_numpy()
    assert known > 35 and found == pytest.approx(counts / known, abs=1e-12)
    assert np.abs(found - of.pivot(index="model", columns="rank", values="share")).max().max() > 0.02  # fmt: skip
    assert table.loc[table["metric"] != "calscore", "two_way_share"].isna().all()
    shown = comparisons.rank_shares_table(table, "given", ["mean_prob"], {"a": "A"})
    shown = shown[shown["metric"] == "calscore"].set_index("model").loc[["a", "b", "c"]]
    expected = counts @ [1, 2, 3] / known
    assert shown["two_way_expected_rank"].to_numpy() == pytest.approx(expected)
    assert shown["two_way_rank_2"].to_numpy() == pytest.approx(counts[:, 1] / known)


def about(value, drawn, n):
    """``value`` and half of what 90 % percentiles of ``drawn`` are apart, wider as t on the fewer of n questions and the teams."""
    low, high = np.nanquantile(drawn, [0.05, 0.95])
    n = min(n, TEAMS)
    k = stats.t.ppf(0.95, n - 1) / stats.norm.ppf(0.95) * np.sqrt(n / (n - 1))
    return value - k * (high - low) / 2, value + k * (high - low) / 2


@pytest.mark.parametrize("definition", ["paper", "release"])
@pytest.mark.parametrize("category", ["all", "Arts", "History"])
def test_two_way_differences_are_over_shared_questions_of_the_category(small, compared, definition, category):
    rows, crowd, questions = small
    inside = set(questions["question_id"])
    if category != "all":
        inside = set(questions.loc[questions["category"] == category, "question_id"])
    table = compared[0]
    table = table[(table["definition"] == definition) & (table["category"] == category)]
    assert table.loc[table["metric"] != "calscore", "two_way_low"].isna().all()
    table = table[table["metric"] == "calscore"].set_index(["model_a", "model_b"])
    assert len(table) == 3
    for (a, b), row in table.iterrows():
        kept = inside - ({"q1", "q7"} if b == "c" else set())
        drawn = slow_draws(rows, crowd, definition, kept)
        difference = drawn["abc".index(a)] - drawn["abc".index(b)]
        difference = difference[np.isfinite(difference)]
        assert row["n_questions"] == len(kept)
        ends = row[["two_way_low", "two_way_high"]].to_numpy(dtype=float)
        expected = about(row["difference"], difference, len(kept))
        assert ends == pytest.approx(np.array(expected), abs=1e-12)
        assert row["two_way_se"] == pytest.approx(difference.std(ddof=1))
        better = ((difference < -1e-12).mean() + (difference < 1e-12).mean()) / 2
        assert row["two_way_draws_a_better"] == pytest.approx(better)


def test_differences_by_category_have_bounds_by_student(small, compared):
    rows, _, questions = small
    per = question_scores(rows).query("definition == 'paper'")
    wide = per.pivot(index="question_id", columns="model", values="mce")
    of = questions.set_index("question_id")["category"].reindex(wide.index)
    table = compared[0].query("definition == 'paper' and metric == 'mce'")
    seen = 0
    for row in table[table["category"] != "all"].itertuples():
        change = (wide[row.model_a] - wide[row.model_b])[of == row.category].dropna()
        expected = stats.t.interval(0.9, len(change) - 1, change.mean(), change.sem())
        assert (row.low, row.high) == pytest.approx(expected, abs=1e-12)
        seen += 1
    assert seen == 6


@pytest.fixture(scope="module")
def proper_small(small):
    rows, crowd, _ = small
    names = {"a": "Model A"}
    return proper_tables.score_and_compare(
        rows, crowd, "given", "paper", ["mean_prob"], names, Bootstrap(REPLICATES, 1, 0.9)
    )


def test_two_way_bounds_of_proper_scores(small, proper_small):
    rows, crowd, _ = small
    table = proper_small[0].set_index(["definition", "metric", "model"])
    ends = ["two_way_low", "two_way_high"]
    for definition in metrics.DEFINITIONS:
        for metric in two_way_bootstrap.RESCALED:
            drawn = slow_draws(rows, crowd, definition, score=metric)
            for model, one in zip("abc", drawn, strict=True):
                row = table.loc[(definition, metric, model)]
                expected = np.clip(about(row["value"], one, row["n_questions"]), 0, 1)
                found = row[ends].to_numpy(dtype=float)
                assert found == pytest.approx(expected, abs=1e-12)
    others = ~table.index.get_level_values("metric").isin(two_way_bootstrap.RESCALED)
    assert table.loc[others, ends].isna().all().all()


def test_proper_differences_are_over_shared_questions(small, proper_small):
    """Every replicate written out: rows repeated as often as their question is drawn."""
    rows, crowd, _ = small

    def ranked(name, g, c):
        return proper_scoring.rank_scores(np.ones((1, 1)), g, c, np.zeros(len(c), int))[name][0]

    alone = {name: partial(ranked, name) for name in ("auroc", "aurc", "ece_equal_mass")}
    alone["log_score_clipped"] = lambda g, c: proper_scoring.log_losses(g, c, proper_scoring.CLIP).mean()
    table = proper_small[1].set_index(["model_a", "model_b", "metric"])
    assert (
        len(table) == 3 * len(metrics.metric_names("proper_comparisons")) and not table.index.has_duplicates
    )
    ids = sorted(rows["question_id"].unique())
    weights = resample.bootstrap_weights(9, REPLICATES, 1).astype(int)
    for a, b in (("a", "b"), ("a", "c"), ("b", "c")):
        kept = set(ids) - ({"q1", "q7"} if b == "c" else set())
        sides = [rows[(rows["model"] == model) & rows["question_id"].isin(kept)] for model in (a, b)]
        for metric, function in alone.items():
            drawn = []
            for w in [np.ones(9, dtype=int), *weights]:
                values = []
                for side in sides:
                    often = w[[ids.index(q) for q in side["question_id"]]]
                    some = side.loc[side.index.repeat(often)]
                    values.append(function(some["correct"], some["confidence"]))
                drawn.append(values[0] - values[1])
            value, drawn = drawn[0], np.array(drawn[1:])
            drawn = drawn[np.isfinite(drawn)]
            row = table.loc[(a, b, metric)]
            assert row["difference"] == pytest.approx(value, abs=1e-12)
            assert row["n_questions"] == len(kept) and row["replicates"] == len(drawn)
            ends = row[["low", "high"]].to_numpy(dtype=float)
            assert ends == pytest.approx(np.quantile(drawn, [0.05, 0.95]), abs=1e-12)
            assert row["se"] == pytest.approx(drawn.std(ddof=1))
            better = drawn > 1e-12 if metric == "auroc" else drawn < -1e-12
            level = np.abs(drawn) < 1e-12
            assert row["draws_a_better"] == pytest.approx(better.mean() + level.mean() / 2)
            assert pd.isna(row["two_way_low"]) and pd.isna(row["two_way_draws_a_better"])
            assert pd.isna(row["bca_low"]) == (metric != "log_score_clipped")
        both = slow_draws(rows, crowd, "paper", kept, "calscore_normalised")
        difference = both["abc".index(a)] - both["abc".index(b)]
        difference = difference[np.isfinite(difference)]
        row = table.loc[(a, b, "calscore_normalised")]
        ends = row[["two_way_low", "two_way_high"]].to_numpy(dtype=float)
        expected = about(row["difference"], difference, len(kept))
        assert ends == pytest.approx(np.array(expected), abs=1e-12)
        assert row["bca_low"] < row["bca_high"]
    assert table.loc[("a", "b", "aurc"), ["name_a", "name_b"]].tolist() == ["Model A", "b"]


def test_one_model_alone_has_no_proper_differences(small):
    rows, crowd, _ = small
    rows = rows[rows["model"] == "a"].reset_index(drop=True)
    table, found = proper_tables.score_and_compare(
        rows, crowd, "given", "paper", ["mean_prob"], {}, Bootstrap(20, 1, 0.9)
    )
    assert len(table) and found.empty and "difference" in found


def test_table_5_has_two_way_bounds_of_each_category(small):
    rows, crowd, questions = small
    table = tables.table5(
        question_scores(rows), questions, "given", ["mean_prob"], {"a": "A"}, Bootstrap(REPLICATES, 1, 0.9),
        tables.category_two_way(rows, crowd, questions, ["mean_prob"], Bootstrap(REPLICATES, 1, 0.9)),
    )  # fmt: skip
    table = table.set_index(["level", "definition", "category", "model"])
    per = question_scores(rows)
    per = per[per["question_id"].isin([f"q{i}" for i in range(5)])].set_index(["definition", "model"])
    ends = ["calscore_two_way_low", "calscore_two_way_high"]
    for definition in metrics.DEFINITIONS:
        drawn = slow_draws(rows, crowd, definition, {f"q{i}" for i in range(5)})
        for model, one in zip("ab", drawn, strict=False):
            row = table.loc[("merged", definition, "Arts", model)]
            expected = np.clip(about(row["calscore"], one, 5), 0, 1)
            assert row[ends].to_numpy(dtype=float) == pytest.approx(expected, abs=1e-12)
            # Questions alone: Student's t over the five questions.
            values = per.loc[(definition, model), "mce"]
            expected = stats.t.interval(0.9, 4, values.mean(), values.sem())
            found = row[["mce_low", "mce_high"]].to_numpy(dtype=float)
            assert found == pytest.approx(np.array(expected), abs=1e-12)
    # Fewer than five questions get no bounds.
    assert table.xs("History", level="category")[ends].isna().all().all()
    assert table.loc[("fine", "paper", "Arts", "c"), ends].isna().all()


def test_model_minus_human_is_recomputed_from_rows(demo, rows):
    (table,) = read(demo, "inference/model_minus_human")
    of = rows[(rows["segmentation"] == "sentence-100") & (rows["model"] == "M3")]
    of = of[of["reduction"] == "stated"]
    last = of.drop_duplicates("question_id", keep="last")
    one = table[(table["model"] == "M3") & (table["reduction"] == "stated")].set_index("scope")
    for scope, part in (("every clue", of), ("last clue", last)):
        expected = part["correct"].mean() - part["heard"].mean()
        assert one.loc[scope, "difference"] == pytest.approx(expected, abs=1e-12)
        assert one.loc[scope, "question_low"] < expected < one.loc[scope, "question_high"]
        assert one.loc[scope, "n_rows"] == len(part)


def test_one_series_alone_has_nothing_to_compare(grace_draft):
    (compared, ranks) = read(grace_draft, "inference/differences", "inference/ranks")
    assert compared.empty
    assert (ranks["share"] == 1).all() and len(ranks)
    (alone,) = read(grace_draft, "scores/model_scores")
    assert alone["low"].notna().all() and (alone["n_questions"] == 34).all()


@pytest.mark.parametrize(("models", "permutations"), [(6, 2000), (15, 4200)])
def test_a_large_family_can_still_be_told_apart(models, permutations):
    """105 pairs of 15 models: from 2,000 permutations Holm could leave no p value below .052."""
    rng = np.random.default_rng(1)
    values = rng.normal(size=(models, 60, 1)) + np.arange(models)[:, None, None]
    sums = resample.Sums(values, np.ones((models, 60)))
    which = resample.index_pairs(models)
    p = comparisons._declared_p_values(sums, which, 2000, len(which), [1, 2], 0.95)
    assert p.min() == pytest.approx(1 / (permutations + 1))
    assert ranks.holm_adjust(p).min() <= 0.025
