"""Small items, buzzes and files of an item response study."""

import json

import numpy as np
import pandas as pd
from calscore.core import store
from calscore.irt import outcomes, pipeline
from calscore.simulate import irt

SETTINGS = {"cumulative": True, "buzz_clue": "inside", "reading": "censored", "group_sizes": [1, 2], "groups": 2, "seed": 1,
            "group_formation": "coverage", "replicates": 20, "level": 0.95}  # fmt: skip


def table_of(questions=("q1", "q2"), clues=4, words=5):
    """Items with ``words`` words a clue."""
    rows = []
    for q in questions:
        for t in range(1, clues + 1):
            text = " ".join(f"{q}w{i % 7}" for i in range(words * t))
            rows.append((f"{q}_{t}", q, t, words * t, text, "History", "x", None))
    return pd.DataFrame(rows, columns=store.columns("item_list"))


def buzz(*rows):
    return pd.DataFrame(rows, columns=["agent", "question_id", "word_index", "correct"])


def backfilled(table, buzzes, rule="inside", reading="backfilled"):
    """Responses and findings of buzzes."""
    made, findings = outcomes.question_outcomes(table, buzzes, rule)
    return outcomes.responses_under_reading(table, made, reading), findings


def verdicts(responses, agent="a", question="q1"):
    of = responses[(responses["agent"] == agent) & (responses["question_id"] == question)]
    return dict(zip(of["clue"], of["correct"], strict=True))


def players(n=14, questions=12, seed=0):
    rng = np.random.default_rng(seed)
    names = [f"q{i}" for i in range(questions)]
    rows = [
        (f"p{p:02d}", q, int(rng.integers(0, 20)), bool(rng.random() < 0.3 + 0.05 * p))
        for p in range(n)
        for q in rng.permutation(names)[: rng.integers(3, questions)]
    ]
    return table_of(names), backfilled(table_of(names), buzz(*rows))[0]


def sources(folder, change=None):
    """Raw files of a small simulated study, changed by ``change(made)``."""
    made = irt.simulate_irt(2, {"questions": 12, "players": 12, "heard": 12})
    if change:
        change(made)
    irt.write_irt(made, folder)
    return {
        "queries": folder / "queries.jsonl",
        "agent_file": folder / "agents.jsonl",
        "response_files": [folder / "responses.jsonl", folder / "table.csv"],
        "formats": ["jsonl", "table"],
        "buzz_file": folder / "buzzes.csv",
    }


def prepared(given, **changes):
    """Items, agents, responses and findings of the files."""
    found = pipeline.build_responses(SETTINGS | changes, **given)
    return [found[name] for name in ("item_list", "agents", "agent_responses", "findings")]


def lines(path, entries):
    path.write_text("".join(json.dumps(one) + "\n" for one in entries))
    return path


def answered(folder, queries, responses, **changes):
    """Items, agents, responses and findings of files with these objects."""
    given = {"queries": lines(folder / "queries.jsonl", queries), "formats": ["jsonl"]}
    given["response_files"] = [lines(folder / "responses.jsonl", responses)]
    return prepared(given, **changes)


PARTS = [
    {"id": "b1_1", "clue_text": "This is a long first part."}, {"id": "b1_2", "clue_text": "Short one."},
    {"id": "boolq-7", "clue_text": "Is it so?"},
]  # fmt: skip
GIVEN = [
    {"agent_id": agent, "query_id": one["id"], "ruling": agent == "human_team_1"}
    for agent in ("human_team_1", "gpt")
    for one in PARTS
]
