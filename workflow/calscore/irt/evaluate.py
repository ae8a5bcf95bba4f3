"""Held-out loss of every model: on unseen questions, and on unseen responses to seen questions."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..core import store
from ..core.progress import progress
from ..stats.bootstrap import Bootstrap
from ..stats.resample import group_folds, ratio_draws
from . import baselines
from .censored import OpenOutcomes
from .model import PRINTED, Penalty, fit, project

#: Model key → name shown (:func:`model_name` adds options), in the order of tables and figures.
NAMES = {
    "constant": "Constant",
    "1pl": "Rasch (1PL)",
    "words": "Rasch + words heard",
    "2pl": "2PL",
    "mirt": "MIRT",
    "caimira": "After CAIMIRA",
    "caimira_covariates": "After CAIMIRA, with covariates",
}
#: Those that are tried at several numbers of aspects; the last decides how many.
BY_DIMENSION = ("mirt", "caimira")
#: Those that run with the paper's preset alone.
OF_PRESET = ("2pl", "mirt")
#: Number that stands for no probability below it: a sure prediction that fails has a finite loss.
FLOOR = 1e-6


def length_features(end_words: ArrayLike) -> np.ndarray:
    """Words heard at the end of each item (J,), standardised, and its square, standardised again: (J, 2); 0 if all are equal."""
    w = np.asarray(end_words, dtype=float)
    linear = (w - w.mean()) / (w.std() or 1.0)
    square = linear**2
    return np.column_stack([linear, (square - square.mean()) / (square.std() or 1.0)])


def standardise(covariates: pd.DataFrame) -> np.ndarray:
    """Columns of a frame of numbers, standardised (J, k); columns that do not vary are left out."""
    values = covariates.to_numpy(float)
    values = values[:, values.std(axis=0) > 0]
    return (values - values.mean(axis=0)) / values.std(axis=0)


def penalty_from_options(settings: dict) -> Penalty:
    """Penalty from the ``irt`` options penalty (as_printed: λ = 1e-5, else 0), difficulty_sd, relevance_sd,
    aspect_sd (None: no prior of levels either), item_residual, and from kinds, agent_groups."""
    weight = PRINTED.difficulty if settings["penalty"] == "as_printed" else 0.0
    names = ("difficulty_sd", "relevance_sd", "aspect_sd")
    return Penalty(
        weight,
        weight,
        *(settings[name] for name in names),
        None if settings["aspect_sd"] is None else Penalty.level_sd,
        tau=Penalty.tau if settings["item_residual"] else 0.0,
        kinds=settings["kinds"],
        groups=settings["agent_groups"],
    )


class Study(NamedTuple):
    """What models are fitted to: items and agents in the order of the fit, ``signs`` (J, I), embeddings ``text`` (J, n).

    ``settings``: ``irt`` options, and the agents' ``kinds`` and ``agent_groups``. ``covariates``: standardised (J, k).
    ``pending``: cells that outcomes leave open."""

    items: pd.DataFrame
    agents: pd.DataFrame | None
    signs: np.ndarray
    text: np.ndarray
    settings: dict
    covariates: np.ndarray | None = None
    pending: OpenOutcomes | None = None

    @property
    def questions(self) -> np.ndarray:
        """Question (id) of each item, (J,)."""
        return self.items["question_id"].to_numpy()

    def known_columns(self, key: str = "caimira_covariates") -> tuple[np.ndarray | None, bool]:
        """(columns that the model ``key`` has beside texts, (J, k) or None; whether agents have a slope on the first).

        Columns: words heard and their square, unless switched off for models but ``words``; covariates for
        ``caimira_covariates``.
        """
        heard = self.settings["words_heard"]
        parts = [length_features(self.items["end_word"])] if heard or key == "words" else []
        if key == "caimira_covariates" and self.covariates is not None:
            parts.append(self.covariates)
        return (np.column_stack(parts) if parts else None), heard and self.settings["cumulative"]


class Split(NamedTuple):
    """One fold: the mask ``train`` (J,) of items of other folds, and their ``visible`` signs.

    Predicted are responses at ``hidden`` (rows among training items, agents) and ``unseen`` (rows among the fold's items,
    agents).
    """

    fold: int
    train: np.ndarray
    visible: np.ndarray
    hidden: tuple[np.ndarray, np.ndarray]
    unseen: tuple[np.ndarray, np.ndarray]


def splits(study: Study, fold: np.ndarray) -> list[Split]:
    """One split for each fold 0, 1, … of ``fold`` (J,): its items are left out, and of the others some responses are hidden.

    All answers of an agent to a question are hidden together, since they inform each other. What several folds hide is
    predicted by the first of them; a fold without items gives no split.
    """
    signs, settings = study.signs, study.settings
    _, question = np.unique(study.questions, return_inverse=True)
    free, parts = signs != 0, []
    for k in range(fold.max() + 1):
        train = fold != k
        if train.all():
            continue
        rng = np.random.default_rng([settings["seed"], k])
        cells = rng.random((question.max() + 1, signs.shape[1])) < settings["held_out"]
        hide = cells[question][train]
        visible = np.where(hide, 0.0, signs[train])
        hidden = hide & free[train]
        free[train] &= ~hide
        parts.append(Split(k, train, visible, np.nonzero(hidden), np.nonzero(signs[~train])))
    return parts


def predict_split(key: str, dimensions: int, study: Study, split: Split, cache: dict) -> tuple:
    """Fit the model ``key`` to a split: (probabilities of a right answer at its ``hidden`` responses, at its ``unseen`` ones).

    ``dimensions``: aspects, for models that have them. ``cache``: a dict that keeps coordinates by model and
    fold. Of ``constant`` both are one number.
    """
    settings, seed = study.settings, study.settings["seed"]
    if key == "constant":
        share = (split.visible > 0).sum() / np.abs(split.visible).sum()
        return share, share
    if key in ("1pl", "2pl"):
        items = baselines.fit_marginal(split.visible, key.upper())
        return items.predict_seen()[split.hidden], items.predict()[split.unseen[1]]
    if key == "mirt":
        p_seen = baselines.fit_mirt(split.visible, dimensions, seed)
        # Of an unseen item: the mean over the training items.
        return p_seen[split.hidden], p_seen.mean(axis=0)[split.unseen[1]]
    rows, place = split.train, (key, split.fold)
    if place not in cache:
        embeddings = study.text[:, :0] if key == "words" else study.text
        columns, slope = study.known_columns(key)
        parts = [None if columns is None else columns[part] for part in (rows, ~rows)]
        coordinates = project(embeddings[rows], settings["components"], parts[0], slope)
        cache[place] = coordinates, coordinates[0](embeddings[~rows], parts[1])
    coordinates, test_design = cache[place]
    penalty, restarts = penalty_from_options(settings), settings["fold_restarts"]
    fitted = fit(coordinates, split.visible, dimensions, penalty, restarts, seed)
    return fitted.predict_seen(split.hidden), fitted.predict_unseen(test_design, split.unseen)


def heldout_predictions(key: str, dimensions: int, study: Study, parts: list, cache: dict) -> tuple:
    """(seen, unseen): probabilities of a right answer, (J items, I agents), that ``key`` gives to responses held out; else nan.

    Seen are those hidden of items fitted, unseen those of a fold left out. ``parts``: of :func:`splits`. Others: as of
    :func:`predict_split`."""
    p_seen, p_unseen = np.full((2, *study.signs.shape), np.nan)
    for split in parts:
        hidden, held_out = predict_split(key, dimensions, study, split, cache)
        for target, rows, (row, agent), p in (
            (p_seen, split.train, split.hidden, hidden),
            (p_unseen, ~split.train, split.unseen, held_out),
        ):
            target[np.flatnonzero(rows)[row], agent] = p
    return p_seen, p_unseen


def evaluate_models(study: Study) -> pd.DataFrame:
    """Losses (:func:`question_losses`) of those of :data:`NAMES` that preset, texts and covariates allow, in one frame.

    Numbers of ``dimension_sweep`` are tried while CAIMIRA's loss on seen questions falls; 1 and ``dimensions`` always. Rows
    by model, dimensions and split (unseen first).
    """
    settings, m = study.settings, study.settings["dimensions"]
    parts = splits(study, group_folds(study.questions, settings["folds"], settings["seed"]))
    losses, cache = {}, {}
    paper = settings["preset"] == "as_paper"
    names = [key for key in NAMES if paper or key not in OF_PRESET]
    if study.covariates is None:
        names.remove("caimira_covariates")
    if not study.text.shape[1]:
        # Nothing to compare words heard with.
        names.remove("words")

    def add(key, dimensions):
        p_seen, unseen = heldout_predictions(key, dimensions, study, parts, cache)
        for split, p in (("unseen", unseen), ("seen", p_seen)):
            table = question_losses(key, dimensions, split, p, study.signs, study.questions)
            losses[key, dimensions, split] = table
        return table["loss"].sum()

    least, falls = np.inf, True
    for dimensions in progress(sorted({1, *settings["dimension_sweep"], m}), "fitting aspects"):
        if falls or dimensions == m:
            *_, loss = (add(key, dimensions) for key in BY_DIMENSION if key in names)
            falls = loss < least
            least = min(loss, least)
    for key in progress(names, "fitting item response models"):
        if key not in BY_DIMENSION:
            add(key, m if key == "caimira_covariates" else int(key == "words"))
    order = sorted(losses, key=lambda place: (names.index(place[0]), place[1]))
    return pd.concat([losses[place] for place in order], ignore_index=True)


def question_losses(
    key: str, dimensions: int, split: str, p: np.ndarray, signs: np.ndarray, questions: np.ndarray
) -> pd.DataFrame:
    """Held-out log-losses by question: question_id, loss (sum), n, model, dimensions, split.

    ``p`` (J, I): predictions, nan where none was held out; what happened has at least :data:`FLOOR`. All
    questions are there, those without any with n = 0.
    """
    row, column = np.nonzero((signs != 0) & np.isfinite(p))
    names, code = np.unique(np.asarray(questions), return_inverse=True)
    predicted = p[row, column]
    right = signs[row, column] > 0
    loss = -np.log(np.maximum(np.where(right, predicted, 1 - predicted), FLOOR))
    loss, n = np.bincount(code[row], loss, len(names)), np.bincount(code[row], minlength=len(names))
    return pd.DataFrame(
        {"question_id": names, "loss": loss, "n": n, "model": key, "dimensions": dimensions, "split": split}
    )


def model_name(key: str, settings: dict, texts: bool) -> str:
    """Name shown of a model ``key`` of :data:`NAMES`, else ``KeyError``; ``texts``: whether items have any.

    The model after CAIMIRA also names its parts, as in ``After CAIMIRA: text + words heard``, or ``skills alone``.
    ``settings``: words_heard, item_residual.
    """
    if not key.startswith("caimira"):
        return NAMES[key]
    options = [name.replace("_", " ") for name in ("words_heard", "item_residual") if settings[name]]
    return f"{NAMES[key]}: {' + '.join(['text'] * texts + options) or 'skills alone'}"


def loss_table(losses: pd.DataFrame, resampling: Bootstrap, settings: dict) -> pd.DataFrame:
    """tables/irt_loss: held-out log-loss of each model and its difference from Rasch, from :func:`evaluate_models`.

    ``beyond_words`` is what CAIMIRA has beyond words heard (with one aspect); nan for other models. Intervals resample
    questions, differences are paired by question, and negative ones are better. ``settings``: of :func:`model_name`.
    """
    rows, texts, missing = [], bool((losses["model"] == "words").any()), (np.nan, np.nan)
    for split, part in losses.groupby("split", sort=False):
        weights, means = resampling.question_weights(part["question_id"].nunique()), {}
        for key, table in part.groupby(["model", "dimensions"], sort=False):
            loss, n = table["loss"].to_numpy(float), table["n"].to_numpy(float)
            means[key] = loss.sum() / n.sum(), ratio_draws(weights, loss, n), int(n.sum())
        for (model, m), (value, draws, n) in means.items():
            row = [split, model, model_name(model, settings, texts), m, n]
            words = means.get(("words", 1), missing) if model == "caimira" else missing
            # The loss itself, then less that of Rasch and of words heard.
            for base, base_draws, *_ in ((0.0, 0.0), means.get(("1pl", 0), missing), words):
                row += [value - base, *resampling.percentile(draws - base_draws)]
            rows.append(row)
    return pd.DataFrame(rows, columns=store.columns("irt_loss"))


def choose_dimensions(losses: pd.DataFrame) -> int:
    """The fewest aspects of CAIMIRA whose held-out loss is at most one standard error above the least.

    ``losses``: of :func:`evaluate_models`. The error is of the difference, paired by question. Losses are those on seen
    questions: on unseen ones, aspects also tell how hard a text is.
    """
    losses = losses[(losses["split"] == "seen") & (losses["model"] == "caimira")]
    sums = losses.groupby(["dimensions", "question_id"])[["loss", "n"]].sum()
    loss = sums["loss"].unstack("question_id")
    n = sums["n"].unstack("question_id").iloc[0]
    gaps = loss - loss.loc[loss.sum(axis=1).idxmin()]
    excess = gaps.sum(axis=1) / n.sum()
    # Residuals of a ratio estimate: what each question adds beyond its share of responses.
    beyond = gaps - np.outer(excess, n)
    errors = np.sqrt((beyond**2).sum(axis=1) * len(n) / max(len(n) - 1, 1)) / n.sum()
    return int((excess <= errors).idxmax())
