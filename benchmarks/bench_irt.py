"""Speed of the item response model at the paper's size, beside a plain minibatch Adam loop of the same model.

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
from irt_worlds import ITEMS, log_loss, paper_size, world

from . import seconds as cpu

#: CPU seconds to which a public implementation was timed on as many responses (about ten epochs).
PUBLIC_SECONDS = 293
#: The plain loop is done where its held-out loss is no further above the least that it comes to.
NEAR = 5e-4


def adam(embeddings, signs, held, right, dimensions=5, rate=0.005, batch=512, epochs=12, seed=0):  # fmt: skip
    """The model as usually written: minibatches of 512 responses, Adam, embeddings as they are.

    The paper's setting without its penalty, and difficulty centred over the training items. Returns CPU seconds up to each
    epoch and the held-out loss after it (not timed).
    """
    rng = np.random.default_rng(seed)
    item, agent = np.nonzero(signs)
    answer = (signs[item, agent] > 0).astype(float)
    n = embeddings.shape[1]
    e = embeddings - embeddings.mean(axis=0)
    # Of length one, as sentence embeddings are.
    e = e / np.sqrt((e**2).sum(axis=1).mean())
    found = []
    p = [
        0.1 * rng.standard_normal((signs.shape[1], dimensions)),
        rng.uniform(-1, 1, (dimensions, n)) / np.sqrt(n),
        rng.uniform(-1, 1, (dimensions, n)) / np.sqrt(n),
        np.zeros(dimensions),
    ]
    first, second, step, seconds = [0 * q for q in p], [0 * q for q in p], 0, 0.0
    for _ in range(epochs):
        start = time.process_time()
        order = rng.permutation(len(item))
        for at in range(0, len(order), batch):
            rows = order[at : at + batch]
            x, i, y = e[item[rows]], agent[rows], answer[rows]
            s, w_d, w_r, b = p
            raised = np.exp(x @ w_r.T + b)
            r = raised / raised.sum(axis=1, keepdims=True)
            d = x @ w_d.T
            gap = s[i] - d
            z = (gap * r).sum(axis=1)
            by_z = (1 / (1 + np.exp(-z)) - y) / len(rows)
            by_r = by_z[:, None] * gap
            by_raw = r * (by_r - (by_r * r).sum(axis=1, keepdims=True))
            by_d = -by_z[:, None] * r
            by_s = np.zeros_like(s)
            np.add.at(by_s, i, by_z[:, None] * r)
            gradient = [by_s, by_d.T @ x, by_raw.T @ x, by_raw.sum(axis=0)]
            step += 1
            for k, g in enumerate(gradient):
                first[k] = 0.9 * first[k] + 0.1 * g
                second[k] = 0.999 * second[k] + 0.001 * g**2
                p[k] = p[k] - rate * (first[k] / (1 - 0.9**step)) / (
                    np.sqrt(second[k] / (1 - 0.999**step)) + 1e-8
                )
        seconds += time.process_time() - start
        s, w_d, w_r, b = p
        r, d = model.softmax(e @ w_r.T + b), e @ w_d.T
        probability = model.sigmoid(r @ s.T - (r * d).sum(axis=1)[:, None])
        found.append((seconds, log_loss(probability[held], right[held])))
    return found


def few_responses() -> None:
    """Many agents who each answered few items: 358 and 8,392, 4 % of the cells; and a million responses read."""
    made = world(0, agents=358, questions=2800, items=8392, size=256, tau=0.8)
    rng = np.random.default_rng(0)
    signs = np.where(made.right[:8392], 1.0, -1.0) * (rng.random((8392, 358)) < 0.0375)
    taken = cpu(lambda: model.fit(made.embeddings[:8392], signs, restarts=1))
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
    said("one start, item residual", cpu(lambda: model.fit(text, signs, restarts=1)))


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
        ("one start", {"residual": False, "restarts": 1}),
        ("four starts", {"residual": False, "restarts": 4}),
        ("one start, item residual", {"restarts": 1}),
    ):
        start = time.process_time()
        fit = model.fit(e, signs, **changes)
        times[name] = time.process_time() - start
        gap = log_loss(fit.predict_seen()[held], right[held]) - own
        print(
            f"{name:28s} {times[name]:7.2f} s   held-out loss {gap:+.4f} from the generating model's"
        )
        if name == "four starts":
            best = fit
            losses = [one.objective for one in fit.restarts]
            print(f"{'':28s} objectives {', '.join(f'{v:.5f}' for v in losses)}")
    taken = cpu(uncertainty.bootstrap, best, signs, made.question[:ITEMS], 10, 0, lambda *_: {})
    print(f"{'bootstrap, each refit':28s} {taken / 10:7.2f} s")
    found = adam(e, signs, held, right)
    least = min(loss for _, loss in found)
    epochs, (seconds, reached) = next(
        one for one in enumerate(found, 1) if one[1][1] < least + NEAR
    )
    print(
        f"{'minibatch Adam loop':28s} {seconds:7.2f} s   held-out loss {reached - own:+.4f}, {epochs} epochs (at best {least - own:+.4f} in {len(found)})"
    )
    for name in ("one start", "four starts"):
        print(
            f"ratio to {name:19s} {seconds / times[name]:7.1f} (loop), {PUBLIC_SECONDS / times[name]:.0f} (public, {PUBLIC_SECONDS} s)"
        )


if __name__ == "__main__":
    main()
