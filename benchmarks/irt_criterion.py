"""Skills of teams on tossups against an outside criterion, the same teams' points on bonuses, which the model has not seen.

``python -m benchmarks.irt_criterion DATABASE [PARTS]``: a SQLite database in the format of the community's buzzpoint sites.
Each tossup is cut into PARTS of equally many words. Prints Pearson's correlation over teams under each reading of buzzes.
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing

import numpy as np
import pandas as pd
from calscore.irt import outcomes, readings

#: Bonuses that a team needs.
ENOUGH = 20
TOSSUPS = """
    select g.id as game, t.id as tossup, t.question as text, g.team_one_id as one, g.team_two_id as two
    from game g join round r on r.id = g.round_id join packet_question q on q.packet_id = r.packet_id
    join tossup t on t.question_id = q.question_id where q.question_number <= g.tossups_read
"""
BUZZES = """
    select b.game_id as game, b.tossup_id as tossup, p.team_id as team, b.buzz_position as word, b.value > 0 as right
    from buzz b join player p on p.id = b.player_id where b.buzz_position >= 0
"""
BONUSES = """
    select d.team_id as team, count(*) / 3.0 as bonuses, avg(d.value) * 3 as points
    from bonus_part_direct d group by d.team_id
"""


def tables(path, parts: int):
    """Items, events (agent, question_id, word_index, correct or nothing for silence), and points of teams on a bonus."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        tossups, buzzes, bonuses = (
            pd.read_sql_query(query, database) for query in (TOSSUPS, BUZZES, BONUSES)
        )
    length = tossups.drop_duplicates("tossup").set_index("tossup")["text"].str.split().str.len()
    items = pd.DataFrame(
        [(f"{t}_{c}", str(t), c, int(np.ceil(n * c / parts))) for t, n in length.items() for c in range(1, parts + 1)],
        columns=["item_id", "question_id", "clue", "end_word"],
    )  # fmt: skip
    sides = tossups.melt(["game", "tossup"], ["one", "two"], value_name="team")
    key = ["game", "tossup"]
    ended = buzzes[buzzes["right"] == 1].groupby(key)["word"].min()
    own = buzzes.merge(sides[[*key, "team"]]).assign(correct=lambda t: t["right"].astype(bool))
    quiet = sides.merge(own[[*key, "team"]], how="left", indicator=True).query("_merge == 'left_only'")
    quiet = quiet.merge(ended, on=key, how="left").assign(correct=None)
    quiet["word"] = quiet["word"].fillna(quiet["tossup"].map(length) - 1)
    events = pd.concat([own, quiet], ignore_index=True)
    last = events["tossup"].map(length) - 1
    events = pd.DataFrame(
        {
            "agent": events["team"].astype(str), "question_id": events["tossup"].astype(str),
            "word_index": np.minimum(events["word"], last).astype(int), "correct": events["correct"],
        }
    )  # fmt: skip
    points = bonuses[bonuses["bonuses"] >= ENOUGH].set_index("team")["points"]
    return items.sort_values(["question_id", "clue"], ignore_index=True), events, points


def main() -> None:
    parts = int(sys.argv[2]) if len(sys.argv) > 2 else 6
    items, events, points = tables(sys.argv[1], parts)
    outcome, _ = outcomes.question_outcomes(items, events)
    who = pd.DataFrame({"agent": sorted(outcome["agent"].unique()), "kind": "human"})
    columns = ["agent", "item_id", "question_id", "clue", "correct"]
    nobody = items.assign(agent="", correct=False)[columns].head(0)
    settings = {"refits": 2, "seed": 0, "level": 0.95}
    print(
        f"{len(who)} teams, {len(items)} items, {len(outcome):,} outcomes, {len(points)} teams with {ENOUGH} bonuses"
    )
    for reading in outcomes.READINGS:
        for wait in (0.0, *readings.WAITS) if reading == "censored" else (0.0,):
            made = readings.fit_reading(items, who, outcome, nobody, reading, wait, settings)
            skill = pd.Series(made[1]["skill"], index=who["agent"].astype(int))
            both = pd.concat([skill, points], axis=1, join="inner")
            r = np.corrcoef(both.to_numpy().T)[0, 1]
            print(
                f"{reading:14s} wait {wait:.1f}   Pearson {r:.3f}   {len(made[3]):,} responses",
                flush=True,
            )


if __name__ == "__main__":
    main()
