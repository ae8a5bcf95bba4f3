"""Tossup metrics of the QANTA leaderboard, and the calibration metrics of GRACE beside them.

Each metric stands under two readings: ``manual``, the leaderboard's metrics manual, and ``code``, what
its public scorer computes; where they agree both have one value. Positions are 1-based counts of words
heard throughout: a human's word_index + 1, a submission's token_position. A human was *earlier* where
the count is smaller."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..core import store
from ..scores import metrics
from ..stats import intervals, proportions, ranks, resample
from ..stats.bootstrap import Bootstrap

RIGHT, WRONG = 1.0, -0.5
"""Points of a right and a wrong buzz."""
TOSSUP = {
    "code": {False: (1.0, -0.5), True: (1.0, 0.0)},
    "comment": {False: (10.0, -5.0), True: (5.0, 0.0)},
}
"""What the public scorer computes, and what its comment says → whether the buzz is at the last run → points of a right
and a wrong one."""
CLASSES = ("best", "late", "premature", "never buzzed", "hopeless")
WIN_READINGS = ("manual", "code", "code_strict")
HIGHER = {
    "expected_score": True,
    "buzz_precision": True,
    "buzz_frequency": None,
    "buzz_position": None,
    "win_rate": True,
    "tossup_score": True,
    **{metric.name: metric.higher for metric in metrics.metrics_for("leaderboard")},
    "effect": True,
    "question_accuracy": True,
    "part_accuracy": True,
    "calibrated_accuracy": True,
    "calibration": False,
    ("calibration", "code"): True,
    "adoption": None,
}
"""Metric, or metric and reading where the reading decides → whether higher is better; None where neither is."""


def is_higher_better(metric: str, reading: str) -> bool | None:
    """Whether higher values of a metric are better under a reading; None for metrics that rank nobody. ``KeyError`` for other
    names."""
    return HIGHER.get((metric, reading), HIGHER[metric])


def question_lengths(runs: pd.DataFrame) -> pd.Series:
    """question_id → its length in words (Float64): n_words or, where these are null, the last position of any run on it."""
    group = runs.groupby("question_id")
    return group["n_words"].max().astype("Float64").fillna(group["position"].max().astype("Float64"))


def first_buzzes(runs: pd.DataFrame, counted: pd.DataFrame) -> pd.DataFrame:
    """A row for each submission and question of ``counted``: its first buzz, first right guess and class.

    ``counted``: (submission, question_id) of every question that counts. Columns: position, right (null without
    a buzz), buzzed, error_buzz, errors (number), first_right, gap = position − first_right, class. ``at_end``:
    whether it is at or past the last word (:func:`question_lengths`). best, late, premature: the buzz at,
    after, before the first right guess; never buzzed: some guess was right; hopeless: none was, buzz or not."""
    key = ["submission", "question_id"]
    table = counted[key].drop_duplicates().sort_values(key, ignore_index=True)
    rows = runs.sort_values([*key, "position"], kind="stable")
    buzz = rows[rows["buzz"]].drop_duplicates(key)[[*key, "position", "correct", "error"]]
    buzz = buzz.rename(columns={"correct": "right", "error": "error_buzz"})
    right = rows[rows["correct"]].drop_duplicates(key)[[*key, "position"]]
    right = right.rename(columns={"position": "first_right"})
    errors = rows.groupby(key)["error"].sum().rename("errors").reset_index()
    for part in (buzz, right, errors):
        table = table.merge(part, on=key, how="left")
    for column in ("position", "first_right", "errors"):
        table[column] = table[column].astype("Int64")
    table["errors"] = table["errors"].fillna(0)
    position, last_position = (
        values.to_numpy(dtype=float, na_value=np.nan)
        for values in (table["position"], table["question_id"].map(question_lengths(runs)))
    )
    table["at_end"] = position >= last_position
    table["right"] = table["right"].astype("boolean")
    table["error_buzz"] = table["error_buzz"].astype("boolean").fillna(False)
    table["buzzed"] = table["position"].notna()
    table["gap"] = table["position"] - table["first_right"]
    gap = table["gap"].to_numpy(dtype=float, na_value=np.nan)
    table["class"] = np.select(
        [table["first_right"].isna(), ~table["buzzed"], gap == 0, gap > 0],
        ["hopeless", "never buzzed", "best", "late"],
        "premature",
    )
    return table


def buzz_points(firsts: pd.DataFrame) -> np.ndarray:
    """Points (rows,) of each of :func:`first_buzzes`: 1 right, −0.5 wrong, 0 without a buzz."""
    right = firsts["right"].fillna(False).to_numpy(dtype=bool)
    return np.where(firsts["buzzed"], np.where(right, RIGHT, WRONG), 0.0)


def tossup_points(firsts: pd.DataFrame, reading: str) -> np.ndarray:
    """Points (rows,) of each of :func:`first_buzzes`, 0 without a buzz. Reading "code": 1 right, −0.5 wrong; "comment": 10, −5.
    At the last word a right one has 1 (code) or 5 (comment), a wrong one 0. ``KeyError`` for other readings."""
    right = firsts["right"].fillna(False).to_numpy(dtype=bool)
    before, at_last_run = (np.where(right, *TOSSUP[reading][end]) for end in (False, True))
    return np.where(firsts["buzzed"], np.where(firsts["at_end"], at_last_run, before), 0.0)


def encounters(firsts: pd.DataFrame, plays: pd.DataFrame) -> pd.DataFrame:
    """A row for each submission, question of ``firsts`` and human play of it. ``n_plays`` is 1; ``beaten``: the human was
    right before the buzz; ``late``: the human buzzed at or before it; ``win_…``: a win under each reading. Without a buzz
    ``beaten`` and ``late`` are False. Censored plays are left out unless the buzz came by their end."""
    pairs = firsts[["submission", "question_id", "position", "right"]].merge(
        plays, on="question_id", suffixes=("", "_human")
    )
    own_values = pairs["position"].to_numpy(dtype=float, na_value=np.nan)
    right = pairs["right"].fillna(False).to_numpy(dtype=bool)
    human = pairs["position_human"].to_numpy(dtype=float)
    got, neg, censored = (pairs[name].to_numpy(dtype=bool) for name in ("correct", "neg", "censored"))
    with np.errstate(invalid="ignore"):
        earlier, in_time = human < own_values, own_values <= human
    pairs = pairs.assign(
        n_plays=1,
        beaten=got & earlier,
        late=(human <= own_values) & ~censored,
        win_manual=right & ~(got & earlier),
        # Without a buzz of the model every human's is earlier.
        win_code=(right & in_time) | (neg & ~in_time),
        win_code_strict=right & in_time,
    )
    # What a human would have done after a play broke off is not known.
    return pairs[in_time | ~censored]


def score_against_humans(firsts: pd.DataFrame, plays: pd.DataFrame) -> pd.DataFrame:
    """``firsts`` (:func:`first_buzzes`) with its scores against the human plays of the question that :func:`encounters` keeps.

    ``n_plays``: their number. ``h``: share that is right before the buzz (0 without plays). ``score``: points · (1 − h).
    ``score_strict``: points · share of plays in which the human had not buzzed by then. ``win_manual``: share of plays that
    the buzz wins, being right with no earlier right answer of that human. ``win_code``: right and not later than the human,
    or the human negged earlier, whatever the submission does then (it may be wrong, or silent). ``win_code_strict``: right
    and not later. ``win_all``: right with no earlier right answer of any human. Win shares are nan for a question without
    plays. Where the human's wrong answer cost nothing, ``manual`` lets a right submission win after it, ``code`` does not."""
    pairs = encounters(firsts, plays)
    columns = ["n_plays", "beaten", "late", *(f"win_{r}" for r in WIN_READINGS)]
    sums = pairs.groupby(["submission", "question_id"])[columns].sum()
    table = firsts.merge(sums.reset_index(), on=["submission", "question_id"], how="left")
    table["n_plays"] = table["n_plays"].fillna(0).astype("int64")
    n = table["n_plays"].where(table["n_plays"] > 0)
    table["h"] = (table["beaten"] / n).fillna(0.0)
    table["score"] = buzz_points(table) * (1 - table["h"])
    table["score_strict"] = buzz_points(table) * (1 - (table["late"] / n).fillna(0.0))
    for reading in WIN_READINGS:
        table[f"win_{reading}"] = table[f"win_{reading}"] / n
    right = table["right"].fillna(False).to_numpy(dtype=bool)
    table["win_all"] = np.where(n.notna(), right & (table["beaten"].fillna(0) == 0), np.nan)
    return table.drop(columns=["beaten", "late"])


