"""What holds of items, agents, their responses and the tables of item response models; nothing is fitted."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..core.check_result import Outcome, compare_tables, failing_rows, first_failure, is_close


def _settings(options) -> dict:
    """Options of item response models over the shared ones."""
    return options | options["irt"]


# --- what was answered -------------------------------------------------------------------------


def ends_of_clues(item_list, options, clues=None):
    """An item is a question up to a clue; where the study has clues, it ends where that does."""
    key = ["question_id", "clue"]
    by = item_list.sort_values(key).groupby("question_id")
    wrong = item_list.duplicated(key)
    if _settings(options)["cumulative"]:
        wrong |= (by["end_word"].diff() <= 0).reindex(item_list.index)
    outcome = failing_rows(item_list, wrong, *key, "end_word")
    if clues is None:
        return outcome
    c = clues[clues["segmentation"] == options["primary_segmentation"]]
    both = item_list.merge(c[[*key, "end_word"]], on=key, how="left", suffixes=("", "_clue"))
    return first_failure(
        outcome, failing_rows(both, both["end_word"] != both["end_word_clue"], *key)
    )


def counts_of_agents(agents, agent_responses):
    """Responses and right ones of an agent are counted."""
    of = agent_responses.groupby("agent")["correct"].agg(responses="size", right="sum")
    return compare_tables(agents, of.reset_index(), ["agent"], ["responses", "right"])


def of_items(agent_responses, item_list, agents):
    """A response is of an item and an agent that are there, with the item's question and clue."""
    t = agent_responses
    of = item_list.set_index("item_id").reindex(t["item_id"])
    wrong = t["question_id"].to_numpy() != of["question_id"].to_numpy()
    wrong |= (t["clue"].to_numpy() != of["clue"].to_numpy()) | ~t["agent"].isin(agents["agent"])
    return failing_rows(t, wrong, "agent", "item_id")


def groups(group_members, agents, agent_responses):
    """A group has as many players as its size says, none of them twice; it is a human agent."""
    t = group_members
    human = set(agents.loc[agents["kind"] == "human", "agent"])
    wrong = (t.groupby("agent")["player"].transform("size") != t["size"]) | t["player"].duplicated()
    return failing_rows(t, wrong | ~t["agent"].isin(human), "agent", "player")


def shares_of_groups(irt_groups, group_members, agents):
    """Groups and players of each size are those of the members; right answers of groups as formed are counted."""
    if irt_groups.empty:
        return Outcome(0, len(group_members), "members of groups that have no row")
    by = group_members.groupby("size")
    wanted = pd.DataFrame({"groups": by["agent"].nunique(), "players": by.size()})
    of = agents.merge(group_members.drop_duplicates("agent"), on="agent").groupby("size")
    wanted["accuracy"] = of["right"].sum() / of["responses"].sum()
    t, key = irt_groups, ["size", "reading"]
    wanted = wanted.reset_index()
    both = pd.concat([wanted.assign(reading=name) for name in sorted(set(t["reading"]))])
    drawn = t["reading"] == "random"
    wrong = drawn & ~((t["low"] <= t["accuracy"]) & (t["accuracy"] <= t["high"]))
    wrong |= ~drawn & t[["low", "high"]].notna().any(axis=1)
    counted = compare_tables(t, both, key, ["groups", "players"])
    shares = compare_tables(t[~drawn], both[both["reading"] != "random"], key, ["accuracy"], 1e-9)
    return first_failure(failing_rows(t, wrong, *key, "accuracy"), counted, shares)


def one_vector_each(embeddings, item_list):
    """Every item has a vector, all of one model and length, other texts with other hashes."""
    t = embeddings.sort_values("item_id", ignore_index=True)
    known = item_list.sort_values("item_id", ignore_index=True)
    if not t["item_id"].equals(known["item_id"]):
        return Outcome(len(t), abs(len(t) - len(known)) or 1, "other items than the items")
    size = t["vector"].map(len)
    wrong = (size != size.mode().iloc[0]) | (t["model"] != t["model"].mode().iloc[0])
    text = known["text"].fillna("") + known["answer"].fillna("") + known["summary"].fillna("")
    wrong |= t["hash"].groupby(text).transform("nunique") > 1
    return failing_rows(t, wrong, "item_id", "model")


