"""How good the engine is on human-labelled pairs that its score has not seen."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ..answers.hybrid_judge import decide, rule_verdict_or_features
from ..answers.parse import line_of
from ..answers.rules import Judgement
from ..answers.score import Model
from ..stats.resample import group_folds
from . import training
from .matchers import exact_match

FOLDS = 10


def refit_model(path: Path, seed: int = 0) -> Model:
    """The model fitted to a file of labelled pairs, its provenance with :func:`accuracy_by_source` of :func:`cross_validate`."""
    rows = training.read_pairs(path)
    provenance = training.fit_provenance(path, rows, seed)
    provenance["cross_validated"] = {
        "folds": FOLDS,
        "by": "question",
        "figures": accuracy_by_source(cross_validate(rows, seed)).round(4).to_dict("index"),
    }
    return training.fit_model(rows, seed, provenance)


def refit_json(pairs: Path, seed: int) -> dict[str, str]:
    """``{"model": text}``: the text of judged/equivalence.json, fitted to the labelled pairs of the file ``pairs``."""
    return {"model": refit_model(pairs, seed).to_json()}


def cross_validate(rows: Sequence[dict], seed: int = 0) -> pd.DataFrame:
    """Judge each pair of :func:`.training.read_pairs` by a model that has not seen its question (ten folds by ``seed``).

    Returns a frame with a row per pair, in the order of ``rows``: source, system, label (0/1), fold, exact (normalised
    match), rule, accepted, score (of the judgement), probability (of the model alone)."""
    y = np.array([row["human_label"] for row in rows], float)
    groups = [row["question"].casefold() for row in rows]
    fold = group_folds(groups, FOLDS, seed)
    x, bare = training.feature_table(rows), training.feature_table(rows, with_question=False)
    rule_results = [
        rule_verdict_or_features(line_of(row["refs"]), row["candidate"], "", row["question"]) for row in rows
    ]
    probability = np.empty(len(rows))
    judged: dict[int, Judgement] = {}
    for k in range(FOLDS):
        out = fold == k
        if not out.any():
            continue
        names = [g for g, o in zip(groups, out, strict=True) if not o]
        model = training.fit_features(x[~out], bare[~out], y[~out], names, seed, {})
        probability[out] = [model.probability(row) for row in x[out]]
        places = np.flatnonzero(out)
        judged |= {i: decide(rule_results[i], model) for i in places}
    judgements = [judged[i] for i in range(len(rows))]
    return pd.DataFrame(rows)[["source", "system"]].assign(
        label=y.astype(int),
        fold=fold,
        exact=[exact_match(row["refs"], row["candidate"]) > 0 for row in rows],
        rule=[j.rule for j in judgements],
        accepted=[j.verdict == "accept" for j in judgements],
        score=[j.score for j in judgements],
        probability=probability,
    )


def accuracy_by_source(judged: pd.DataFrame) -> pd.DataFrame:
    """Figures of a frame of :func:`cross_validate`, one row per ``source``, and per ``source / fid`` of its system fid.

    Columns: pairs (number), accuracy, exact_accuracy (of exact match), balanced_not_exact (balanced accuracy on the pairs
    that exact match does not accept), brier and ece (of the judgement's score; ECE over 10 bins of equal width)."""
    rows = {}
    for source, part in judged.groupby("source", sort=True):
        for name, pairs in ((source, part), (f"{source} / fid", part[part["system"] == "fid"])):
            if not len(pairs):
                continue
            open_ = pairs[~pairs["exact"]]
            table = reliability_table(pairs["score"], pairs["label"])
            gaps = (table["score"] - table["right"]).abs() * table["pairs"]
            rows[name] = {
                "pairs": len(pairs),
                "accuracy": (pairs["accepted"] == pairs["label"]).mean(),
                "exact_accuracy": (pairs["exact"] == pairs["label"]).mean(),
                "balanced_not_exact": balanced_accuracy(open_["accepted"], open_["label"]),
                "brier": ((pairs["score"] - pairs["label"]) ** 2).mean(),
                "ece": gaps.sum() / len(pairs),
            }
    return pd.DataFrame.from_dict(rows, orient="index")


def reliability_table(score: Sequence[float], label: Sequence[int]) -> pd.DataFrame:
    """Frame of pairs (count), score (mean) and right (share) in each tenth of ``score`` (0–1), indexed by its lower end.
    Bins without a pair have no row. ``label``: 1 for right, 0 for wrong."""
    frame = pd.DataFrame({"score": np.asarray(score, float), "right": np.asarray(label, float)})
    bin_index = np.minimum((frame["score"] * 10 + 1e-9).astype(int), 9)
    table = frame.groupby(bin_index).agg(
        pairs=("score", "size"), score=("score", "mean"), right=("right", "mean")
    )
    table.index = pd.Index(table.index / 10, name="from")
    return table


def balanced_accuracy(accepted: Sequence[bool], label: Sequence[int]) -> float:
    """Mean of the share of right pairs accepted and that of wrong pairs not accepted; NaN where one kind is missing."""
    accepted, label = np.asarray(accepted, bool), np.asarray(label, bool)
    if label.all() or not label.any():
        return math.nan
    return float((accepted[label].mean() + (~accepted[~label]).mean()) / 2.0)
