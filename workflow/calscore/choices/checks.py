"""What holds of a study of answer options: counts, shares and differences made from the answers."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..audit.outcome import bad, is_wilson, near, outside, same, worst
from ..scores.checks import bounds_around

__all__ = ["bounds_around"]

PAIR = ["judging", "model"]
CELL = [*PAIR, "setting"]
RIGHT, NONE = 1, -1
OUTPUTS = {RIGHT: "right", 0: "wrong", NONE: "not attempted"}


def answered_alike(option_results, option_questions):
    """Every model answers the same questions in each setting, each of them once."""
    t = option_results
    n = t.groupby(CELL, observed=True)["row"].agg(["size", "nunique"]).reset_index()
    most = n.groupby(PAIR)["size"].transform("max")
    wrong = (n["size"] != n["nunique"]) | (n["size"] != most) | (n["size"] > len(option_questions))
    lost = ~t["row"].isin(option_questions["row"])
    return worst(bad(n, wrong, *CELL, "size"), bad(t, lost, "model", "row"))


def numbered(option_questions):
    """Questions are numbered from 0, and every one has words, an answer and a topic."""
    t = option_questions
    empty = t[["question", "answer", "topic"]].eq("").any(axis=1)
    return bad(t, empty | (t["row"] != np.arange(len(t))), "row")


def of_the_answers(option_annotations, option_results):
    """People judged answers that were given, each person an answer once."""
    t, key = option_annotations, ["model", "setting", "row"]
    known = pd.MultiIndex.from_frame(option_results[key].drop_duplicates())
    wrong = ~pd.MultiIndex.from_frame(t[key]).isin(known) | t.duplicated([*key, "annotator"])
    return bad(t, wrong, *key, "annotator")


def _counts(rows, key):
    by = rows.assign(right=rows["output"] == RIGHT, none=rows["output"] == NONE)
    return (
        by.groupby(key, observed=True)
        .agg(n=("row", "size"), right=("right", "sum"), none=("none", "sum"))
        .reset_index()
    )


def _long(table, columns):
    """Columns N_… and D_… of a wide table as rows of a setting."""
    parts = []
    for letter, setting in (("N", "normal"), ("D", "distractor")):
        named = {f"{letter}_{name}": name for name in columns}
        parts.append(
            table[[*PAIR, "reading", *named]].rename(columns=named).assign(setting=setting)
        )
    return pd.concat(parts, ignore_index=True)


def counts_of_scores(option_scores, option_results, names, options):
    """Answers, right ones and those without are counted; shares and Wilson's bounds follow."""
    columns = ["n", "right", "none"]
    ends = [f"{c}_share{end}" for c in columns[1:] for end in ("", "_low", "_high")]
    t = _long(option_scores, [*columns, *ends])
    wanted = _counts(option_results, CELL)
    outcomes = [same(of, wanted.merge(of[CELL]), CELL, columns) for _, of in t.groupby("reading")]
    for name in columns[1:]:
        ends = (f"{name}_share", f"{name}_share_low", f"{name}_share_high")
        wrong = is_wilson(t, *ends, t[name], t["n"], options["level"])
        outcomes.append(bad(t, wrong, *CELL, name))
    shown = option_scores["model"].replace(names)
    outcomes.append(bad(option_scores, option_scores["name"] != shown, "model", "name"))
    return worst(*outcomes)


def counts_of_readings(option_readings, option_results):
    """Answers, those not attempted and those of full confidence are counted, for each reading alike."""
    r = option_results
    n = r.assign(n_none=r["output"] == NONE, n_full=r["confidence"] == 1)
    n = n.groupby(CELL, observed=True)[["n_none", "n_full"]].sum().reset_index()
    once = option_readings.drop_duplicates([*CELL, "n_none", "n_full", "n_edge"])
    return same(once, n, CELL, ["n_none", "n_full"])


def _counted(table, rows, group, level):
    key = [*CELL, "group"]
    single = table[table["model"] != "mean"]
    wanted = _counts(rows.assign(group=group), key)
    parts = [
        same(of.astype({"group": str}), wanted.astype({"group": str}), key, ["n", "right", "none"])
        for _, of in single.groupby("reading")
    ]
    ends = ("right_share", "right_share_low", "right_share_high")
    wrong = is_wilson(single, *ends, single["right"], single["n"], level)
    wrong |= single["n_counted"] > single["n"]
    # Of all models: the mean of each.
    by = ["judging", "setting", "reading", "group"]
    mean = single.groupby(by)[["right_share", "ece"]].agg(lambda of: of.mean(skipna=False))
    of = table[table["model"] == "mean"]
    parts.append(same(of, mean.reset_index(), by, ["right_share", "ece"], 1e-9))
    return worst(*parts, bad(single, wrong, *key, "reading"))


def counts_by_topic(option_topics, option_results, option_questions, options):
    """Answers, right ones and those without are counted by topic; a mean over models is the mean of theirs."""
    topic = option_results["row"].map(option_questions.set_index("row")["topic"])
    return _counted(option_topics, option_results, topic, options["level"])