def early_stop_table(runs: pd.DataFrame) -> pd.DataFrame:
    """A row for each submission: submission, telling, cut, buzzed (numbers of questions), early_stopped, partly. A question
    was cut short if at most one run follows its first buzz and words in between are missing. Words are missing if run numbers
    jump, or the step to the next run (or the end) is over 1.5 times the submission's median step. Cut questions tell, and
    those with two later runs. A submission is early-stopped if all that tell were cut, partly if some. Live models are never."""
    key = ["submission", "question_id"]
    rows = runs[~runs["live"]].sort_values([*key, "position"], kind="stable")
    groups = rows.groupby(key)
    usual = groups["position"].diff().groupby(rows["submission"]).transform("median")
    end = rows["question_id"].map(question_lengths(rows)).astype(float)
    step = groups["position"].shift(-1).fillna(end) - rows["position"]
    jump = (groups["run"].shift(-1) - rows["run"]).fillna(1)
    after = groups.cumcount(ascending=False)
    cut = (after <= 1) & ((jump > 1) | (step > 1.5 * usual))
    # Two or more runs after the buzz tell as well: that the submission went on.
    rows = rows.assign(cut=cut, telling=cut | (after > 1), buzzed=1)
    table = rows[rows["buzz"].astype(bool)].drop_duplicates(key)
    result = table.groupby("submission")[["telling", "cut", "buzzed"]].sum()
    result = result.reindex(sorted(runs["submission"].unique())).fillna(0).astype("int64")
    result["early_stopped"] = (result["cut"] > 0) & (result["cut"] == result["telling"])
    result["partly"] = (result["cut"] > 0) & ~result["early_stopped"]
    return result.rename_axis("submission").reset_index()