# --- held out ----------------------------------------------------------------------------------


def held_out_once(heldout_losses, agent_responses):
    """On unseen questions every response is predicted; on seen ones by every model the same."""
    t = heldout_losses
    wanted = t["question_id"].map(agent_responses.groupby("question_id").size())
    usual = t.groupby(["split", "question_id"])["n"].transform("median")
    wrong = (t["split"] == "unseen") & (t["n"] != wanted)
    wrong |= (t["n"] > wanted) | (t["n"] != usual)
    return failing_rows(t, wrong, "split", "model", "dimensions", "question_id", "n")


def mean_losses(irt_loss, heldout_losses):
    """Losses are those of the questions over their responses; the difference is from Rasch with words heard."""
    key = ["split", "model", "dimensions"]
    sums = heldout_losses.groupby(key)[["loss", "n"]].sum()
    wanted = pd.DataFrame({"responses": sums["n"], "log_loss": sums["loss"] / sums["n"]})
    t = irt_loss
    one = compare_tables(t, wanted.reset_index(), key, ["responses", "log_loss"], 1e-9)
    base = (t["log_loss"] - t["difference"]).dropna().groupby(t["split"])
    wrong = ((t["log_loss"] - t["difference"]) - base.transform("first")).abs() > 1e-9
    wrong |= (t["low"] > t["log_loss"]) | (t["high"] < t["log_loss"])
    return first_failure(one, failing_rows(t, wrong, *key, "difference"))


def verdict_of_the_difference(irt_verdict, heldout_losses):
    """The difference is that of the losses; a verdict is said where its bounds leave 0 out."""
    t = irt_verdict
    wrong = ~is_close(t["difference"], t["log_loss"] - t["reference_log_loss"])
    wrong |= (t["low"] > t["difference"] + 1e-9) | (t["high"] < t["difference"] - 1e-9)
    wrong |= (t["verdict"] == "worse") != (t["low"] > 0)
    wrong |= (t["verdict"] == "better") != (t["high"] < 0)
    sums = heldout_losses.groupby(["split", "model", "dimensions"])[["loss", "n"]].sum()
    mean = (sums["loss"] / sums["n"]).groupby("split").agg(list)
    for column in ("log_loss", "reference_log_loss"):
        known = [
            np.isclose(mean[split], value, atol=1e-9).any()
            for split, value in zip(t["split"], t[column], strict=True)
        ]
        wrong |= ~np.array(known)
    return failing_rows(t, wrong, "reference", "split", "name", "difference")


def bins(irt_calibration, heldout_losses, agent_responses, options):
    """Each model's bins hold all its predictions; all models' hold as many right answers; means lie in
    their bins, shares in their intervals.
    """
    t, losses = irt_calibration, heldout_losses
    count = _settings(options)["bins"]
    key = ["model", "split"]
    # A model's number of aspects is not told here, and all have the same responses.
    known = losses.drop_duplicates(["split", "model", "question_id"]).groupby(key)["n"].sum()
    right = (t["n"] * t["observed"]).round(6)
    sums = pd.DataFrame({"n": t["n"], "right": right}).groupby([t["model"], t["split"]]).sum()
    wrong = ~is_close(sums["n"], known.reindex(sums.index))
    total = float(agent_responses["correct"].sum())
    at = sums.index.get_level_values("split")
    usual = np.where(at == "unseen", total, sums.groupby("split")["right"].transform("median"))
    wrong |= ~is_close(sums["right"], usual, 1e-4)
    outcome = failing_rows(sums.reset_index(), wrong, *key, "n", "right")
    lost = known.index.difference(sums.index)
    if outcome.failures or len(lost):
        detail = outcome.detail or f"missing: {lost[0]}"
        return Outcome(len(t), outcome.failures + len(lost), detail)
    outside = (t["predicted"] * count < t["bin"] - 1 - 1e-9) | (
        t["predicted"] * count > t["bin"] + 1e-9
    )
    outside |= (right % 1 > 1e-4) & (right % 1 < 1 - 1e-4)
    outside |= (t["low"] > t["observed"] + 1e-12) | (t["high"] < t["observed"] - 1e-12)
    outside |= t.duplicated([*key, "bin"]) | t[["bin", "predicted", "observed"]].isna().any(axis=1)
    return failing_rows(t, outside, *key, "bin", "n", "predicted", "observed")