def counts_by_type(option_types, option_results, option_questions, options):
    """Answers, right ones and those without are counted by type; a mean over models is the mean of theirs."""
    kind = option_results["row"].map(option_questions.set_index("row")["answer_type"])
    return _counted(option_types, option_results, kind, options["level"])


def counts_of_all(option_overall, option_results, options):
    """Answers, right ones and those without are counted; a mean over models is the mean of theirs."""
    return _counted(option_overall, option_results, "all", options["level"])


def errors_of_the_bins(option_overall, option_reliability):
    """The calibration error of a model is the mean gap between confidence and right answers of its bins."""
    key = [*CELL, "reading"]
    t = option_reliability
    gap = (
        ((t["accuracy"] - t["confidence"]).abs() * t["n"]).groupby([t[name] for name in key]).sum()
    )
    ece = (gap / t.groupby(key)["n"].sum()).rename("ece").reset_index()
    known = option_overall.merge(ece[key])
    known = known[near(known["n_counted"], known["n"])]
    return same(known, ece.merge(known[key]), key, ["ece"], 1e-9)


def bins_hold_all(option_reliability):
    """Means of confidence lie in their bins; accuracy is right / n."""
    t = option_reliability
    n = t["n"].where(t["n"] > 0)
    wrong = ~near(t["accuracy"], t["right"] / n)
    wrong |= (t["confidence"] < t["low"] - 1e-9) | (t["confidence"] > t["high"] + 1e-9)
    return bad(t, wrong, *CELL, "reading", "bin")


def before_and_after(option_transitions, option_results):
    """Verdicts before and after options were shown are counted, shares are of those before and of all."""
    wide = option_results.assign(output=option_results["output"].map(OUTPUTS))
    wide = wide.astype(dict.fromkeys(CELL, object))
    wide = wide.pivot(index=[*PAIR, "row"], columns="setting", values="output").dropna()
    n = wide.groupby([*PAIR, "normal", "distractor"]).size().rename("n").reset_index()
    wanted = n.rename(columns={"normal": "before", "distractor": "after"})
    t, key = option_transitions, [*PAIR, "before", "after"]
    one = same(t[t["n"] > 0], wanted, key, ["n"])
    of = t.groupby([*PAIR, "before"])["n"].transform("sum")
    wrong = ~near(t["share"], t["n"] / of.where(of > 0))
    wrong |= ~near(t["of_all"], t["n"] / t.groupby(PAIR)["n"].transform("sum"))
    return worst(one, bad(t, wrong, *key))


def gained_and_lost(option_comparisons, option_transitions, names):
    """Gains and losses are the transitions to and from right; the change of the share of right answers follows."""
    n = option_transitions.set_index([*PAIR, "before", "after"])["n"]
    wide = n.unstack(["before", "after"]).fillna(0)
    right = wide["right"]
    c = option_comparisons.set_index(PAIR)
    total = wide.sum(axis=1).reindex(c.index)
    gained = sum(
        wide[name]["right"] for name in ("wrong", "not attempted") if name in wide
    ).reindex(c.index)
    lost = (right.sum(axis=1) - right["right"]).reindex(c.index)
    wrong = (c["n_paired"] != total) | (c["gained"] != gained) | (c["lost"] != lost)
    wrong |= ~near(c["right_change"], (gained - lost) / total)
    wrong |= c["right_before"] != right.sum(axis=1).reindex(c.index)
    c = c.reset_index()
    return bad(c, wrong.to_numpy() | (c["name"] != c["model"].replace(names)), *PAIR)


def changes_of_scores(option_comparisons, option_scores):
    """Changes of the calibration and Brier errors are differences of the scores, relative ones shares of those before."""
    c = option_comparisons
    at = pd.MultiIndex.from_frame(c[PAIR])
    wrong = np.zeros(len(c), dtype=bool)
    for reading, of in option_scores.groupby("reading"):
        of = of.set_index(PAIR).reindex(at)
        for measure in ("ece", "brier"):
            gap = (of[f"D_{measure}"] - of[f"N_{measure}"]).to_numpy()
            wrong |= ~near(c[f"{measure}_change_{reading}"], gap)
        relative = ((of["D_ece"] - of["N_ece"]) / of["N_ece"]).to_numpy()
        wrong |= ~near(c[f"ece_relative_{reading}"], relative)
    return bad(c, wrong, *PAIR)


def errors_of_readings(option_scores, option_readings):
    """The calibration error is that of its reading."""
    named = option_readings.dropna(subset="reading")
    key = [*CELL, "reading"]
    return same(_long(option_scores, ["ece"]), named, key, ["ece"], 1e-9)


