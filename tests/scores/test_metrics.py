"""The metrics against direct transcriptions of the formulas; a new one in the registry."""

import math
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from calscore.core import catalog, schema, store
from calscore.human import curves as human
from calscore.inference import comparisons, judges, specifications
from calscore.leaderboard import tossups
from calscore.scores import metrics, render, score, streaming, tables
from calscore.stats.bootstrap import Bootstrap
from hypothesis import given, settings
from hypothesis import strategies as st
from support import renormalised

unit = st.floats(0, 1)
clue = st.tuples(st.booleans(), st.one_of(st.sampled_from([0.0, 1.0]), unit), st.sampled_from(["", "+", "-"]))
question = st.lists(clue, min_size=1, max_size=13)


def transcription(question, definition):
    """(MCE_q, CalScore_q) term by term; each clue has a guess, a confidence and at most one buzz."""
    all_buzzes = sum(buzz != "" for _, _, buzz in question)
    right = so_far = 0
    plain, adjusted = [], []
    for g, c, buzz in question:
        so_far += buzz != ""
        right += buzz == "+"
        total = so_far if definition == "paper" else all_buzzes
        h = right / total if total else 0.0
        sign = (1 if g else -1) if definition == "paper" else (1 if g else 0)
        plain.append(sign * c)
        adjusted.append((1 - h) * sign * c)
    means = math.fsum(plain) / len(plain), math.fsum(adjusted) / len(adjusted)
    return tuple(1 - renormalised(m) if definition == "paper" else 1 - m for m in means)


def arrays(questions, definition):
    g, c, h, starts = [], [], [], []
    for one in questions:
        starts.append(len(g))
        total = sum(buzz != "" for _, _, buzz in one)
        right = so_far = 0
        for correct, confidence, buzz in one:
            so_far += buzz != ""
            right += buzz == "+"
            under = so_far if definition == "paper" else total
            g.append(correct)
            c.append(confidence)
            h.append(right / under if under else 0.0)
    return np.array(g), np.array(c), np.array(h), np.array(starts)


@settings(deadline=None)
@given(st.lists(question, min_size=1, max_size=6), st.sampled_from(["paper", "release"]))
def test_question_errors_agree_with_formulas(questions, definition):
    mce, calscore = metrics.question_errors(*arrays(questions, definition), definition)
    for got, one in zip(zip(mce, calscore, strict=True), questions, strict=True):
        assert got == pytest.approx(transcription(one, definition), abs=1e-12)


@pytest.mark.parametrize(
    ("questions", "paper", "release"),
    [
        # One clue, sure and right, nobody buzzed: no error at all.
        ([[(True, 1.0, "")]], (0, 0), (0, 0)),
        # Sure and wrong: the largest error under paper; release knows no worse than not right.
        ([[(False, 1.0, "")]], (1, 1), (1, 1)),
        # No confidence at all: the middle under paper.
        ([[(True, 0.0, ""), (False, 0.0, "+")]], (0.5, 0.5), (1, 1)),
        # A right human buzz in the only clue: h = 1, nothing is left to gain.
        ([[(True, 1.0, "+")]], (0, 0.5), (0, 1)),
        # Only a wrong human buzz: h = 0.
        ([[(True, 1.0, "-")]], (0, 0), (0, 0)),
    ],
)
def test_question_errors_at_the_corners(questions, paper, release):
    for definition, expected in (("paper", paper), ("release", release)):
        mce, calscore = metrics.question_errors(*arrays(questions, definition), definition)
        assert (mce[0], calscore[0]) == pytest.approx(expected, abs=1e-12)


def sh_transcription(g, c, cumulative, form):
    """Appendix H, sums written out."""
    size = len(g)
    b = [c[t] * math.prod(1 - c[i] for i in range(t)) for t in range(size)]
    h = list(cumulative)
    if form == "completed":
        b[-1] = math.prod(1 - c[i] for i in range(size - 1))
        h = [cumulative[t] - (cumulative[t - 1] if t else 0) for t in range(size)]
    first = sum(h[t] * sum(b[e] * g[e] for e in range(t + 1)) for t in range(size))
    return first + (1 - sum(h)) * sum(b[t] * g[t] for t in range(size))


