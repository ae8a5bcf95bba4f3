"""Differences between models, types and judges, drawn over the same questions."""

import numpy as np
import pytest
from calscore.multiple_choice import contrasts, tables
from calscore.stats import resample
from calscore.stats.bootstrap import Bootstrap
from option_rows import ece

OF_TYPES = {"N_ece": ("ece", "normal"), "D_right_share": ("right_share", "distractor")}
"""Measure → column and setting of tables/option_types."""


def drawn(results, key, replicates=60):
    """Each resample of questions of ``Resamples(results, replicates, 0)``, drawn again answer by answer:
    setting → (confidence, output), the questions in one order."""
    judging, model = key
    weights = resample.bootstrap_weights(results["row"].nunique(), replicates, 0)
    mine = results[(results["judging"] == judging) & (results["model"] == model)]
    of = {
        setting: one.sort_values("row")[["confidence", "output"]].to_numpy()
        for setting, one in mine.groupby("setting")
    }
    for count in weights.astype(int):
        yield {setting: np.repeat(one, count, axis=0).T for setting, one in of.items()}


def test_differences_are_paired_over_the_same_questions(world):
    _, questions, results, _ = world
    models = ("gpt-4o", "gpt-4-turbo")
    some = results[results["row"].between(100, 219) & results["model"].isin(models)]
    resamples = tables.Resamples(some, 60, 0)
    compared = tables.comparisons(resamples, {}, 0.95).set_index(["judging", "model"])
    key = ["judging", "model", "setting", "labels", "edges"]
    read = tables.readings(some, resamples, {}, 0.95).set_index(key)
    few = questions[questions["row"].between(100, 219)]
    means, draws_of_types = tables.options_by_group(some, few, "all", resamples, {}, Bootstrap(60, 0, 0.95))
    means = means[(means["model"] == "mean") & (means["reading"] == "release")]
    means = means.set_index(["judging", "setting"])
    against = contrasts.contrasts(resamples, {}, {}, 0.95)
    against = against[against["compared"] == "models"].set_index(["judging", "measure"])
    found: dict[str, dict[str, list]] = {model: {} for model in models}
    for model, one in found.items():
        for sample in drawn(some, ("shared", model)):
            (c, before), (d, after) = sample["normal"], sample["distractor"]
            values = {
                "right_change": (after == 1).mean() - (before == 1).mean(),
                "N_right": (before == 1).mean(),
                "brier": np.mean(((after == 1) - d) ** 2) - np.mean(((before == 1) - c) ** 2),
                "ece": ece(d, after, "attempted") - ece(c, before, "attempted"),
                "helped": ((before == 0) & (after == 1)).sum() - ((before == 1) & (after == 0)).sum(),
                "reading": ece(c, before, "release") - ece(c, before, "as_wrong"),
            }
            for name, value in values.items():
                one.setdefault(name, []).append(value)

    def ends(draws):
        return pytest.approx(np.quantile(draws, [0.025, 0.975]))

    one, other = found["gpt-4o"], found["gpt-4-turbo"]
    row = compared.loc[("shared", "gpt-4o")]
    for column, name in (
        ("right_change", "right_change"),
        ("brier_change_as_wrong", "brier"),
        ("ece_change_attempted", "ece"),
    ):
        assert [row[f"{column}_low"], row[f"{column}_high"]] == ends(one[name])
    row = read.loc[("shared", "gpt-4o", "normal", "minus_one", "released")]
    assert [row["difference_low"], row["difference_high"]] == ends(one["reading"])
    scores = tables.scores(some, resamples, {}, 0.95).set_index(["judging", "model"])
    row = scores.loc[("shared", "gpt-4o")].iloc[0]
    assert [row["helped_less_harmed_low"], row["helped_less_harmed_high"]] == ends(one["helped"])
    row = means.loc[("shared", "normal")]
    both = np.mean([one["N_right"], other["N_right"]], axis=0)
    assert [row["right_share_low"], row["right_share_high"]] == ends(both)
    row = against.loc[[("shared", "right_change")]].iloc[0]
    sign = 1 if row["first"] == "gpt-4o" else -1
    apart = sign * (np.array(one["right_change"]) - other["right_change"])
    assert [row["difference_low"], row["difference_high"]] == ends(apart)
    assert draws_of_types["shared", "normal", "release", "all"][0][1:] == pytest.approx(both)


def test_contrasts_are_differences_of_the_other_tables(world):
    _, questions, results, _ = world
    given = (of[of["row"] < 400] for of in (questions, results))
    found = tables.tabulate_options(*given, {}, replicates=100, seed=0, level=0.95)
    contrasts = found["option_contrasts"]
    scores = found["option_scores"].set_index(["judging", "model", "reading"])
    compared = found["option_comparisons"].set_index(["judging", "model"])
    types = found["option_types"]
    types = types[types["model"] == "mean"].set_index(["judging", "group", "reading", "setting"])

    def value(row, judging, model):
        if row.measure in scores:
            return scores.loc[(judging, model, row.reading or "release"), row.measure]
        name = f"{row.measure}_{row.reading}" if row.reading else row.measure
        return compared.loc[(judging, model), name]

    for row in contrasts.itertuples():
        if row.compared == "models":
            pair = [value(row, row.judging, model) for model in (row.first, row.second)]
        elif row.compared == "judges":
            pair = [value(row, judging, row.model) for judging in (row.first, row.second)]
        elif row.measure in OF_TYPES:
            column, setting = OF_TYPES[row.measure]
            place = row.reading or "release", setting
            kinds = (row.first, row.second)
            pair = [types.loc[(row.judging, kind, *place), column] for kind in kinds]
        else:
            continue
        assert row.difference == pytest.approx(pair[0] - pair[1]), row
    counts = contrasts.groupby(["compared", "judging"])[["first", "second"]].nunique()
    models, kinds = results["model"].nunique(), questions["answer_type"].nunique()
    assert (counts.loc["models"] == models - 1).all(axis=None)
    assert (counts.loc["question types"] == kinds - 1).all(axis=None)
    pairs = contrasts.drop_duplicates(["compared", "judging", "model", "first", "second"])
    assert pairs["compared"].value_counts().to_dict() == {
        "models": 2 * models * (models - 1) // 2,
        "question types": 2 * kinds * (kinds - 1) // 2,
        "judges": models,
    }


def test_the_sign_of_distraction_turns(world):
    _, _, results, _ = world
    resamples = tables.Resamples(results, 200, 0)
    table = tables.scores(results, resamples, {}, 0.95)
    found = contrasts.distraction_correlation(resamples, 0.95)
    found = found[found["judging"] == "shared"].set_index("measure")
    rho = found["spearman"]
    assert rho["harmed, number"] > 0 > rho["harmed, share of right before"]
    one = table[(table["judging"] == "shared") & (table["reading"] == "release")]
    for measure, column in (
        ("harmed, number", one["harmed"]),
        ("harmed, share of helped and harmed", 1 - one["helped_share"]),
        ("harmed, share of right before", one["harmed_of_right"]),
    ):
        assert rho[measure] == pytest.approx(one["N_right"].corr(column, method="spearman"))
    assert (found["spearman_low"] <= rho).all() and (rho <= found["spearman_high"]).all()
