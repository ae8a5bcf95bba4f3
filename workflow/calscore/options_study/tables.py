"""The tables of a study of answer options; all intervals of calibration errors resample questions.

``results`` throughout is schema ``option_results``, ``questions`` schema ``option_questions``.
Proportions of answers have Wilson intervals; what is no proportion has percentile intervals over
``replicates`` resamples of the questions that were asked, the same resamples everywhere, so that
differences are paired.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from .. import inference, metrics
from ..tables import FEWEST
from . import JUDGINGS, NONE, RIGHT, SETTINGS, STATES, WRONG, scoring

MEAN = "mean"
PAIR = ["judging", "model"]


class Resamples:
    """Sums over answers of every model, in the data (first row) and in each resample of questions.

    One column a statistic, ``(judging, model, setting, reading, name)``: ten signed bin residuals
    ``0``…``9``, ``n`` answers that count and ``brier`` (sum of squared differences).
    """

    def __init__(self, results, replicates: int, seed: int):
        self.columns: dict[tuple, int] = {}
        # what was never asked is no part of the sample
        self.rows = np.unique(results["row"].to_numpy())
        self._weights = inference.bootstrap_weights(len(self.rows), replicates, seed)
        parts = []
        for key, of in results.groupby([*PAIR, "setting"], sort=True):
            rows = np.searchsorted(self.rows, of["row"].to_numpy())
            c, output = of["confidence"].to_numpy(), of["output"].to_numpy()
            for reading, (labels, edges) in scoring.READINGS.items():
                keep = scoring.counted(output, labels).astype(float)
                brier = keep * ((output == RIGHT) - c) ** 2
                sums = np.column_stack([scoring.residuals(c, output, labels, edges), keep, brier])
                for name in (*range(scoring.N_BINS), "n", "brier"):
                    self.columns[(*key, reading, name)] = len(self.columns)
                whole = np.zeros((len(self.rows), sums.shape[1]))
                whole[rows] = sums
                parts.append(whole)
        self._sums = np.hstack(parts)
        self._all = None

    def totals(self, rows=None) -> np.ndarray:
        """Sums over the questions ``rows`` (all of them): shape (1 + replicates, columns)."""
        if rows is None:
            if self._all is None:
                self._all = np.vstack([self._sums.sum(axis=0), self._weights @ self._sums])
            return self._all
        where = np.isin(self.rows, rows)
        sums, weights = self._sums[where], self._weights[:, where]
        return np.vstack([sums.sum(axis=0), weights @ sums])

    def sums(self, rows, columns) -> np.ndarray:
        """Column sums over answers to the questions ``rows``: shape (1 + replicates, columns)."""
        weights = self._weights[:, np.searchsorted(self.rows, rows)]
        return np.vstack([columns.sum(axis=0), weights @ columns])

    def _of(self, totals, key: tuple, reading: str, name):
        return totals[:, self.columns[(*key, reading, name)]]

    def ece(self, totals, key: tuple, reading: str) -> np.ndarray:
        """ECE in the data and in each resample, shape (1 + replicates,); nan where none counts."""
        first = self.columns[(*key, reading, 0)]
        gap = np.abs(totals[:, first : first + scoring.N_BINS]).sum(axis=1)
        n = self._of(totals, key, reading, "n")
        return np.divide(gap, n, out=np.full(len(n), np.nan), where=n > 0)

    def brier(self, totals, key: tuple, reading: str) -> np.ndarray:
        """Brier score likewise."""
        n = self._of(totals, key, reading, "n")
        total = self._of(totals, key, reading, "brier")
        return np.divide(total, n, out=np.full(len(n), np.nan), where=n > 0)


def _bounds(draws, level: float) -> tuple[float, float, float]:
    """(value, low, high) of a statistic's draws, the first of them the value in the data."""
    resampled = draws[1:][~np.isnan(draws[1:])]
    if np.isnan(draws[0]) or not len(resampled):
        return float(draws[0]), float("nan"), float("nan")
    low, high = inference.percentile_interval(resampled, level)
    return float(draws[0]), float(low), float(high)


def _share(k: int, n: int, level: float) -> tuple[float, float, float]:
    low, high = inference.wilson([k], [n], level)
    return (k / n if n else float("nan")), float(low[0]), float(high[0])


