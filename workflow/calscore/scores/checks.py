"""What holds of scores, and of the tables that papers print of them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..answers.checks import aligned
from ..audit import trace as traces
from ..audit.outcome import bad, near, not_as_wide, outside, same, worst
from ..buzzing.checks import names_of_models
from ..core import store
from ..human.checks import names_of_teams, shares, shares_of_buzzes
from .judges import first_judge
from .metrics import METRICS

__all__ = ["names_of_models", "names_of_teams", "shares", "shares_of_buzzes"]

_SERIES = ["model", "elicitation", "reduction", "marks"]
_RACE = ["segmentation", "definition", "elicitation", "reduction", "marks", "metric"]


def from_definitions(
    question_scores, responses, questions, clues, guesses, judgements, buzzes, exposures, traced
):
    """MCE and CalScore follow from raw rows by their definitions."""
    names = sorted(clues["segmentation"].unique())
    parts = [traced(name).questions.assign(segmentation=name) for name in names]
    key = store.schema("question_scores")["key"]
    wanted = pd.concat(parts, ignore_index=True)
    return aligned(question_scores, wanted, key, ["n_clues", "mce", "calscore"])


def of_the_scored_questions(sh_scores, question_scores):
    """Every question that has a MCE has one SH of each form, and nothing else has."""
    key = ["segmentation", *_SERIES, "question_id"]
    known = question_scores[key].drop_duplicates()
    every = known.merge(sh_scores[["form"]].drop_duplicates(), how="cross")
    return same(sh_scores, every, [*key, "form"], [])


def means_of_questions(model_scores, question_scores, sh_scores, options):
    """MCE, CalScore and SH of a model are the means of its questions, as many as it says; rows are the same for every metric; bounds are as wide as the error says."""
    key = ["segmentation", "definition", *_SERIES]
    long = question_scores.melt(key, ["mce", "calscore"], "metric")
    of_sh = sh_scores.assign(metric="sh_" + sh_scores["form"], value=sh_scores["sh"])
    of_sh = of_sh.merge(question_scores[key].drop_duplicates())
    long = pd.concat([long, of_sh[[*key, "metric", "value"]]], ignore_index=True)
    wanted = long.groupby([*key, "metric"])["value"].agg(value="mean", n_questions="size")
    found = model_scores[model_scores["metric"].isin(long["metric"].unique())]
    rows = model_scores.groupby(key)["n_rows"].transform("median")
    wrong = (model_scores["n_rows"] != rows) | (model_scores["se"] < 0)
    level, means = options["level"], model_scores["metric"] != "ece"
    least, greatest = (
        model_scores["metric"].map({name: getattr(one, end) for name, one in METRICS.items()})
        for end in ("least", "greatest")
    )
    # What is cut where no score can be is not as wide.
    cut = (model_scores["two_way_low"] == least) | (model_scores["two_way_high"] == greatest)
    wrong |= not_as_wide(model_scores, level, ("", "se"))
    wrong |= ~cut & not_as_wide(model_scores, level, ("two_way_", "two_way_se"))
    # That of a sum of absolute values ends at what is possible.
    wrong |= means & not_as_wide(model_scores, level, ("bca_", "se"))
    return worst(
        same(found, wanted.reset_index(), [*key, "metric"], ["value", "n_questions"]),
        bad(model_scores, wrong, *key, "metric", "n_rows"),
    )


def from_responses(model_scores, responses):
    """Brier, ECE and accuracy follow from confidences and right answers; questions and rows are theirs."""
    key, parts = ["segmentation", *_SERIES], []
    rows = responses.loc[
        responses["confidence"].notna(), [*key, "question_id", "confidence", "correct"]
    ]
    c, right = (rows[name].to_numpy(float) for name in ("confidence", "correct"))
    by = rows.groupby(key)
    series, of = by.size().index.to_frame(index=False), by.ngroup().to_numpy()
    last = ~rows.duplicated([*key, "question_id"], keep="last").to_numpy()
    for definition in traces.H:
        scope = slice(None) if definition == "paper" else last
        at, gap = of[scope], (right - c)[scope]
        n, place = np.bincount(at), at * 10 + traces.bin_of(c[scope], definition)
        gaps = np.bincount(place, gap, 10 * len(series)).reshape(-1, 10)
        found = series.assign(
            definition=definition,
            n_rows=n,
            n_questions=np.bincount(of[last]),
            brier=np.bincount(at, gap**2) / n,
            ece=np.abs(gaps).sum(axis=1) / n,
        )
        parts.append(
            found.melt([*key, "definition", "n_rows", "n_questions"], ["brier", "ece"], "metric")
        )
    m = model_scores
    columns = ["value", "n_rows", "n_questions"]
    return same(
        m[m["metric"].isin(["brier", "ece"])],
        pd.concat(parts, ignore_index=True),
        [*key, "definition", "metric"],
        columns,
        1e-9,
    )


def ranked_by_value(model_scores):
    """Ranks count the better ones of a race; errors are not negative."""
    m = model_scores
    up = m["metric"].isin(["accuracy", "sh_as_printed", "sh_completed"])
    best = m["value"].where(~up, -m["value"]).round(12)
    rank = best.groupby([m[name] for name in _RACE]).rank(method="min")
    wrong = m["rank"].notna() & ~near(m["rank"], rank)
    return bad(m, wrong | (m["se"] < 0), *_RACE, "model", "value", "rank")


def bins_hold_all(reliability, responses, model_scores):
    """Bins of a series hold all its answers with a confidence; their means are in the bins; ECE is the mean gap,
    bounds are Wilson's on the effective number.
    """
    t = reliability
    key = ["segmentation", "definition", *_SERIES]
    rows = responses[responses["confidence"].notna()]
    every = rows.groupby(key[:1] + _SERIES).agg(
        paper=("clue", "size"), right=("correct", "sum"), release=("question_id", "nunique")
    )
    n = t.groupby(key)["n"].sum().rename("n").reset_index()
    n["wanted"] = [
        every.at[tuple(row[name] for name in key[:1] + _SERIES), row["definition"]]
        for row in n.to_dict("records")
    ]
    whole = bad(n, n["n"] != n["wanted"], *key, "n", "wanted")
    full = t["n"] > 0
    wrong = full & ((t["confidence"] < t["low"] - 1e-9) | (t["confidence"] > t["high"] + 1e-9))
    wrong |= full != t["accuracy"].notna()
    worth = t["n_effective"]
    wrong |= worth > t["n"] + 1e-9
    gap = ((t["accuracy"] - t["confidence"]).abs() * t["n"]).groupby([t[name] for name in key])
    ece = (gap.sum() / t.groupby(key)["n"].sum()).rename("value").reset_index()
    m = model_scores[model_scores["metric"] == "ece"]
    return worst(whole, bad(t, wrong, *key, "bin"), same(ece, m, key, ["value"], 1e-9))


# --- printed -----------------------------------------------------------------------------------


def numbers_from_raw_rows(
    table, responses, questions, clues, guesses, judgements, buzzes, exposures, options, traced
):
    """Every number but resampled bounds is recomputed from raw rows, to 1e-12."""
    from ..audit import explain

    trace = traced(options["primary_segmentation"]).of_shown()
    wanted, key = explain.values(trace, table)
    return same(table, wanted, key, [name for name in wanted if name not in key])


def bounds_of_table_1(table1, model_scores, options):
    """Ranks and bounds are those of the model scores."""
    m = model_scores[model_scores["segmentation"] == options["primary_segmentation"]]
    key = ["definition", *_SERIES]
    parts = []
    for metric in ("brier", "ece", "mce", "calscore"):
        of = table1[[*key, *(f"{metric}_{part}" for part in ("rank", "low", "high"))]]
        of = of.set_axis([*key, "rank", "low", "high"], axis=1).assign(metric=metric)
        parts.append(of)
    found = pd.concat(parts, ignore_index=True)
    columns = ["rank", "low", "high"]
    shown = m.merge(found[[*key, "metric"]])
    one = same(found, shown, [*key, "metric"], columns)
    both = table1.rename(columns={f"calscore_{n}": n for n in ("two_way_low", "two_way_high")})
    crossed = shown[shown["metric"] == "calscore"]
    return worst(one, same(both, crossed, key, ["two_way_low", "two_way_high"]))


def reductions(table1, model_scores, options):
    """The reduction named is one that the model was scored under, the first that its data allow."""
    order = [*options["reductions"], "stated"]
    scored = model_scores.groupby(["elicitation", "model"])["reduction"].unique()
    pairs = zip(table1["elicitation"], table1["model"], strict=True)
    first = [next(name for name in order if name in scored[pair]) for pair in pairs]
    return bad(table1, table1["reduction"] != first, "elicitation", "model", "reduction")


def reductions_of_table_1(table5, table1):
    """Table 5 shows the reductions of table 1."""
    key = ["elicitation", "model"]
    one = table1[[*key, "reduction"]].drop_duplicates().set_index(key)["reduction"]
    shown = [one.get(pair) for pair in zip(table5["elicitation"], table5["model"], strict=True)]
    return bad(table5, table5["reduction"] != shown, *key, "reduction")


def categories_make_up_all(table5, table1):
    """Questions of the categories make up all questions, at either level."""
    key = ["definition", "elicitation", "model", "marks"]
    sums = table5.groupby(["level", *key])["n_questions"].sum().reset_index()
    wanted = table1[[*key, "n_questions"]]
    return worst(*(same(of, wanted, key, ["n_questions"]) for _, of in sums.groupby("level")))


def bounds_around(table):
    """Bounds are on either side of the values."""
    wrong = np.zeros(len(table), dtype=bool)
    for low in (name for name in table if str(name).endswith("_low")):
        name = low.removesuffix("low")
        value = name.removesuffix("_").removesuffix("_two_way")
        if value in table:
            wrong |= outside(table, value, name)
    return bad(table, wrong, *list(table)[:4])


def extremes(extreme_questions, question_scores, questions, table1, options):
    """Mean, smallest and largest CalScore over models, ranked, also with a model left out; category, answer line."""
    t, s = extreme_questions, question_scores
    s = s[s["segmentation"] == options["primary_segmentation"]]
    s = s.merge(
        first_judge(table1)[["elicitation", "model", "reduction", "marks"]].drop_duplicates()
    )
    key = ["definition", "elicitation", "question_id"]
    mean = s.groupby(key)["calscore"].agg(["mean", "min", "max", "size"]).reset_index()
    mean.columns = [*key, "calscore", "lowest", "highest", "n_models"]
    mean = mean.merge(questions[["question_id", "category", "answerline"]])
    group = mean.groupby(["definition", "elicitation"])["calscore"]
    mean["rank"] = group.rank(method="first").astype(int)
    mean["n"] = group.transform("size")
    ranks = []
    for _, of in s.groupby("elicitation"):
        for left in of["model"].unique():
            rest = of[of["model"] != left].groupby(key)["calscore"].mean().round(12)
            ranks.append(rest.groupby(level=[0, 1]).rank(method="first"))
    ranks = pd.concat(ranks, axis=1)
    ranges = pd.DataFrame({"rank_least": ranks.min(axis=1), "rank_greatest": ranks.max(axis=1)})
    mean = mean.merge(ranges, how="left", left_on=key, right_index=True)
    count = options["extreme_questions"]
    ends = [
        mean[mean["rank"] <= count].assign(end="best"),
        mean[mean["rank"] > mean["n"] - count].assign(end="worst"),
    ]
    columns = ["rank", "rank_least", "rank_greatest", "calscore", "lowest", "highest", "n_models"]
    columns += ["category", "answerline"]
    return same(t, pd.concat(ends), [*key, "end"], columns)


def answers_by_share(accuracy_by_share, table2):
    """At the shares of table 2 its numbers are shown."""
    t, key = accuracy_by_share, ["reading", "elicitation", "model", "marks"]
    parts = []
    for share in (20, 40, 60, 80, 100):
        parts.append(
            table2[[*key, f"{share}%", f"{share}%_n"]]
            .set_axis([*key, "accuracy", "n"], axis=1)
            .assign(percent=share)
        )
    wanted = pd.concat(parts, ignore_index=True).dropna(subset="n")
    shown = t.assign(percent=(t["revealed"] * 100).round().astype(int))
    shown = shown.merge(wanted[[*key, "percent"]])
    return same(shown, wanted, [*key, "percent"], ["accuracy", "n"])


# --- proper scores -----------------------------------------------------------------------------


def crossed(proper, options):
    """Two-way bounds are those of the forms of CalScore, in the segmentation and reductions shown first."""
    t = proper
    order = {name: at for at, name in enumerate([*options["reductions"], "stated"])}
    rank = t["reduction"].map(order)
    first = rank == rank.groupby([t["model"], t["elicitation"]]).transform("min")
    wanted = t["metric"].str.startswith("calscore") & first & t["value"].notna()
    wanted &= t["segmentation"] == options["primary_segmentation"]
    wrong = (t["two_way_low"].notna() != wanted).to_numpy()
    return bad(t, wrong, "segmentation", "model", "metric")


def _proper(g, c, code, definition: str) -> dict[str, float]:
    """Proper scores of answers ``g`` (0/1) with confidences ``c`` to questions ``code``, written out."""
    n, right = len(c), g.sum()
    bins = traces.bin_of(c, definition)
    size, gs, cs, gap = (np.bincount(bins, v, 10) for v in (np.ones(n), g, c, g - c))
    known, rate = np.maximum(size, 1), gs / np.maximum(size, 1)
    spread = [(of - (total / known)[bins]) for of, total in ((c, cs), (g, gs))]
    own = np.bincount(code * 10 + bins, g - c, (code.max() + 1) * 10).reshape(-1, 10)
    asked = np.bincount(code * 10 + bins, minlength=own.size).reshape(-1, 10)
    noise = rate * (1 - rate) / np.maximum(size - 1, 1)
    published = np.where(size > 1, (gap / known) ** 2 - noise, 0) @ size / n
    pairs = size**2 - (asked**2).sum(axis=0)
    across = (gap**2 - (own**2).sum(axis=0)) / np.maximum(pairs, 1) @ size / n
    at = np.unique(-c, return_inverse=True)[1]
    upto, wrong = np.bincount(at).cumsum(), np.bincount(at, 1 - g).cumsum()
    k = np.arange(1, n + 1)
    area = (np.interp(k, np.r_[0, upto], np.r_[0, wrong]) / k).mean()
    ordered = np.sort(c)
    tenths = np.searchsorted(ordered[(n - 1) * np.arange(1, 10) // 10], c)
    ranks = sum(np.searchsorted(ordered, c, side) for side in ("left", "right")) / 2 + 0.5
    both = right * (n - right)
    with np.errstate(divide="ignore"):
        losses = -np.log(np.where(g > 0, c, 1 - c))
    clipped = np.minimum(losses, 52 * np.log(2))
    return {
        "brier": ((c - g) ** 2).mean(),
        "brier_reliability": (gap**2 / known).sum() / n,
        "brier_resolution": size @ (rate - right / n) ** 2 / n,
        "brier_uncertainty": right / n * (1 - right / n),
        "brier_within_variance": (spread[0] ** 2).mean(),
        "brier_within_covariance": 2 * (spread[0] * spread[1]).mean(),
        "ece2_debiased": published,
        "ece_debiased": max(published, 0) ** 0.5,
        "ece2_across": across,
        "ece_across": max(across, 0) ** 0.5,
        "ece_equal_mass": np.abs(np.bincount(tenths, g - c)).sum() / n,
        "auroc": (ranks[g > 0].sum() - right * (right + 1) / 2) / both if both else np.nan,
        "aurc": area,
        "aurc_excess": area - (np.maximum(0, k - right) / k).mean(),
        "log_score": losses.mean(),
        "log_score_clipped": clipped.mean(),
    }


def _is_smooth(g, c, width: float) -> bool:
    """Whether the gap between right answers and confidence, smoothed to a ``width``, is as large as that."""
    cells = 512
    place = np.clip(c * cells - 0.5, 0, cells - 1)
    at, part = place.astype(int), place % 1
    sums = np.bincount(at, (g - c) * (1 - part), cells + 1) + np.bincount(at + 1, (g - c) * part, cells + 1)  # fmt: skip
    reach = round(5 * width * cells)
    bell = np.exp(-((np.arange(-reach, reach + 1) / (width * cells)) ** 2) / 2)
    around = np.pad(sums[:cells], reach, "symmetric")
    kept = np.convolve(around, bell / bell.sum(), "valid")
    return abs(np.abs(kept).sum() / len(c) - width) < 1e-3 * width + 1e-5


def proper_counted(proper, responses, human_curve):
    """Every score is counted again from answers and confidences; what smooths the calibration error is as wide as it is large."""
    from .metrics import renormalise

    key, t = ["segmentation", *_SERIES], proper
    if t.empty:
        return bad(t, [])
    h = human_curve.pivot(index=["segmentation", "question_id", "clue"], columns="h_definition", values="h")  # fmt: skip
    rows = responses[responses["confidence"].notna()]
    rows = rows.join(h, on=["segmentation", "question_id", "clue"])
    smooth = t[t["metric"] == "ece_smooth"].set_index([*key, "definition"])["value"]
    found, rough = [], []
    for place, of in rows.groupby(key):
        g, c = of["correct"].to_numpy(float), of["confidence"].to_numpy(float)
        code = pd.factorize(of["question_id"])[0]
        n, last = np.bincount(code), np.r_[code[1:] != code[:-1], True]
        for definition, name in traces.H.items():
            left = 1 - of[name].to_numpy()
            gain, total = (2 * g - 1 if definition == "paper" else g) * c, np.bincount(code, left)
            scope = slice(None) if definition == "paper" else last
            one = _proper(g[scope], c[scope], code[scope], definition)
            share = [np.bincount(code, v) / n for v in (left, -left)]
            with np.errstate(invalid="ignore"):
                kept = np.where(total > 0, np.bincount(code, left * gain) / total, np.nan)
            ends = (share[0], share[1]) if definition == "paper" else (share[0], 0 * n)
            if definition == "paper":
                kept, ends = renormalise(kept), [renormalise(end) for end in ends]
            one["calscore_normalised"] = 1 - np.nanmean(kept) if (total > 0).any() else np.nan
            one["calscore_least"], one["calscore_greatest"] = (1 - end.mean() for end in ends)
            one |= dict(zip([*key, "definition"], [*place, definition], strict=True))
            found.append(one | {"n_questions": len(n), "n_rows": len(c[scope])})
            width = smooth.get((*place, definition), np.nan)
            if width > 0.001 and not _is_smooth(g[scope], c[scope], width):
                rough.append((*place, definition))
    counts = ["n_questions", "n_rows"]
    wanted = pd.DataFrame(found).melt([*key, "definition", *counts], var_name="metric")
    off = t["metric"].eq("ece_smooth") & t.set_index([*key, "definition"]).index.isin(rough)
    return worst(
        same(
            t[t["metric"] != "ece_smooth"],
            wanted,
            [*key, "definition", "metric"],
            ["value", *counts],
            1e-9,
        ),
        bad(t, off, *key, "definition", "metric", "value"),
    )


def shown_of_the_long(table, proper, options):
    """Values and bounds are those of the long table, in the segmentation shown first."""
    t, key = proper, ["definition", *_SERIES]
    t = t[t["segmentation"] == options["primary_segmentation"]].drop(columns="segmentation")
    known = set(t["metric"])
    metrics = [name for name in table if name in known]
    counts = [name for name in ("n_questions", "n_rows") if name in table]
    at, outcomes = [*key, "metric"], []
    for column in ("value", "low", "high", "two_way_low", "two_way_high"):
        names = {name if column == "value" else f"{name}_{column}": name for name in metrics}
        of = table[[*key, *counts, *(name for name in names if name in table)]].rename(
            columns=names
        )
        long = of.melt([*key, *counts], var_name="metric", value_name=column).dropna(subset=column)
        outcomes.append(same(long, long[at].merge(t), at, [column, *counts]))
    return worst(*outcomes)


def bounds_of_differences(proper_comparisons, options):
    """Replicates are at most those drawn, shares 0 to 1; BCa is for means, two-way columns for CalScore; bounds over questions are as wide as the error says."""
    t = proper_comparisons
    crossed = t["metric"] == "calscore_normalised"
    means = crossed | (t["metric"] == "log_score_clipped")
    wrong = (t["bca_low"].notna() & ~means) | (t["se"] < 0)
    wrong |= t["replicates"].isna() | (t["replicates"] > options["replicates"])
    wrong |= t["se"].isna() != (t["replicates"] < 2)
    wrong |= t["draws_a_better"].isna() != (t["replicates"] < 1)
    for column in ("draws_a_better", "two_way_draws_a_better"):
        wrong |= (t[column] < 0) | (t[column] > 1)
    wrong |= t["two_way_low"].notna() != crossed
    wrong |= t["two_way_draws_a_better"].notna() != crossed
    wrong |= not_as_wide(t, options["level"], ("", "se"), ("bca_", "se"))
    return bad(t, wrong, "metric", "model_a", "model_b")


def differences_of_proper_scores(proper_comparisons, proper_scores, names):
    """The difference is that of the scores where both sides have all questions; names are the configuration's."""
    t = proper_comparisons
    wrong = np.zeros(len(t), dtype=bool)
    for side in "ab":
        model = t[f"model_{side}"]
        wrong |= (t[f"name_{side}"] != model.replace(names)).to_numpy()
    known = set(t["metric"])
    metrics = [name for name in proper_scores if name in known]
    long = proper_scores.melt(["definition", *_SERIES, "n_questions"], metrics, "metric")
    long = long.set_index(["definition", *_SERIES, "metric"])
    sides = []
    for side in "ab":
        at = t[["definition", *(f"{name}_{side}" for name in _SERIES), "metric"]]
        sides.append(long.reindex(pd.MultiIndex.from_frame(at)))
    whole = np.all([one["n_questions"].to_numpy() == t["n_questions"] for one in sides], axis=0)
    gap = sides[0]["value"].to_numpy() - sides[1]["value"].to_numpy()
    wrong |= whole & ~np.isnan(gap) & ~near(t["difference"], gap)
    return bad(t, wrong, "definition", "metric", "model_a", "model_b", "difference")