@settings(deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(st.booleans(), unit, st.floats(0, 0.1)), min_size=1, max_size=9),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from(["completed", "as_printed"]),
)
def test_sh_agrees_with_formula(questions, form):
    g, c, h, starts, expected = [], [], [], [], []
    for one in questions:
        starts.append(len(g))
        cumulative = np.cumsum([step for _, _, step in one])
        expected.append(sh_transcription([int(x[0]) for x in one], [x[1] for x in one], cumulative, form))
        g += [x[0] for x in one]
        c += [x[1] for x in one]
        h += list(cumulative)
    got = metrics.sh_score(np.array(g, float), np.array(c), np.array(h), np.array(starts), form)
    assert got == pytest.approx(expected, abs=1e-12)
    if form == "completed":
        assert ((got >= -1e-12) & (got <= 1 + 1e-12)).all()


def test_released_bins_close_on_the_right_and_put_zero_last():
    values = np.array([0.0, 1e-9, 0.1, 0.15, 0.5, 1.0])
    assert metrics.confidence_bins(values, "released").tolist() == [9, 0, 0, 1, 4, 9]


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), unit), min_size=1, max_size=60))
def test_ece_agrees_with_a_loop(rows):
    g = np.array([x[0] for x in rows])
    c = np.array([x[1] for x in rows])
    sums = [0.0] * 10
    for right, confidence in rows:
        place = max(k for k in range(10) if confidence >= k / 10)
        sums[place] += right - confidence
    assert metrics.ece(g, c) == pytest.approx(sum(map(abs, sums)) / len(rows), abs=1e-12)


# --- the registry ----------------------------------------------------------------------------------


def test_every_entry_of_the_registry_is_whole():
    for name, one in metrics.METRICS.items():
        assert name == one.name and one.label and one.description
        assert set(one.places) <= set(metrics.PLACES)
        assert one.over in ("clues", "bins", "questions", "resamples")
        assert (one.function is None) == (one.over == "resamples")
        assert set(one.definitions) <= set(metrics.DEFINITIONS)
        words = {True: "higher is better", False: "lower is better"}.get(one.higher)
        assert words is None or one.unit == "share" or words in one.unit
        assert not one.linear or one.human
        if "scores" in one.places:
            assert one.over != "resamples" and (one.linear is not None) == one.human
        if "table1" in one.places:
            assert set(one.formula) == set(one.definitions)
    assert all(metrics.metrics_for(place) for place in metrics.PLACES)
    with pytest.raises(KeyError):
        metrics.metrics_for("nowhere")


def test_a_linear_form_is_the_score_itself():
    rng = np.random.default_rng(5)
    g, c, h = rng.random(60) < 0.5, rng.random(60), rng.random(60)
    starts = np.arange(0, 60, 6)
    for one in metrics.METRICS.values():
        for definition in metrics.DEFINITIONS if one.linear else ():
            coefficient, value, then = one.linear(g.astype(float), c, starts, definition)
            got = then(value + np.add.reduceat(coefficient * h, starts))
            wanted = one.function(g.astype(float), c, h, starts, definition)[one.name]
            assert got == pytest.approx(wanted, abs=1e-12)


# Three metrics that nobody has: the share of clues on which a model is right and at least half sure, the
# same summed within bins, and the mean of (1 − h)·g·c over a question, under one definition alone.
NEW = (
    metrics.Metric(
        "sure", "Sure", "clues", lambda g, c: g * (c >= 0.5), "Right and at least half sure.", "share",
        higher=True, places=tuple(metrics.METRICS["brier"].places[:-1]), formula={"paper": "mean of g·(c ≥ ½)"},
    ),
    metrics.Metric(
        "gap2", "Gap", "bins", lambda g, c: 2 * (g - c), "Twice the gap within bins.", greatest=2.0,
        places=("scores", "comparisons", "table1", "specifications"),
    ),
    metrics.Metric(
        "left", "Left", "questions",
        lambda g, c, h, starts, definition: {
            "left": np.add.reduceat((1 - h) * g * c, starts) / np.diff(np.append(starts, len(c)))
        },
        "Mean of (1 − h)·g·c.", higher=True, definitions=("paper",), human=True,
        linear=lambda g, c, starts, definition: (
            -(g * c) / 3, np.add.reduceat(g * c / 3, starts), lambda share: share
        ),
        places=("scores", "comparisons", "categories", "table1", "specifications", "judges"),
    ),
)  # fmt: skip


