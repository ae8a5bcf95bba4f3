"""Whether the model holds: fit of agents and items, local dependence, human-AI differences, restarts."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..core import store
from ..stats import proportions, ranks, resample
from .model import Fit, item_terms
from .uncertainty import centred, match


def mean_squares(p, signs, axis: int):
    """Infit and outfit along ``axis``: (infit, outfit, n). 1 is expected; above it, noisier than the model says.

    Infit: Σ (u − p)² / Σ p (1 − p). Outfit: mean of (u − p)² / (p (1 − p)). nan without responses.
    """
    gap, variance, ratio, known = _squares(p, signs)
    n = known.sum(axis=axis)
    with np.errstate(invalid="ignore", divide="ignore"):
        return gap.sum(axis=axis) / variance.sum(axis=axis), ratio.sum(axis=axis) / n, n


def _squares(p, signs):
    """Of every response, 0 where there is none: (u − p)², p (1 − p), their ratio, and whether there is one."""
    known = signs != 0
    gap = np.where(known, (signs > 0) - p, 0.0) ** 2
    variance = np.where(known, p * (1 - p), 0.0)
    return (
        gap,
        variance,
        np.divide(gap, variance, out=np.zeros_like(gap), where=variance > 0),
        known,
    )


def agent_fit(p, signs, questions, replicates: int, seed: int, level: float) -> dict:
    """Share right, infit and outfit of every agent with their intervals: column → (I,).

    Clues of a question hang together: the share has Wilson's interval on the number of answers that
    they are worth, infit and outfit one from resampling questions, the fitted model as it is.
    """
    names, code = np.unique(np.asarray(questions), return_inverse=True)

    def sums(values):
        found = np.zeros((len(names), signs.shape[1]))
        np.add.at(found, code, values)
        return found

    gap, variance, ratio, known = _squares(p, signs)
    right, n = sums(signs > 0), sums(known)
    worth = proportions.effective_sample_size(right, n)
    accuracy = right.sum(axis=0) / n.sum(axis=0)
    low, high = proportions.wilson(accuracy * worth, worth, level)
    found = {"accuracy": accuracy, "accuracy_low": low, "accuracy_high": high}
    weights = resample.bootstrap_weights(len(names), replicates, seed)
    infit, outfit, _ = mean_squares(p, signs, axis=0)
    for name, value, top, bottom in (
        ("infit", infit, gap, variance),
        ("outfit", outfit, ratio, known),
    ):
        drawn = resample.ratio_draws(weights, sums(top), sums(bottom))
        # An agent with answers to few questions has replicates without any.
        ends = np.nanquantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
        ends[:, (n > 0).sum(axis=0) < 2] = np.nan
        found |= {name: value, f"{name}_low": ends[0], f"{name}_high": ends[1]}
    return found


def q3(p, signs, questions, clues, at_least: int = 5, pairs: int = 20_000, seed: int = 0):
    """Yen's Q3, the correlation of two items' residuals over agents, by distance in clues.

    Returns one row per distance between clues of the same question, and ``other questions`` from a sample of pairs.
    Only pairs that ``at_least`` agents answered, and whose residuals vary.
    """
    known = signs != 0
    residual = np.where(known, (signs > 0) - p, 0.0)
    order = np.lexsort([np.asarray(clues), np.asarray(questions)])
    _, code = np.unique(np.asarray(questions), return_inverse=True)
    clue = np.asarray(clues)
    first, second, kind = [], [], []
    longest = int(np.bincount(code).max())
    for lag in range(1, longest):
        a, b = order[:-lag], order[lag:]
        same = code[a] == code[b]
        first.append(a[same])
        second.append(b[same])
        kind.append(clue[b[same]] - clue[a[same]])
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, len(code), (2, pairs))
    other = code[a] != code[b]
    first.append(a[other])
    second.append(b[other])
    kind.append(np.zeros(other.sum(), dtype=int))
    first, second, kind = map(np.concatenate, (first, second, kind))
    value, n = _pair_correlation(residual, known, first, second)
    ok = (n >= at_least) & np.isfinite(value)
    table = pd.DataFrame({"distance": kind[ok], "q3": value[ok], "n": n[ok]})
    rows = []
    for distance, part in table.groupby("distance"):
        low, middle, high = part["q3"].quantile([0.25, 0.5, 0.75])
        rows.append(
            {
                "pairs_of": "other questions" if distance == 0 else "one question",
                "distance": int(distance), "pairs": len(part), "mean": part["q3"].mean(),
                "q25": low, "median": middle, "q75": high,
                "above_0.2": float((part["q3"] > 0.2).mean()),
            }
        )  # fmt: skip
    return store.frame(rows, "irt_q3")


def _pair_correlation(residual, known, first, second, block: int = 20_000):
    """Pearson correlation over shared agents of pairs of rows: (values, shared)."""
    values, shared = [], []
    for start in range(0, len(first), block):
        a, b = first[start : start + block], second[start : start + block]
        both = (known[a] & known[b]).astype(float)
        n = both.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean_a = (both * residual[a]).sum(axis=1) / n
            mean_b = (both * residual[b]).sum(axis=1) / n
            da = both * (residual[a] - mean_a[:, None])
            db = both * (residual[b] - mean_b[:, None])
            scale = np.sqrt((da**2).sum(axis=1) * (db**2).sum(axis=1))
            values.append(np.where(scale > 1e-9, (da * db).sum(axis=1) / scale, np.nan))
        shared.append(n)
    return np.concatenate(values), np.concatenate(shared)


def differential(p, signs, kinds, groups, questions, name: str, level: float):
    """Human-AI differential item functioning of groups of items, given a model's probabilities ``p``.

    For each group, the shift in logits that AI systems would need beyond what humans would: the
    difference of one-step estimates Σ (u − p) / Σ p (1 − p). Positive: easier for AI systems than the
    model says. Standard errors cluster by question (model-based where a group is one question);
    intervals and p-values by the normal distribution, p-values also by Holm over the groups. Groups
    that only one kind answered are left out.
    """
    from scipy.stats import norm

    known = signs != 0
    gap = np.where(known, (signs > 0) - p, 0.0)
    information = np.where(known, p * (1 - p), 0.0)
    human = np.asarray(kinds) == "human"
    questions, groups = np.asarray(questions), np.asarray(groups)
    rows = []
    for group in pd.unique(groups):
        items = groups == group
        shift, variance, seen = 0.0, 0.0, []
        scores = 0.0
        _, code = np.unique(questions[items], return_inverse=True)
        for side, columns in ((1.0, ~human), (-1.0, human)):
            total = information[np.ix_(items, columns)].sum()
            seen.append(int(known[np.ix_(items, columns)].sum()))
            if total <= 0:
                break
            score = np.bincount(code, gap[np.ix_(items, columns)].sum(axis=1)) / total
            shift += side * score.sum()
            scores = scores + side * score
            variance += 1 / total
        if len(seen) < 2 or min(seen) == 0:
            continue
        clustered = len(np.unique(code)) > 1
        if clustered:
            q = len(scores)
            variance = q / (q - 1) * ((scores - scores.mean()) ** 2).sum()
        error = np.sqrt(variance)
        half = norm.ppf((1 + level) / 2) * error if error > 0 else np.nan
        rows.append(
            {
                "grouping": name, "group": str(group), "questions": len(np.unique(code)),
                "ai_responses": seen[0], "human_responses": seen[1],
                "shift": shift, "low": shift - half, "high": shift + half, "standard_error": error,
                "errors": "question-clustered" if clustered else "model-based",
                "p": float(2 * norm.sf(abs(shift) / error)) if error > 0 else np.nan,
            }
        )  # fmt: skip
    table = store.frame(rows, "irt_dif")
    table["p_holm"] = ranks.holm_adjust(table["p"].to_numpy(float))
    return table


def effective(fit: Fit) -> np.ndarray:
    """Effective difficulty r_jk d_jk, (J, m)."""
    relevance, difficulty = item_terms(fit.parameters, fit.x)
    return relevance * difficulty


def stability(fit: Fit, base, seed: int):
    """Every restart against the best: objective, matched correlations (Hungarian), ARI of clusters.

    ``base``: clusters of the best (:func:`calscore.irt.analysis.cluster`).
    """
    from sklearn.metrics import adjusted_rand_score

    from .analysis import cluster

    clusters, rows = base.max(), []
    for number, other in enumerate(fit.restarts, 1):
        order = match(fit.relevance, other.relevance)
        skills = centred(other.parameters.skills[:, order])
        mine = centred(fit.parameters.skills)
        ari = adjusted_rand_score(base, cluster(effective(other)[:, order], clusters, seed))
        delta = np.corrcoef(effective(fit).sum(axis=1), effective(other).sum(axis=1))[0, 1]
        for k in range(mine.shape[1]):
            rows.append(
                {
                    "restart": number, "objective": other.objective, "tau": other.tau,
                    "aspect": k + 1,
                    "relevance_correlation": _correlation(fit.relevance[:, k], other.relevance[:, order[k]]),
                    "skill_correlation": _correlation(mine[:, k], skills[:, k]),
                    "difficulty_correlation": delta, "cluster_ari": ari,
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


def _correlation(a, b) -> float:
    if np.std(a) < 1e-12 or np.std(b) < 1e-12:
        return float("nan")
    return float(np.corrcoef(a, b)[0, 1])