def _put(row: dict, name: str, three) -> None:
    row[name], row[f"{name}_low"], row[f"{name}_high"] = three


def _named(names: dict, model: str) -> str:
    return names.get(model, model)


def _in_order(table, names: dict, keys: list[str]):
    """Rows by judging (shared first), models in the order of the config, settings N before D."""
    order = {model: i for i, model in enumerate(names)}
    ranks = {
        "judging": {name: i for i, name in enumerate(JUDGINGS)},
        "setting": {name: i for i, name in enumerate(SETTINGS)},
        "reading": {name: i for i, name in enumerate(scoring.READINGS)},
    }

    def rank(column):
        if column.name == "model":
            return column.map(lambda model: (order.get(model, len(order)), model))
        known = ranks.get(column.name)
        return column.map(known) if known else column

    return table.sort_values(keys, key=rank, ignore_index=True, kind="stable")


# --- Tables 1 and 3 ----------------------------------------------------------------------------


def paired(results):
    """One row per judging × model × row that has both settings: ``before``, ``after`` (verdicts)."""
    wide = results.pivot(index=[*PAIR, "row"], columns="setting", values="output")
    wide = wide.reindex(columns=list(SETTINGS)).dropna().astype(int)
    return wide.rename(columns={"normal": "before", "distractor": "after"}).reset_index()


def _changes(of, level: float) -> dict:
    """Counts and shares of what options change, for one model."""
    before, after = of["before"].to_numpy(), of["after"].to_numpy()
    was_right, is_right = before == RIGHT, after == RIGHT
    row = {
        "n_paired": len(of),
        "helped": int(((before == WRONG) & is_right).sum()),
        "helped_any": int((~was_right & is_right).sum()),
        "harmed": int((was_right & (after == WRONG)).sum()),
        "harmed_any": int((was_right & ~is_right).sum()),
        "gain": int(is_right.sum() - was_right.sum()),
        "right_before": int(was_right.sum()),
    }
    row["helped_less_harmed"] = row["helped"] - row["harmed"]
    row["gain_unexplained"] = row["gain"] - row["helped_less_harmed"]
    changed = row["helped"] + row["harmed"]
    _put(row, "helped_share", _share(row["helped"], changed, level))
    _put(row, "harmed_of_right", _share(row["harmed"], row["right_before"], level))
    _put(row, "harmed_any_of_right", _share(row["harmed_any"], row["right_before"], level))
    not_right = len(of) - row["right_before"]
    _put(row, "helped_any_of_not_right", _share(row["helped_any"], not_right, level))
    return row


def _changes_by_model(results, level: float) -> dict[tuple, dict]:
    """(judging, model) → changes, for every model that has both settings."""
    return {key: _changes(of, level) for key, of in paired(results).groupby(PAIR, sort=True)}


def scores(results, resamples: Resamples, names: dict[str, str], level: float):
    """option_scores.csv, Tables 1 (``shared``) and 3 (``own``): one row per judging × model × reading.

    ``N_`` and ``D_``: n answers, right, none (not attempted) with shares of all answers, and ECE and
    Brier under the reading; the Brier score of ``release`` is that of ``as_wrong``, as the code has
    none. ``helped``: wrong → right as the code counts, ``helped_any``: not right → right as the text
    reads; ``harmed`` and ``harmed_any`` likewise. ``gain``: right answers with options less those
    without; ``gain_unexplained``: what of it helped − harmed leaves.
    """
    totals = resamples.totals()
    changes = _changes_by_model(results, level)
    rows = []
    for key, of in results.groupby(PAIR, sort=True):
        for reading in scoring.READINGS:
            row = dict(zip(PAIR, key, strict=True))
            row |= {"name": _named(names, key[1]), "reading": reading}
            for setting, short in zip(SETTINGS, ("N", "D"), strict=True):
                mine = of[of["setting"] == setting]
                n = len(mine)
                row[f"{short}_n"] = n
                for state, word in ((RIGHT, "right"), (NONE, "none")):
                    k = int((mine["output"] == state).sum())
                    row[f"{short}_{word}"] = k
                    _put(row, f"{short}_{word}_share", _share(k, n, level))
                if n:
                    place = (*key, setting)
                    ece = resamples.ece(totals, place, reading)
                    _put(row, f"{short}_ece", _bounds(ece, level))
                    _put(
                        row,
                        f"{short}_brier",
                        _bounds(resamples.brier(totals, place, reading), level),
                    )
            rows.append(row | changes.get(key, {}))
    return _in_order(pd.DataFrame(rows), names, ["judging", "model", "reading"])