def human_curve_at(runs: pd.DataFrame, plays: pd.DataFrame) -> pd.DataFrame:
    """h (share right of humans) at each row of ``runs``, with its index, from the plays at or before its position. Columns:
    ``buzzed_so_far``, right / all plays so far; ``buzzed_on_question``, right so far / all plays of the question; 0 for 0/0.
    Censored plays do not count."""
    kinds = {"question_id": object, "position": "int64"}
    plays = plays[~plays["censored"].astype(bool)].astype(kinds | {"correct": "int64"})
    plays = plays.sort_values("position", kind="stable")
    groups = plays.groupby("question_id")
    so_far = plays[list(kinds)]
    so_far = so_far.assign(right=groups["correct"].cumsum(), heard=groups.cumcount() + 1)
    rows = runs[list(kinds)].astype(kinds).assign(place=runs.index)
    rows = rows.sort_values("position", kind="stable")
    rows = pd.merge_asof(rows, so_far, on="position", by="question_id")
    rows = rows.set_index("place").loc[runs.index]
    total = {"buzzed_so_far": rows["heard"]}
    total["buzzed_on_question"] = rows["question_id"].map(groups.size())
    return pd.DataFrame({name: (rows["right"] / n).fillna(0.0) for name, n in total.items()})


def _sum_columns(metric) -> list[str]:
    """Columns of a metric in :func:`calibration_sums`: its name, or one for each bin."""
    bins = range(metrics.N_BINS)
    return [f"{metric.name}_{k}" for k in bins] if metric.over == "bins" else [metric.name]