@pytest.fixture
def new(monkeypatch):
    """The registry with :data:`NEW`; the one over questions is a column of scores/question_scores."""
    for one in NEW:
        monkeypatch.setitem(metrics.METRICS, one.name, one)
        declaration = {**one._asdict(), "formula": dict(one.formula)}
        monkeypatch.setitem(catalog.metrics(), one.name, declaration)
    read = catalog.read_yaml

    def with_new(path):
        entry = read(path)
        if path.stem == "question_scores":
            entry["columns"]["left"] = {"type": "number", "nullable": True, "description": "New."}
        return entry

    monkeypatch.setattr(catalog, "read_yaml", with_new)
    caches = catalog.table, schema.schema
    for one in caches:
        one.cache_clear()
    yield NEW
    for one in caches:
        one.cache_clear()


def test_a_new_metric_comes_out_everywhere_from_its_declaration_and_formula(new):
    rng = np.random.default_rng(3)
    ids = [f"q{i}" for i in range(8)]
    clues = pd.DataFrame(
        {"segmentation": "s", "question_id": np.repeat(ids, 3), "clue": [1, 2, 3] * 8, "end_word": [4, 8, 12] * 8}
    )  # fmt: skip
    teams = pd.DataFrame({"team": ["A", "B", "C"], "kind": "human"})
    exposures = pd.DataFrame({"question_id": ids}).merge(teams, how="cross")
    exposures["source"] = "declared"
    buzzes = exposures.assign(
        word_index=rng.integers(0, 12, len(exposures)), correct=rng.random(len(exposures)) < 0.6
    )
    responses = clues.drop(columns="end_word").merge(pd.DataFrame({"model": ["a", "b"]}), how="cross")
    responses = responses.assign(
        elicitation="verbalized", reduction="stated", marks="engine",
        confidence=rng.random(len(responses)).round(3), correct=rng.random(len(responses)) < 0.5,
    )  # fmt: skip
    curve, crowds = (
        human.human_curve(clues, buzzes, exposures),
        human.team_clue_counts_from_table(human.team_clue_counts(clues, buzzes, exposures), clues),
    )
    rows = score.scored_rows(responses, curve)
    bootstrap = Bootstrap(50, 1, 0.9)
    made = streaming.score_tables(score.scored_rows(responses, curve), bootstrap, crowds)
    for name, table in made.items():
        store.check(table, name)
    scores = made["model_scores"].set_index(["metric", "definition", "model"]).sort_index()

    a = rows[rows["model"] == "a"]
    g, c = a["correct"].to_numpy(float), a["confidence"].to_numpy()
    assert scores.loc[("sure", "paper", "a"), "value"] == pytest.approx((g * (c >= 0.5)).mean())
    last = (a["clue"] == 3).to_numpy()
    value = (g * (c >= 0.5))[last].mean()
    assert scores.loc[("sure", "release", "a"), "value"] == pytest.approx(value)
    assert scores.loc[("gap2", "paper", "a"), "value"] == pytest.approx(2 * metrics.ece(g, c))
    left = ((1 - a["buzzed_so_far"]) * g * c).groupby(a["question_id"]).mean().mean()
    assert scores.loc[("left", "paper", "a"), "value"] == pytest.approx(left)
    assert "release" not in scores.loc["left"].index
    # Higher is better, and human teams are resampled where h counts.
    for name in ("sure", "left"):
        of = scores.loc[(name, "paper")]
        assert (of.loc[of["value"].idxmax(), "rank"], of["rank"].min()) == (1, 1)
    assert scores.loc["left", "two_way_low"].notna().all()
    assert scores.loc[["sure", "gap2"], "two_way_low"].isna().all()

    shown = store.check(tables.table1(made["model_scores"], "s", ["stated"], {"a": "A"}), "table1")
    assert {"sure", "sure_rank", "gap2_low", "left", "left_two_way_high"} <= set(shown)
    assert shown.loc[shown["definition"] == "release", "left"].isna().all()
    paper, release = render.table1(shown, 0.9)
    assert paper.frame["Left"].str.contains(r"\[").all() and set(release.frame["Left"]) == {"–"}

    questions = pd.DataFrame(
        {"question_id": ids, "category": ["x", "y"] * 4, "category_fine": ["x", "y"] * 4}
    )
    compared, ranks = comparisons.paired_differences(
        rows, questions, crowds,
        primary_segmentation="s", primary_definition="paper", reductions=["stated"],
        declared_metrics=["sure"], permutations=50, bootstrap=bootstrap,
    )  # fmt: skip
    store.check(compared, "differences")
    assert {"sure", "gap2", "left"} <= set(store.check(ranks, "ranks")["metric"])
    of = compared[compared["category"] == "all"].set_index(["metric", "definition"])
    sure = scores.loc[("sure", "paper", "a"), "value"] - scores.loc[("sure", "paper", "b"), "value"]
    assert of.loc[("sure", "paper"), "difference"] == pytest.approx(sure)
    assert of.loc[("sure", "paper"), "family"] == "declared"
    assert np.isfinite(of.loc[("left", "paper"), "two_way_low"])
    assert set(compared.loc[compared["metric"] == "left", "category"]) == {"all", "x", "y"}

    guesses = rows.assign(guess="guess", condition="")
    verdicts = guesses[["question_id", "guess", "condition"]].drop_duplicates()
    traced, _ = specifications.specification_curve(guesses, verdicts.assign(matcher="exact", right=True))
    store.check(traced, "specifications")
    ways = traced[traced["model"] == "a"].groupby("metric").size()
    # Two judges: the engine's marks, and exact match as another matcher.
    assert (ways["sure"], ways["gap2"], ways["left"]) == (4, 8, 2 * len(human.H_DEFINITIONS))

    by_judge = judges.scores_by_judge(responses, curve, {}, 10, 0, 0.95)
    assert {"sure", "left"} <= set(by_judge["metric"])
    assert "sure" in schema.schema()["$defs"]["options"]["properties"]["declared_metrics"]["items"]["enum"]
    runs = a.assign(submission="a", position=4 * a["clue"], error=False)
    plays = buzzes.assign(position=buzzes["word_index"] + 1, censored=False)
    sums = tossups.calibration_sums(runs, plays)["paper", "a"]
    assert sums["sure"].sum() / sums["n"].sum() == pytest.approx(scores.loc[("sure", "paper", "a"), "value"])


