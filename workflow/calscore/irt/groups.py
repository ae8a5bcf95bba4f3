"""Grouped human agents (CAIMIRA §4.1): players formed into groups that answer by majority.

Formed for coverage, as the paper says, groups take the players that answered most first, sizes as given: an
order of ours. Where a silence leaves no response those are the most skilled, so size and skill go together.
"""

from functools import partial

import numpy as np
import pandas as pd

from ..core import data_issues
from ..core.checksums import text_sha256
from ..core.data_issues import Finding

data_issue = partial(data_issues.data_issue, "irt")
RESPONSE = ["agent", "item_id", "question_id", "clue", "correct", "backfilled"]


def order_keys(responses: pd.DataFrame, seed: int) -> pd.Series:
    """Agent → sort key (text), a hash of ``seed`` and its responses, so that the order does not depend on names.

    ``responses``: agent, item_id, correct, backfilled.
    """
    cells = responses[["item_id", "correct", "backfilled"]].astype({"item_id": str})
    each = pd.util.hash_pandas_object(cells, index=False).to_numpy()
    names, code = np.unique(responses["agent"].to_numpy(dtype=str), return_inverse=True)
    total = np.zeros(len(names), dtype=np.uint64)
    np.add.at(total, code, each)  # the same in any order of the rows
    return pd.Series([text_sha256(f"{seed} {value}") for value in total], index=names)


def player_skill(responses: pd.DataFrame) -> pd.Series:
    """Agent → logit of its smoothed share right, less the mean such logit of its items (one Rasch step).

    ``responses``: agent, item_id, correct.
    """
    easy = responses.groupby("item_id")["correct"].agg(["sum", "size"])
    ease = np.log((easy["sum"] + 1) / (easy["size"] - easy["sum"] + 1))
    rows = responses.assign(ease=responses["item_id"].map(ease))
    players = rows.groupby("agent").agg(
        right=("correct", "sum"), n=("correct", "size"), ease=("ease", "mean")
    )
    return np.log((players["right"] + 1) / (players["n"] - players["right"] + 1)) - players["ease"]


def form_groups(
    responses, sizes: list[int], groups: int, seed: int, formation: str = "coverage"
) -> tuple[pd.DataFrame, list[Finding]]:
    """Players of groups: (members, findings); ``members``: agent (``human <size>-<number>``), size, player.

    ``responses``: of players, columns :data:`RESPONSE`. For every size, ``groups`` groups of disjoint
    players. ``formation`` random: players in an order drawn by ``seed``. ``coverage``: a group starts with
    the player of the widest coverage left; each further member is, of the players nearest in skill (three for
    each place), the one who adds the most questions; ``seed`` decides among equals. Where players run out,
    fewer groups are made and a finding says so.
    """
    skill, key = player_skill(responses), order_keys(responses, seed)
    heard = {name: set(rows) for name, rows in responses.groupby("agent")["question_id"]}
    for_coverage = formation == "coverage"
    waiting = sorted(heard, key=lambda name: (-len(heard[name]) if for_coverage else 0, key[name]))
    members, findings = [], []
    for size in sizes:
        formed = 0
        for number in range(1, groups + 1):
            if len(waiting) < size:
                break
            team = waiting[:size]
            if for_coverage:
                team, founder = waiting[:1], waiting[0]
                covered, skill_gap = set(heard[founder]), (skill - skill[founder]).abs()
                by_skill = sorted(waiting[1:], key=lambda name: (skill_gap[name], key[name]))
                near = by_skill[: 3 * size]
                while len(team) < size:
                    best = max(near, key=lambda name: (len(heard[name] - covered), key[name]))
                    near.remove(best)
                    team.append(best)
                    covered |= heard[best]
            waiting = [name for name in waiting if name not in team]
            formed += 1
            members += [(f"human {size}-{number}", size, player) for player in team]
        if formed < groups:
            count = f"{formed} of {groups} groups"
            findings.append(data_issue("too few players", f"groups of {size}", count))
    return pd.DataFrame(members, columns=["agent", "size", "player"]), findings


def majority_responses(responses, members, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(responses, agents) of groups: on each item the majority of its ``members`` that responded; a tie is a fair draw.

    ``responses``: of players, agent, item_id, question_id, clue, correct, backfilled; those of groups
    likewise, sorted by agent and item, backfilled where all are. ``members``: of :func:`form_groups`.
    ``agents``: agent, kind (human), agent_type (``human, 2 players``; of one ``human, 1 player``).
    """
    votes = responses.rename(columns={"agent": "player"}).merge(members, on="player")
    # Two players of a group may both have filled cells; a group's answer counts as filled if all are.
    tally = votes.groupby(["agent", "item_id", "question_id", "clue"], as_index=False).agg(
        right=("correct", "sum"), n=("correct", "size"), backfilled=("backfilled", "all")
    )
    share = tally["right"] / tally["n"]
    # One draw per cell, used or not, so that one vote more does not change the other ties.
    draw = np.random.default_rng(seed).random(len(tally)) < share
    tally["correct"] = np.where(share == 0.5, draw, share > 0.5)
    agents = members.drop_duplicates("agent")[["agent", "size"]]
    agents = agents.assign(
        kind="human", agent_type=[f"human, {s} player{'s' * (s > 1)}" for s in agents["size"]]
    )
    return tally[RESPONSE], agents[["agent", "kind", "agent_type"]]
