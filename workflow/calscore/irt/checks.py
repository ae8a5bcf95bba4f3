"""What holds of items, agents, their responses and the tables of item response models; nothing is fitted."""

import numpy as np
import pandas as pd

from ..core.check_result import Outcome, compare_tables, failing_rows, first_failure, is_close


def ends_of_clues(item_list, options: dict, clues=None) -> Outcome:
    """An item is there once, a cumulative one no shorter than the one before; where there are clues it ends with its own."""
    key = ["question_id", "clue"]
    groups_of = item_list.sort_values(key).groupby("question_id")
    wrong = item_list.duplicated(key)
    if options["irt"]["cumulative"]:
        wrong |= (groups_of["end_word"].diff() < 0).reindex(item_list.index)
    outcome = failing_rows(item_list, wrong, *key, "end_word")
    if clues is None:
        return outcome
    c = clues[clues["segmentation"] == options["primary_segmentation"]]
    both = item_list.merge(c[[*key, "end_word"]], on=key, how="left", suffixes=("", "_clue"))
    elsewhere = failing_rows(both, both["end_word"] != both["end_word_clue"], *key)
    return first_failure(outcome, elsewhere)


def counts_of_agents(agents: pd.DataFrame, agent_responses: pd.DataFrame) -> Outcome:
    """``responses`` and ``right`` of an agent are the counts of its rows in ``agent_responses``."""
    part = agent_responses.groupby("agent")["correct"].agg(responses="size", right="sum")
    return compare_tables(agents, part.reset_index(), ["agent"], ["responses", "right"])


def of_items(agent_responses, item_list, agents) -> Outcome:
    """A response is of an item and an agent that are there, with the item's question and clue."""
    t = agent_responses
    part = item_list.set_index("item_id").reindex(t["item_id"])
    wrong = t["question_id"].to_numpy() != part["question_id"].to_numpy()
    wrong |= (t["clue"].to_numpy() != part["clue"].to_numpy()) | ~t["agent"].isin(agents["agent"])
    return failing_rows(t, wrong, "agent", "item_id")


def groups(group_members, agents, agent_responses) -> Outcome:
    """A group is a human agent and has as many players as its size says; no player is there twice."""
    t = group_members
    human = set(agents.loc[agents["kind"] == "human", "agent"])
    wrong = (t.groupby("agent")["player"].transform("size") != t["size"]) | t["player"].duplicated()
    return failing_rows(t, wrong | ~t["agent"].isin(human), "agent", "player")


def one_end_each(irt_outcomes, agent_responses, item_list, findings) -> Outcome:
    """Silence ends just before a right buzz. Agents answered right there and wrong at a wrong buzz; a right buzz up to a wrong
    one leaves no answer between. Where every item was answered, clues are of the question."""
    t, key, ends = irt_outcomes, ["agent", "question_id"], ["right_from", "wrong_to", "silent_to"]
    if t.empty:
        return Outcome(0, 0)
    right, wrong = t["right_from"], t["wrong_to"]
    broken = (right > 0) & (t["silent_to"] != right - 1)
    if "item without responses" not in set(findings["finding"]):
        clues = item_list.groupby("question_id")["clue"].max()
        broken |= ~(t[ends].max(axis=1) <= t["question_id"].map(clues))
    contradictory = (right > 0) & (right <= wrong)
    # Players of groups have no responses of their own.
    answering = t["agent"].isin(agent_responses["agent"])
    verdicts = agent_responses.set_index([*key, "clue"])["correct"]
    for column, verdict in (("right_from", 1), ("wrong_to", 0)):
        places = pd.MultiIndex.from_frame(t[[*key, column]])
        answers = verdicts.reindex(places).astype(float).to_numpy()
        wanted = np.where(contradictory, np.nan, verdict)
        broken |= answering & (t[column] > 0) & ~is_close(answers, wanted)
    return failing_rows(t, broken, *key)


