"""What holds of differences, ranks, regressions and specifications."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pandas as pd

from ..audit.outcome import bad, near, not_as_wide, outside, same, worst
from ..scores.judges import MARKS

_SERIES = ["model", "elicitation", "reduction", "marks"]
_EXCHANGES, _CROWDS = 200, 200
"""The most draws of the joint test of specifications, and of crowds of one size."""
_SIDES = [f"{name}_{side}" for side in "ab" for name in _SERIES]


def of_the_scores(differences, model_scores):
    """Over all questions, where either side has them all, the difference is that of the model scores."""
    t = differences[differences["category"] == "all"].reset_index(drop=True)
    key = ["segmentation", "definition", "metric"]
    s = model_scores.set_index([*key, *_SERIES])[["value", "n_questions"]]
    sides = [
        s.reindex(pd.MultiIndex.from_frame(t[[*key, *(f"{n}_{side}" for n in _SERIES)]]))
        for side in "ab"
    ]
    a, b = (side["value"].to_numpy(dtype=float) for side in sides)
    whole = np.all([side["n_questions"].to_numpy() == t["n_questions"] for side in sides], axis=0)
    wrong = whole & ~np.isnan(a) & ~np.isnan(b) & ~near(t["difference"], a - b)
    return bad(t, wrong, *key, "model_a", "model_b", "difference")


def by_category(differences, question_scores, questions):
    """MCE and CalScore by category differ as the means of the questions that both sides have."""
    t = differences
    t = t[t["metric"].isin(["mce", "calscore"])].reset_index(drop=True)
    s = question_scores.merge(questions[["question_id", "category"]])
    s = pd.concat([s, s.assign(category="all")], ignore_index=True)
    place = ["segmentation", "definition", "category"]
    wide = s.pivot(index=[*place, "question_id"], columns=_SERIES, values=["mce", "calscore"])
    values, columns = wide.to_numpy(), {name: at for at, name in enumerate(wide.columns)}
    code, places = pd.factorize(wide.index.droplevel("question_id"))
    at = places.get_indexer(pd.MultiIndex.from_frame(t[place]))
    wrong = np.zeros(len(t), dtype=bool)
    difference, n_questions = (t[name].to_numpy() for name in ("difference", "n_questions"))
    for (metric, *sides), rows in t.groupby(["metric", *_SIDES], sort=False).indices.items():
        gap = values[:, columns[metric, *sides[:4]]] - values[:, columns[metric, *sides[4:]]]
        known = ~np.isnan(gap)
        n = np.bincount(code, known)[at[rows]]
        mean = np.bincount(code, np.where(known, gap, 0))[at[rows]] / n
        wrong[rows] = ~near(difference[rows], mean) | (n != n_questions[rows])
    return bad(t, wrong, *place, "metric", "model_a", "model_b", "difference")


def corrected(differences):
    """Holm's p values follow from the plain ones and none is below it; what holds for the declared family at once is about each difference."""
    t = differences
    declared = (t["family"] == "declared").to_numpy()
    wrong = (t["p_adjusted"] < t["p"] - 1e-9) | (t["p_adjusted"].isna() != t["p"].isna())
    wrong = np.array(wrong, dtype=bool)
    p = t["p"][declared].dropna().sort_values()
    steps = p * np.arange(len(p), 0, -1)
    holm = steps.cummax().clip(upper=1).reindex(t.index[declared])
    wrong[declared] |= ~near(t["p_adjusted"][declared], holm)
    # What holds for all at once is wider than each by itself, and about the difference.
    known = t["simultaneous_low"].notna().to_numpy()
    wrong |= known & ~declared
    middle = (t["simultaneous_low"] + t["simultaneous_high"]) / 2
    wrong[known] |= ~near(middle[known], t["difference"][known])
    wrong[known] |= (t["simultaneous_high"] - middle < t["se"])[known]
    return bad(t, wrong, "metric", "model_a", "model_b", "p", "p_adjusted")


