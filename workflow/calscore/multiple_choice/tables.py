"""The tables of a study of answer options; all intervals of calibration errors resample questions.

``results`` throughout is schema ``option_results``, ``questions`` schema ``option_questions``, ``names``
model key → name, in order, and ``level`` that of intervals. Proportions of answers have Wilson's, counts
of questions those of their share of the paired questions. What is no proportion has percentile intervals
over ``replicates`` resamples of the questions that were asked, by ``seed``, the same everywhere, so that
differences are paired. The odds of McNemar's test have their exact interval.
"""

import itertools
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from ..core import render as printing
from ..core import store
from ..scores import metrics
from ..scores.tables import FEWEST
from ..stats import proportions, ranks
from ..stats.bootstrap import Bootstrap
from . import JUDGINGS, NONE, RIGHT, SETTINGS, STATES, contrasts, render, scoring
from .bootstrap import (
    CELL,
    MEAN,
    PAIR,
    Resamples,
    bounds,
    nondegenerate_interval,
    pair_settings,
    set_estimate,
)


def tabulate_options(
    option_questions: pd.DataFrame,
    option_results: pd.DataFrame,
    names: dict[str, str],
    replicates: int,
    seed: int,
    level: float,
) -> dict[str, Any]:
    """Ten tables by name (frames), and two of them, option_scores and option_types, as text (<name>_md, <name>_tex)."""
    sums = Resamples(option_results, replicates, seed)
    arguments = option_results, sums, names, level
    grouped = sums, names, Bootstrap(replicates, seed, level)
    inputs = option_results, option_questions
    types, type_draws = options_by_group(*inputs, "answer_type", *grouped)
    scored = scores(*arguments)
    rendered = {"option_scores": render.scores(scored, level), "option_types": render.types(types, level)}
    return {
        "option_scores": scored,
        "option_readings": readings(*arguments),
        "option_types": types,
        "option_topics": options_by_group(*inputs, "topic", *grouped)[0],
        "option_overall": options_by_group(*inputs, "all", *grouped)[0],
        "option_reliability": reliability(option_results, names, level),
        "option_transitions": transitions(option_results, names, level),
        "option_comparisons": comparisons(sums, names, level),
        "option_distraction": contrasts.distraction_correlation(sums, level),
        "option_contrasts": contrasts.contrasts(sums, type_draws, names, level),
        **printing.texts(rendered),
    }


def _share(k: int, n: int, level: float) -> tuple[float, float, float]:
    """(k / n, its Wilson bounds); all nan where n is 0."""
    low, high = proportions.wilson([k], [n], level)
    return (k / n if n else float("nan")), float(low[0]), float(high[0])


def _table(rows: list[dict], table: str, names: dict[str, str], keys: list[str]) -> pd.DataFrame:
    """``rows`` as a declared table with names of models, sorted by ``keys``: judging (shared first), models in the
    order of the config, settings N before D."""
    frame = store.frame(rows, table)
    models = [*names, *sorted({*frame["model"]} - {*names, MEAN}), MEAN]
    orders = {"judging": JUDGINGS, "setting": SETTINGS, "reading": [*scoring.READINGS]}
    orders |= {"labels": scoring.LABELS, "model": models}
    frame["name"] = [names.get(model, model) for model in frame["model"]]

    def rank(column):
        return column.map([*orders[column.name]].index) if column.name in orders else column

    return frame.sort_values(keys, key=rank, ignore_index=True, kind="stable")


def _changes(moved: dict[str, np.ndarray], level: float) -> dict:
    """Counts, shares and gains of a model with their intervals: column → number. ``moved``: of
    :meth:`.bootstrap.Totals.moves`."""
    count = {name: int(draws[0]) for name, draws in moved.items()}
    n, before = count["n"], count["right_before"]
    row = {"n_paired": n, "right_before": before}
    sources = {"helped": "helped", "helped_any": "gained", "harmed": "harmed", "harmed_any": "lost"}
    for name, source in sources.items():
        _, low, high = _share(count[source], n, level)
        set_estimate(row, name, (count[source], n * low, n * high))
    gain = proportions.ratio(moved["gained"] - moved["lost"], moved["n"])
    helped = proportions.ratio(moved["helped"] - moved["harmed"], moved["n"])
    set_estimate(row, "right_change", nondegenerate_interval(gain, level))
    differences = {"gain": gain, "helped_less_harmed": helped, "gain_unexplained": gain - helped}
    for name, share in differences.items():
        value, low, high = nondegenerate_interval(n * share, level)
        set_estimate(row, name, (round(value), low, high))
    for name, count_name, total in (
        ("helped_share", "helped", row["helped"] + row["harmed"]),
        ("harmed_of_right", "harmed", before),
        ("harmed_any_of_right", "harmed_any", before),
        ("helped_any_of_not_right", "helped_any", n - before),
    ):
        set_estimate(row, name, _share(row[count_name], total, level))
    return row