def calibration_sums(runs: pd.DataFrame, plays: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    """(definition, submission) → frame by question_id: ``n`` runs, and for each metric its score or the sums behind it. It uses
    runs with a confidence and without ERROR; submissions with none have no entry. A metric over bins has ten columns (ece_0 …
    ece_9, Σ right − confidence). ``paper``: over all runs; ``release``: ECE and Brier over each question's last run."""
    rows = runs[runs["confidence"].notna() & ~runs["error"]]
    rows = rows.sort_values(["submission", "question_id", "position"], kind="stable", ignore_index=True)
    result: dict = {}
    if rows.empty:
        return result
    h = human_curve_at(rows, plays)
    group = rows.groupby(["submission", "question_id"], sort=True).ngroup().to_numpy()
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    g, c = rows["correct"].to_numpy(dtype=bool), rows["confidence"].to_numpy(dtype=float)
    base = rows.iloc[starts][["submission", "question_id"]].reset_index(drop=True)
    latest = np.r_[starts[1:], len(rows)] - 1
    for definition, h_definition in metrics.DEFINITIONS.items():
        scores = [item for item in metrics.metrics_for("leaderboard") if definition in item.definitions]
        complete = [item for item in scores if item.over == "questions"]
        own = h[h_definition].to_numpy()
        index = np.arange(len(rows)) if definition == "paper" else latest
        edges = "exact" if definition == "paper" else "released"
        part = base.assign(**metrics.per_question(complete, g, c, own, starts, definition))
        part["n"] = np.bincount(group[index], minlength=len(base))
        for item in scores:
            if item.over == "questions":
                continue
            place, n = group[index], len(_sum_columns(item))
            if item.over == "bins":
                place = place * n + metrics.confidence_bins(c[index], edges)
            total = np.bincount(place, item.function(g[index], c[index]), len(base) * n)
            part[_sum_columns(item)] = total.reshape(len(base), n)
        for name, members in part.groupby("submission", sort=True):
            result[definition, name] = members.drop(columns="submission").set_index("question_id")
    return result


class Field(NamedTuple):
    """Submissions scored together: ``firsts`` (:func:`first_buzzes`), ``scored`` (:func:`score_against_humans`), ``stopped``
    (:func:`early_stop_table`), ``calibration`` (:func:`calibration_sums`) and ``answered``, the (submission, question_id)
    answered or heard."""

    firsts: pd.DataFrame
    scored: pd.DataFrame
    stopped: pd.DataFrame
    calibration: dict[tuple[str, str], pd.DataFrame]
    answered: pd.DataFrame

    def terms(self, score_stopped: bool = False) -> dict[str, list[Term]]:
        """Submission → its :func:`metric_terms`, with ``score_stopped``."""
        return {
            name: metric_terms(name, group, self.calibration, self.stopped, score_stopped)
            for name, group in iter_submissions(self.scored)
        }


def score_field(runs: pd.DataFrame, counted: pd.DataFrame, plays: pd.DataFrame, answered=None) -> Field:
    """The :class:`Field` of tidy/runs against ``plays`` (tidy/human_plays). ``counted``, ``answered``: frames of submission and
    question_id that count and that were answered or heard; None if these are the same."""
    firsts = first_buzzes(runs, counted)
    sums = calibration_sums(runs, plays)
    scored = score_against_humans(firsts, plays)
    return Field(firsts, scored, early_stop_table(runs), sums, counted if answered is None else answered)


def silence_as_wrong(item: Field, plays: pd.DataFrame) -> Field:
    """``item``, each question that a submission did not answer being a wrong buzz at the first word, the worst answer it can
    have left out. ``calibration`` stays."""
    key = ["submission", "question_id"]
    answered = pd.MultiIndex.from_frame(item.answered[key])
    silent = ~pd.MultiIndex.from_frame(item.firsts[key]).isin(answered)
    if not silent.any():
        return item
    firsts = item.firsts.copy()
    for column, value in {"position": 1, "right": False, "at_end": False, "buzzed": True}.items():
        firsts.loc[silent, column] = value
    return item._replace(firsts=firsts, scored=score_against_humans(firsts, plays))


SHARES = ("buzz_precision", "buzz_frequency", "win_rate", "question_accuracy")
"""Metrics that are shares of buzzes or questions: where resampling finds no variance, Wilson's interval holds."""


class Term(NamedTuple):
    """One metric of one submission under one reading, as sums for each of its N questions. The value is Σ top / Σ bottom over
    questions; for an ECE (``top`` (N, bins)) Σ |Σ top| / Σ bottom. ``top`` is None if it cannot be computed,
    and ``note`` says why. ``scope``: mask of the questions it covers, if more than those with a bottom."""

    metric: str
    reading: str
    top: np.ndarray | None
    bottom: np.ndarray | None
    note: str = ""
    scope: np.ndarray | None = None

    def draws(self, weights: np.ndarray) -> np.ndarray:
        """Values (R,) under each row of question ``weights`` (R, N); nan where the bottom is 0 or ``top`` None."""
        if self.top is None:
            return np.full(len(weights), np.nan)
        if self.top.ndim == 1:
            return resample.ratio_draws(weights, self.top, self.bottom)
        return proportions.ratio(np.abs(weights @ self.top).sum(axis=1), weights @ self.bottom)

    def values(self, weights: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Values (R, U) under each row of ``weights`` (R, N) on each set of questions of ``masks`` (U, N, 0 or 1). Nan where the
        bottom is 0; ``AttributeError`` where ``top`` is None."""

        def summed(column):
            return weights @ (column * masks).T

        if self.top.ndim == 1:
            return proportions.ratio(summed(self.top), summed(self.bottom))
        return proportions.ratio(sum(np.abs(summed(item)) for item in self.top.T), summed(self.bottom))

    def questions(self) -> np.ndarray:
        """Mask (N,) of the questions that the term covers: ``scope`` (``bottom`` where that is None) above 0."""
        return (self.bottom if self.scope is None else self.scope) > 0

    def spread(self, place: np.ndarray, size: int) -> Term:
        """The term over ``size`` questions, its own at the indices ``place``, zeros elsewhere."""
        parts = {"top": self.top, "bottom": self.bottom, "scope": self.questions()}
        for name, own in parts.items():
            parts[name] = np.zeros((size, *own.shape[1:]), own.dtype)
            parts[name][place] = own
        return self._replace(**parts)


def iter_submissions(scored: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield (submission, its rows sorted by question_id) of :func:`score_against_humans`, sorted by name."""
    for name, rows in scored.groupby("submission", sort=True):
        yield name, rows.sort_values("question_id", ignore_index=True)


def metric_terms(name, scored, calibration, stopped, score_stopped: bool = False) -> list[Term]:
    """Every metric of the submission ``name`` under each reading. ``scored``: its rows, sorted by question; ``calibration``,
    ``stopped``: of a :class:`Field`. Calibration of an early-stopped submission has no value unless ``score_stopped``, then
    with a note."""
    items = np.ones(len(scored))
    buzzed = scored["buzzed"].to_numpy(dtype=float)
    right = scored["right"].fillna(False).to_numpy(dtype=float)
    position = np.nan_to_num(scored["position"].to_numpy(dtype=float, na_value=np.nan))
    played = (scored["n_plays"] > 0).to_numpy(dtype=float)
    score, strict = (scored[name].to_numpy(dtype=float) for name in ("score", "score_strict"))
    words = position * buzzed
    result = []
    for reading in ("manual", "code"):
        pressed = buzzed if reading == "manual" else items
        result += [
            Term("expected_score", reading, score, items),
            Term("buzz_precision", reading, right, pressed, "", items),
            Term("buzz_frequency", reading, buzzed, items),
            Term("buzz_position", reading, words, buzzed, "", items),
        ]
    result.append(Term("expected_score", "manual_strict", strict, items))
    lacking = int(len(scored) - played.sum())
    note = f"{lacking} questions without a human play left out" if lacking else ""
    for reading in (*WIN_READINGS, "all"):
        label = "manual_all" if reading == "all" else reading
        won = scored[f"win_{reading}"].fillna(0).to_numpy(dtype=float)
        result.append(Term("win_rate", label, won, played, note))
    result += [Term("tossup_score", name, tossup_points(scored, name), items) for name in TOSSUP]
    cut = bool(stopped.set_index("submission")["early_stopped"].get(name, False))
    for definition in metrics.DEFINITIONS:
        sums = calibration.get((definition, name))
        early = "early-stopped: the runs that are missing depend on the buzz" if cut else ""
        scores = [item for item in metrics.panel_metrics("leaderboard") if definition in item.definitions]
        if sums is None or (cut and not score_stopped):
            note = "no confidences" if sums is None else early
            result += [Term(item.name, definition, None, None, note) for item in scores]
            continue
        note = f"biased, {early}" if cut else ""
        sums = sums.reindex(scored["question_id"])
        paths = sums["n"].notna().to_numpy(dtype=float)
        filled = sums.fillna(0)
        n = filled["n"].to_numpy()
        # What is summed within bins comes last.
        for item in sorted(scores, key=lambda item: item.over == "bins"):
            top = filled[_sum_columns(item)].to_numpy()
            bottom = paths if item.over == "questions" else n
            top = top if item.over == "bins" else top[:, 0]
            result.append(Term(item.name, definition, top, bottom, note))
    return result


def value_rows(terms: list[Term], weights, bootstrap: Bootstrap) -> Iterator[dict]:
    """Yield a dict for each term: metric, reading, value, low, high. ``weights`` (R, N): the first row, all 1, gives the
    value, the others the interval. Where all replicates agree, one of :data:`SHARES` has Wilson's, any other metric none."""
    drawn: dict = {}
    for term in terms:
        # Readings that agree by definition are the same sums.
        key = id(term.top), id(term.bottom)
        drawn[key] = draws = drawn[key] if key in drawn else term.draws(weights)
        low, high = bootstrap.finite_percentile(draws[1:])
        if low == high:
            counts = (term.top.sum(), term.bottom.sum()) if term.metric in SHARES else (0, 0)
            low, high = (float(end) for end in proportions.wilson(*counts, bootstrap.level))
            low, high = min(low, draws[0]), max(high, draws[0])
        row = {"metric": term.metric, "reading": term.reading, "value": draws[0]}
        yield row | {"low": low, "high": high}


def leaderboard_metrics(
    fields: list[Field], bootstrap: Bootstrap, score_stopped: bool = False
) -> pd.DataFrame:
    """tables/leaderboard without ranks: a row for every metric of every submission under each reading, with
    interval. Intervals resample the questions of a submission; submissions with equally many share the draws.
    A metric that cannot be computed has value nan and a reason in ``note``. ``questions``: number that the
    metric covers; ``buzzes``, ``right``: of all. ``score_stopped``: as :func:`metric_terms` takes it."""
    parts = []
    drawn: dict[int, np.ndarray] = {}
    entered = [(field.terms(score_stopped), field.scored) for field in fields if len(field.scored)]
    for own_terms, scored in entered:
        for name, group in iter_submissions(scored):
            n = len(group)
            if n not in drawn:
                drawn[n] = np.vstack([np.ones(n), bootstrap.question_weights(n)])
            base = {"submission": name, "buzzes": int(group["buzzed"].sum())}
            base |= {"right": int(group["right"].fillna(False).sum())}
            values = value_rows(own_terms[name], drawn[n], bootstrap)
            for term, row in zip(own_terms[name], values, strict=True):
                missing = "" if np.isfinite(row["value"]) else "nothing to average over"
                row |= {"questions": n if term.top is None else int(term.questions().sum())}
                parts.append(base | row | {"note": term.note or missing})
    return pd.DataFrame(parts)


def class_table(firsts: pd.DataFrame, level: float) -> pd.DataFrame:
    """tables/leaderboard_classes: a row for each submission and class. The gap is in words from first right guess to buzz.
    share has Wilson's interval, mean_gap Student's over questions, median_gap order statistics. Leave out live models, of
    which only the buzz is known."""
    parts = []
    for name, rows in firsts.groupby("submission", sort=True):
        gaps = rows["gap"].to_numpy(dtype=float, na_value=np.nan)
        good = rows["right"].fillna(False).to_numpy(dtype=bool)
        kinds = rows["class"].to_numpy()
        for kind in CLASSES:
            mask = kinds == kind
            gap = gaps[mask & ~np.isnan(gaps)]
            row = {"submission": name, "class": kind, "questions": int(mask.sum())}
            row |= {"right": int(good[mask].sum()), "share": mask.sum() / len(rows)}
            bounds = {
                "share": proportions.wilson(mask.sum(), len(rows), level),
                "mean_gap": intervals.student_interval(gap, level),
            }
            if len(gap):
                row |= {"mean_gap": gap.mean(), "median_gap": np.median(gap)}
                bounds["median_gap"] = ranks.median_interval(gap, level)
            for value, (low, high) in bounds.items():
                row |= {f"{value}_low": low, f"{value}_high": high}
            parts.append(row)
    return store.frame(parts, "leaderboard_classes")


def add_submission_flags(board: pd.DataFrame, scored: pd.DataFrame, stopped: pd.DataFrame) -> pd.DataFrame:
    """``board`` with columns for its submission: errors and error_buzzes (numbers of ERROR runs and buzzes), early_stopped."""
    group = scored.groupby("submission")
    name, cut = board["submission"], stopped.set_index("submission")["early_stopped"]
    return board.assign(
        errors=name.map(group["errors"].sum()).astype("int64"),
        error_buzzes=name.map(group["error_buzz"].sum()).astype("int64"),
        early_stopped=name.map(cut).eq(True),
    )