BAD = [
    ({"c": [74.0, 20.0]}, "c: found 74.0, expected numbers from 0 to 1"),
    ({"c": [0.5, np.nan]}, "c: found nan, expected numbers from 0 to 1"),
    ({"g": [1, -1]}, "g: found -1, expected numbers from 0 to 1"),
    ({"c": [0.5]}, r"c: found shape \(1,\), expected \(2,\)"),
    ({"c": 0.5}, r"c: found shape \(\), expected \(2,\)"),
    ({"c": ["high", "0.2"]}, "c: found 'high', expected numbers from 0 to 1"),
    ({"c": np.array([0.5, "low"], dtype=object)}, "c: found 'low', expected numbers from 0 to 1"),
    ({"h": [0, 2]}, "h: found 2, expected numbers from 0 to 1"),
    ({"starts": [1]}, r"starts: found \[1\], expected 0, then increasing numbers below 2"),
    ({"starts": [0, 0, 1]}, r"starts: found \[0, 0, 1\], expected 0"),
    ({"starts": [0, 2]}, r"starts: found \[0, 2\], expected 0"),
]


@pytest.mark.parametrize(("bad", "message"), BAD)
def test_arrays_that_are_none_are_refused_by_name(bad, message):
    good = {"g": [1, 0], "c": [0.5, 0.2], "h": [0, 0.5], "starts": [0]} | bad
    with pytest.raises(ValueError, match=message):
        metrics.question_errors(*good.values(), "paper")
    with pytest.raises(ValueError, match=message):
        metrics.sh_score(*good.values(), "completed")
    for metric in (metrics.brier, metrics.ece) if {"g", "c"} & set(bad) else ():
        with pytest.raises(ValueError, match=message):
            metric(good["g"], good["c"])


def test_no_answers_have_no_score():
    for metric in (metrics.brier, metrics.ece):
        with pytest.raises(ValueError, match="g: found no value, expected at least one"):
            metric([], [])


def test_tables_are_read_by_place_and_not_by_index():
    g, c = pd.Series([1, 0], index=[1, 0]), pd.Series([0.9, 0.1], index=[0, 1])
    assert metrics.brier(g, c) == pytest.approx(0.01)


def test_the_extra_of_metrics_has_all_that_they_import():
    """``pip install '.[metrics]'``: numpy, scipy and PyYAML, and the judge's own three."""
    code = "import sys; from calscore.scores import grace_q, metrics; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"pandas", "pyarrow", "matplotlib", "seaborn", "statsmodels", "snakemake", "jsonschema"}
    assert heavy.isdisjoint(run.stdout.split())