def drawn(differences, options):
    """p values count permutations, shares count replicates and agree with the percentile interval; Student's bounds lie about the difference, others are as wide as its error says."""
    t = differences
    whole = (t["category"] == "all").to_numpy()
    declared = t["family"] == "declared"
    # Permutations grow with a family: Holm's least p value shall be able to reach 1 − level twice over.
    size = int((declared & t["p"].notna()).sum())
    grown = max(options["permutations"], int(np.ceil(2 * size / (1 - options["level"]))))
    wrong = ~np.where(declared, _counted(t["p"], grown), _counted(t["p"], options["permutations"]))
    wrong |= ~declared & ~_counted(t["p_adjusted"], options["permutations"])
    for share in ("draws_a_better", "two_way_draws_a_better"):
        twice = 2 * options["replicates"] * t[share]
        wrong |= whole & ((twice - twice.round()).abs() > 1e-6)
    lower = t["draws_a_better"].where(t["metric"] != "accuracy", 1 - t["draws_a_better"])
    tail = (1 - options["level"]) / 2 + 1 / options["replicates"]
    wrong |= whole & (((t["low"] > 0) & (lower > tail)) | ((t["high"] < 0) & (lower < 1 - tail)))
    wrong |= ~whole & ~near((t["low"] + t["high"]) / 2, t["difference"]) & t["low"].notna()
    farthest = t[["low", "high"]].abs().max(axis=1)
    farthest = farthest.where(whole, t["difference"].abs() + 3 * t["se"])
    wrong |= t["equivalent_within"] > farthest + 1e-9
    forms = ("", "se"), ("bca_", "se"), ("two_way_", "two_way_se")
    wrong |= not_as_wide(t, options["level"], *forms)
    return bad(t, wrong, "metric", "category", "model_a", "model_b", "difference")


def crossed(differences):
    """Two-way columns are those of CalScore, over all questions and by category, two questions or more."""
    t = differences
    wanted = (t["metric"] == "calscore") & (t["n_questions"] > 1)
    names = [name for name in t if str(name).startswith("two_way_")]
    wrong = (t[names].notna().to_numpy() != wanted.to_numpy()[:, None]).any(axis=1)
    return bad(t, wrong, "metric", "category", "model_a", "model_b")


def shown_differences(comparisons, differences, names, options):
    """Rows are those of the long table in the segmentation shown first; names are the configuration's."""
    t, d = comparisons, differences
    wrong = np.zeros(len(t), dtype=bool)
    for side in "ab":
        model = t[f"model_{side}"]
        wrong |= (t[f"name_{side}"] != model.replace(names)).to_numpy()
    key = ["definition", "category", "metric", "kind", *_SIDES]
    d = d[d["segmentation"] == options["primary_segmentation"]].merge(t[key])
    columns = [name for name in t if name not in key and not name.startswith("name_")]
    return worst(bad(t, wrong, *_SIDES[:1], "name_a", "name_b"), same(t, d, key, columns))


def certain_to_have_a_rank(ranks):
    """The shares of a model's ranks make up 1, and there are as many ranks as models."""
    t = ranks
    race = ["segmentation", "definition", "elicitation", "reduction", "marks", "metric"]
    total = t.groupby([*race, "model"])["share"].transform("sum")
    by = t.groupby(race)
    size = by["model"].transform("nunique")
    wrong = ~near(total, 1) | (by["rank"].transform("size") != size**2) | (t["rank"] > size)
    # By CalScore also with human teams resampled; nothing for the others.
    both = t.groupby([*race, "model"])["two_way_share"].transform("sum")
    crossed = t["metric"] == "calscore"
    wrong |= crossed & ~near(both, 1)
    wrong |= t["two_way_share"].notna() != crossed
    return bad(t, wrong, *race, "model", "rank")


def shown_ranks(rank_shares, ranks, options):
    """Probabilities are those of the long table, shown first; the expected rank is their mean."""
    t = rank_shares
    key = ["definition", "elicitation", "reduction", "marks", "metric", "model"]
    s = ranks[ranks["segmentation"] == options["primary_segmentation"]]
    both = []
    for prefix, column in (("", "share"), ("two_way_", "two_way_share")):
        wide = t.melt(key, [n for n in t if n.startswith(f"{prefix}rank_")], "rank", "value")
        wide["rank"] = wide["rank"].str.removeprefix(f"{prefix}rank_").astype(int)
        wide = wide[wide["value"].notna()].rename(columns={"value": column})
        known = s[s[column].notna()].merge(t[key])
        both.append(same(wide, known, [*key, "rank"], [column]))
        mean = (wide["rank"] * wide[column]).groupby([wide[name] for name in key]).sum()
        at = pd.MultiIndex.from_frame(t[key])
        wanted = mean.reindex(at).to_numpy()
        both.append(bad(t, ~near(t[f"{prefix}expected_rank"], wanted), *key))
    return worst(*both)