def errors_of_brier(option_scores, option_results):
    """The Brier error is the mean of squared gaps over answers, where not attempted ones are left out or wrong."""
    r = option_results
    r = r.assign(brier=(r["confidence"] - (r["output"] == RIGHT)) ** 2)
    parts = []
    for reading, of in (("attempted", r[r["output"] != NONE]), ("as_wrong", r)):
        mean = of.groupby(CELL, observed=True)["brier"].mean().reset_index()
        parts.append(mean.assign(reading=reading))
    wanted = pd.concat(parts, ignore_index=True)
    t = _long(option_scores, ["brier"])
    t = t[t["reading"].isin(["attempted", "as_wrong"])]
    return same(t, wanted.merge(t[[*CELL, "reading"]]), [*CELL, "reading"], ["brier"], 1e-9)


def contrasts_of_types(option_contrasts, option_types):
    """Differences between question types are those of the means over models."""
    found = option_contrasts[option_contrasts["compared"] == "question types"]
    mean = option_types[option_types["model"] == "mean"]
    parts = []
    for measure, short in (("right_share", "right"), ("ece", "ece")):
        wide = mean.pivot(
            index=["judging", "reading", "group"], columns="setting", values=measure
        ).reset_index()
        n, d = wide["normal"], wide["distractor"]
        values = {f"N_{measure}": n, f"D_{measure}": d, f"{short}_change": d - n}
        if short == "ece":
            values["ece_relative"] = (d - n) / n
        for name, value in values.items():
            part = wide[["judging", "reading", "group"]].assign(measure=name, value=value)
            if short == "right":
                part = part.drop_duplicates(["judging", "group"]).assign(reading="")
            parts.append(part)
    value = pd.concat(parts).set_index(["judging", "measure", "reading", "group"])["value"]
    place = [found["judging"], found["measure"], found["reading"].fillna("")]
    first, second = (
        value.reindex(pd.MultiIndex.from_arrays([*place, found[side]])).to_numpy()
        for side in ("first", "second")
    )
    wanted = found.assign(difference=first - second, model="mean")
    key = ["judging", "first", "second", "measure", "reading"]
    return same(found, wanted, key, ["difference", "model"], 1e-9)


def contrasts_of_models(option_contrasts, option_scores):
    """Differences between models are those of their scores."""
    t = option_contrasts[option_contrasts["compared"] == "models"].reset_index(drop=True)
    measures = [name for name in t["measure"].unique() if name in option_scores]
    long = option_scores.melt([*PAIR, "reading"], measures, "measure")
    plain = long["measure"].str.contains("right|none")
    long.loc[plain, "reading"] = ""
    value = long.drop_duplicates([*PAIR, "reading", "measure"])
    value = value.set_index([*PAIR, "reading", "measure"])["value"]
    place = [t["reading"].fillna(""), t["measure"]]
    first, second = (
        value.reindex(pd.MultiIndex.from_arrays([t["judging"], t[side], *place])).to_numpy(float)
        for side in ("first", "second")
    )
    gap = first - second
    wrong = ~np.isnan(gap) & ~near(t["difference"], gap)
    return bad(t, wrong, "judging", "first", "second", "measure")


def within_one(option_distraction, option_scores):
    """Rank correlations lie between -1 and 1, over the models of a judge."""
    t = option_distraction
    n = t["judging"].map(option_scores.groupby("judging")["model"].nunique())
    ends = t[["spearman", "spearman_low", "spearman_high"]].abs().max(axis=1)
    return bad(t, (ends > 1 + 1e-9) | (t["n_models"] > n), "judging", "measure")


def verdicts_side_by_side(judge_verdicts, option_results):
    """Verdicts of the two judges on the same answer are counted."""
    wide = option_results.assign(output=option_results["output"].map(OUTPUTS))
    wide = wide.astype(dict.fromkeys(CELL, object))
    wide = wide.pivot(
        index=["model", "setting", "row"], columns="judging", values="output"
    ).dropna()
    wanted = wide.groupby(["model", "setting", "shared", "own"]).size().rename("n").reset_index()
    wanted = wanted.rename(columns={"shared": "shared_judge", "own": "own_judge"})
    t, key = judge_verdicts, ["model", "setting", "shared_judge", "own_judge"]
    total = t.groupby(key[:2])["n"].transform("sum")
    return worst(
        same(t[t["n"] > 0], wanted, key, ["n"]), bad(t, ~near(t["share"], t["n"] / total), *key)
    )


def agreed(judge_agreement, judge_verdicts):
    """What two judges agree on in a setting of a model is counted; agreement is at least as high as kappa."""
    t = judge_agreement
    v = judge_verdicts
    by = v.groupby(["model", "setting"])["n"].sum()
    equal = v[v["shared_judge"] == v["own_judge"]].groupby(["model", "setting"])["n"].sum() / by
    known = {f"{model}, {setting}": share for (model, setting), share in equal.items()}
    both = (t["first"] == "shared judge") & (t["second"] == "own judge")
    wanted = t["scope"].map(known).where(both)
    wrong = wanted.notna() & ~near(t["agreed"], wanted)
    wrong |= (t["kappa"] > t["agreed"] + 1e-9) | outside(t, "kappa", "")
    return bad(t, wrong, "scope", "first", "second")
