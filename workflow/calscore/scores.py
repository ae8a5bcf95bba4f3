"""Scores per question and per study, from responses and human curves."""

from __future__ import annotations

import numpy as np
import pandas as pd

from . import inference, metrics, store

SERIES = ["model", "elicitation", "reduction"]
"""What names one set of confidences: a model, how it was asked, how log-probabilities were reduced."""

BEST_HIGH = ("accuracy", "sh_completed", "sh_as_printed")
SH_FORMS = ("completed", "as_printed")


def scored_rows(responses, human_curve):
    """Responses with a confidence, sorted by series, question and clue, with h under each definition.

    Clues whose reply could not be parsed have no confidence and are left out; they are listed in
    the findings.
    """
    rows = responses[responses["confidence"].notna()]
    wide = human_curve.pivot(
        index=["segmentation", "question_id", "clue"], columns="h_definition", values="h"
    )
    rows = rows.merge(
        wide.reset_index(),
        on=["segmentation", "question_id", "clue"],
        how="left",
        validate="many_to_one",
    )
    return rows.sort_values(
        ["segmentation", *SERIES, "question_id", "clue"], kind="stable", ignore_index=True
    )


def _starts(rows) -> np.ndarray:
    """First row of each series × question in sorted rows."""
    key = rows[["segmentation", *SERIES, "question_id"]]
    change = (key != key.shift()).any(axis=1).to_numpy()
    return np.flatnonzero(change)


def question_scores(rows):
    """scores/question_scores from :func:`scored_rows`: MCE and CalScore under both definitions."""
    starts = _starts(rows)
    g = rows["correct"].to_numpy(dtype=bool)
    c = rows["confidence"].to_numpy(dtype=float)
    base = rows.iloc[starts][["segmentation", *SERIES, "question_id"]].reset_index(drop=True)
    base["n_clues"] = np.diff(np.append(starts, len(rows)))
    parts = []
    for definition, h_definition in metrics.DEFINITIONS.items():
        mce, calscore = metrics.question_errors(
            g, c, rows[h_definition].to_numpy(), starts, definition
        )
        # Rounding can leave a bound by one unit in the last place.
        parts.append(
            base.assign(
                definition=definition, mce=np.clip(mce, 0, 1), calscore=np.clip(calscore, 0, 1)
            )
        )
    return pd.concat(parts, ignore_index=True)[list(store.schema("question_scores")["columns"])]


def sh_scores(rows):
    """scores/sh_scores from :func:`scored_rows`: SH of Appendix H in its two forms."""
    starts = _starts(rows)
    g = rows["correct"].to_numpy(dtype=float)
    c = rows["confidence"].to_numpy(dtype=float)
    h = rows["heard"].to_numpy(dtype=float)
    base = rows.iloc[starts][["segmentation", *SERIES, "question_id"]].reset_index(drop=True)
    parts = [base.assign(form=form, sh=metrics.sh(g, c, h, starts, form)) for form in SH_FORMS]
    return pd.concat(parts, ignore_index=True)[list(store.schema("sh_scores")["columns"])]


def in_scope(rows, definition: str):
    """The rows that ECE, Brier and accuracy run over: every clue, or each question's last one."""
    if definition == "paper":
        return rows
    return rows.drop_duplicates(["segmentation", *SERIES, "question_id"], keep="last")


def edges(definition: str) -> str:
    """Bin edges of the ECE under a metric definition."""
    return "released" if definition == "release" else "exact"


def reliability(rows, level: float):
    """scores/reliability: the bins behind each ECE, with Wilson intervals of the share right."""
    parts = []
    for definition in metrics.DEFINITIONS:
        for key, one in in_scope(rows, definition).groupby(["segmentation", *SERIES], sort=True):
            n, confidence, right = metrics.reliability(
                one["correct"], one["confidence"], edges(definition)
            )
            some = n > 0
            part = pd.DataFrame(
                {
                    "bin": np.arange(metrics.N_BINS),
                    "low": metrics.DECIMAL_EDGES[:-1],
                    "high": metrics.DECIMAL_EDGES[1:],
                    "n": n.astype("int64"),
                    "confidence": np.divide(confidence, n, out=np.full(len(n), np.nan), where=some),
                    "accuracy": np.divide(right, n, out=np.full(len(n), np.nan), where=some),
                }
            )
            part[["segmentation", *SERIES]] = key
            parts.append(part.assign(definition=definition))
    table = pd.concat(parts, ignore_index=True)
    right = (table["accuracy"] * table["n"]).fillna(0)
    table["accuracy_low"], table["accuracy_high"] = inference.wilson(right, table["n"], level)
    # A mean of equal numbers can exceed them by one unit in the last place.
    table["confidence"] = table["confidence"].clip(0, 1)
    return table[list(store.schema("reliability")["columns"])]