def accuracies(model_minus_human, responses, human_curve, options):
    """Accuracies of model and human teams are means over clues; the difference is theirs, and near the middle of its bounds."""
    r = responses[responses["segmentation"] == options["primary_segmentation"]]
    r = r[r["confidence"].notna()]
    key = ["segmentation", "question_id", "clue"]
    h = human_curve[human_curve["h_definition"] == "heard"]
    rows = r.merge(h[[*key, "h"]], on=key)
    clue = rows.groupby([*_SERIES, "question_id"])["clue"]
    parts = []
    for scope, of in (
        ("every clue", rows),
        ("last clue", rows[rows["clue"] == clue.transform("max")]),
    ):
        by = of.assign(right=of["correct"].astype(float)).groupby(_SERIES)
        part = by.agg(
            n_questions=("question_id", "nunique"),
            n_rows=("right", "size"),
            accuracy=("right", "mean"),
            human=("h", "mean"),
        ).reset_index()
        parts.append(part.assign(scope=scope, difference=part["accuracy"] - part["human"]))
    wanted = pd.concat(parts, ignore_index=True)
    columns = ["n_questions", "n_rows", "accuracy", "human", "difference"]
    t = model_minus_human
    wrong = np.zeros(len(t), dtype=bool)
    for form in ("question", "two_way"):
        low, high = t[f"{form}_low"], t[f"{form}_high"]
        far = (low / 2 + high / 2 - t["difference"]).abs() > 0.35 * (high - low) + 1e-9
        wrong |= (far & (t["n_questions"] >= 10)).to_numpy(bool)
    return worst(
        same(t, wanted, [*_SERIES, "scope"], columns, 1e-9), bad(t, wrong, *_SERIES, "scope")
    )


def counts_of_buzzes(odds_ratios, buzzes, questions, options):
    """Buzzes of all, of humans, of each model and category are counted; odds, bounds and p are those of the log odds and their error."""
    from scipy.special import stdtr, stdtrit

    t = odds_ratios
    of = buzzes.merge(questions[["question_id", "category"]])
    parts, every = [], pd.Index(of["category"].unique(), name="category")
    for population, rows in (("all", of), ("human", of[of["kind"] == "human"])):
        n = rows.groupby("category")["correct"].agg(n="size", n_correct="sum")
        # Where models alone buzzed, there are none of humans.
        n = n.reindex(every, fill_value=0).reset_index()
        parts.append(n.assign(population=population).rename(columns={"category": "level"}))
    wanted = pd.concat(parts, ignore_index=True)
    shown = t[(t["term"] == "category") & t["population"].isin(["all", "human"])]
    shown = shown.drop_duplicates(["population", "level"])
    key = ["population", "level"]
    one = same(shown, wanted.merge(shown[key]), key, ["n", "n_correct"])
    wrong = (t["n_correct"] > t["n"]) | (t["log_odds"].notna() != t["odds_ratio"].notna())
    wrong |= ~near(np.log(t["odds_ratio"]), t["log_odds"])
    # All buzzes stand in the rows of intercept and position; those of a group are of its team.
    whole = t["term"].isin(["intercept", "position"])
    of = of.assign(group=of["team"].where(of["kind"] == "model", "human"))
    for column in ("n", "n_correct"):
        every = {"all": of, "human": of[of["kind"] == "human"]}
        sums = {k: len(v) if column == "n" else int(v["correct"].sum()) for k, v in every.items()}
        wrong |= whole & (t[column] != t["population"].map(sums))
        by = of.groupby("group")["correct"].agg("size" if column == "n" else "sum")
        wrong |= (t["term"] == "group") & (t[column] != t["level"].map(by).fillna(0))
        known = wanted.set_index(["population", "level"])[column]
        at = known.reindex(pd.MultiIndex.from_frame(t[["population", "level"]])).to_numpy()
        wrong |= (t["term"] == "category") & (t[column] != at)
    wrong |= t["n_fitted"] != t.groupby("population")["n_fitted"].transform("max")
    wrong |= t["n_fitted"] > t["population"].map(every).map(len)
    reach = stdtrit(t["df"].astype(float), (1 + options["level"]) / 2) * t["se"]
    for end, sign in (("low", -1), ("high", 1)):
        wrong |= ~near(np.log(t[end]), t["log_odds"] + sign * reach)
    wrong |= ~near(t["p"], 2 * stdtr(t["df"].astype(float), -(t["log_odds"] / t["se"]).abs()))
    clustered = t["method"] != "logit_independent"
    wrong |= clustered & t["df"].notna() & (t["df"] != t["clusters"] - 1)
    by_method = t.groupby(["population", "method"])["df"]
    wrong |= t["df"].notna() & (t["df"] != by_method.transform("median"))
    return worst(one, bad(t, wrong, "population", "method", "term", "level"))


