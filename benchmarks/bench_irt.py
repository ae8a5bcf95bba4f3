"""Speed of the item response model at the paper's size.

CPU time on one BLAS thread, all in one run; nothing here is asserted. Run by ``make bench``. With a number of responses,
``python -m benchmarks.bench_irt 10000000``: what reading, validating and fitting so many takes, from JSON Lines and a CSV.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from calscore.irt import agents, model, uncertainty
from calscore.stats.bootstrap import Bootstrap
from irt_worlds import ITEMS, log_loss, paper_size, world

from . import seconds as cpu


def few_responses() -> None:
    """Many agents who each answered few items: 358 and 8,392, 4 % of the cells; and a million responses read."""
    made = world(0, agents=358, questions=2800, items=8392, size=256, tau=0.8)
    rng = np.random.default_rng(0)
    signs = np.where(made.right[:8392], 1.0, -1.0) * (rng.random((8392, 358)) < 0.0375)
    taken = cpu(lambda: model.fit(model.project(made.embeddings[:8392]), signs, restarts=1))
    n = np.abs(signs).sum()
    print(
        f"{'few responses':28s} {taken:7.2f} s   358 agents, 8,392 items, {n:,.0f} responses, one start"
    )
    rows = (
        (i, f"agent {i % 358}", f"q{i // 400}_{i % 4 + 1}", i % 3 == 0) for i in range(1_000_000)
    )
    print(
        f"{'a million responses':28s} {cpu(agents.gather_responses, rows, 'x', True, {}):7.2f} s   gathered, parsing left out"
    )


def many_responses(rows: int) -> None:
    """Responses of 3,000 agents to items of four clues, from files to a fit of five aspects; peak memory up to each step."""
    agent, item = np.divmod(np.arange(rows), -(-rows // 3000))
    right = np.random.default_rng(0).random(rows) < 0.5

    def said(name, seconds):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(f"{name:28s} {seconds:7.1f} s   {peak:.2f} GB", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        for name, read, head, line in (
            ("JSON Lines read", agents.read_json, "", '{{"agent_id": "agent {}", "query_id": "q{}_{}", "score": {}}}\n'),
            ("CSV read", agents.read_table, "agent_type,qc_id,answer,prediction,score\n", "agent {},q{}_{},an answer,a guess,{}\n"),
        ):  # fmt: skip
            path = Path(folder) / name
            with path.open("w") as file:
                file.write(head)
                for i, j, yes in zip(agent, item, right, strict=True):
                    file.write(line.format(i, j // 4, j % 4 + 1, int(yes)))
            found = []
            said(name, cpu(lambda: found.append(read(path))))  # noqa: B023
            path.unlink()
    given = found.pop()
    items = given[["item_id", "question_id", "clue"]].drop_duplicates("item_id")
    items = items.sort_values(["question_id", "clue"], ignore_index=True)
    who = pd.DataFrame({"agent": given["agent"].unique()})
    found.append(given)
    del given
    said("validated", cpu(lambda: found.append(agents.validate(found.pop(), items, who)[0])))
    signs = agents.matrix(found.pop(), items, who)
    text = np.random.default_rng(1).standard_normal((len(items), 64))
    said("one start, item residual", cpu(lambda: model.fit(model.project(text), signs, restarts=1)))


def main() -> None:
    if len(sys.argv) > 1:
        many_responses(int(sys.argv[1]))
        return
    few_responses()
    made, signs, held = paper_size(0)
    e, right = made.embeddings[:ITEMS], made.right[:ITEMS]
    own = log_loss(made.probability[:ITEMS][held], right[held])
    times = {}
    for name, changes in (
        ("one start", {"penalty": model.Penalty(tau=0.0), "restarts": 1}),
        ("four starts", {"penalty": model.Penalty(tau=0.0), "restarts": 4}),
        ("one start, item residual", {"restarts": 1}),
    ):
        start = time.process_time()
        fit = model.fit(model.project(e), signs, **changes)
        times[name] = time.process_time() - start
        gap = log_loss(fit.predict_seen()[held], right[held]) - own
        print(
            f"{name:28s} {times[name]:7.2f} s   held-out loss {gap:+.4f} from the generating model's"
        )
        if name == "four starts":
            best = fit
    given = signs, made.question[:ITEMS], Bootstrap(10, 0, 0.95), lambda *_: {}
    taken = cpu(uncertainty.bootstrap, best, *given)
    print(f"{'bootstrap, each refit':28s} {taken / 10:7.2f} s")


if __name__ == "__main__":
    main()