def mean_losses(irt_loss: pd.DataFrame) -> Outcome:
    """Losses lie in their bounds; differences are from one and the same loss of Rasch; models have the same responses."""
    t = irt_loss
    base = (t["log_loss"] - t["difference"]).groupby(t["split"])
    wrong = ((t["log_loss"] - t["difference"]) - base.transform("first")).abs() > 1e-9
    wrong |= (t["low"] > t["log_loss"]) | (t["high"] < t["log_loss"])
    wrong |= t.groupby("split")["responses"].transform("nunique") > 1
    words = t[t["model"] == "words"].set_index("split")["log_loss"]
    gain = t["log_loss"] - t["split"].map(words)
    wrong |= t["beyond_words"].notna() & ~is_close(t["beyond_words"], gain)
    return failing_rows(t, wrong, "split", "model", "dimensions", "difference")


def _compare_counts(table, responses, irt_agents, key: list[str], columns: list[str]) -> Outcome:
    """Outcome: ``columns`` of ``table`` by ``key`` are counted in ``responses`` of compared agents, humans also as one type."""
    used = irt_agents.loc[irt_agents["compared"], ["agent", "kind", "agent_type"]]
    people = used[used["kind"] == "human"].assign(agent_type="human")
    groups_of = pd.concat([used, people]).drop_duplicates(["agent", "agent_type"])
    rows = responses.merge(groups_of[groups_of["agent_type"].isin(table["agent_type"])], on="agent")
    wanted = rows.groupby(key, as_index=False).agg(
        agents=("agent", "nunique"), responses=("agent", "size"), observed=("correct", "mean")
    )
    return compare_tables(table, wanted, key, columns, 1e-9)


def _wrong_differences(table: pd.DataFrame, place: str) -> pd.Series:
    """Mask of rows whose ``difference`` is not their chance less that of humans at the same ``place`` (a column)."""
    human = table[place].map(table[table["agent_type"] == "human"].set_index(place)["p"])
    return table["difference"].notna() & ~is_close(table["difference"], table["p"] - human)


def chances_by_depth(irt_accuracy, irt_agents, agent_responses) -> Outcome:
    """Counts are those of the agents compared; differences are from humans' chances; responses of fifths add up."""
    t, columns = irt_accuracy, ["agents", "responses", "observed"]
    totals = t[t["depth"] == 0]
    counted = _compare_counts(totals, agent_responses, irt_agents, ["agent_type"], columns)
    wrong = _wrong_differences(t, "depth")
    parts = t[t["depth"] > 0].groupby("agent_type")["responses"].sum()
    total = t["agent_type"].map(parts)
    wrong |= (t["depth"] == 0) & total.notna() & (total != t["responses"])
    return first_failure(counted, failing_rows(t, wrong, "agent_type", "depth"))


def accuracies_of_agents(irt_agents: pd.DataFrame, agents: pd.DataFrame) -> Outcome:
    """Responses and shares right are those of the agents; bounds of skill are in order; skills of the compared have mean 0.

    Compared are agents with ten responses or more, right and wrong ones among them.
    """
    t = irt_agents
    wanted = agents.assign(accuracy=agents["right"] / agents["responses"])
    columns = ["kind", "agent_type", "responses", "accuracy"]
    counted = compare_tables(t, wanted, ["agent"], columns, 1e-9)
    wrong = t["skill_low"] >= t["skill_high"]
    right = t["accuracy"] * t["responses"]
    wrong |= t["compared"] != ((t["responses"] >= 10) & (right > 1e-9) & (right < t["responses"] - 1e-9))
    used = t["compared"] if t["compared"].any() else ~t["compared"]
    wrong |= abs(t.loc[used, "skill"].mean()) > 1e-6
    return first_failure(counted, failing_rows(t, wrong, "agent"))


def chances_by_category(irt_categories, irt_agents, agent_responses, item_list) -> Outcome:
    """Responses are those of the agents compared, by category; differences are from humans' chances there."""
    t, key = irt_categories, ["agent_type", "category"]
    rows = agent_responses.merge(item_list[["item_id", "category"]], on="item_id")
    table = t[t["responses"] > 0]
    counted = _compare_counts(table, rows, irt_agents, key, ["responses", "observed"])
    return first_failure(counted, failing_rows(t, _wrong_differences(t, "category"), *key))


