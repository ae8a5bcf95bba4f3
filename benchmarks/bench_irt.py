"""Speed of the item response model at the paper's size.

CPU time on one BLAS thread, all in one run; nothing here is asserted. Run by ``make bench``.
"""

from __future__ import annotations

import time

import numpy as np
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
    print(f"{'few responses':28s} {taken:7.2f} s   358 agents, 8,392 items, {n:,.0f} responses, one start")
    rows = ((i, f"agent {i % 358}", f"q{i // 400}_{i % 4 + 1}", i % 3 == 0) for i in range(1_000_000))
    print(
        f"{'a million responses':28s} {cpu(agents.gather_responses, rows, 'x', True, {}):7.2f} s   gathered, parsing left out"
    )


def main() -> None:
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
        print(f"{name:28s} {times[name]:7.2f} s   held-out loss {gap:+.4f} from the generating model's")
        if name == "four starts":
            best = fit
    given = signs, made.question[:ITEMS], Bootstrap(10, 0, 0.95), lambda *_: {}
    taken = cpu(uncertainty.bootstrap, best, *given)
    print(f"{'bootstrap, each refit':28s} {taken / 10:7.2f} s")


if __name__ == "__main__":
    main()
