"""Held-out loss of every model: on unseen questions, and on unseen responses to seen questions."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..stats.resample import (
    bootstrap_weights,
    finite_percentile_interval,
    percentile_interval,
    ratio_draws,
)
from . import baselines
from .model import PRINTED, Penalty, fit, project

#: Model key → name shown, in the order of tables and figures.
NAMES = {
    "constant": "Constant",
    "1pl": "Rasch (1PL)",
    "1pl_length": "Rasch + words heard",
    "2pl": "2PL",
    "mirt": "MIRT",
    "caimira_printed": "CAIMIRA as printed (λ summed over all items)",
    "caimira_batch": "CAIMIRA as printed (λ in batches of 512)",
    "caimira_text": "CAIMIRA, text only",
    "caimira_residual": "CAIMIRA, text + item residual",
    "caimira": "CAIMIRA, text + words heard + item residual",
    "caimira_covariates": "CAIMIRA, text + words heard + covariates + item residual",
}
#: Those that are drawn against the number of aspects; the last decides how many are tried.
BY_DIMENSION = ("caimira_text", "mirt", "caimira")
#: All tables of a study resample its questions alike.
_weights = lru_cache(maxsize=1)(bootstrap_weights)
#: Number that stands for no probability below it: a sure prediction that fails has a finite loss.
FLOOR = 1e-6


def length_features(end_words) -> np.ndarray:
    """Words heard and their square, standardised: (J, 2). Known of a new item before anybody answers it."""
    w = np.asarray(end_words, dtype=float)
    one = (w - w.mean()) / (w.std() or 1.0)
    two = one**2
    return np.column_stack([one, (two - two.mean()) / (two.std() or 1.0)])


def append_covariates(embeddings, known) -> np.ndarray:
    """Embeddings and what else is known of items (J, k, standardised), each as large as all the text's variation so
    that components keep it."""
    spread = np.sqrt(np.asarray(embeddings).var(axis=0).sum())
    return np.column_stack([embeddings, spread * known])


def standardised(covariates) -> np.ndarray:
    """Columns of a frame of numbers in standard deviations about their mean, those that do not vary left out: (J, k)."""
    values = covariates.to_numpy(float)
    values = values[:, values.std(axis=0) > 0]
    return (values - values.mean(axis=0)) / values.std(axis=0)


def penalty_of(settings) -> Penalty:
    """Penalty from the ``irt`` options and ``kinds`` of the agents."""
    weight = PRINTED.difficulty if settings["penalty"] == "as_printed" else 0.0
    names = ("difficulty_sd", "relevance_sd", "aspect_sd")
    return Penalty(weight, weight, *(settings[name] for name in names), kinds=settings["kinds"])


class Split(NamedTuple):
    """One fold: items of the others are trained on (``train``, (J,)), with ``visible`` signs. Predicted are the responses in
    ``hidden`` (numbers among the training items, agents) and those in ``left`` (numbers among the fold's items, agents).
    """

    fold: int
    train: np.ndarray
    visible: np.ndarray
    hidden: tuple[np.ndarray, np.ndarray]
    left: tuple[np.ndarray, np.ndarray]


def splits(items, signs, fold, settings) -> list[Split]:
    """Questions of each ``fold`` (J,) left out, and of the others a share of the agent-and-question cells: as a whole, since
    an agent's answers at two clues of one question tell each other. A cell that several folds hide the first of them predicts.
    """
    _, question = np.unique(items["question_id"], return_inverse=True)
    free, found = signs != 0, []
    for k in range(fold.max() + 1):
        train = fold != k
        if train.all():
            continue
        rng = np.random.default_rng([settings["seed"], k])
        cells = rng.random((question.max() + 1, signs.shape[1])) < settings["held_out"]
        hide = cells[question][train]
        visible = np.where(hide, 0.0, signs[train])
        first = hide & free[train]
        free[train] &= ~hide
        found.append(Split(k, train, visible, np.nonzero(first), np.nonzero(signs[~train])))
    return found


def predictor(key, dimensions, text, end_words, settings, kept, covariates=None):
    """A function from a split to the (hidden, left) probabilities of one model.

    ``kept``: coordinates by split, and fits without residual: put there by one model and gone on from by the next.
    ``covariates``: (J, k) standardised, or None.
    """
    length = length_features(end_words)
    both = append_covariates(text, length)
    every = (
        both
        if covariates is None
        else append_covariates(text, np.column_stack([length, covariates]))
    )
    inputs = {"text": text, "length": length, "both": both, "every": every}

    def caimira(name, components, **changes):
        def run(split):
            place = name, split.fold
            if place not in kept:
                x, rows = inputs[name], split.train
                projection, mine = project(x[rows], components)
                kept[place] = projection, mine, projection(x[~rows])
            projection, mine, others = kept[place]
            arguments = {
                "dimensions": dimensions,
                "penalty": penalty_of(settings),
                "restarts": settings["fold_restarts"],
                "seed": settings["seed"],
            } | changes
            same = dimensions, split.fold
            after = kept.pop(same, None) if key == "caimira_residual" else None
            found = fit(mine, split.visible, after=after, projection=projection, **arguments)
            if key == "caimira_text":
                kept[same] = found
            return found.predict_seen(split.hidden), found.at(others, split.left)

        return run

    def plain(model):
        def run(split):
            found = baselines.fit_items(split.visible, model)
            return found.predict_seen()[split.hidden], found.predict()[split.left[1]]

        return run

    def constant(split):
        share = (split.visible > 0).sum() / np.abs(split.visible).sum()
        return share, share

    def mirt(split):
        seen = baselines.fit_mirt(split.visible, dimensions, settings["seed"])
        # Of an unseen item: the mean over the training items.
        return seen[split.hidden], seen.mean(axis=0)[split.left[1]]

    p = settings["components"]
    return {
        "constant": constant,
        "1pl": plain("1PL"),
        "1pl_length": caimira("length", 2, dimensions=1),
        "2pl": plain("2PL"),
        "mirt": mirt,
        "caimira_printed": caimira("text", p, penalty=PRINTED, residual=False),
        "caimira_batch": caimira("text", p, penalty=PRINTED, residual=False, batch=512),
        "caimira_text": caimira("text", p, residual=False),
        "caimira_residual": caimira("text", p),
        "caimira": caimira("both", p),
        "caimira_covariates": caimira("every", p),
    }[key]


def held_out(key, dimensions, text, items, signs, parts, settings, kept, covariates=None):
    """Held-out predictions of one model: (seen, unseen), each (J, I) with nan where none was held out.

    ``parts``: of :func:`splits`. ``kept``, ``covariates``: of :func:`predictor`.
    """
    run = predictor(key, dimensions, text, items["end_word"], settings, kept, covariates)
    seen, unseen = np.full(signs.shape, np.nan), np.full(signs.shape, np.nan)
    for split in parts:
        p_hidden, p_left = run(split)
        for whole, rows, (row, agent), p in (
            (seen, split.train, split.hidden, p_hidden),
            (unseen, ~split.train, split.left, p_left),
        ):
            whole[np.flatnonzero(rows)[row], agent] = p
    return seen, unseen


def question_losses(key, dimensions, split, p, signs, questions):
    """Sum and number of log-losses per question."""
    row, column = np.nonzero((signs != 0) & np.isfinite(p))
    names, code = np.unique(np.asarray(questions), return_inverse=True)
    given = p[row, column]
    loss = -np.log(np.maximum(np.where(signs[row, column] > 0, given, 1 - given), FLOOR))
    table = pd.DataFrame(
        {
            "question_id": names,
            "loss": np.bincount(code[row], loss, len(names)),
            "n": np.bincount(code[row], minlength=len(names)),
        }
    )
    return table.assign(model=key, dimensions=dimensions, split=split)


def calibration(key, split, p, signs, questions, bins, replicates, seed, level):
    """Reliability of held-out predictions by equal-width bins, with intervals from resampling questions."""
    row, column = np.nonzero((signs != 0) & np.isfinite(p))
    names, code = np.unique(np.asarray(questions), return_inverse=True)
    code, given, right = code[row], p[row, column], signs[row, column] > 0
    bin_of = np.minimum((given * bins).astype(int), bins - 1)
    weights = _weights(len(names), replicates, seed)
    filled, at = np.unique(bin_of, return_inverse=True)
    n, yes = np.zeros((2, len(names), len(filled)))
    np.add.at(n, (code, at), 1)
    np.add.at(yes, (code, at), right)
    drawn = ratio_draws(weights, yes, n)
    rows = []
    for place, b in enumerate(filled):
        low, high = finite_percentile_interval(drawn[:, place], level)
        total = n[:, place].sum()
        rows.append(
            {
                "model": key, "split": split, "bin": int(b) + 1, "n": int(total),
                "predicted": float(given[at == place].mean()), "observed": float(yes[:, place].sum() / total),
                "low": float(low), "high": float(high),
            }
        )  # fmt: skip
    return rows


def loss_table(losses, reference: str, replicates: int, seed: int, level: float):
    """Held-out log-loss of each model, and its difference from ``reference``, with intervals.

    Intervals resample questions; the difference is paired by question. Negative: better than the reference.
    """
    rows = []
    for split, part in losses.groupby("split", sort=False):
        names = np.sort(part["question_id"].unique())
        weights = _weights(len(names), replicates, seed)

        def of(one, names=names):
            one = one.set_index("question_id").reindex(names, fill_value=0)
            return one["loss"].to_numpy(float), one["n"].to_numpy(float)

        base = part[(part["model"] == reference)]
        base_loss, base_n = of(base.drop_duplicates("question_id"))
        base_draws = ratio_draws(weights, base_loss, base_n)
        for (model, m), one in part.groupby(["model", "dimensions"], sort=False):
            loss, n = of(one)
            draws = ratio_draws(weights, loss, n)
            low, high = percentile_interval(draws, level)
            gap = draws - base_draws
            gap_low, gap_high = percentile_interval(gap, level)
            rows.append(
                {
                    "split": split, "model": model, "name": NAMES[model], "dimensions": m,
                    "responses": int(n.sum()), "log_loss": loss.sum() / n.sum(),
                    "low": low, "high": high,
                    "difference": loss.sum() / n.sum() - base_loss.sum() / base_n.sum(),
                    "difference_low": gap_low, "difference_high": gap_high,
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


def chosen(losses, model: str = "caimira") -> int:
    """The fewest aspects whose held-out loss is at most one standard error (questions resampled, paired) above the least.

    ``losses``: rows of irt/heldout_losses. What counts are unseen responses to seen questions: there aspects say how agents
    differ, while on unseen questions they tell how hard a text is as well.
    """
    losses = losses[losses["split"] == "seen"]
    of = (
        losses[losses["model"] == model].groupby(["dimensions", "question_id"])[["loss", "n"]].sum()
    )
    loss = of["loss"].unstack("question_id")
    n = of["n"].unstack("question_id").iloc[0]
    mean = loss.sum(axis=1) / n.sum()
    best = loss.loc[mean.idxmin()]
    for dimensions, one in loss.sort_index().iterrows():
        # Residuals of a ratio estimate: what each question adds beyond its share of responses.
        gap = one - best
        beyond = gap - n * gap.sum() / n.sum()
        error = np.sqrt((beyond**2).sum() * len(n) / max(len(n) - 1, 1)) / n.sum()
        if gap.sum() / n.sum() <= error:
            return int(dimensions)
    raise AssertionError("the least loss is not above itself")


REFERENCES = ("1pl", "1pl_length")


def verdict(losses, dimensions: int, replicates: int, seed: int, level: float):
    """In words, for unseen and seen questions: does text help beyond Rasch, and beyond the words heard?

    ``losses``: rows of irt/heldout_losses at any number of aspects; those without text, or with
    ``dimensions`` aspects, are compared.
    """
    losses = losses[losses["dimensions"].isin([0, 1, dimensions])]
    rows = []
    for reference in REFERENCES:
        table = loss_table(losses, reference, replicates, seed, level)
        for split in ("unseen", "seen"):
            part = table[table["split"] == split]
            base = part[part["model"] == reference]["log_loss"].iloc[0]
            for model in NAMES:
                one = part[(part["model"] == model) & part["dimensions"].isin([0, dimensions])]
                if not model.startswith("caimira") or not len(one):
                    continue
                one = one.iloc[0]
                low, high = one["difference_low"], one["difference_high"]
                says = "better" if high < 0 else "worse" if low > 0 else "not told apart"
                rows.append(
                    {
                        "reference": NAMES[reference], "split": split, "name": NAMES[model],
                        "log_loss": one["log_loss"], "reference_log_loss": base,
                        "difference": one["difference"], "low": low, "high": high,
                        "verdict": says,
                    }
                )  # fmt: skip
    return pd.DataFrame(rows)