def readings(results, names: dict[str, str]):
    """option_readings.csv: ECE under every label of the not attempted and both edges, and what each
    choice moves against not attempted as wrong with exact edges.

    ``n_none`` not attempted, ``n_full`` with confidence exactly 1, ``n_edge`` whose bin depends on
    the edges, count what the choices rest on.
    """
    rows = []
    named = {pair: name for name, pair in scoring.READINGS.items()}
    for (judging, model, setting), of in results.groupby([*PAIR, "setting"], sort=True):
        c, output = of["confidence"].to_numpy(), of["output"].to_numpy()
        moved = scoring.bins(c, "released") != scoring.bins(c, "exact")
        common = {
            "judging": judging,
            "model": model,
            "name": _named(names, model),
            "setting": setting,
            "n_none": int((output == NONE).sum()),
            "n_full": int((c == 1).sum()),
            "n_edge": int((moved & (c < 1)).sum()),
        }
        found = {}
        for labels in scoring.LABELS:
            n = int(scoring.counted(output, labels).sum())
            for edges in scoring.EDGES:
                gap = np.abs(scoring.residuals(c, output, labels, edges).sum(axis=0)).sum()
                found[labels, edges] = (gap / n if n else float("nan"), n)
        base = found["as_wrong", "exact"][0]
        for (labels, edges), (value, n) in found.items():
            rows.append(
                common
                | {"labels": labels, "edges": edges, "reading": named.get((labels, edges), "")}
                | {"n": n, "ece": value, "difference": value - base}
            )
    table = pd.DataFrame(rows)
    order = {label: i for i, label in enumerate(scoring.LABELS)}
    table = table.sort_values(["labels"], key=lambda s: s.map(order), kind="stable")
    return _in_order(table, names, ["judging", "model", "setting"])


# --- Table 2, figure 3, topics -----------------------------------------------------------------


def _null_seed(seed: int, *parts) -> list[int]:
    """A seed of its own for each cell, the same whatever other cells there are."""
    import zlib

    return [seed, zlib.crc32("\x1f".join(map(str, parts)).encode())]


def by_group(
    results, questions, column: str, resamples: Resamples, names, replicates: int, seed: int, level
):
    """Right answers and calibration by ``answer_type``, ``topic`` or over ``all`` questions.

    One row per judging × model × setting × reading × group, and rows of model ``mean``: the plain
    mean over models, as Table 2 has it. ``ece_calibrated`` is the mean ECE of a calibrated model
    with these confidences and so many answers, ``ece_calibrated_high`` its upper bound at
    ``level``, ``p_calibrated`` the chance (with one added on both sides) of an ECE as large.
    Fewer than five answers get no interval of ECE.
    """
    group = pd.Series("all", index=questions.index) if column == "all" else questions[column]
    rows = []
    for name, where in group.groupby(group, sort=True).groups.items():
        inside = questions.loc[where, "row"].to_numpy()
        totals = resamples.totals(None if column == "all" else inside)
        means: dict[tuple, list] = {}
        mine = results[results["row"].isin(inside)]
        for key, of in mine.groupby([*PAIR, "setting"], sort=True):
            c, output = of["confidence"].to_numpy(), of["output"].to_numpy()
            right, n = int((output == RIGHT).sum()), len(of)
            for reading, (labels, edges) in scoring.READINGS.items():
                keep = scoring.counted(output, labels)
                row = dict(zip([*PAIR, "setting"], key, strict=True))
                row |= {"name": _named(names, key[1]), "reading": reading, "group": name}
                row |= {"n": n, "n_counted": int(keep.sum()), "right": right}
                _put(row, "right_share", _share(right, n, level))
                row["none"] = int((output == NONE).sum())
                draws = resamples.ece(totals, key, reading)
                value, low, high = _bounds(draws, level)
                few = keep.sum() < FEWEST
                _put(row, "ece", (value, *((np.nan, np.nan) if few else (low, high))))
                if keep.any():
                    null = scoring.calibrated_draws(
                        c[keep], edges, replicates, _null_seed(seed, *key, reading, name)
                    )
                    row["ece_calibrated"] = float(null.mean())
                    row["ece_calibrated_high"] = float(np.quantile(null, level))
                    # rounding must not decide whether equal errors are equal
                    reached = int((null >= draws[0] - 1e-12).sum())
                    row["p_calibrated"] = (1 + reached) / (1 + replicates)
                rows.append(row)
                means.setdefault((key[0], key[2], reading), []).append((draws, right / n, n))
        for (judging, setting, reading), found in means.items():
            row = {"judging": judging, "model": MEAN, "setting": setting, "name": "mean"}
            row |= {"reading": reading, "group": name, "n": sum(n for _, _, n in found)}
            row["right_share"] = float(np.mean([share for _, share, _ in found]))
            _put(row, "ece", _bounds(np.mean([draws for draws, _, _ in found], axis=0), level))
            rows.append(row)
    table = pd.DataFrame(rows)
    counts = ["n_counted", "right", "none"]
    table[counts] = table[counts].astype("Int64")
    return _in_order(
        table,
        {**names, **_found(results, names), MEAN: MEAN},
        ["judging", "reading", "group", "model", "setting"],
    )