# --- the model of all responses ----------------------------------------------------------------


def relevance_is_shared_out(item_parameters, item_list):
    """The relevances of an item make up 1; its difficulty is the sum of its effective ones; items are the items."""
    t = item_parameters
    wrong = ~is_close(t["relevance"].map(np.sum), 1)
    wrong |= ~is_close(t["effective_difficulty"].map(np.sum), t["difficulty"])
    known = compare_tables(t, item_list, ["item_id"], ["question_id", "clue"])
    return first_failure(failing_rows(t, wrong, "item_id", "difficulty"), known)


def answers_of_items(item_parameters, agent_responses):
    """Responses of an item are counted."""
    n = agent_responses.groupby("item_id").size()
    wanted = item_parameters["item_id"].map(n).fillna(0)
    return failing_rows(
        item_parameters, item_parameters["responses"] != wanted, "item_id", "responses"
    )


def centred_on_all_agents(skills):
    """Over all agents the centred skills of an aspect have mean 0, and are the skills less their mean; bounds hold
    some width, Laplace's the centred skill.
    """
    t = skills
    by = t.groupby("aspect")
    wrong = ~is_close(by["centred"].transform("mean"), 0) | ~(
        t["bootstrap_low"] < t["bootstrap_high"]
    )
    wrong |= ~is_close(t["centred"], t["skill"] - by["skill"].transform("mean"))
    middle = (t["laplace_low"] + t["laplace_high"]) / 2
    wrong |= ~is_close(middle, t["centred"]) | (t["centred_standard_error"] <= 0)
    return failing_rows(t, wrong, "agent", "aspect")


def shown_skills(irt_skills, skills):
    """The final table is the typed one."""
    key = ["agent", "aspect"]
    return compare_tables(irt_skills, skills, key, [name for name in skills if name not in key])


def differences_of_skills(irt_contrasts, skills):
    """Contrasts of two agents are differences of their skills, over all items (aspect 0) as items are about aspects; Laplace's
    bounds are around them.
    """
    t = irt_contrasts
    whole = skills.assign(aspect=0, skill=skills["skill"] * skills["items"])
    whole = whole.groupby(["agent", "aspect"])[["skill", "items"]].sum()
    of = skills.set_index(["agent", "aspect"])["skill"]
    of = pd.concat([of, whole["skill"] / whole["items"]])
    pairs = t["contrast"] == "agents"
    sides = [
        of.reindex(pd.MultiIndex.from_frame(t[[side, "aspect"]])).to_numpy()
        for side in ("first", "second")
    ]
    wrong = pairs & ~is_close(t["difference"], sides[0] - sides[1])
    wrong |= ~is_close((t["laplace_low"] + t["laplace_high"]) / 2, t["difference"])
    return failing_rows(t, wrong, "contrast", "first", "second", "aspect")


