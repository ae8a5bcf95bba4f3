"""When a model buzzes, and how often that wins: thresholds and expected wins (Appendix E, Eq. 2 and 3).

A *series* is one model and elicitation. Its *states* are its guesses in order of position; it buzzes
at the first state whose score exceeds a threshold (Algorithm 1). A question is worth π(t) when that
buzz is right and t of the question's words were heard, else nothing; π is the share of opponents
who have not answered correctly by then."""

from collections.abc import Callable
from itertools import repeat
from typing import NamedTuple, Self

import numpy as np
import pandas as pd

from ..raw.guesses import count_guess_words
from ..stats import proportions, resample
from ..stats.bootstrap import Bootstrap
from .opponent_curve import Opponents

SERIES = ["set", "model", "elicitation"]
_COUNTS = ("guess_words", "guess_words_heard", "points_said")
_FLOOR = -20.0
_FLAT = 0.99
_GRID = 60


# --- states ----------------------------------------------------------------------------------


def states_with_features(
    guesses: pd.DataFrame, right: pd.Series, questions: pd.DataFrame, name: str
) -> pd.DataFrame:
    """:func:`buzz_states` of the same arguments, with the columns of :func:`_features`."""
    table = buzz_states(guesses, right, questions, name)
    return pd.concat([table, _features(table, questions.set_index("question_id")["text"])], axis=1)