def own_specification(specifications, model_scores):
    """A score as the definitions of the papers have it is that of the model scores."""
    t = specifications
    own = {
        "paper": ("buzzed_so_far", "every clue", "exact"),
        "release": ("buzzed_on_question", "last clue", "released"),
    }
    parts = []
    for definition, (h, scope, edges) in own.items():
        of = t[(t["matcher"] == "engine") & (t["form"].isna() | (t["form"] == definition))]
        for name, choice in (("h_definition", h), ("scope", scope), ("edges", edges)):
            of = of[of[name].isna() | (of[name] == choice)]
        parts.append(of.assign(definition=definition))
    key = ["segmentation", "definition", *_SERIES, "metric"]
    both = pd.concat(parts).assign(marks="engine")
    both = both.merge(model_scores[[*key, "value"]], on=key, suffixes=("", "_scored"))
    return bad(both, ~near(both["value"], both["value_scored"]), *key)


def shares_of_specifications(conclusions, specifications, responses, options):
    """How many specifications rank a pair, how they differ, in what share and weight the first is better and the weighted median are counted; p_joint is a count of exchanges."""
    s = specifications
    choices = ["segmentation", "h_definition", "form", "scope", "edges", "reduction", "matcher"]
    s = s.assign(**{name: s[name].fillna("") for name in choices})
    choices.remove("form")
    key = ["metric", "form", "elicitation"]
    wide = s.pivot(index=[*key, *choices], columns="model", values="value")
    trust = s.groupby([*key, *choices])["trust"].first().reindex(wide.index).to_numpy()
    exact = (wide.index.get_level_values("edges") != "released") & (trust > 0)
    values = {model: wide[model].to_numpy() for model in wide}
    places = wide.groupby(level=key).indices
    asked = responses[["model", "question_id"]].drop_duplicates()
    asked = asked.groupby("model")["question_id"].agg(frozenset)
    rows = []
    for one in conclusions.itertuples():
        at = places[one.metric, one.form, one.elicitation]
        gap = values[one.model_a][at] - values[one.model_b][at]
        at, gap = at[~np.isnan(gap)], gap[~np.isnan(gap)]
        ends = np.quantile(gap, [0, 0.5, 1]) if len(gap) else [np.nan] * 3
        row = len(gap), _share(gap < -1e-12), *ends
        signs = {f"{one.model_a} < {one.model_b}": 1, f"{one.model_b} < {one.model_a}": -1}
        sign = signs.get(one.published_order)
        held = _share(sign * gap < -1e-12) if sign else one.share_holding
        # What is tested is over the questions of both, with exact edges of bins alone.
        order = np.flatnonzero(exact[at])[np.argsort(gap[exact[at]])]
        gap, weight = gap[order], trust[at[order]]
        half = gap[weight.cumsum() >= weight.sum() / 2 - 1e-12]
        if len(gap) and asked[one.model_a] == asked[one.model_b]:
            row = *row, weight[gap < -1e-12].sum() / weight.sum(), half[0]
        else:
            row = *row, one.weight_a_better, one.weighted_median
        rows.append((*row, held))
    names = ["share_a_better", "lowest_difference", "median_difference", "highest_difference", "weight_a_better", "weighted_median", "share_holding"]  # fmt: skip
    wanted = pd.DataFrame(rows, columns=["specifications", *names], index=conclusions.index)
    wrong = np.array(conclusions["specifications"] != wanted["specifications"])
    for name in names:
        wrong |= ~near(conclusions[name], wanted[name])
    wrong |= ~_counted(conclusions["p_joint"], min(options["permutations"], _EXCHANGES))
    return bad(conclusions, wrong, "metric", "elicitation", "model_a", "model_b")


def _share(of: np.ndarray) -> float:
    return of.mean() if len(of) else np.nan


def _counted(p, draws: int):
    """Whether p values are (1 + so many of the draws) / (1 + draws), or missing."""
    k = np.asarray(p, dtype=float) * (1 + draws)
    with np.errstate(invalid="ignore"):
        return np.isnan(k) | (np.abs(k - k.round()) < 1e-6) & (k > 0.5) & (k < draws + 1.5)