def _found(results, names: dict) -> dict:
    return {model: model for model in sorted(set(results["model"]) - set(names))}


# --- Figures 2 and 4 ---------------------------------------------------------------------------


def reliability(results, names: dict[str, str], level: float):
    """option_reliability.csv, the numbers of figures 2 and 4: ten exact bins, N and D.

    Readings ``attempted`` (what the released plot shows) and ``as_wrong``. ``accuracy`` has a Wilson
    interval.
    """
    rows = []
    for (judging, model, setting), of in results.groupby([*PAIR, "setting"], sort=True):
        for reading in ("attempted", "as_wrong"):
            keep = scoring.counted(of["output"], scoring.READINGS[reading][0])
            c, right = of["confidence"].to_numpy()[keep], (of["output"] == RIGHT).to_numpy()[keep]
            counts, confidence, correct = metrics.reliability(right, c)
            low, high = inference.wilson(correct, counts, level)
            n = np.where(counts > 0, counts, np.nan)
            rows.append(
                pd.DataFrame(
                    {
                        "judging": judging,
                        "model": model,
                        "name": _named(names, model),
                        "setting": setting,
                        "reading": reading,
                        "bin": range(scoring.N_BINS),
                        "low": metrics.DECIMAL_EDGES[:-1],
                        "high": metrics.DECIMAL_EDGES[1:],
                        "n": counts.astype(int),
                        "right": correct.astype(int),
                        "confidence": confidence / n,
                        "accuracy": correct / n,
                        "accuracy_low": low,
                        "accuracy_high": high,
                    }
                )
            )
    keys = ["judging", "model", "setting", "reading", "bin"]
    return _in_order(pd.concat(rows, ignore_index=True), names, keys)


# --- What the paper asks and does not answer ---------------------------------------------------


def transitions(results, names: dict[str, str], level: float):
    """option_transitions.csv: from each verdict without options to each with them.

    ``share``: of the answers with that verdict before, with its Wilson interval; ``of_all``.
    """
    rows = []
    for (judging, model), of in paired(results).groupby(PAIR, sort=True):
        for before, first in STATES.items():
            start = of[of["before"] == before]
            for after, second in STATES.items():
                k = int((start["after"] == after).sum())
                row = {"judging": judging, "model": model, "name": _named(names, model)}
                row |= {"before": first, "after": second, "n": k}
                _put(row, "share", _share(k, len(start), level))
                rows.append(row | {"of_all": k / len(of)})
    columns = [
        "judging",
        "model",
        "name",
        "before",
        "after",
        "n",
        "share",
        "share_low",
        "share_high",
        "of_all",
    ]
    return _in_order(pd.DataFrame(rows, columns=columns), names, PAIR)


