"""What a buzz says: one outcome of each agent and question, and the readings of it as right and wrong items.

An outcome is three clues, 0 where there is none: ``right_from``, the first with a right buzz; ``wrong_to``,
the last with a wrong one; ``silent_to``, the last before ``right_from`` or, without one, the last that is
told to be heard to its end in silence, so that before a wrong buzz alone it is 0. ``share``: of the words of
the clue after that, where nobody of the agent buzzed, those that were heard before the question ended.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from ..clues import segment as clues_module
from ..core.data_issues import Finding
from .censored import OpenOutcomes
from .groups import RESPONSE, data_issue

KEY = ["agent", "question_id"]
READINGS = {
    "censored": "one outcome per agent and question: the first clue at which it is right",
    "silence_wrong": "filled, and silence before a buzz or without one is wrong",
    "backfilled": "filled from buzzes alone, as in the paper",
}
"""How outcomes become right and wrong items. ``backfilled``: right from the clue of a right buzz on, wrong up to that of a
wrong one; who is right then has no wrong items, so that those who buzz when they know seem to know early.
``silence_wrong``: clues heard in silence are wrong as well; who left a question undecided (wrong, beaten) has no later items,
who was right has all of them. ``censored``: items after the last that was seen are open
(:mod:`calscore.irt.censored`), which leaves one ordinal outcome: the first clue at which the agent is right, in an
interval. It rests, as backfilling does, on one draw of each agent and question: knowledge that stays."""


def buzz_clues(items, buzzes, rule: str = "inside") -> np.ndarray | pd.Series:
    """Clue (from 1) of each of ``buzzes`` (question_id, word_index), Series or array in their order; 0 for none.

    ``items``: question_id, clue, end_word. ``rule`` inside: the clue that holds the last word heard. ``finished``: the last
    clue heard to its end; a buzz inside the first clue belongs to none.
    """
    clue = clues_module.assign_clues(items, buzzes)
    if rule == "finished":
        ends = items.set_index(["question_id", "clue"])["end_word"]
        end = ends.loc[list(zip(buzzes["question_id"], clue, strict=True))].to_numpy()
        clue = clue - (buzzes["word_index"].to_numpy() + 1 < end)
    return clue


def question_outcomes(items, buzzes, rule: str = "inside") -> tuple[pd.DataFrame, list[Finding]]:
    """(table irt_outcomes, findings): the outcome of each agent and question, as this module describes it.

    ``buzzes``: agent, question_id, word_index (0-based, last word heard), correct (NA: heard so far in silence);
    ``items`` and ``rule``: of :func:`buzz_clues`. Buzzes without a clue are a finding, and so are clues that an agent is
    said to be right and wrong at. irt_outcomes: agent, question_id, right_from, wrong_to, silent_to (0: none), share.
    """
    spoken = buzzes["correct"].notna()
    silent = buzzes[~spoken]
    buzzed = buzzes[spoken].assign(at=np.asarray(buzz_clues(items, buzzes[spoken], rule)))
    early = buzzed[buzzed["at"] < 1]
    buzzed = buzzed[buzzed["at"] >= 1].astype({"correct": bool})
    heard = _silences(items, silent)
    columns = {
        "right_from": buzzed[buzzed["correct"]].groupby(KEY)["at"].min(),
        "wrong_to": buzzed[~buzzed["correct"]].groupby(KEY)["at"].max(),
        "silent_to": heard["at"],
    }
    table = pd.concat(columns, axis=1).fillna(0).astype("int64")
    alone = (table["right_from"] == 0) & (table["wrong_to"] == 0)
    table["share"] = heard["share"].reindex(table.index).where(alone).fillna(0.0)
    table = table.reset_index()
    before = (table["right_from"] - 1).where(table["right_from"] > 0, table["silent_to"])
    table["silent_to"] = before.clip(lower=0)
    findings = []
    contradictions = table[(table["right_from"] > 0) & (table["right_from"] <= table["wrong_to"])]
    for row in contradictions.itertuples():
        place, dropped = f"{row.agent}, {row.question_id}", row.wrong_to - row.right_from + 1
        claim = f"clues {row.right_from} to {row.wrong_to} are claimed right and wrong"
        handling = f"{dropped} responses dropped"
        findings.append(Finding("irt", "right, then wrong", "info", place, claim, handling))
    if len(early):
        agents = f"{early['agent'].nunique()} agents"
        count = f"{len(early)} buzzes belong to no finished clue"
        findings.append(data_issue("buzz before the first clue ended", agents, count))
    return table, findings


def _silences(items: pd.DataFrame, silent: pd.DataFrame) -> pd.DataFrame:
    """(agent, question_id) → ``at``, the last clue heard to its end (0: none), and ``share`` of the next one's words heard.

    ``silent``: rows of buzzes without a verdict. Who heard nothing has no row.
    """
    latest = silent.sort_values("word_index").drop_duplicates(KEY, keep="last")
    inside, finished = (np.asarray(buzz_clues(items, latest, rule)) for rule in ("inside", "finished"))
    ends = items.set_index(["question_id", "clue"])["end_word"]

    def end(clue):
        places = pd.MultiIndex.from_arrays([latest["question_id"], clue])
        return ends.reindex(places).fillna(0).to_numpy()

    before = end(finished)
    words = np.where(finished < inside, latest["word_index"] + 1 - before, 0)
    table = latest[KEY].assign(at=finished, share=words / np.maximum(end(finished + 1) - before, 1))
    return table[(table["at"] > 0) | (table["share"] > 0)].set_index(KEY)


def no_buzz_exposures(ends, clues, buzzes) -> pd.DataFrame:
    """Buzz rows without a verdict (question_id, team, kind, word_index, correct None) of what teams heard without a buzz.

    ``ends``: of :func:`calscore.human.incidence.competing_events`; ``clues``, of one segmentation, and
    ``buzzes``: tables. A beaten team heard up to its opponent's buzz. If the opponent is unknown, it heard up to
    the clue before the median right buzz on the question (rounded down; no row for 0), or all of it without any.
    """
    silent = ends[ends["cause"] > 2]
    right = buzzes[buzzes["correct"]]
    right = right.assign(clue=clues_module.assign_clues(clues, right)).groupby("question_id")["clue"]
    middle = silent["question_id"].map(right.median()) - 1
    certain = silent["known"] | middle.isna()
    clue_heard = silent["clue"].where(certain, middle.fillna(0)).astype(int)
    table = silent[["question_id", "team", "kind"]].assign(clue=clue_heard)
    length = silent["question_id"].map(clues.groupby("question_id")["end_word"].max())
    # The word of the opponent's buzz is the last one of its share of the question.
    table["said"] = (silent["share"] * length).round().where(certain & (silent["cause"] == 3))
    rows = table.merge(clues[["question_id", "clue", "end_word"]], on=["question_id", "clue"])
    word = rows["said"].fillna(rows["end_word"]).astype(int) - 1
    columns = ["question_id", "team", "kind", "word_index", "correct"]
    return rows.assign(word_index=word, correct=None)[columns]


def responses_under_reading(items: pd.DataFrame, table: pd.DataFrame, reading: str) -> pd.DataFrame:
    """Responses (:data:`RESPONSE`) of outcomes under one of :data:`READINGS`, sorted by agent, question_id and clue.

    ``items``: item_id, question_id, clue; ``table``: of :func:`question_outcomes`. Clues that the reading leaves open, or
    claims to be both right and wrong, have no row. ``backfilled``: not the clue of a buzz.
    """
    grid = table.merge(items[["item_id", "question_id", "clue"]], on="question_id")
    clue = grid["clue"]
    right = (grid["right_from"] > 0) & (clue >= grid["right_from"])
    wrong = clue <= grid["wrong_to"]
    buzzed = (clue == grid["right_from"]) | (clue == grid["wrong_to"])
    decided = right ^ wrong
    if reading != "backfilled":
        decided |= (clue <= grid["silent_to"]) & ~right
    responses = grid.assign(correct=right, backfilled=~buzzed)[decided]
    return responses[RESPONSE].sort_values(["agent", "question_id", "clue"], ignore_index=True)


def censored_mask(responses, items, buzzed: Iterable[str], reading: str) -> np.ndarray:
    """Mask of ``responses`` after which an agent's question is open: the first right one, else the last, if clues follow.

    ``items``: question_id, clue. Only of agents in ``buzzed``, and only under the reading ``censored``; otherwise all False.
    """
    if reading != "censored":
        return np.zeros(len(responses), dtype=bool)
    keys = [responses[name] for name in KEY]
    clue = responses["clue"]
    first_right = clue.where(responses["correct"]).groupby(keys).transform("min")
    latest = clue.groupby(keys).transform("max").where(first_right.isna(), first_right)
    end = responses["question_id"].map(items.groupby("question_id")["clue"].max())
    own = responses["agent"].isin(list(buzzed))
    return ((clue == latest) & (latest < end) & own).to_numpy()


def censored_outcomes(responses, items, agents, table) -> OpenOutcomes | None:
    """Open cells of agents who buzz once they know: all clues after an ``undecided`` response; None without any.

    ``responses``: with the column undecided; ``table``: outcomes read as censored; ``items`` and ``agents``: of
    :func:`open_outcomes`. Where an agent heard only a share of the first clue, all clues are open."""
    final = responses[responses["undecided"]]
    shares = table[table["share"] > 0].set_index(KEY)
    right = final["correct"].to_numpy(bool)
    rows = final[KEY].assign(
        right_from=np.where(right, final["clue"], 0),
        wrong_to=0,
        silent_to=final["clue"] - right,
        share=shares["share"].reindex(pd.MultiIndex.from_frame(final[KEY])).fillna(0.0).to_numpy(),
    )
    early = shares[shares["silent_to"] == 0].reset_index()
    return open_outcomes(items, agents, pd.concat([rows, early], ignore_index=True))


def open_outcomes(items, agents, table, wait: float = 0.0) -> OpenOutcomes | None:
    """Outcomes (``table``) as arrays that index the matrix (items, agents); None where none is left.

    ``items``: sorted by question and clue. ``wait``: chance that an agent lets a clue pass at which it knows the answer. Left
    out are empty outcomes, those right before or at a wrong clue, and agents and questions that are not in the matrix.
    """
    number = pd.Series(np.arange(len(agents)), index=agents["agent"])
    informative = table[["right_from", "wrong_to", "silent_to"]].any(axis=1) | (table["share"] > 0)
    contradictory = (table["right_from"] > 0) & (table["right_from"] <= table["wrong_to"])
    names, start, clues = np.unique(items["question_id"], return_index=True, return_counts=True)
    present = table["agent"].isin(number.index) & table["question_id"].isin(names)
    used = table[informative & ~contradictory & present]
    if used.empty:
        return None
    question = np.searchsorted(names, used["question_id"])
    ends = used[["silent_to", "right_from", "wrong_to"]].to_numpy().T
    return OpenOutcomes(
        number.loc[used["agent"]].to_numpy(),
        start[question],
        clues[question],
        *ends,
        used["share"].to_numpy(float),
        wait,
    )


def measured_wait(table: pd.DataFrame, responses: pd.DataFrame) -> float:
    """Share of clues with a right guess that a model let pass live, of those it let pass or was right at.

    Silent are clues up to ``silent_to`` and those before a wrong live buzz. Questions with a right buzz up to a wrong one are
    left out. ``table``: outcomes, of agents ``X (live)``; ``responses``: of agents ``X (… guesses)``. nan without such a clue.
    """
    model = table["agent"].str.extract(r"(.*) \(live\)$", expand=False)
    contradictory = (table["right_from"] > 0) & (table["right_from"] <= table["wrong_to"])
    live = table.assign(model=model)[~contradictory].dropna(subset="model")
    right = responses[responses["correct"]]
    model = right["agent"].str.extract(r"(.*) \([^(]* guesses\)$", expand=False)
    both = right.assign(model=model).merge(live, on=["model", "question_id"])
    heard = both[["silent_to", "wrong_to"]].max(axis=1)
    silent = int(((both["clue"] <= heard) & (both["clue"] != both["wrong_to"])).sum())
    buzzed = int((both["clue"] == both["right_from"]).sum())
    return silent / (silent + buzzed) if silent + buzzed else float("nan")
