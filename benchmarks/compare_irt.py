"""Our 1PL and 2PL beside girth's and py-irt's on the same simulated data; writes irt_comparison.csv beside it.

Runs where girth is installed (``pip install girth``), and adds py-irt's rows where that is too; neither is a
dependency. The tests fit ours again and hold it against the stored estimates of the others.
"""

from __future__ import annotations

import importlib.metadata
import json
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from calscore.irt import baselines
from irt_worlds import exam, log_loss

from benchmarks.persons import fit_persons

TABLE = Path(__file__).parent / "irt_comparison.csv"
SEED = 8
HELD_OUT = 0.1


def heldout_predictions(signs):
    """Signs with a tenth of the cells hidden, and the mask of those."""
    hidden = np.random.default_rng(SEED).random(signs.shape) < HELD_OUT
    return np.where(hidden, 0.0, signs), hidden


def ours_held_out(signs) -> float:
    """Held-out log-loss of our 1PL: persons' skills free, items integrated out."""
    visible, hidden = heldout_predictions(signs)
    p = baselines.fit_items(visible.T, "1PL").predict_seen().T
    return log_loss(p[hidden], signs[hidden] > 0)


def girth_rows():
    """Estimates of girth's marginal maximum likelihood."""
    from girth import onepl_mml, twopl_mml

    version = importlib.metadata.version("girth")
    options = {"quadrature_n": 61, "quadrature_bounds": (-6, 6)}
    rows = []
    for model, function in (("1PL", onepl_mml), ("2PL", twopl_mml)):
        signs, _, _ = exam(SEED, 1000, 15, model)
        found = function((signs > 0).astype(int).T, options=options)
        a = np.broadcast_to(found["Discrimination"], signs.shape[1])
        for item, (slope, difficulty) in enumerate(zip(a, found["Difficulty"], strict=True)):
            rows.append((f"girth {version}", model, "discrimination", item, slope))
            rows.append((f"girth {version}", model, "difficulty", item, difficulty))
    return rows


def py_irt_rows():
    """Held-out log-loss of py-irt's 1PL on the cells that ours has not seen either."""
    from py_irt.config import IrtConfig
    from py_irt.dataset import Dataset
    from py_irt.training import IrtModelTrainer

    signs, _, _ = exam(SEED, 200, 40, "1PL")
    visible, hidden = heldout_predictions(signs)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.jsonlines"
        with path.open("w") as handle:
            for i, row in enumerate(visible):
                of = {f"q{j}": int(v > 0) for j, v in enumerate(row) if v}
                handle.write(json.dumps({"subject_id": f"s{i}", "responses": of}) + "\n")
        dataset = Dataset.from_jsonlines(path)
        config = IrtConfig(model_type="1pl", epochs=2000, priors="hierarchical", seed=SEED)
        trainer = IrtModelTrainer(config=config, data_path=path, dataset=dataset)
        trainer.train(device="cpu")
    best = trainer.best_params
    ability = dict(zip(best["subject_ids"].values(), best["ability"], strict=True))
    difficulty = dict(zip(best["item_ids"].values(), best["diff"], strict=True))
    z = np.array([[ability[f"s{i}"] - difficulty[f"q{j}"] for j in range(40)] for i in range(200)])
    p = 1 / (1 + np.exp(-z))
    version = importlib.metadata.version("py-irt")
    return [
        (
            f"py-irt {version}",
            "1PL",
            "held_out_log_loss",
            -1,
            log_loss(p[hidden], signs[hidden] > 0),
        )
    ]


def main() -> None:
    rows = girth_rows()
    try:
        rows += py_irt_rows()
    except ImportError:
        print("py-irt is not installed: its rows are left out")
    table = pd.DataFrame(rows, columns=["source", "model", "quantity", "item", "value"])
    table.to_csv(TABLE, index=False, lineterminator="\n")
    for (source, model, quantity), part in table.groupby(["source", "model", "quantity"]):
        if quantity == "held_out_log_loss":
            signs, _, _ = exam(SEED, 200, 40, "1PL")
            print(source, model, quantity, part["value"].item(), "ours", ours_held_out(signs))
            continue
        signs, _, _ = exam(SEED, 1000, 15, model)
        ours = getattr(fit_persons(signs, model, 61), quantity)
        print(source, model, quantity, "largest difference", np.abs(ours - part["value"]).max())


if __name__ == "__main__":
    main()