def widths_of_the_prior(irt_sensitivity):
    """Bounds are around the difference; the chosen width has the largest evidence and the others less; all have the same aspects."""
    t = irt_sensitivity
    if t.empty:
        return Outcome(0, 0)
    wrong = ~is_close((t["low"] + t["high"]) / 2, t["difference"]) | (t["standard_error"] <= 0)
    wrong |= t["chosen"] != (t["log_evidence"] == t["log_evidence"].max())
    of = t.groupby("aspect_sd")
    wrong |= of["aspect"].transform("size") != of["aspect"].transform("max") + 1
    wrong |= of["log_evidence"].transform("nunique") > 1
    return failing_rows(t, wrong, "aspect_sd", "aspect", "difference")


def restarts(irt_stability, skills, options):
    """One row per restart and aspect, the best first and itself the model; what concerns a whole
    restart is said alike in all its rows.
    """
    t = irt_stability
    m = int(skills["aspect"].max())
    whole = ["objective", "tau", "difficulty_correlation", "cluster_ari"]
    by_restart = t.groupby("restart")[whole]
    wrong = (by_restart.transform("nunique") > 1).any(axis=1)
    wrong |= (~by_restart.transform("count").isin([0, m])).any(axis=1)
    wrong |= t[["objective", "tau"]].isna().any(axis=1)
    wrong |= t["objective"].diff() < -1e-12
    wrong |= t["aspect"] != np.arange(len(t)) % m + 1
    wrong |= t["restart"] != np.arange(len(t)) // m + 1
    alike = [name for name in t if name.endswith("correlation") or name == "cluster_ari"]
    wrong |= (t[alike].abs() > 1 + 1e-9).any(axis=1)
    own = (t["restart"] == 1).to_numpy()
    itself = t[alike].isna() | (t[alike] - 1).abs().le(1e-9)
    wrong |= own & ~itself.all(axis=1)
    expected = _settings(options)["restarts"] * m
    outcome = failing_rows(t, wrong, "restart", "aspect")
    if len(t) != expected:
        return Outcome(len(t), outcome.failures + 1, f"{len(t)} rows, {expected} wanted")
    return outcome


def gains(complementarity, item_list):
    """Either is right more often than each, by the gain; items are the items."""
    t = complementarity
    better = t[["p_human", "p_ai"]].max(axis=1)
    wrong = (t["p_union"] < better - 1e-9) | ~is_close(t["gain"], t["p_union"] - better)
    columns = ["question_id", "clue", "end_word", "category"]
    return first_failure(
        failing_rows(t, wrong, "item_id", "gain"),
        compare_tables(t, item_list, ["item_id"], columns),
    )


def means_over_items(irt_complementarity, complementarity):
    """Means of a category are those of its items."""
    t = irt_complementarity
    quantities = [name for name in t["quantity"].unique() if name in complementarity]
    long = complementarity.melt(["category"], quantities, "quantity")
    by = long.groupby(["category", "quantity"])["value"].agg(mean="mean", items="size")
    wanted = by.reset_index().rename(columns={"category": "group"}).assign(grouping="category")
    key = ["grouping", "group", "quantity"]
    of = t[(t["grouping"] == "category") & t["quantity"].isin(quantities)]
    one = compare_tables(of, wanted.merge(of[key]), key, ["mean", "items"], 1e-9)
    wrong = (t["low"] > t["mean"] + 1e-9) | (t["high"] < t["mean"] - 1e-9)
    return first_failure(one, failing_rows(t, wrong, *key, "mean"))


def _residuals(skills, item_parameters, agent_responses):
    """Responses with the chance ``p`` that skills, difficulty and what is left of it give, and the ``gap`` from it."""
    t = agent_responses.merge(item_parameters, on="item_id", suffixes=("", "_of"))
    skill = skills.pivot(index="agent", columns="aspect", values="skill").reindex(t["agent"])
    logit = (np.stack(t["relevance"].to_numpy()) * skill.to_numpy()).sum(axis=1)
    logit -= (t["difficulty"] + t["residual"]).to_numpy()
    p = 1 / (1 + np.exp(-logit / np.sqrt(1 + np.pi / 8 * t["residual_sd"].to_numpy() ** 2)))
    return t[["agent", "item_id"]].assign(p=p, gap=t["correct"].astype(float).to_numpy() - p)