def trusted_alike(specifications):
    """A judge is trusted as much wherever it judged the same clues."""
    s = specifications
    alike = s.groupby(["segmentation", "matcher"])["trust"].transform("median")
    return bad(s, ~near(s["trust"], alike), "segmentation", "matcher", "trust")


def shown_conclusions(conclusions, comparisons):
    """The difference shown, its bounds and p values are those of the comparisons, in either order of the pair."""
    t, c = conclusions, comparisons
    c = c[(c["category"] == "all") & (c["kind"] == "models")]
    c = c.assign(elicitation=c["elicitation_a"], form=c["definition"])
    key = ["metric", "form", "elicitation", "model_a", "model_b"]
    c = c.sort_values("marks_a", key=lambda judge: judge.map(MARKS.index), kind="stable")
    c = c.drop_duplicates(key)
    both = t.merge(
        c[[*key, "difference", "low", "high", "draws_a_better", "p_adjusted", "family"]],
        on=key,
        suffixes=("", "_of"),
    )
    wrong = ~near(both["shown_difference"], both["difference"])
    wrong |= ~near(both["shown_low"], both["low"]) | ~near(both["shown_high"], both["high"])
    for name in ("p_adjusted", "draws_a_better"):
        wrong |= ~near(both[name], both[f"{name}_of"])
    return bad(both, wrong, *key, "shown_difference", "difference")


def printed_once(conclusions):
    """Each model has one printed number; the printed order is that of the two, and holds in a share of the specifications."""
    t = conclusions
    key = ["metric", "elicitation", "model"]
    columns = [["metric", "elicitation", f"model_{s}", f"published_{s}"] for s in "ab"]
    sides = [t[names].set_axis([*key, "printed"], axis=1) for names in columns]
    counts = pd.concat(sides).groupby(key)["printed"].nunique(dropna=False)
    wrong = np.zeros(len(t), dtype=bool)
    for side in sides:
        wrong |= counts.reindex(pd.MultiIndex.from_frame(side[key])).to_numpy() > 1
    both = t["published_a"].notna() & t["published_b"].notna()
    a, b = t["published_a"], t["published_b"]
    for one, two, first in (("model_a", "model_b", a < b), ("model_b", "model_a", b < a)):
        order = t[one] + " < " + t[two]
        wrong |= (both & first & (t["published_order"] != order)).to_numpy()
    wrong |= (t["published_order"].notna() & ~both).to_numpy()
    wrong |= (t["share_holding"].notna() & ~t["share_holding"].between(0, 1)).to_numpy()
    return bad(t, wrong, "metric", "elicitation", "model_a", "model_b", "share_holding")


def counts_of_slopes(calibration_slopes, responses, options):
    """Rows, right ones, those at 0 and 1 and questions are those of the responses, at every clue and the last; certain answers are left out where the rule says so."""
    r = responses[responses["segmentation"] == options["primary_segmentation"]]
    r = r[r["confidence"].notna()].assign(
        n_at_0=lambda of: of["confidence"] == 0, n_at_1=lambda of: of["confidence"] == 1
    )
    scopes = {"every_clue": r, "last_clue": r.drop_duplicates([*_SERIES, "question_id"], keep="last")}  # fmt: skip
    parts = []
    for scope, of in scopes.items():
        at = of.groupby(_SERIES)[["n_at_0", "n_at_1"]].sum()
        inside = of[~(of["n_at_0"] | of["n_at_1"])]
        for ends, rows in (("omit", inside), ("squeeze", of), ("clip", of)):
            by = rows.groupby(_SERIES)
            counts = {"n": by.size(), "n_correct": by["correct"].sum().astype(int)}
            counts["n_questions"] = by["question_id"].nunique()
            found = at.assign(**counts).fillna(0).reset_index()
            parts.append(found.assign(scope=scope, ends=ends))
    wanted = pd.concat(parts, ignore_index=True)
    key = [*_SERIES, "scope", "ends"]
    return same(calibration_slopes, wanted, key, ["n", "n_correct", "n_at_0", "n_at_1", "n_questions"])  # fmt: skip