def scores(results: pd.DataFrame, resamples: Resamples, names: dict[str, str], level: float) -> pd.DataFrame:
    """option_scores.csv, Tables 1 (``shared``) and 3 (``own``): one row per judging × model × reading. ``N_`` and ``D_``: n
    answers, right, none (not attempted) with shares of all answers, and ECE and Brier under the reading. The Brier score of
    ``release`` is that of ``as_wrong``, as the code has none. ``helped``: wrong → right as the code counts, ``helped_any``: not
    right → right as the text reads; ``harmed`` and ``harmed_any`` likewise. All changes are of questions with both settings.
    ``gain``: right with options less without; ``right_change``: its share of these; ``gain_unexplained``: what helped − harmed
    leaves of it. Intervals of these differences resample questions, paired. Ends: ``_low``, ``_high``."""
    totals = resamples.totals
    changes = {pair: _changes(moved, level) for pair, moved in totals.moves().items()}
    rows = []
    for pair, group in results.groupby(PAIR, sort=True):
        for reading in scoring.READINGS:
            row = dict(zip(PAIR, pair, strict=True)) | {"reading": reading}
            for setting, short in zip(SETTINGS, ("N", "D"), strict=True):
                output = group.loc[group["setting"] == setting, "output"]
                n = row[f"{short}_n"] = len(output)
                for state, word in ((RIGHT, "right"), (NONE, "none")):
                    k = row[f"{short}_{word}"] = int((output == state).sum())
                    set_estimate(row, f"{short}_{word}_share", _share(k, n, level))
                if n:
                    key = (*pair, setting)
                    set_estimate(row, f"{short}_ece", bounds(totals.ece(key, reading), level))
                    brier = totals.mean(key, reading, "brier")
                    set_estimate(row, f"{short}_brier", bounds(brier, level))
            # A model without answers in both settings has nothing that options change.
            rows.append(row | changes.get(pair, {}))
    return _table(rows, "option_scores", names, ["judging", "model", "reading"])


def _ece_by_choice(
    c: np.ndarray, output: np.ndarray, rows: np.ndarray, resamples: Resamples, key: tuple
) -> Iterator[tuple[tuple[str, str], tuple[int, np.ndarray]]]:
    """Yields ((labels, edges), (n that count, ECE (1 + replicates,) in the data and in each resample)) for all six choices.
    Choices differ in few answers (not attempted, or on an edge): each is the known bins of ``as_wrong`` plus what those move."""
    totals = resamples.totals
    base = scoring.residuals(c, output, *scoring.READINGS["as_wrong"])
    choices = list(itertools.product(scoring.LABELS, scoring.EDGES))
    moved = [scoring.residuals(c, output, *choice) - base for choice in choices]
    sums = resamples.sums(rows, np.hstack(moved)).reshape(-1, len(choices), scoring.N_BINS)
    gaps = np.abs(totals.bins(key, "as_wrong")[:, None] + sums).sum(axis=2)
    for column, (labels, edges) in enumerate(choices):
        n = totals.n_counted(key, "attempted" if labels == "attempted" else "as_wrong")
        yield (labels, edges), (int(n[0]), proportions.ratio(gaps[:, column], n))


def readings(
    results: pd.DataFrame, resamples: Resamples, names: dict[str, str], level: float
) -> pd.DataFrame:
    """option_readings.csv, a row per judging × model × setting × labels × edges: ECE, and its ``difference`` from that with not
    attempted as wrong and exact edges, paired. ``n_none`` not attempted, ``n_full`` with confidence exactly 1, ``n_edge``
    others whose bin depends on the edges, count the answers that decide. Ends: ``_low``, ``_high``."""
    rows = []
    named = {choice: name for name, choice in scoring.READINGS.items()}
    for key, group in results.groupby(CELL, sort=True):
        c, output = group["confidence"].to_numpy(), group["output"].to_numpy()
        moved = scoring.bins(c, "released") != scoring.bins(c, "exact")
        common = dict(zip(CELL, key, strict=True))
        common |= {"n_none": int((output == NONE).sum()), "n_full": int((c == 1).sum())}
        common |= {"n_edge": int((moved & (c < 1)).sum())}
        by_choice = dict(_ece_by_choice(c, output, group["row"].to_numpy(), resamples, key))
        _, base = by_choice[scoring.READINGS["as_wrong"]]
        for choice, (n, draws) in by_choice.items():
            row = dict(zip(("labels", "edges"), choice, strict=True))
            row |= {"reading": named.get(choice, ""), "n": n}
            set_estimate(row, "ece", bounds(draws, level))
            set_estimate(row, "difference", nondegenerate_interval(draws - base, level))
            rows.append(common | row)
    return _table(rows, "option_readings", names, ["judging", "model", "setting", "labels"])


