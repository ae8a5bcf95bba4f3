"""Whether judges agree: verdicts side by side, Cohen's κ for two, Fleiss' κ for more (Appendix B)."""

import itertools

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..core import store
from ..stats import proportions, resample
from ..stats.agreement import cohen_kappa
from . import JUDGINGS, SETTINGS, STATES
from .bootstrap import bounds, pair_verdicts

SHARED, OWN = "shared judge", "own judge"
CELL = ["model", "setting"]


def agreement_tables(
    option_results: pd.DataFrame,
    replicates: int,
    seed: int,
    level: float,
    option_annotations: pd.DataFrame | None = None,
) -> dict[str, pd.DataFrame]:
    """Tables {judge_agreement: :func:`agreement`, judge_verdicts: :func:`verdict_confusion`} of these arguments."""
    return {
        "judge_agreement": agreement(option_results, option_annotations, replicates, seed, level),
        "judge_verdicts": verdict_confusion(option_results),
    }


def verdict_confusion(results: pd.DataFrame) -> pd.DataFrame:
    """Table judge_verdicts of option_results: by model and setting (normal first) the number ``n`` of each of the nine pairs of
    verdicts (:data:`STATES`), shared judge's and own. ``share``: of answers with both; a setting without any has no row."""
    rows = []
    pairs = dict(iter(pair_verdicts(results, CELL, "judging", JUDGINGS).groupby(CELL)))
    for model, setting in sorted(pairs, key=lambda cell: (cell[0], SETTINGS.index(cell[1]))):
        group = pairs[model, setting]
        for verdict, second in itertools.product(STATES, STATES):
            n = int(((group["shared"] == verdict) & (group["own"] == second)).sum())
            rows.append((model, setting, STATES[verdict], STATES[second], n, n / len(group)))
    return pd.DataFrame(rows, columns=store.columns("judge_verdicts"))


def cohen(
    verdicts: ArrayLike, second: ArrayLike, replicates: int, seed: int, level: float
) -> dict[str, float]:
    """{n, agreed, kappa, low, high}: Cohen's κ of aligned columns of verdicts (1, 0, −1), with its percentile interval at
    ``level`` over ``replicates`` of the answers; ``agreed``: share of equal verdicts. κ is nan where all are the same."""
    from statsmodels.stats.inter_rater import cohens_kappa

    # the codes 1, 0, -1 of right, wrong and not attempted are rows and columns 0, 1, 2
    counts = np.bincount(3 * (1 - np.asarray(verdicts)) + 1 - np.asarray(second), minlength=9)
    n = int(counts.sum())
    drawn = np.random.default_rng(seed).multinomial(n, counts / n, size=replicates)
    draws = cohen_kappa(drawn.reshape(-1, 3, 3).astype(float))
    table = counts.reshape(3, 3)
    with np.errstate(invalid="ignore"):
        value = cohens_kappa(table, return_results=False)
    value, low, high = bounds(np.append(value, draws), level)
    agreed = float(np.trace(table) / n)
    return {"n": n, "agreed": agreed, "kappa": value, "low": low, "high": high}


def fleiss(verdicts: np.ndarray, replicates: int, seed: int, level: float) -> dict[str, float]:
    """{n, agreed, kappa, low, high}: Fleiss' κ of ``verdicts`` (answers, judges; 1, 0, −1), interval as that of :func:`cohen`.
    ``agreed``: mean share of pairs of judges that agree. κ is nan if all verdicts are the same."""
    counts = (verdicts[:, :, None] == np.array([*STATES])).sum(axis=1).astype(float)
    n, judges = len(counts), verdicts.shape[1]
    weights = np.vstack([np.ones(n), resample.bootstrap_weights(n, replicates, seed)])
    each = ((counts**2).sum(axis=1) - judges) / (judges * (judges - 1))
    agreed = weights @ each / n
    expected = ((weights @ counts / (n * judges)) ** 2).sum(axis=1)
    draws = proportions.ratio(agreed - expected, np.where(expected < 1, 1 - expected, 0))
    value, low, high = bounds(draws, level)
    return {"n": n, "agreed": float(each.mean()), "kappa": value, "low": low, "high": high}


def agreement(
    results: pd.DataFrame, annotations: pd.DataFrame | None, replicates: int, seed: int, level: float
) -> pd.DataFrame:
    """judge_agreement.csv: κ of two judges, or of all annotators. Scopes: "all" and "model, setting" for shared and own judge,
    "annotated" for pairs with an annotator. Pairs without common answers have no row. ``statistic``: ``Cohen`` of two, ``Fleiss``
    of three or more annotators over answers that all judged. ``annotations`` may be None; ``results`` may lack a judging."""
    wide = results.pivot(index=[*CELL, "row"], columns="judging", values="output")
    wide = wide.rename(columns={"shared": SHARED, "own": OWN})
    judges = [name for name in (SHARED, OWN) if name in wide]
    scopes = [("all", judges, wide)]
    scopes += [(", ".join(key), judges, group) for key, group in wide.groupby(CELL)]
    if annotations is not None and len(annotations):
        people = annotations.pivot(index=[*CELL, "row"], columns="annotator", values="output")
        names, table = sorted(people), people.join(wide, how="left")
        pairs = itertools.combinations([*names, *judges], 2)
        scopes += [("annotated", pair, table) for pair in pairs if pair != (SHARED, OWN)]
    rows, drawn = [], (replicates, seed, level)
    for scope, pair, group in scopes:
        verdicts = group[[*pair]].dropna().astype(int)
        if len(pair) == 2 and len(verdicts):
            place = dict(zip(("scope", "first", "second"), (scope, *pair), strict=True))
            statistics = cohen(*(verdicts[name] for name in pair), *drawn)
            rows.append(place | {"statistic": "Cohen"} | statistics)
    if annotations is not None and len(names) > 2 and len(complete := people.dropna()):
        place = {"scope": "annotated", "first": ", ".join(names), "second": "", "statistic": "Fleiss"}
        rows.append(place | fleiss(complete.to_numpy(), *drawn))
    return store.frame(rows, "judge_agreement")