def comparisons(results, resamples: Resamples, names: dict[str, str], level: float):
    """option_comparisons.csv: N against D for each model, and what options harm.

    ``mcnemar_p``: exact McNemar test of right against not right on the same questions (``_holm``:
    Holm's correction over the models of a judging). ``right_odds``: discordant pairs, gained over
    lost. ``ece_change`` under each reading with its interval, and relative to N. ``harmed_of_right``:
    harmed as a share of what was right before.
    """
    from statsmodels.stats.contingency_tables import mcnemar
    from statsmodels.stats.multitest import multipletests

    totals = resamples.totals()
    changes = _changes_by_model(results, level)
    rows = []
    for key, of in paired(results).groupby(PAIR, sort=True):
        right = of[["before", "after"]].to_numpy() == RIGHT
        gained = int((~right[:, 0] & right[:, 1]).sum())
        lost = int((right[:, 0] & ~right[:, 1]).sum())
        both = int(right.all(axis=1).sum())
        table = [[both, lost], [gained, len(of) - both - lost - gained]]
        row = dict(zip(PAIR, key, strict=True)) | {"name": _named(names, key[1])}
        row |= {"n_paired": len(of), "gained": gained, "lost": lost}
        row["right_odds"] = gained / lost if lost else float("nan")
        row["mcnemar_p"] = float(mcnemar(table, exact=True).pvalue)
        for name, value in changes[key].items():
            if name.startswith(("harmed", "helped_any_of", "right_before")):
                row[name] = value
        for reading in scoring.READINGS:
            normal, distractor = (resamples.ece(totals, (*key, s), reading) for s in SETTINGS)
            _put(row, f"ece_change_{reading}", _bounds(distractor - normal, level))
            with np.errstate(divide="ignore", invalid="ignore"):
                relative = np.where(normal > 0, (distractor - normal) / normal, np.nan)
            _put(row, f"ece_relative_{reading}", _bounds(relative, level))
        rows.append(row)
    if not rows:
        return pd.DataFrame(columns=[*PAIR, "name", "n_paired"])
    table = pd.DataFrame(rows)
    table.insert(table.columns.get_loc("mcnemar_p") + 1, "mcnemar_p_holm", np.nan)
    for _, of in table.groupby("judging"):
        table.loc[of.index, "mcnemar_p_holm"] = multipletests(of["mcnemar_p"], method="holm")[1]
    return _in_order(table, names, PAIR)


def _spearman(first, second) -> np.ndarray:
    """Spearman's ρ of each row of two arrays, shape (R, models); nan where a side does not vary."""
    from scipy.stats import rankdata

    x, y = rankdata(first, axis=1), rankdata(second, axis=1)
    x, y = (one - one.mean(axis=1, keepdims=True) for one in (x, y))
    scale = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    return np.divide((x * y).sum(axis=1), scale, out=np.full(len(scale), np.nan), where=scale > 0)


def distraction(results, resamples: Resamples, level: float):
    """option_distraction.csv: does a better model lose more? Spearman's ρ over the models of a judging
    between what is right without options and harmed, counted in three ways.

    Intervals resample questions, with these models; nan with fewer than three.
    """
    rows = []
    pairs = paired(results)
    for judging in (name for name in JUDGINGS if name in set(pairs["judging"])):
        counts = []
        for _, of in pairs[pairs["judging"] == judging].groupby("model", sort=True):
            before, after = of["before"].to_numpy(), of["after"].to_numpy()
            helped = (before == WRONG) & (after == RIGHT)
            harmed = (before == RIGHT) & (after == WRONG)
            columns = np.column_stack([before == RIGHT, helped, harmed]).astype(float)
            counts.append(resamples.sums(of["row"].to_numpy(), columns))
        right, helped, harmed = np.moveaxis(np.array(counts), (0, 1, 2), (2, 1, 0))
        with np.errstate(divide="ignore", invalid="ignore"):
            ways = {
                "harmed, number": harmed,
                "harmed, share of helped and harmed": harmed / (helped + harmed),
                "harmed, share of right before": harmed / right,
            }
        for way, values in ways.items():
            row = {"judging": judging, "measure": way, "n_models": values.shape[1]}
            whole = ~np.isnan(values).any(axis=1)
            draws = np.full(len(values), np.nan)
            if values.shape[1] > 2:
                draws[whole] = _spearman(right[whole], values[whole])
            _put(row, "spearman", _bounds(draws, level))
            rows.append(row)
    columns = ["judging", "measure", "n_models", "spearman", "spearman_low", "spearman_high"]
    return pd.DataFrame(rows, columns=columns)
