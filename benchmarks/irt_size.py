"""A sparse study at full size, as answers to bonus parts are: 358 agents, 8,392 items, about 112,000 responses.

Ten tournaments of 14 packets of 20 bonuses of three parts, 36 agents each, who hear three eighths of its bonuses: a team
of one tournament meets no item of another. Difficulties are an easy, a middle and a hard part with a spread of their own,
of which the texts (sentences of past questions) say nothing. Simulated: the answers to real bonuses are not at hand.
``python -m benchmarks.irt_size FOLDER`` writes the inputs, runs the workflow with its defaults, and prints CPU seconds and
memory by rule, rows and heights of what was made, and held-out losses beside those of the model that made the data.
"""

from __future__ import annotations

import gzip
import json
import resource
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from calscore.irt.sparse import sigmoid
from irt_worlds import log_loss
from matplotlib.image import imread

from . import DATA, ROOT

AGENTS, ITEMS, SYSTEMS, TOURNAMENTS, HEARD = 358, 8392, 18, 10, 0.3746
#: Difficulty of an easy, a middle and a hard part, and how far parts of one kind differ.
PARTS, SPREAD = np.array([-3.3, -0.8, 1.7]), 1.6


def texts() -> list[str]:
    """Sentences of past questions, those after the last one in pairs."""
    with gzip.open(DATA / "quizbowl" / "qanta.buzzdev.json.gz") as file:
        questions = json.load(file)
    found = [q["text"][a:b] for q in questions for a, b in q["tokenizations"]]
    found += [f"{a} {b}" for a, b in pairwise(found)]
    return [text for text in found if text.strip()][:ITEMS]


def made(seed: int = 0):
    """Item ids, names of agents, probabilities (J, I) and signs (J, I)."""
    rng = np.random.default_rng(seed)
    item, agent = np.arange(ITEMS), np.arange(AGENTS)
    hard = PARTS[item % 3] + SPREAD * rng.standard_normal(ITEMS)
    skill = 0.8 * rng.standard_normal(AGENTS)
    probability = sigmoid(skill - hard[:, None])
    bonus = item // 3
    there = bonus[:, None] * TOURNAMENTS // (bonus.max() + 1) == agent % TOURNAMENTS
    heard = there & (rng.random((bonus.max() + 1, AGENTS)) < HEARD)[bonus]
    signs = np.where(rng.random(probability.shape) < probability, 1, -1) * heard
    names = [f"system_{i}" if i < SYSTEMS else f"human_team_{i}" for i in agent]
    return [f"b{b}_{part + 1}" for b, part in zip(bonus, item % 3, strict=True)], names, probability, signs  # fmt: skip


def write(folder: Path, ids, names, signs) -> None:
    """The inputs in the formats of the docs, and the configuration."""
    with (folder / "items.jsonl").open("w") as file:
        for name, text in zip(ids, texts(), strict=True):
            file.write(json.dumps({"id": name, "text": text}) + "\n")
    row, column = np.nonzero(signs)
    table = {"agent_type": np.array(names)[column], "qc_id": np.array(ids)[row], "answer": "", "prediction": "", "score": (signs[row, column] > 0).astype(int)}  # fmt: skip
    pd.DataFrame(table).to_csv(folder / "responses.csv", index=False)
    inputs = {"agents": {"items": "items.jsonl", "responses": [{"path": "responses.csv", "format": "table"}]}}  # fmt: skip
    study = {"title": "Sparse responses at full size", "analyses": ["irt"], "inputs": inputs, "options": {"irt": {"cumulative": False}}}  # fmt: skip
    (folder / "config" / "config.yaml").write_text(yaml.safe_dump({"studies": {"size": study}}))


def main() -> None:
    folder = Path(sys.argv[1])
    (folder / "config").mkdir(parents=True)
    ids, names, probability, signs = made()
    write(folder, ids, names, signs)
    command = ["snakemake", "--snakefile", str(ROOT / "Snakefile"), "--cores", "1", "--quiet", "all"]  # fmt: skip
    start = time.monotonic()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"exit {done.returncode}, CPU {used.ru_utime + used.ru_stime:.1f} s, {time.monotonic() - start:.0f} s by the clock, largest process {used.ru_maxrss / 1e6:.2f} GB")  # fmt: skip
    if done.returncode:
        sys.exit(done.stderr[-3000:])
    results = folder / "results" / "size"
    for path in sorted(results.rglob("benchmarks/**/*.tsv")):
        one = pd.read_csv(path, sep="\t").iloc[0]
        print(f"  {path.stem:24s} {one['cpu_time']:7.1f} CPU s   {one['max_rss']:7.0f} MB")
    for path in sorted((results / "figures").glob("irt_*.png")):
        print(f"  {path.name:28s} {imread(path).shape[0]:6d} px high")
    for path in sorted((results / "tables").glob("irt_*.csv")):
        print(f"  {path.name:28s} {len(pd.read_csv(path)):6d} rows")
    print(pd.read_csv(results / "tables" / "irt_loss.csv")[["split", "model", "dimensions", "responses", "log_loss"]].to_string())  # fmt: skip
    print(f"the model that made the data: {log_loss(probability[signs != 0], signs[signs != 0] > 0):.4f} on all responses")  # fmt: skip


if __name__ == "__main__":
    main()
