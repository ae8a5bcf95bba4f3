"""Studies of one kind of agents: humans in a matrix without texts, and systems under the paper's preset."""

import json
from pathlib import Path

import numpy as np
from support import run_snakemake


def chances(seed: int, agents: int, questions: int):
    """Right and wrong answers of agents to two items a question, (agents, items)."""
    rng = np.random.default_rng(seed)
    hard = np.repeat(rng.standard_normal(questions), 2) - np.tile([0, 0.7], questions)
    p = 1 / (1 + np.exp(hard - rng.standard_normal((agents, 1))))
    return rng.random(p.shape) < p


def humans(folder: Path) -> None:
    """``tiny_humans``: teams × parts of bonuses, parted by semicolons, blanks for parts that were not met."""
    right = chances(1, 9, 14)
    met = np.random.default_rng(2).random(right.shape) < 0.8
    lines = ["team;" + ";".join(f"b{q + 1}_{part}" for q in range(14) for part in (1, 2))]
    for number, (row, known) in enumerate(zip(right, met, strict=True), 1):
        cells = [str(int(yes)) if there else "" for yes, there in zip(row, known, strict=True)]
        lines.append(";".join([f"human {number}", *cells]))
    # One answer tells nothing, and is no reason to rank an agent first.
    lines.append(";".join(["human 10", "1", *[""] * 27]))
    (folder / "matrix.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run_snakemake("--configfile", "tiny_humans.yaml", cwd=folder)


def systems(folder: Path) -> None:
    """``tiny_systems``: JSON Lines of systems alone, clues with texts."""
    right = chances(3, 6, 14)
    words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
    rng = np.random.default_rng(4)
    items, responses = [], []
    for q in range(14):
        text = " ".join(rng.choice(words, 6))
        for clue in (1, 2):
            place = f"q{q + 1}_{clue}"
            items.append({"id": place, "text": text, "category": words[q % 3]})
            text = " ".join([text, *rng.choice(words, 6)])
            for number, row in enumerate(right, 1):
                score = int(row[2 * q + clue - 1])
                entry = {"agent_id": f"system {number}", "query_id": place, "score": score}
                responses.append(entry)
    for name, rows in (("items", items), ("responses", responses)):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    run_snakemake("--configfile", "tiny_systems.yaml", cwd=folder)