def risks_of_the_responses(risk_coverage, responses, options):
    """At full coverage the risk is the share of wrong answers; at every one it is counted; thresholds fall as coverage grows."""
    t, key = risk_coverage, ["definition", *_SERIES]
    ordered = t.sort_values([*key, "coverage"], kind="stable")
    rising = ordered.groupby(key)["threshold"].diff() > 1e-12
    wrong = rising.reindex(t.index) | outside(t, "risk", "")
    r = responses[responses["segmentation"] == options["primary_segmentation"]]
    r = r.loc[r["confidence"].notna(), [*_SERIES, "question_id", "confidence", "correct"]]
    r = r.assign(wrong=1 - r["correct"].astype(float))
    parts, places, off = [], t.groupby(key).indices, np.zeros(len(t), dtype=bool)
    coverage, risk, n_rows = (t[name].to_numpy(float) for name in ("coverage", "risk", "n_rows"))
    for definition in traces.H:
        last = [*_SERIES, "question_id"]
        of = r if definition == "paper" else r.drop_duplicates(last, keep="last")
        by = of.groupby(_SERIES)
        found = by["wrong"].agg(risk="mean", n_rows="size").reset_index()
        parts.append(found.assign(definition=definition))
        confidence, failed = of["confidence"].to_numpy(), of["wrong"].to_numpy()
        for series, rows in by.indices.items():
            at = places.get((definition, *series), [])
            level = np.unique(-confidence[rows], return_inverse=True)[1]
            upto = np.r_[0, np.bincount(level).cumsum()]
            missed = np.r_[0, np.bincount(level, failed[rows]).cumsum()]
            taken = coverage[at] * len(rows)
            counted = np.interp(taken, upto, missed) / taken
            off[at] = ~near(risk[at], counted) | (n_rows[at] != len(rows))
    known = t[t["coverage"] == 1]
    wanted = pd.concat(parts, ignore_index=True).merge(known[key])
    return worst(
        bad(t, wrong | off, *key, "coverage"), same(known, wanted, key, ["risk", "n_rows"], 1e-9)
    )
