"""Whether judges agree: verdicts side by side, Cohen's κ for two, Fleiss' κ for more (Appendix B)."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd

from ..core import store
from ..stats import proportions, resample
from ..stats.agreement import cohen_kappa
from . import JUDGINGS, SETTINGS, STATES
from .bootstrap import bounds, pair_verdicts

SHARED, OWN = "shared judge", "own judge"


def agreement_tables(option_results, replicates, seed, level, option_annotations=None) -> dict:
    """How far the shared judge, the models' own judgements and people (where there are any) agree."""
    return {
        "judge_agreement": agreement(option_results, option_annotations, replicates, seed, level),
        "judge_verdicts": confusion(option_results),
    }


def confusion(results):
    """judge_verdicts.csv: the shared judge's verdicts against the model's own, per model and setting."""
    rows = []
    pairs = pair_verdicts(results, ["model", "setting"], "judging", JUDGINGS)
    for (model, setting), group in pairs.groupby(["model", "setting"], sort=True):
        for verdict, second in itertools.product(STATES, STATES):
            n = int(((group["shared"] == verdict) & (group["own"] == second)).sum())
            rows.append((model, setting, STATES[verdict], STATES[second], n, n / len(group)))
    table = pd.DataFrame(rows, columns=store.columns("judge_verdicts"))
    order = table["setting"].map(SETTINGS.index)
    table = table.assign(order=order).sort_values(["model", "order"], kind="stable")
    return table.drop(columns="order").reset_index(drop=True)


def cohen(verdicts, second, replicates: int, seed: int, level: float) -> dict:
    """Cohen's κ of two judges with share agreed and a percentile interval that resamples answers."""
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


def fleiss(verdicts: np.ndarray, replicates: int, seed: int, level: float) -> dict:
    """Fleiss' κ of judges who all judged the same answers, ``verdicts`` (answers, judges)."""
    counts = (verdicts[:, :, None] == np.array([*STATES])).sum(axis=1).astype(float)
    n, judges = len(counts), verdicts.shape[1]
    weights = np.vstack([np.ones(n), resample.bootstrap_weights(n, replicates, seed)])
    each = ((counts**2).sum(axis=1) - judges) / (judges * (judges - 1))
    agreed = weights @ each / n
    expected = ((weights @ counts / (n * judges)) ** 2).sum(axis=1)
    draws = proportions.ratio(agreed - expected, np.where(expected < 1, 1 - expected, 0))
    value, low, high = bounds(draws, level)
    return {"n": n, "agreed": float(each.mean()), "kappa": value, "low": low, "high": high}


def agreement(results, annotations, replicates: int, seed: int, level: float):
    """judge_agreement.csv: κ of every two judges, and of all annotators together.

    One row per scope (a model and setting, or all of them) × first × second judge. ``statistic``:
    ``Cohen`` for two judges, ``Fleiss`` for three and more annotators over the answers that all of
    them judged. ``annotations`` may be None, as may be the models' own judgements in ``results``.
    """
    index = ["model", "setting", "row"]
    wide = results.pivot(index=index, columns="judging", values="output")
    wide = wide.rename(columns={"shared": SHARED, "own": OWN})
    rows, drawn = [], (replicates, seed, level)

    def add(scope, judge, second, statistics, statistic="Cohen"):
        place = {"scope": scope, "first": judge, "second": second, "statistic": statistic}
        rows.append(place | statistics)

    if {SHARED, OWN} <= set(wide):
        both = wide[[SHARED, OWN]].dropna().astype(int)
        scopes = [("all", both)]
        scopes += [(", ".join(key), group) for key, group in both.groupby(["model", "setting"])]
        for scope, group in scopes:
            if len(group):
                add(scope, SHARED, OWN, cohen(group[SHARED], group[OWN], *drawn))
    if annotations is not None and len(annotations):
        people = annotations.pivot(index=index, columns="annotator", values="output")
        names = sorted(people)
        table = people.join(wide, how="left")
        judges = [name for name in (SHARED, OWN) if name in wide]
        for judge, second in itertools.combinations([*names, *judges], 2):
            group = table[[judge, second]].dropna().astype(int)
            if len(group) and not (judge == SHARED and second == OWN):
                add("annotated", judge, second, cohen(group[judge], group[second], *drawn))
        complete = people.dropna().astype(int)
        if len(names) > 2 and len(complete):
            add("annotated", ", ".join(names), "", fleiss(complete.to_numpy(), *drawn), "Fleiss")
    return store.frame(rows, "judge_agreement")