def roots_of_slopes(calibration_slopes, responses, options):
    """Slope and intercept, and the offset, solve the equations of the likelihood; bounds and p are those of the clustered errors."""
    from scipy.special import fdtrc, stdtrit

    t = calibration_slopes
    r = responses[responses["segmentation"] == options["primary_segmentation"]]
    r = r.loc[r["confidence"].notna(), [*_SERIES, "question_id", "clue", "confidence", "correct"]]
    r = r.assign(question=pd.factorize(r["question_id"])[0])
    scopes = {"every_clue": r, "last_clue": r.sort_values("clue").drop_duplicates([*_SERIES, "question_id"], keep="last")}  # fmt: skip
    groups = {name: dict(list(of.groupby(_SERIES))) for name, of in scopes.items()}
    wrong = np.zeros(len(t), dtype=bool)
    for at, row in enumerate(t.itertuples()):
        if row.status != "estimated":
            continue
        of = groups[row.scope][tuple(getattr(row, name) for name in _SERIES)]
        c = of["confidence"].to_numpy(float)
        if row.ends == "omit":
            of, c = of[(c > 0) & (c < 1)], c[(c > 0) & (c < 1)]
        elif row.ends == "squeeze":
            c = (c * (len(c) - 1) + 0.5) / len(c)
        else:
            c = c.clip(0.001, 0.999)
        y, x = of["correct"].to_numpy(float), np.log(c / (1 - c))
        question = of["question"].to_numpy()
        reach = stdtrit(row.n_questions - 1, (1 + options["level"]) / 2)
        full = np.column_stack([np.ones(len(x)), x])
        for design, names, shift in (
            (full, ["intercept", "slope"], 0),
            (full[:, :1], ["offset"], x),
        ):
            b = np.array([getattr(row, name) for name in names])
            p = 1 / (1 + np.exp(-(design @ b + shift)))
            gap = design * (y - p)[:, None]
            wrong[at] |= bool((np.abs(gap.sum(axis=0)) > 1e-4 * len(y)).any())
            n, g, k = len(y), row.n_questions, len(b)
            by = np.column_stack([np.bincount(question, column) for column in gap.T])
            bread = np.linalg.inv((design * (p * (1 - p))[:, None]).T @ design)
            cov = bread @ (by.T @ by) @ bread * g / (g - 1) * (n - 1) / (n - k)
            half = reach * np.sqrt(np.diag(cov))
            for end, sign in (("low", -1), ("high", 1)):
                ends = np.array([getattr(row, f"{name}_{end}") for name in names])
                wrong[at] |= bool((np.abs(ends - b - sign * half) > 1e-3 * half + 1e-6).any())
            if k == 2:
                far = b - [0, 1]
                value = fdtrc(2, g - 1, far @ np.linalg.solve(cov, far) / 2)
                wrong[at] |= abs(value - row.p_calibrated) > 1e-3
    return bad(t, wrong, *_SERIES, "scope", "ends")


def values_of_table_1(judges, table1):
    """Values and ranks are those of table 1 under the judges named."""
    outcomes = []
    for side in "ab":
        key = ["definition", "elicitation", "model", "marks"]
        t = judges.rename(columns={f"marks_{side}": "marks"})
        for metric, of in t.groupby("metric"):
            found = of[[*key, f"value_{side}", f"rank_{side}"]].drop_duplicates()
            found = found.set_axis([*key, metric, f"{metric}_rank"], axis=1)
            known = table1[[*key, metric, f"{metric}_rank"]].merge(found[key])
            outcomes.append(same(found, known, key, [metric, f"{metric}_rank"]))
    return worst(*outcomes) if outcomes else bad(judges, np.zeros(len(judges), dtype=bool))


def orders_kept(judges):
    """Of the other models, those on the same side of a model under both judges, counted pair by pair."""
    t = judges
    wrong = np.zeros(len(t), dtype=bool)
    race = ["definition", "elicitation", "metric", "marks_a", "marks_b"]
    for _, of in t.groupby(race):
        for at in of.index:
            others = of.drop(at)
            a, b = (others[f"value_{s}"] > of[f"value_{s}"][at] for s in "ab")
            wanted = (a == b).mean() if len(others) else np.nan
            wrong[t.index.get_loc(at)] = not near([t["order_kept"][at]], [wanted])[0]
    return bad(t, wrong, *race, "model", "order_kept")