def buzz_states(guesses: pd.DataFrame, right: pd.Series, questions: pd.DataFrame, name: str) -> pd.DataFrame:
    """The guesses as states of all series on the set ``name`` of questions, sorted by series, question and position.

    ``guesses``: table guesses; ``right``: aligned with it, null is wrong; ``questions``: question_id, n_words (features:
    text). Columns added: ``set``, ``correct``, ``scale``, ``sum_logprob``, ``n_words``, ``revealed`` (share heard) and
    ``score``: the mean token log-probability or, where series or row has none, the log confidence; −inf without either."""
    columns = ["model", "elicitation", "question_id", "position", "guess", "mean_logprob"]
    counts = [name for name in _COUNTS if name in guesses]
    table = guesses[[*columns, "token_logprobs", "buzzed", *counts]].copy()
    table.insert(0, "set", name)
    table["correct"] = right.fillna(False).astype(bool).to_numpy()
    mean = table["mean_logprob"].to_numpy(dtype=float)
    stated = guesses["confidence"].to_numpy(dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithm = np.log(stated)
    has = pd.Series(np.isfinite(mean), index=table.index)
    by_series = has.groupby([table[column] for column in SERIES]).transform("any").to_numpy()
    score = np.where(by_series, np.where(np.isfinite(mean), mean, logarithm), logarithm)
    table["score"] = np.where(np.isnan(score), -np.inf, score)
    table["scale"] = np.where(by_series, "mean log-probability", "log confidence")
    table["sum_logprob"] = [
        float(np.sum(logprobs)) if logprobs is not None and not np.isscalar(logprobs) else np.nan
        for logprobs in table.pop("token_logprobs")
    ]
    words = questions.set_index("question_id")["n_words"]
    table["n_words"] = table["question_id"].map(words).astype("int64")
    table["revealed"] = table["position"] / table["n_words"]
    return table.sort_values([*SERIES, "question_id", "position"], kind="stable", ignore_index=True)


def _features(table: pd.DataFrame, texts: pd.Series) -> pd.DataFrame:
    """Columns ``x_…`` for sorted states, inputs of the trained buzzer (Appendix D.2): the confidence, and what question and guess
    look like. ``texts``: question_id → text of the question."""
    is_repeat = table["guess"].notna() & (table["guess"] == table["guess"].shift())
    is_repeat &= (table[[*SERIES, "question_id"]] == table[[*SERIES, "question_id"]].shift()).all(axis=1)
    breaks = (~is_repeat).cumsum()
    counts = count_guess_words(table, texts)
    for name in _COUNTS:
        if name in table:
            # An extract has the counts in place of the texts.
            counts[name] = table[name].astype(object).where(table[name].notna(), counts[name])
    counts = counts.astype(float)
    count, heard = counts["guess_words"].to_numpy(), counts["guess_words_heard"].to_numpy()
    score = np.maximum(table["score"].to_numpy(), _FLOOR)
    return pd.DataFrame(
        {
            "x_log_confidence": score,
            "x_confidence": np.exp(score),
            "x_revealed": table["revealed"],
            "x_log_words_heard": np.log(table["position"]),
            "x_guess_words": np.log1p(count),
            "x_repeats": np.log1p(is_repeat.groupby(breaks).cumsum().astype(float)),
            "x_overlap": heard / np.maximum(count, 1),
            "x_points_said": counts["points_said"],
        },
        index=table.index,
    )


class Sequence(NamedTuple):
    """The N states of one series on Q questions as arrays. ``questions`` (Q,): ids; ``starts`` (Q,): first row of each.
    ``score``, ``correct`` and ``revealed`` (share of the question heard): (N,). A row is always an index into these N."""

    questions: np.ndarray
    starts: np.ndarray
    score: np.ndarray
    correct: np.ndarray
    revealed: np.ndarray

    @classmethod
    def from_states(cls, rows: pd.DataFrame, score=None) -> Self:
        """From the rows of one series, sorted as by :func:`buzz_states`; ``score``: one per row, in place of theirs."""
        ids = rows["question_id"].to_numpy()
        starts = np.flatnonzero(np.r_[True, ids[1:] != ids[:-1]])
        score = rows["score"].to_numpy(float) if score is None else np.asarray(score, float)
        right = rows["correct"].to_numpy(bool)
        return cls(ids[starts], starts, score, right, rows["revealed"].to_numpy(float))

    @property
    def group(self) -> np.ndarray:
        """Index into ``questions`` of each row, (N,)."""
        sizes = np.diff(np.append(self.starts, len(self.score)))
        return np.repeat(np.arange(len(self.starts)), sizes)


def first_flagged_rows(starts: np.ndarray, flags: np.ndarray) -> np.ndarray:
    """Index into ``flags`` (N,) of the first true one of each question (Q,), −1 for none.

    ``starts`` (Q,): index of each question's first row, ascending; each has a row."""
    rows = np.where(flags, np.arange(len(flags)), len(flags))
    first_rows = np.minimum.reduceat(rows, starts)
    return np.where(first_rows < len(flags), first_rows, -1)


def threshold_buzz_rows(sequence: Sequence, threshold) -> np.ndarray:
    """Algorithm 1: row (Q,) of each question's first state above ``threshold`` (a number, or one per question), −1 for none."""
    limit = np.asarray(threshold, float)
    limit = limit[sequence.group] if limit.ndim else limit
    return first_flagged_rows(sequence.starts, sequence.score > limit)


def first_right_rows(sequence: Sequence) -> np.ndarray:
    """Row (Q,) of the first right guess of each question, the best that any buzzer could do; −1 for none."""
    return first_flagged_rows(sequence.starts, sequence.correct)


def stable_rows(sequence: Sequence) -> np.ndarray:
    """First row (Q,) from which on every guess of a question is right, −1 where the last one is wrong."""
    group = sequence.group
    rows = np.arange(len(group))
    last_wrong = np.maximum.reduceat(np.where(sequence.correct, -1, rows), sequence.starts)
    begin = np.where(last_wrong < 0, sequence.starts, last_wrong + 1)
    end = np.append(sequence.starts[1:], len(group))
    return np.where(begin < end, begin, -1)


def expected_wins_by_question(sequence: Sequence, rows, opponents: Opponents) -> np.ndarray:
    """Expected wins (Q,) of each question: π at its buzz in ``rows`` (Q,; −1: none) where that is right, else 0."""
    row = np.maximum(rows, 0)
    value = opponents(sequence.revealed[row])
    return np.where((rows >= 0) & sequence.correct[row], value, 0.0)


def _steps(sequence: Sequence, candidates: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(rows, low, high) of the states that raise their question's highest score so far. State rows[i] is the first
    above the threshold for ``candidates[low[i]:high[i]]``, which are sorted."""
    group = sequence.group
    # A number for each score that is higher in each question than all of the one before.
    scores, code = np.unique(sequence.score, return_inverse=True)
    highest = np.maximum.accumulate(code + group * len(scores))
    before = np.append(-np.inf, scores[highest[:-1] % len(scores)])
    before[sequence.starts] = -np.inf
    rows = np.flatnonzero(sequence.score > before)
    low = np.searchsorted(candidates, before[rows], side="left")
    high = np.searchsorted(candidates, sequence.score[rows], side="left")
    return rows, low, high


def candidate_thresholds(sequence: Sequence) -> np.ndarray:
    """Observed finite scores (T,), ascending and distinct: the thresholds among which the best is sought."""
    finite = sequence.score[np.isfinite(sequence.score)]
    return np.unique(finite)


def threshold_curve(sequence: Sequence, thresholds: np.ndarray, value, weights=None) -> np.ndarray:
    """Weighted mean over questions of ``value`` (N,) at the state that buzzes, for each of sorted ``thresholds`` (T,): (T,).
    Questions without a buzz count as 0. ``weights`` (Q,): default 1."""
    weights = np.ones(len(sequence.starts)) if weights is None else np.asarray(weights, float)
    rows, low, high = _steps(sequence, thresholds)
    gain = np.asarray(value, float)[rows] * weights[sequence.group[rows]]
    size = len(thresholds) + 1
    steps = np.bincount(low, gain, minlength=size) - np.bincount(high, gain, minlength=size)
    return np.cumsum(steps)[:-1] / weights.sum()


def threshold_curve_by_question(sequence: Sequence, thresholds: np.ndarray, value) -> np.ndarray:
    """``value`` (N,) at the state that buzzes, 0 without a buzz, of every question at each of sorted ``thresholds``: (Q, T)."""
    rows, low, high = _steps(sequence, thresholds)
    gain = np.asarray(value, float)[rows]
    steps = np.zeros((len(sequence.starts), len(thresholds) + 1))
    np.add.at(steps, (sequence.group[rows], low), gain)
    np.add.at(steps, (sequence.group[rows], high), -gain)
    return np.cumsum(steps, axis=1)[:, :-1]


class BestThreshold(NamedTuple):
    """The threshold with the highest expected wins, and how flat the optimum is.
    ``flat_low`` and ``flat_high``: the lowest and highest threshold that reach 99 % of its expected wins."""

    threshold: float
    expected_wins: float
    flat_low: float
    flat_high: float


def tune_threshold(sequence: Sequence, opponents: Opponents, weights=None) -> BestThreshold:
    """The observed score with the highest mean expected wins, the lowest of equals; ``weights`` (Q,), default 1.
    ``ValueError`` without a finite score."""
    tried = candidate_thresholds(sequence)
    value = sequence.correct * opponents(sequence.revealed)
    # Sums in another order differ in the last bits; equal must be equal.
    mean = threshold_curve(sequence, tried, value, weights).round(12)
    best_index = int(np.argmax(mean))
    good = tried[mean >= _FLAT * mean[best_index]]
    return BestThreshold(float(tried[best_index]), float(mean[best_index]), float(good[0]), float(good[-1]))


def probability_model(x, y) -> Callable[[np.ndarray], np.ndarray]:
    """Function from features (M, k) to P(right) (M,): logistic regression of ``y`` (n,), bool, on ``x`` (n, k), standardised.
    Where all of ``y`` are alike, or there are none, it gives the constant (right + 1) / (n + 2)."""
    x, y = np.asarray(x, float), np.asarray(y, bool)
    if y.all() or not y.any():
        share = (y.sum() + 1) / (len(y) + 2)
        return lambda z: np.full(len(z), share)
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    fitted = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(x, y)
    return lambda z: fitted.predict_proba(np.asarray(z, float))[:, 1]


# --- rules -----------------------------------------------------------------------------------


class Decision(NamedTuple):
    """What one threshold rule decides for the Q questions of a series. ``rule``, ``opponents`` (name of the π it is tuned by,
    or :data:`NOT_TUNED`), ``scale`` and ``tuned_on`` are columns of the table thresholds.

    ``rows`` (Q,): the state of each question's buzz, −1 for none. ``thresholds``: one, or one per
    question; nan for rules without one. ``best``: that tuned on all questions, or all past ones, where one is."""

    rule: str
    opponents: str
    scale: str
    tuned_on: str
    rows: np.ndarray
    thresholds: np.ndarray | float = np.nan
    best: BestThreshold | None = None


NOT_TUNED = "any"
"""In the column ``opponents`` of a rule that does not look at π."""


def _cross_fitted_decision(
    rule: str, scale: str, opponents, folds, sequence, fits, best: BestThreshold | None = None
) -> Decision:
    """A threshold for each question of ``sequence``: the best on the questions of other ``folds``. ``fits``: the
    :class:`Sequence` that each fold's threshold is tuned on, in the order of ``np.unique(folds)``."""
    limits = np.empty(len(folds))
    for fold, fitted in zip(np.unique(folds), fits, strict=False):
        limits[folds == fold] = tune_threshold(fitted, opponents, folds != fold).threshold
    buzz_rows = threshold_buzz_rows(sequence, limits)
    return Decision(rule, opponents.name, scale, "the other folds", buzz_rows, limits, best)


def _feature_matrix(rows: pd.DataFrame) -> np.ndarray:
    return rows.filter(regex="^x_").to_numpy(float)


def held_out_probability(rows: pd.DataFrame, folds: np.ndarray) -> list[np.ndarray]:
    """P(right) (N,) of states by the fit without their question's fold, then, for each fold, of all by the fit without it.
    ``folds`` (Q,): of questions; the fits are in the order of ``np.unique(folds)``, each (N,)."""
    x, y = _feature_matrix(rows), rows["correct"].to_numpy(bool)
    by_row = folds[Sequence.from_states(rows).group]
    out, fits = np.empty(len(rows)), []
    for fold in np.unique(folds):
        fitted = probability_model(x[by_row != fold], y[by_row != fold])(x)
        out[by_row == fold] = fitted[by_row == fold]
        fits.append(fitted)
    return [out, *fits]


def _past_decisions(rows, past, sequence, opponents) -> list[Decision]:
    """Rules tuned and trained on ``past``, the series' states on past questions, and applied to ``rows``."""
    fitted = probability_model(_feature_matrix(past), past["correct"])
    trained = [Sequence.from_states(states, fitted(_feature_matrix(states))) for states in (past, rows)]
    tuned = [Sequence.from_states(past), sequence]
    past_decisions = []
    for rule, scale, (tuned_on, used_on) in (
        ("tuned", rows["scale"].iloc[0], tuned),
        ("trained", "P(right)", trained),
    ):
        best = tune_threshold(tuned_on, opponents)
        buzz_rows = threshold_buzz_rows(used_on, best.threshold)
        about = (f"{rule} on past questions", opponents.name, scale, "past questions")
        shown = best if rule == "tuned" else None
        past_decisions.append(Decision(*about, buzz_rows, best.threshold, shown))
    return past_decisions


def decisions(
    rows, curves: list[Opponents], given: list[float], folds: int, seed: int, past=None
) -> list[Decision]:
    """All rules for the states ``rows`` of one series that have what they need: those ``given``, stated, for each π tuned and
    trained (cross-fitted, then on past questions), optimal, stable.

    ``curves``: the π to tune by. ``given``: thresholds applied to the mean log-probability and, as Algorithm 1 prints it,
    the sum. ``folds``: parts of the cross-fit, by ``seed``; ``past``: states of the series on past questions, None without."""
    sequence = Sequence.from_states(rows)
    size = len(sequence.starts)
    decided = []
    for name, note in (("mean", ""), ("sum", " (sum)")):
        values = rows[f"{name}_logprob"].to_numpy(float)
        if not np.isfinite(values).any():
            continue
        scored = Sequence.from_states(rows, np.where(np.isfinite(values), values, -np.inf))
        for limit in given:
            about = f"given {limit:g}{note}", NOT_TUNED, f"{name} log-probability", "given"
            decided.append(Decision(*about, threshold_buzz_rows(scored, limit), limit))
    if rows["buzzed"].notna().any():
        stated = rows["buzzed"].fillna(False).astype(bool).to_numpy()
        buzz_rows = first_flagged_rows(sequence.starts, stated)
        decided.append(Decision("stated", NOT_TUNED, "", "the source", buzz_rows))
    if len(candidate_thresholds(sequence)):
        parts = resample.group_folds(sequence.questions, min(folds, size), seed)
        scale = rows["scale"].iloc[0]
        if size > 1:
            trained, *fits = (
                Sequence.from_states(rows, chance) for chance in held_out_probability(rows, parts)
            )
        for opponents in curves:
            if size > 1:
                best = tune_threshold(sequence, opponents)
                place = opponents, parts
                decided += [
                    _cross_fitted_decision("tuned", scale, *place, sequence, repeat(sequence), best),
                    _cross_fitted_decision("trained", "P(right)", *place, trained, fits),
                ]
            if past is not None and len(candidate_thresholds(Sequence.from_states(past))):
                decided += _past_decisions(rows, past, sequence, opponents)
    for rule, buzz_rows in (("optimal", first_right_rows), ("stable", stable_rows)):
        decided.append(Decision(rule, NOT_TUNED, "", "the answers", buzz_rows(sequence)))
    return decided


# --- tables ----------------------------------------------------------------------------------


def buzzpoint_table(rows: pd.DataFrame, decided: list[Decision]) -> pd.DataFrame:
    """buzzing/buzzpoints of one series: one row per rule and question; no position where the rule does not buzz."""
    questions = Sequence.from_states(rows).questions
    size = len(questions)
    chosen = np.concatenate([decision.rows for decision in decided])
    taken = rows.iloc[np.maximum(chosen, 0)]
    limits = [np.broadcast_to(decision.thresholds, size) for decision in decided]
    table = pd.DataFrame(
        {
            **{name: rows[name].iloc[0] for name in SERIES},
            "rule": np.repeat([decision.rule for decision in decided], size),
            "opponents": np.repeat([decision.opponents for decision in decided], size),
            "question_id": np.tile(questions, len(decided)),
            "threshold": np.concatenate(limits),
            "position": pd.array(taken["position"].to_numpy(), "Int64"),
            "guess": taken["guess"].to_numpy(),
            "correct": pd.array(taken["correct"].to_numpy(), "boolean"),
        }
    )
    table.loc[chosen < 0, ["position", "guess", "correct"]] = None
    return table


def threshold_table(rows, decided: list[Decision], curves, bootstrap: Bootstrap) -> pd.DataFrame:
    """tables/thresholds of the states ``rows`` of one series: a row for each rule under each π of ``curves``.

    Rules that do not look at π are valued under every one; those tuned by one, under it. Intervals resample
    questions; shares have Wilson's, but the precision of rules that know the answers has no width."""
    sequence = Sequence.from_states(rows)
    weights = bootstrap.question_weights(len(sequence.starts))
    position = rows["position"].to_numpy(float)
    parts = []
    for decision in decided:
        buzzed = decision.rows >= 0
        buzz_rows = decision.rows[buzzed]
        right = sequence.correct[buzz_rows].sum()
        shares = _wilson_shares(buzzed.sum(), right, len(buzzed), bootstrap.level)
        if decision.tuned_on == "the answers":
            # Right whenever they buzz, by what they are.
            shares["precision_low"] = shares["precision_high"] = shares["precision"]
        heard = {
            **_mean_at(sequence.revealed, decision.rows, weights, bootstrap, "mean_revealed"),
            **_mean_at(position, decision.rows, weights, bootstrap, "mean_words"),
        }
        limits = np.atleast_1d(decision.thresholds)
        limits = limits[np.isfinite(limits)]
        best = decision.best
        flat = (best.threshold, best.flat_low, best.flat_high) if best else [np.nan] * 3
        for opponents in curves:
            if decision.opponents not in (NOT_TUNED, opponents.name):
                continue
            value = expected_wins_by_question(sequence, decision.rows, opponents)
            low, high = bootstrap.percentile(weights @ value / len(value))
            parts.append(
                {
                    **{name: rows[name].iloc[0] for name in SERIES},
                    "rule": decision.rule,
                    "opponents": opponents.name,
                    "tuned_on": decision.tuned_on,
                    "scale": decision.scale,
                    "threshold": np.median(limits) if len(limits) else np.nan,
                    "threshold_least": limits.min() if len(limits) else np.nan,
                    "threshold_most": limits.max() if len(limits) else np.nan,
                    **dict(zip(("best", "flat_low", "flat_high"), flat, strict=True)),
                    "questions": len(value),
                    "buzzes": int(buzzed.sum()),
                    "correct": int(right),
                    **shares,
                    "expected_wins": value.mean(),
                    "low": low,
                    "high": high,
                    **heard,
                }
            )
    return pd.DataFrame(parts)


def _wilson_shares(buzzes, right, questions: int, level: float) -> dict[str, float | np.ndarray]:
    """buzz_rate = buzzes / questions and precision = right / buzzes (nan for 0), each with ``_low`` and ``_high``.

    ``buzzes`` and ``right`` are numbers or arrays. Intervals are Wilson's: unlike a bootstrap's they have a width where all
    of a few buzzes are right."""
    cells = {}
    for name, count, total in (("buzz_rate", buzzes, questions), ("precision", right, buzzes)):
        count = np.asarray(count, float)
        total = np.broadcast_to(total, count.shape).astype(float)
        ends = proportions.wilson(count, total, level)
        for form, values in zip(("", "_low", "_high"), (proportions.ratio(count, total), *ends), strict=True):
            cells[name + form] = values[()]
    return cells


def _mean_at(value, rows, weights, bootstrap: Bootstrap, name: str) -> dict[str, float]:
    """{name, name_low, name_high}: mean of ``value`` (N,) over the buzzes in ``rows`` (Q,; −1: none) and its interval
    under ``weights`` (R, Q). nan without a buzz. A single buzz has no interval; replicates without a buzz are left out."""
    buzzed = rows >= 0
    buzz_values = value[np.maximum(rows, 0)] * buzzed
    low = high = np.nan
    if buzzed.sum() > 1:
        drawn = resample.ratio_draws(weights, buzz_values, buzzed.astype(float))
        low, high = bootstrap.finite_percentile(drawn)
    mean = value[rows[buzzed]].mean() if buzzed.any() else np.nan
    return {name: mean, f"{name}_low": low, f"{name}_high": high}


def expected_win_curve(
    rows: pd.DataFrame, curves: list[Opponents], given: list[float], bootstrap: Bootstrap
) -> pd.DataFrame | None:
    """tables/expected_wins of one series: a row for each threshold under each π of ``curves``; None without a finite score.

    Thresholds: some of the observed scores, those ``given``, and the best one (``best``). Intervals resample questions;
    those of ``buzz_rate`` and ``precision`` are Wilson's (:func:`_wilson_shares`)."""
    sequence = Sequence.from_states(rows)
    tried = candidate_thresholds(sequence)
    if not len(tried):
        return None
    grid = tried[np.unique(np.linspace(0, len(tried) - 1, _GRID).round().astype(int))]
    # Observed scores nearest to steps that are even on the logarithmic axis of the figure.
    even = np.searchsorted(tried, -np.geomspace(3, 0.001, _GRID)).clip(max=len(tried) - 1)
    grid = np.unique(np.r_[grid, tried[even]])
    draws = bootstrap.question_weights(len(sequence.starts))
    parts = []
    for opponents in curves:
        best = tune_threshold(sequence, opponents)
        limits = np.unique(np.r_[grid, given, best.threshold])
        value = threshold_curve_by_question(sequence, limits, sequence.correct * opponents(sequence.revealed))
        low, high = bootstrap.percentile(draws @ value / len(value), axis=0)
        size = len(sequence.starts)
        buzzed = np.rint(threshold_curve(sequence, limits, np.ones(len(rows))) * size)
        right = np.rint(threshold_curve(sequence, limits, sequence.correct) * size)
        parts.append(
            pd.DataFrame(
                {
                    **{name: rows[name].iloc[0] for name in SERIES},
                    "opponents": opponents.name,
                    "scale": rows["scale"].iloc[0],
                    "threshold": limits,
                    "best": limits == best.threshold,
                    "questions": len(value),
                    "expected_wins": value.mean(axis=0),
                    "low": low,
                    "high": high,
                    **_wilson_shares(buzzed, right, size, bootstrap.level),
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def policy_tables(
    table, curves: list[Opponents], given: list[float], folds: int, bootstrap: Bootstrap
) -> dict[str, pd.DataFrame]:
    """Tables thresholds, expected_wins and buzzpoints of all series by name; one without rows is left out.
    ``table``: :func:`states_with_features` of one or both sets (``study``, ``past``); the others as in :func:`decisions`."""
    series = {key: rows.reset_index(drop=True) for key, rows in table.groupby(SERIES, sort=True)}
    parts_by_table = {"thresholds": [], "expected_wins": [], "buzzpoints": []}
    for (name, model, elicitation), rows in series.items():
        past = series.get(("past", model, elicitation)) if name == "study" else None
        series_decisions = decisions(rows, curves, given, folds, bootstrap.seed, past)
        parts_by_table["buzzpoints"].append(buzzpoint_table(rows, series_decisions))
        parts_by_table["thresholds"].append(threshold_table(rows, series_decisions, curves, bootstrap))
        drawn = expected_win_curve(rows, curves, given, bootstrap)
        if drawn is not None:
            parts_by_table["expected_wins"].append(drawn)
    return {name: pd.concat(parts, ignore_index=True) for name, parts in parts_by_table.items() if parts}


def tune_tables(
    questions,
    buzzes,
    exposures,
    guesses,
    judgements,
    past_questions,
    past_runs,
    thresholds: list[float],
    folds: int,
    names: dict[str, str],
    replicates: int,
    seed: int,
    level: float,
) -> dict[str, pd.DataFrame]:
    """Tables buzzpoints, thresholds, expected_wins and opponents by name; one of ``guesses`` and ``past_runs`` may be None.
    ``thresholds``: those given; ``folds``: of the cross-fit; ``names``: model → label. The first seven are tables."""
    from ..core import store
    from ..judging import guess_verdicts as judged
    from . import opponent_curve

    sets = []
    if guesses is not None:
        guesses = guesses.assign(condition=judged.met_conditions(guesses, questions))
        right = judged.adjudicated_marks(guesses, judgements)
        sets.append(states_with_features(guesses, right, questions, "study"))
    if past_runs is not None:
        sets.append(states_with_features(past_runs, past_runs["correct"], past_questions, "past"))
    crowd, bootstrap = (questions, buzzes, exposures), Bootstrap(replicates, seed, level)
    points = opponent_curve.opponent_curve_observed(*crowd)
    curves = opponent_curve.opponent_curves(points)
    tables = policy_tables(pd.concat(sets, ignore_index=True), curves, thresholds, folds, bootstrap)
    for name in ("thresholds", "expected_wins"):
        # Models that are never more than 0 sure have no threshold to draw.
        table = tables.setdefault(name, store.empty(name).drop(columns="name"))
        table.insert(2, "name", table["model"].replace(names))
    limits = opponent_curve.opponent_bounds(*crowd, bootstrap)
    return tables | {"opponents": opponent_curve.opponent_table(points, curves, limits)}
