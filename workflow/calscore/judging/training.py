"""The fit of the learned score to labelled pairs."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from scipy.special import expit
from threadpoolctl import threadpool_limits  # comes with scikit-learn

from ..answers.hybrid_judge import features
from ..answers.score import FEATURES, Model
from ..core import strict_json
from ..core.errors import DataError, Faults
from ..stats.resample import group_folds

PENALTY = 20.0  # the cross-validated figures are flat from 1 to 60


def feature_table(rows: Iterable[dict], with_question: bool = True) -> np.ndarray:
    """Features (rows, ``FEATURES``) of rows with ``refs``, ``candidate`` and ``question`` (unused if not ``with_question``)."""
    rows = list(rows)
    table = np.empty((len(rows), len(FEATURES)))
    for i, row in enumerate(rows):
        question = row["question"] if with_question else None
        table[i] = features(row["refs"], row["candidate"], question)
    return table


def _logistic_coefficients(x, y, weights, penalty: float) -> np.ndarray:
    """Coefficients (k + 1,), the constant last, of an L2-penalised logistic regression of ``y`` (n,) on ``x`` (n, k).

    Newton's method minimises Σ w·loss + penalty/2·|β|² (constant free), which has one minimum. It stops at machine
    precision or after 100 steps, so that every platform gets the same numbers to about 1e-10."""
    x = np.column_stack([x, np.ones(len(x))])
    ridge = np.full(x.shape[1], penalty)
    ridge[-1] = 0.0
    beta = np.zeros(x.shape[1])

    def loss(b):
        z = x @ b
        return weights @ (np.logaddexp(0.0, z) - y * z) + 0.5 * ridge @ (b * b)

    for _ in range(100):
        p = expit(x @ beta)
        gradient = x.T @ (weights * (p - y)) + ridge * beta
        curvature = (x * (weights * p * (1.0 - p))[:, None]).T @ x + np.diag(ridge)
        step = np.linalg.solve(curvature, gradient)
        size = 1.0
        while size > 1e-6 and loss(beta - size * step) > loss(beta) + 1e-12:
            size /= 2.0
        beta = beta - size * step
        if np.abs(size * step).max() < 1e-11:
            break
    return beta


def _standardised_fit(x, y, w) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """(means, scales, coefficients, each (k,), constant) of a logistic regression on the standardised columns of ``x`` (n, k)."""
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    beta = _logistic_coefficients((x - mean) / scale, y, w, PENALTY)
    return mean, scale, beta[:-1], float(beta[-1])


@threadpool_limits.wrap(limits=1)  # threads cost more than they give here, and change the rounding
def fit_features(x, bare, y, groups, seed: int, provenance: dict) -> Model:
    """The model of features ``x`` (with the question) and ``bare`` (without), both (n, ``FEATURES``), each at half weight.

    ``y`` (n,): 1 for the same answer, else 0. Its calibration is fitted on five folds of ``groups``, the question of each
    row; ``DataError`` for fewer questions. Its threshold is 0.5, and it keeps ``provenance``."""
    both, label = np.vstack([x, bare]), np.concatenate([y, y])
    half = np.full(len(label), 0.5)
    fold = np.tile(group_folds(groups, 5, seed), 2)
    z = np.empty(len(label))
    for k in range(5):
        out = fold == k
        if out.all() or not out.any():
            raise DataError("too few questions to calibrate the score: at least 5 are needed")
        mean, scale, weight, intercept = _standardised_fit(both[~out], label[~out], half[~out])
        z[out] = (both[out] - mean) / scale @ weight + intercept
    slope, offset = _logistic_coefficients(z[:, None], label, half, 1.0)  # finite where all are told apart
    mean, scale, weight, intercept = _standardised_fit(both, label, half)
    mean, scale, weight = (tuple(column.tolist()) for column in (mean, scale, weight))
    return Model(mean, scale, weight, intercept, float(slope), float(offset), 0.5, dict(provenance))


def read_pairs(path: Path | str) -> list[dict]:
    """Labelled pairs, one dict per line of JSON: source, system, question, refs (list), candidate, human_label (0/1).
    ``DataError`` with every line that is not so, or where there is none."""
    path = Path(path)
    rows, faults = [], Faults(path.name)
    for number, row in strict_json.read_objects(path, faults):
        texts = [row.get(name) for name in ("source", "system", "question", "candidate")]
        refs, label = row.get("refs"), row.get("human_label")
        if (
            isinstance(refs, list)
            and all(isinstance(text, str) for text in [*texts, *refs])
            and isinstance(label, int | float)
            and label in (0, 1)
        ):
            rows.append(row)
        else:
            faults.add(number, "", row, "a labelled pair")
    faults.refuse()
    if not rows:
        raise DataError.at(path.name, "", "", "no line", "labelled pairs")
    return rows


def fit_provenance(path: Path, rows: Sequence[dict], seed: int) -> dict:
    """What a fit was made from, for JSON: file (name), sha256, pairs, questions, right (counts), sources (name → count), seed,
    penalty, method, versions (package → version); no date."""
    from importlib.metadata import version

    return {
        "file": Path(path).name,
        "sha256": hashlib.sha256(Path(path).read_bytes()).hexdigest(),
        "pairs": len(rows),
        "questions": len({row["question"].casefold() for row in rows}),
        "right": int(sum(row["human_label"] for row in rows)),
        "sources": dict(sorted(Counter(row["source"] for row in rows).items())),
        "seed": seed,
        "penalty": PENALTY,
        "method": "logistic regression, L2, Newton; each pair with and without its question at "
        "half weight; slope and offset from 5 folds by question",
        "versions": {name: version(name) for name in ("anyascii", "numpy", "PyStemmer", "rapidfuzz")},
    }


def fit_model(rows: Sequence[dict], seed: int = 0, provenance: dict | None = None) -> Model:
    """The model of labelled pairs as :func:`read_pairs` gives them.

    ``seed`` only deals questions into the folds of the calibration. ``DataError`` where all pairs have one label or
    fewer than 5 questions are there."""
    y = np.array([row["human_label"] for row in rows], float)
    if len(set(y.tolist())) < 2:
        raise DataError.at("pairs", "", "human_label", y[:1].tolist(), "both labels")
    groups = [row["question"].casefold() for row in rows]
    with_question, bare = feature_table(rows), feature_table(rows, with_question=False)
    return fit_features(with_question, bare, y, groups, seed, provenance or {})