def _if_enough(n: int, three: tuple[float, float, float]) -> tuple[float, float, float]:
    """``three`` (value, low, high), with nan for the bounds where n is below :data:`FEWEST`."""
    return three if n >= FEWEST else (three[0], np.nan, np.nan)


def options_by_group(
    results: pd.DataFrame,
    questions: pd.DataFrame,
    column: str,
    resamples: Resamples,
    names: dict[str, str],
    bootstrap: Bootstrap,
) -> tuple[pd.DataFrame, dict[tuple, tuple[np.ndarray, np.ndarray]]]:
    """(table, draws): right answers and calibration by ``column``: "answer_type", "topic", or "all" for one group of all
    questions; null is no group. Table: a row per judging × model × setting × reading × group; of model ``mean`` the mean over
    models, as Table 2 has it. Its intervals are from the same resamples: every model's mean within one draw of questions.
    ``ece_calibrated`` is the mean ECE of a calibrated model with these confidences and so many answers, ``ece_calibrated_high``
    its quantile ``level``. ``p_calibrated`` is the chance (with one added on both sides) of an ECE as large. The last two
    are nan for ``mean``, as they would need the models to err independently. Fewer than five answers get no interval of ECE,
    and a mean over models of which one has fewer no interval at all.

    Draws, of means over models with five answers each, for :func:`.contrasts.contrasts`: (judging, setting, reading, group) →
    (share right, ECE), each (1 + replicates,) in the data and in each resample.
    """
    group = pd.Series("all", index=questions.index) if column == "all" else questions[column]
    rows, of_means = [], {}
    level = bootstrap.level
    for name, rows_of_group in questions["row"].groupby(group, sort=True):
        totals = resamples.totals_of(rows_of_group)
        means: dict[tuple, list] = {}
        group_results = results[results["row"].isin(rows_of_group)]
        for key, answers in group_results.groupby(CELL, sort=True):
            output, shares = answers["output"].to_numpy(), totals.right(key)
            right, n, none = (output == RIGHT).sum(), len(output), (output == NONE).sum()
            for reading, (labels, edges) in scoring.READINGS.items():
                keep = scoring.is_counted(output, labels)
                row = dict(zip(CELL, key, strict=True))
                row |= {"reading": reading, "group": name}
                row |= {"n": n, "n_counted": keep.sum(), "right": right, "none": none}
                set_estimate(row, "right_share", _share(right, n, level))
                draws = totals.ece(key, reading)
                set_estimate(row, "ece", _if_enough(row["n_counted"], bounds(draws, level)))
                if keep.any():
                    # Of the cell's names alone, not of which other cells there are.
                    seed = [bootstrap.seed, zlib.crc32("\x1f".join([*key, reading, name]).encode())]
                    confidence = answers["confidence"].to_numpy()[keep]
                    null = scoring.calibrated_draws(confidence, edges, bootstrap.replicates, seed)
                    row["ece_calibrated"] = float(null.mean())
                    row["ece_calibrated_high"] = float(np.quantile(null, level))
                    # rounding must not decide whether equal errors are equal
                    reached = int((null >= draws[0] - 1e-12).sum())
                    row["p_calibrated"] = (1 + reached) / (1 + bootstrap.replicates)
                rows.append(row)
                means.setdefault((key[0], key[2], reading), []).append((row, draws, shares))
        for (judging, setting, reading), parts in means.items():
            of_models, eces, shares = zip(*parts, strict=True)
            fewest = min(row["n_counted"] for row in of_models)
            row = {"judging": judging, "model": MEAN, "setting": setting, "reading": reading}
            row |= {"group": name, "n": sum(row["n"] for row in of_models)}
            both = np.mean(shares, axis=0), np.mean(eces, axis=0)
            for statistic, draws in zip(("right_share", "ece"), both, strict=True):
                interval = _if_enough(fewest, nondegenerate_interval(draws, level))
                set_estimate(row, statistic, interval)
            if fewest >= FEWEST:
                of_means[judging, setting, reading, name] = both
            calibrated = [row.get("ece_calibrated", np.nan) for row in of_models]
            rows.append(row | {"ece_calibrated": np.mean(calibrated)})
    keys = ["judging", "reading", "group", "model", "setting"]
    table = _table(rows, "option_types", names, keys)
    return table.astype(dict.fromkeys(["n_counted", "right", "none"], "Int64")), of_means