def _question_sums(
    one, definition: str, questions: pd.Index
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Per-question (numerator, denominator) sums of the metrics over rows, zero where unscored."""
    code = questions.get_indexer(one["question_id"])
    size = len(questions)
    c = one["confidence"].to_numpy(dtype=float)
    g = one["correct"].to_numpy(dtype=float)
    count = np.bincount(code, minlength=size).astype(float)
    index = metrics.bins(c, edges(definition))
    gap = np.bincount(code * metrics.N_BINS + index, weights=g - c, minlength=size * metrics.N_BINS)
    return {
        "brier": (np.bincount(code, weights=(c - g) ** 2, minlength=size), count),
        "accuracy": (np.bincount(code, weights=g, minlength=size), count),
        "ece": (gap.reshape(size, metrics.N_BINS), count),
    }


def model_scores(rows, question_scores, sh_scores, replicates: int, seed: int, level: float):
    """scores/model_scores: every metric of every series, with percentile intervals and ranks.

    Intervals resample questions; all series of a segmentation share the draws. Ranks are within
    segmentation, definition, elicitation and reduction, ties share the better rank; lower is better
    but for accuracy and SH.
    """
    parts = []
    for segmentation, rows_of in rows.groupby("segmentation", sort=True):
        questions = pd.Index(sorted(rows_of["question_id"].unique()))
        weights = inference.bootstrap_weights(len(questions), replicates, seed)
        weights = np.vstack([np.ones(len(questions)), weights])
        errors = question_scores[question_scores["segmentation"] == segmentation].groupby(
            ["definition", *SERIES]
        )
        sh = sh_scores[sh_scores["segmentation"] == segmentation].groupby([*SERIES, "form"])
        for definition in metrics.DEFINITIONS:
            for key, one in in_scope(rows_of, definition).groupby(SERIES, sort=True):
                sums = _question_sums(one, definition, questions)
                mine = errors.get_group((definition, *key))
                code = questions.get_indexer(mine["question_id"])
                present = np.bincount(code, minlength=len(questions)).astype(float)
                for metric in ("mce", "calscore"):
                    sums[metric] = (
                        np.bincount(code, weights=mine[metric], minlength=len(questions)),
                        present,
                    )
                for form in SH_FORMS:
                    values = sh.get_group((*key, form))
                    at = questions.get_indexer(values["question_id"])
                    sums[f"sh_{form}"] = (
                        np.bincount(at, weights=values["sh"], minlength=len(questions)),
                        present,
                    )
                for metric, (numerator, denominator) in sums.items():
                    if metric == "ece":
                        draws = np.abs(weights @ numerator).sum(axis=1) / (weights @ denominator)
                    else:
                        draws = inference.ratio_draws(weights, numerator, denominator)
                    low, high = inference.percentile_interval(
                        draws[1:][np.isfinite(draws[1:])], level
                    )
                    parts.append(
                        (
                            segmentation,
                            definition,
                            *key,
                            metric,
                            draws[0],
                            low,
                            high,
                            int(present.sum()),
                            int(one.shape[0]),
                        )
                    )
    columns = [
        "segmentation",
        "definition",
        *SERIES,
        "metric",
        "value",
        "low",
        "high",
        "n_questions",
        "n_rows",
    ]
    table = pd.DataFrame(parts, columns=columns)
    # Equal scores must share a rank even where summation order differs in the last bits.
    ordered = (
        table["value"].round(12).where(~table["metric"].isin(BEST_HIGH), -table["value"].round(12))
    )
    group = [
        table[name] for name in ("segmentation", "definition", "elicitation", "reduction", "metric")
    ]
    table["rank"] = ordered.groupby(group).rank(method="min").astype("int64")
    return table[list(store.schema("model_scores")["columns"])]


def score_all(responses, human_curve, replicates: int, seed: int, level: float) -> dict:
    """All score tables by name: question_scores, sh_scores, model_scores, reliability."""
    rows = scored_rows(responses, human_curve)
    per_question = question_scores(rows)
    sh = sh_scores(rows)
    return {
        "question_scores": per_question,
        "sh_scores": sh,
        "model_scores": model_scores(rows, per_question, sh, replicates, seed, level),
        "reliability": reliability(rows, level),
    }