def differences_of_the_comparisons(judges, comparisons):
    """Every pair of judges that was compared is here, with its difference, which is that of the values."""
    t = judges
    c = comparisons[(comparisons["kind"] == "judges") & (comparisons["category"] == "all")]
    c = c.rename(columns={"elicitation_a": "elicitation", "model_a": "model"})
    c = c[c["metric"].isin(["brier", "ece", "mce", "calscore"])]
    key = ["definition", "elicitation", "metric", "marks_a", "marks_b", "model"]
    wrong = ~near(t["difference"], t["value_a"] - t["value_b"])
    return worst(same(t, c, key, ["difference", "low", "high", "p_adjusted"]), bad(t, wrong, *key))


def _so_far(crowd, grid, question, teams):
    """Right and all buzzes of each team by each clue, all on its question, whether it heard that: (4, teams, clues)."""
    team = teams.get_indexer(crowd["team"])
    place = pd.MultiIndex.from_frame(grid).get_indexer(
        pd.MultiIndex.from_frame(crowd[["question_id", "clue"]])
    )
    at = place >= 0
    found = np.zeros((4, len(teams), len(grid)))
    for cells, name in zip(found, ("correct", "buzzes"), strict=False):
        counts = crowd[name].to_numpy()[at]
        cells.flat = np.bincount(team[at] * len(grid) + place[at], counts, cells.size)
        total = np.column_stack([np.zeros(len(teams)), cells.cumsum(axis=1)])
        cells[:] = total[:, 1:] - total[:, np.searchsorted(question, question)]
    found[2] = found[1][:, np.searchsorted(question, question, side="right") - 1]
    asked = pd.Index(grid["question_id"].unique()).get_indexer(crowd["question_id"])
    at = (asked >= 0) & crowd["heard"].to_numpy(bool)
    heard = np.zeros((len(teams), question.max(initial=-1) + 1))
    heard[team[at], asked[at]] = 1
    found[3] = heard[:, question]
    return found


def few_teams(crowd_sizes, crowd, clues, options, responses=None):
    """Where all crowds of a size are drawn, as with all teams, value and range are counted over them; else h is its hypergeometric expectation, but for chance. Ranges hold their mean, no model lies beyond the ends."""
    t = crowd_sizes
    segmentation = options["primary_segmentation"]
    key = ["question_id", "clue"]
    grid = clues.loc[clues["segmentation"] == segmentation, key].sort_values(key, ignore_index=True)
    teams = pd.Index(crowd["team"].unique())
    crowd = crowd[crowd["segmentation"] == segmentation]
    question = pd.factorize(grid["question_id"])[0]
    start = np.flatnonzero(np.diff(question, prepend=-1))
    kinds = ("right", "buzzed_so_far", "buzzed_on_question", "heard")
    tables = dict(zip(kinds, _so_far(crowd, grid, question, teams), strict=True))
    answers = {}
    if responses is not None:
        r = responses[responses["segmentation"] == segmentation]
        place = pd.MultiIndex.from_frame(grid).get_indexer(pd.MultiIndex.from_frame(r[key]))
        r, place = r[place >= 0], place[place >= 0]
        told = r[["correct", "confidence"]].to_numpy(float).T
        for series, at in r.groupby(_SERIES).indices.items():
            answers[series] = np.full((2, len(grid)), np.nan)
            answers[series][:, place[at]] = told[:, at]

    def missed(size: int, over):
        """The chance that none of so many teams is drawn."""
        every, (counts, at) = comb(len(teams), size), np.unique(over, return_inverse=True)
        left = [comb(max(len(teams) - int(n), 0), size) / every for n in counts]
        return np.array(left)[at]

    def values(row, h, met):
        """The score in each crowd, from h (crowds, clues) and whether it heard a question (crowds, questions)."""
        if row.quantity == "mean_h":
            of = np.add.reduceat(h, start, axis=1) / np.bincount(question)
            return (of * met).sum(axis=1) / met.sum(axis=1)
        if row.quantity == "calscore":
            g, c = answers[tuple(getattr(row, name) for name in _SERIES)]
        else:
            g, c = np.full(len(grid), float(row.quantity == "least")), np.ones(len(grid))
        there = np.isfinite(g + c)
        gc = np.where(there, (2 * g - 1 if row.definition == "paper" else g) * c, 0)
        n = np.add.reduceat(there, start)
        of = np.add.reduceat(gc * (1 - h), start, axis=1) / np.maximum(n, 1)
        if row.definition == "paper":
            low, high = (1 / (1 + np.exp(-x)) for x in (-1, 1))
            of = (1 / (1 + np.exp(-of)) - low) / (high - low)
        met = met * (n > 0)
        return ((1 - of) * met).sum(axis=1) / met.sum(axis=1)

    place = ["definition", "h_definition", "teams"]
    ends = t.pivot_table(index=place, columns="quantity", values="value")
    ends = ends.reindex(pd.MultiIndex.from_frame(t[place]))
    model = (t["quantity"] == "calscore").to_numpy()
    wrong = outside(t, "value", "")
    wrong |= model & np.array(t["value"] < ends["least"].to_numpy() - 1e-9)
    wrong |= model & np.array(t["value"] > ends["greatest"].to_numpy() + 1e-9)
    wrong |= t["teams"].to_numpy() > len(teams)
    tails = (1 - options["level"]) / 2, (1 + options["level"]) / 2
    for (size, definition), rows in t.reset_index().groupby(["teams", "h_definition"]):
        all_drawn = comb(len(teams), size) <= _CROWDS
        chosen = [list(one) for one in combinations(range(len(teams)), size)] if all_drawn else [slice(None)]  # fmt: skip
        right, over, heard = (
            np.array([tables[name][one].sum(axis=0) for one in chosen])
            for name in ("right", definition, "heard")
        )
        h = np.divide(right, over, out=np.zeros_like(right), where=over > 0)
        met = heard[:, start] > 0
        if not all_drawn:
            met = 1 - missed(size, heard[0, start])[None]
            h = h * (1 - missed(size, over[0])) / np.maximum(met[:, question], 1e-12)
        for row in rows.itertuples():
            if row.quantity == "calscore" and responses is None:
                continue
            found = values(row, h, met)
            if all_drawn:
                expected = found.mean(), *np.quantile(found, tails)
                wrong[row.index] |= not near([row.value, row.low, row.high], expected).all()
            else:
                # ten standard errors of a mean over them
                wrong[row.index] |= abs(row.value - found[0]) > 0.004 + 0.18 * (row.high - row.low)
    return bad(t, wrong, "definition", "h_definition", "quantity", "model", "teams", "value")