def reliability(results: pd.DataFrame, names: dict[str, str], level: float) -> pd.DataFrame:
    """option_reliability.csv, the numbers of figures 2 and 4: a row per judging × model × setting × reading × exact bin (0…9).
    Readings ``attempted`` (what the released plot shows) and ``as_wrong``. ``accuracy`` has a Wilson interval; it and the mean
    ``confidence`` are nan for an empty bin."""
    rows = []
    for key, group in results.groupby(CELL, sort=True):
        place = dict(zip(CELL, key, strict=True))
        for reading in ("attempted", "as_wrong"):
            answers = group[scoring.is_counted(group["output"], scoring.READINGS[reading][0])]
            right = (answers["output"] == RIGHT).to_numpy()
            bins = metrics.reliability(right, answers["confidence"].to_numpy())
            for bin_, (n, confidence, correct) in enumerate(zip(*bins, strict=True)):
                low, high = metrics.DECIMAL_EDGES[bin_ : bin_ + 2]
                row = place | {"reading": reading, "bin": bin_, "low": low, "high": high}
                row |= {"n": int(n), "right": int(correct)}
                row["confidence"] = confidence / n if n else np.nan
                set_estimate(row, "accuracy", _share(correct, n, level))
                rows.append(row)
    keys = ["judging", "model", "setting", "reading", "bin"]
    return _table(rows, "option_reliability", names, keys)


def transitions(results: pd.DataFrame, names: dict[str, str], level: float) -> pd.DataFrame:
    """option_transitions.csv: a row per judging × model × verdict without options (``before``) × with them (``after``).
    ``share``: of the answers with that verdict before, ``of_all``: of all with both settings; Wilson intervals (nan of 0)."""
    rows = []
    for (judging, model), pairs in pair_settings(results).groupby(PAIR, sort=True):
        for before, first_state in STATES.items():
            start = pairs[pairs["before"] == before]
            for after, second in STATES.items():
                k = int((start["after"] == after).sum())
                row = {"judging": judging, "model": model, "n": k}
                row |= {"before": first_state, "after": second}
                set_estimate(row, "share", _share(k, len(start), level))
                set_estimate(row, "of_all", _share(k, len(pairs), level))
                rows.append(row)
    return _table(rows, "option_transitions", names, PAIR)


def comparisons(resamples: Resamples, names: dict[str, str], level: float) -> pd.DataFrame:
    """option_comparisons.csv: N against D for each judging and model with both settings. ``right_change``: gain in share right.
    ``mcnemar_p``: exact McNemar test of right against not right on the same questions (``_holm``: Holm's correction over the
    models of a judging). ``right_odds``: discordant pairs, gained over lost, with its exact binomial interval. ``ece_change``
    under each reading with its interval, and relative to N, and ``brier_change``. ``harmed_of_right``: of right before."""
    from statsmodels.stats.contingency_tables import mcnemar

    totals = resamples.totals
    rows = []
    for pair, moved in totals.moves().items():
        gained, lost = (int(moved[name][0]) for name in ("gained", "lost"))
        row = dict(zip(PAIR, pair, strict=True))
        row |= _changes(moved, level) | {"gained": gained, "lost": lost}
        before = row["right_before"]
        table = [[before - lost, lost], [gained, row["n_paired"] - before - gained]]
        set_estimate(row, "right_odds", proportions.mcnemar_odds_ratio(gained, lost, level))
        row["mcnemar_p"] = float(mcnemar(table, exact=True).pvalue)
        for reading in scoring.READINGS:
            normal, distractor = (totals.ece((*pair, s), reading) for s in SETTINGS)
            set_estimate(row, f"ece_change_{reading}", bounds(distractor - normal, level))
            relative = proportions.ratio(distractor - normal, normal)
            set_estimate(row, f"ece_relative_{reading}", bounds(relative, level))
            normal, distractor = (totals.mean((*pair, s), reading, "brier") for s in SETTINGS)
            set_estimate(row, f"brier_change_{reading}", bounds(distractor - normal, level))
        rows.append(row)
    table = _table(rows, "option_comparisons", names, PAIR)
    by_judging = table.groupby("judging")["mcnemar_p"]
    table["mcnemar_p_holm"] = by_judging.transform(ranks.holm_adjust)
    return table