def _mean_squares(rows, by: str):
    """Infit and outfit of each ``by``: squared gaps over what was expected, in sum and one by one."""
    variance, square = rows["p"] * (1 - rows["p"]), rows["gap"] ** 2
    of = rows.assign(variance=variance, square=square, ratio=square / variance).groupby(by)
    found = of[["square", "variance"]].sum().assign(outfit=of["ratio"].mean())
    return found.assign(infit=found["square"] / found["variance"]).reset_index()


def fit_of_items(item_parameters, skills, agent_responses):
    """Infit and outfit of an item are those of the responses to it."""
    wanted = _mean_squares(_residuals(skills, item_parameters, agent_responses), "item_id")
    t = item_parameters[item_parameters["responses"] > 0]
    return compare_tables(t, wanted, ["item_id"], ["infit", "outfit"], 1e-6)


def accuracies_of_agents(irt_agent_fit, agents, agent_responses, skills, item_parameters):
    """Responses, accuracies, infit and outfit are those of the agents, between their bounds."""
    wanted = _mean_squares(_residuals(skills, item_parameters, agent_responses), "agent")
    wanted = agents.assign(accuracy=agents["right"] / agents["responses"]).merge(wanted)
    t, told = irt_agent_fit, ["kind", "agent_type", "responses", "accuracy", "infit", "outfit"]
    one = compare_tables(t, wanted, ["agent"], told, 1e-6)
    wrong = np.zeros(len(t), dtype=bool)
    for name in ("accuracy", "infit", "outfit"):
        wrong |= ((t[f"{name}_low"] > t[name]) | (t[f"{name}_high"] < t[name])).to_numpy()
    return first_failure(one, failing_rows(t, wrong, "agent"))


def accuracies_by_cluster(irt_cluster_accuracy, agent_responses, agents, item_parameters):
    """Responses and accuracies by cluster (0: of all items), type of agent and agent (all: of a type) are counted."""
    t = irt_cluster_accuracy[irt_cluster_accuracy["responses"] > 0]
    rows = agent_responses.merge(item_parameters[["item_id", "cluster"]], on="item_id")
    rows = pd.concat([rows, rows.assign(cluster=0)], ignore_index=True)
    rows = rows.merge(agents[["agent", "kind", "agent_type"]], on="agent")
    rows = pd.concat([rows, rows.assign(agent="all")], ignore_index=True)
    key = ["kind", "agent_type", "agent", "cluster"]
    by = rows.assign(correct=rows["correct"].astype(float)).groupby(key)["correct"]
    wanted = by.agg(responses="size", accuracy="mean").reset_index()
    one = compare_tables(t, wanted, key, ["responses", "accuracy"], 1e-9)
    wrong = (t["low"] > t["accuracy"] + 1e-9) | (t["high"] < t["accuracy"] - 1e-9)
    return first_failure(one, failing_rows(t, wrong, *key))


def profiles(irt_clusters, item_parameters):
    """Relevance of a cluster (0: all items) is the mean over its items, difficulty that of the effective ones by relevance."""
    p = item_parameters
    rows = p[["cluster", "relevance", "effective_difficulty"]].explode(
        ["relevance", "effective_difficulty"]
    )
    rows["aspect"] = rows.groupby(level=0).cumcount() + 1
    names = ["relevance", "effective_difficulty"]
    rows[names] = rows[names].astype(float)
    rows = pd.concat([rows, rows.assign(cluster=0)], ignore_index=True)
    key = ["cluster", "aspect"]
    by = rows.astype(dict.fromkeys(key, float)).groupby(key)
    sums = by[names].sum().assign(items=by.size())
    sums["effective_difficulty"] /= sums["relevance"]
    sums["relevance"] /= sums["items"]
    found = irt_clusters.astype(dict.fromkeys(key, float))
    return compare_tables(found, sums.reset_index(), key, ["items", *names], 1e-9)