def aspects_make_up_skills(irt_aspects: pd.DataFrame, irt_agents: pd.DataFrame) -> Outcome:
    """An agent's skill over all items is that on aspects, weighed by their relevance, which sums to 1."""
    t = irt_aspects
    total = (t["skill"] * t["relevance"]).groupby(t["agent"]).sum().rename("skill")
    counted = compare_tables(irt_agents, total.reset_index(), ["agent"], ["skill"], 1e-6)
    wrong = abs(t["relevance"].groupby(t["agent"]).transform("sum") - 1) > 1e-9
    return first_failure(counted, failing_rows(t, wrong, "aspect", "agent"))


def counted_items(irt_items, agent_responses, item_list) -> Outcome:
    """``responses`` and ``right`` of an item are counts of ``agent_responses``; difficulties average 0 and lie amid their bounds."""
    t = irt_items
    groups_of = agent_responses.groupby("item_id")["correct"].agg(responses="size", right="sum")
    declared = compare_tables(t, item_list, ["item_id"], ["question_id", "clue"])
    counted = compare_tables(t, groups_of.reset_index(), ["item_id"], ["responses", "right"])
    wrong = ~is_close((t["low"] + t["high"]) / 2, t["difficulty"]) | (t["standard_error"] <= 0)
    wrong |= abs(t["difficulty"].mean()) > 1e-6
    return first_failure(declared, counted, failing_rows(t, wrong, "item_id"))


def counted_by_group(irt_dif, agent_responses, agents, options: dict) -> Outcome:
    """Responses of humans and systems by question are counted; bounds are around the shift; p and size agree with them."""
    t = irt_dif
    if t.empty:
        return Outcome(0, 0)
    rows = agent_responses.merge(agents[["agent", "kind"]], on="agent")
    n = pd.crosstab(rows["question_id"], rows["kind"])
    part = t[t["grouping"] == "question"]
    wrong = (t["p_holm"] < t["p"] - 1e-12) | ~is_close((t["low"] + t["high"]) / 2, t["shift"])
    excludes = (t["low"] > 0) | (t["high"] < 0)
    wrong |= excludes != (t["p"] < 1 - options["level"])
    wrong |= (t["size"] != "A") & ((t["p_holm"] >= 0.05) | (t["shift"].abs() < 0.43))
    counts = part[["human_responses", "ai_responses"]].to_numpy(float)
    declared = n.reindex(part["group"])[["human", "ai"]].to_numpy(float)
    return first_failure(
        failing_rows(t, wrong, "grouping", "group"),
        failing_rows(part, (counts != declared).any(axis=1), "group"),
    )


def numbers_of_the_scale(irt_scale: pd.DataFrame) -> Outcome:
    """Separation is √(R / (1 − R)); no number but a mean is negative."""
    t = irt_scale
    groups_of = t.set_index(["quantity", "place"])["value"]
    positive = (t["value"] >= 0) | (t["quantity"] == "mean difficulty")
    share = t["place"].map(groups_of["reliability"])
    wrong = ~is_close(t["value"], (share / (1 - share)) ** 0.5, 1e-6)
    wrong &= t["quantity"] == "separation"
    return failing_rows(t, wrong | ~positive, "quantity", "place")


def readings_of_outcomes(irt_readings: pd.DataFrame) -> Outcome:
    """Bounds are in order, and differences are those of the chances; filling from buzzes alone leaves out wrong responses
    and no right ones.
    """
    t = irt_readings
    if t.empty:
        return Outcome(0, 0)
    wrong = (t["low"] > t["high"]) | ~is_close(t["p_difference"], t["p_ai"] - t["p_human"])
    wrong |= (t["wait"] > 0) != (t["wait_source"] != "none")
    groups_of = t[t["wait"] == 0].set_index("reading")
    right = (groups_of["right"] * groups_of["responses"]).round()
    outcome = failing_rows(t, wrong, "reading", "wait", "difference")
    shares = groups_of["right"]
    if right.nunique() > 1 or shares["backfilled"] < shares["silence_wrong"]:
        return Outcome(len(t), outcome.failures + 1, "right responses differ between readings")
    return outcome