def pooled_rates(buzz_effects, questions, buzzes, exposures):
    """Questions heard and first buzzes are counted; what holds of all categories, or teams, is the mean over them."""
    t = buzz_effects
    about = questions[["question_id", "category"]].fillna({"category": "none"})
    first = buzzes.sort_values("word_index").groupby(["team", "question_id"])["correct"].first()
    rows = exposures[["team", "question_id", "kind"]].drop_duplicates().merge(about)
    hit = first.reindex(pd.MultiIndex.from_frame(rows[["team", "question_id"]])).to_numpy()
    rows = rows.assign(right=[x is not None and x == 1 for x in hit], wrong=[x is not None and x == 0 for x in hit])  # fmt: skip
    every = rows[rows["kind"] == "human"].assign(team="all teams")
    rows = pd.concat([rows, every])
    rows = pd.concat([rows, rows.assign(category="all")])
    rows = rows.melt(["team", "kind", "category"], ["right", "wrong"], "outcome")
    key = ["outcome", "kind", "unit", "category"]
    found = (
        rows.rename(columns={"team": "unit"}).groupby(key)["value"].agg(heard="size", buzzes="sum")
    )
    found = found.reindex(pd.MultiIndex.from_frame(t[key]), fill_value=0)
    wrong = (t["heard"] != found["heard"].to_numpy()) | (t["buzzes"] != found["buzzes"].to_numpy())
    wrong |= ~near(t["rate"].fillna(0) * t["heard"], t["buzzes"]) | (
        t["rate"].isna() != (t["heard"] == 0)
    )
    size = about[about["question_id"].isin(exposures["question_id"])]["category"].value_counts()
    parts = t[t["category"] != "all"]
    weighed = parts["estimate"] * parts["category"].map(size) / size.sum()
    means = weighed.groupby([parts[name] for name in key[:3]]).sum()
    teams = t[(t["kind"] == "human") & ~t["unit"].isin(["all teams", "another team"])]
    of_teams = teams.groupby("outcome")["estimate"].mean()
    for row, (outcome, _, unit, category) in enumerate(t[key].itertuples(index=False, name=None)):
        if category != "all" or (outcome, t["kind"][row], unit) not in means.index:
            continue
        given = t["estimate"][row]
        wrong[row] |= abs(given - means[outcome, t["kind"][row], unit]) > 2e-6
        wrong[row] |= unit == "all teams" and abs(given - of_teams[outcome]) > 2e-6
    return bad(t, wrong, *key)