def both_answered(irt_pairs, agent_responses):
    """Items, questions and right answers of a pair are those that both answered; the gain is over the better one."""
    t = irt_pairs
    r = agent_responses
    right = r.pivot(index="item_id", columns="agent", values="correct").astype(float)
    question = r.drop_duplicates("item_id").set_index("item_id")["question_id"].reindex(right.index)
    rows = []
    for one in t.itertuples():
        pair = right[[one.human, one.ai]].dropna()
        a, b = pair[one.human], pair[one.ai]
        either = pair.max(axis=1).mean()
        rows.append((len(pair), question[pair.index].nunique(), a.mean(), b.mean(), either))
    columns = ["items", "questions", "human_right", "ai_right", "either_right"]
    wanted = t[["human", "ai"]].join(pd.DataFrame(rows, columns=columns, index=t.index))
    better = t[["human_right", "ai_right"]].max(axis=1)
    wrong = ~is_close(t["gain"], t["either_right"] - better)
    return first_failure(
        compare_tables(t, wanted, ["human", "ai"], columns, 1e-9),
        failing_rows(t, wrong, "human", "ai"),
    )


def residuals_go_together(irt_q3, skills, item_parameters, agent_responses, item_list, options):
    """Correlations of residuals, of items of one question and of pairs of others drawn again, have these means and quartiles."""
    rows = _residuals(skills, item_parameters, agent_responses)
    items = item_list.sort_values(["question_id", "clue"], ignore_index=True)
    wide = rows.pivot(index="item_id", columns="agent", values="gap").reindex(items["item_id"])
    wide, known = wide.fillna(0).to_numpy(), wide.notna().to_numpy()
    question, clue = pd.factorize(items["question_id"])[0], items["clue"].to_numpy()
    pairs = [np.nonzero((question[:, None] == question) & (clue[:, None] < clue))]
    drawn = np.random.default_rng(_settings(options)["seed"]).integers(0, len(items), (2, 20_000))
    pairs.append(drawn[:, question[drawn[0]] != question[drawn[1]]])
    found = []
    for at, (a, b) in enumerate(pairs):
        both = (known[a] & known[b]).astype(float)
        n = np.maximum(both.sum(axis=1), 1)[:, None]
        x, y = (both * (of - (both * of).sum(axis=1)[:, None] / n) for of in (wide[a], wide[b]))
        scale = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
        ok = (both.sum(axis=1) >= 5) & (scale > 1e-9)
        apart = (clue[b] - clue[a]) * (1 - at)
        found.append(pd.DataFrame({"distance": apart, "q3": (x * y).sum(axis=1) / np.where(ok, scale, 1)})[ok])  # fmt: skip
    by = pd.concat(found).groupby("distance")["q3"]
    wanted = by.agg(
        pairs="size", mean="mean", q25=lambda v: v.quantile(0.25), median="median", q75=lambda v: v.quantile(0.75)
    )  # fmt: skip
    wanted["above_0.2"] = by.agg(lambda v: (v > 0.2).mean())
    return compare_tables(irt_q3, wanted.reset_index(), ["distance"], list(wanted), 1e-6)


def counted_by_group(irt_dif, agent_responses, agents):
    """Responses of humans and systems by question are counted; a Holm p value is at least the plain one."""
    t = irt_dif
    rows = agent_responses.merge(agents[["agent", "kind"]], on="agent")
    n = pd.crosstab(rows["question_id"], rows["kind"])
    of = t[t["grouping"] == "question"]
    wrong = (t["p_holm"] < t["p"] - 1e-12) | (t["low"] > t["shift"]) | (t["high"] < t["shift"])
    found = of[["human_responses", "ai_responses"]].to_numpy(float)
    known = n.reindex(of["group"])[["human", "ai"]].to_numpy(float)
    return first_failure(
        failing_rows(t, wrong, "grouping", "group"),
        failing_rows(of, (found != known).any(axis=1), "group"),
    )


def bounds_of_coefficients(irt_relevance, options):
    """What is estimated has a coefficient in the middle of its bounds, as wide as its error says, what is not has none; p is
    that of the coefficient over its error, and Holm's at least as large.
    """
    from scipy.stats import norm

    t, z = irt_relevance, norm.ppf((1 + options["level"]) / 2)
    wrong = t["coefficient"].isna() != (t["status"] != "fitted")
    known = t["coefficient"].notna()
    wrong |= t[["standard_error", "low", "high", "p", "p_holm"]].isna().any(axis=1) & known
    wrong |= known & ~is_close((t["low"] + t["high"]) / 2, t["coefficient"], 1e-9)
    wrong |= known & ~is_close((t["high"] - t["low"]) / 2, z * t["standard_error"], 1e-9)
    p = 2 * norm.sf((t["coefficient"] / t["standard_error"]).abs())
    wrong |= known & ~is_close(t["p"], p, 1e-9)
    return failing_rows(t, wrong | (t["p_holm"] < t["p"] - 1e-12), "aspect", "feature")


def readings_of_outcomes(irt_readings):
    """Bounds are around the difference; filling from buzzes alone leaves wrong responses out, and no right ones."""
    t = irt_readings
    wrong = (t["low"] > t["difference"]) | (t["high"] < t["difference"])
    by = t.set_index("reading")
    if len(t):
        right = (by["right"] * by["responses"]).round()
        wrong |= (right != right["backfilled"]).to_numpy()
        wrong |= by.loc["backfilled", "right"] < by.loc["silence_wrong", "right"]
    return failing_rows(t, wrong, "reading", "difference")


def one_end_each(irt_outcomes, item_list):
    """Right, wrong and silent clues are of the question, each after the other; silence ends before what ends it."""
    t, clues = irt_outcomes, item_list.groupby("question_id")["clue"].max()
    if t.empty:
        return Outcome(0, 0)
    right, wrong, silent = t["right_from"], t["wrong_to"], t["silent_to"]
    bad_order = (right > 0) & ((silent >= right) | (wrong >= right))
    bad_order |= (wrong > 0) & (silent >= wrong)
    last = t["question_id"].map(clues)
    late = ~(pd.concat([right, wrong, silent], axis=1).max(axis=1) <= last)
    return failing_rows(t, bad_order | late, "agent", "question_id")


def one_truth(irt_recovery):
    """The truth of a name is one for all readings, bounds are in order, difficulties have mean 0."""
    t = irt_recovery
    # Percentiles of a bootstrap need not hold the estimate.
    wrong = t["low"] > t["high"]
    wrong |= t["truth"] != t.groupby(["quantity", "name"])["truth"].transform("first")
    means = t.groupby(["reading", "quantity"])[["truth", "estimate"]].transform("mean").abs()
    wrong |= (t["quantity"] == "difficulty") & (means.max(axis=1) > 1e-6)
    return failing_rows(t, wrong, "reading", "quantity", "name")


def bounds_of_difficulty(irt_difficulty, options):
    """As of the regression on relevance."""
    return bounds_of_coefficients(irt_difficulty, options)


def counted_by_category(irt_categories, item_list, agent_responses, agents):
    """Questions, items and responses of humans and systems are counted."""
    by = item_list.groupby("category")
    rows = agent_responses.merge(item_list[["item_id", "category"]], on="item_id")
    rows = rows.merge(agents[["agent", "kind"]], on="agent")
    n = pd.crosstab(rows["category"], rows["kind"]).reindex(columns=["human", "ai"], fill_value=0)
    n.columns = ["human_responses", "ai_responses"]
    wanted = n.assign(questions=by["question_id"].nunique(), items=by.size()).reset_index()
    return compare_tables(irt_categories, wanted, ["category"], ["questions", "items", *n.columns])
