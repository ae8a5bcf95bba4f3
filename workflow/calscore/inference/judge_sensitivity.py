"""Checking the judge: agreement with people, what to look at first, what a verdict moves."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..answers.rules import CERTAIN
from ..answers.score import read_model
from ..core import store
from ..core.mark_sources import first_judge
from ..judging.guess_verdicts import conditions, distinct_pairs, judge, verdicts_of_extract
from ..judging.guess_verdicts import correctness as right_by
from ..judging.guess_verdicts import responses as carried
from ..judging.matchers import MATCHERS
from ..scores import metrics, score
from ..scores.tables import primary
from ..stats import resample
from ..stats.agreement import cohen_kappa


def judge_sensitivity_tables(
    questions,
    clues,
    guesses,
    judgements,
    responses,
    human_curve,
    model,
    primary_segmentation,
    reductions,
    replicates,
    seed,
    level,
    extract=None,
):
    """What the choice of judge moves, what an editor should look at first, agreement with people.

    ``model``: file of the learned score; ``extract``: folder of an extract, which has every matcher's verdicts.
    """
    resampling = {"replicates": replicates, "seed": seed, "level": level}
    primary_responses, clues, human_curve = (
        table[table["segmentation"] == primary_segmentation]
        for table in (responses, clues, human_curve)
    )
    guesses = guesses.assign(condition=conditions(guesses, questions))

    judged = (
        _extracted(questions, guesses, extract)
        if extract
        else _judgements(questions, guesses, read_model(model))
    )
    tables = {"as used": judgements} | judged
    rights = {name: right_by(guesses, table).fillna(False) for name, table in tables.items()}
    rows = score.scored_rows(carried(clues, guesses, rights, {}), human_curve)
    tallies = {}
    for name in tables:
        clues_of_judge = score.clues_of(rows[rows["marks"] == name].assign(marks="engine"))
        tallies[name] = [
            tally for part in clues_of_judge for _, tally in score.iter_question_sums(part)
        ]
    moves = bounds(tallies, "as used", **resampling)
    by_judge = {
        name: headline(_values(tallies_of_judge), primary_segmentation, reductions)
        for name, tallies_of_judge in tallies.items()
    }

    primary_responses = first_judge(primary_responses[primary_responses["guess"].notna()])
    primary_responses = primary_responses.drop_duplicates(
        ["model", "elicitation", "question_id", "clue"]
    )
    primary_responses = primary_responses.assign(condition=conditions(primary_responses, questions))
    right = right_by(guesses, judged["engine"])
    rows = agreements(judgements, judged["engine"], guesses, right, **resampling)
    rows += score_shifts(by_judge["as used"], by_judge["engine"])
    return {
        "matcher_verdicts": by_matcher(judged),
        "matchers": differences(by_judge, "as used", moves),
        "to_verify": to_verify(judgements, primary_responses, questions),
        "verification": pd.DataFrame(rows),
    }


def _judgements(questions, guesses, fitted) -> dict:
    """Judgements by matcher."""
    pairs = distinct_pairs(guesses)
    return {name: judge(pairs, questions, matcher=name, model=fitted)[0] for name in MATCHERS}


def _extracted(questions, guesses, extract) -> dict:
    """:func:`_judgements` of an extract; a mark in place of the engine stands for every matcher."""
    table, _ = verdicts_of_extract(questions, guesses, extract)
    judged = {"engine": table[store.columns("judgements")]}
    for name in MATCHERS[1:]:
        accepts = [
            name in matchers.split() if isinstance(matchers, str) else verdict == "accept"
            for matchers, verdict in zip(table["matchers"], table["verdict"], strict=True)
        ]
        verdict = np.where(accepts, "accept", "reject")
        judged[name] = judged["engine"].assign(verdict=verdict, engine=verdict)
    return judged


def _values(tallies):
    """The value of every headline metric and series, named as in scores/model_scores."""
    headlines = metrics.names("matchers")
    parts = [
        tally.series.assign(
            segmentation=tally.segmentation,
            definition=tally.definition,
            metric=metric,
            value=resample.estimate(sums),
        )
        for tally in tallies
        for metric, sums in tally.sums.items()
        if metric in headlines
    ]
    return pd.concat(parts, ignore_index=True)


def agreement(labels_a, labels_b, clusters, replicates: int, seed: int, level: float) -> dict:
    """Cohen's κ of two series of verdicts, with a percentile interval from resampling clusters.

    Returns n, agreement (share equal), kappa, low, high. κ is nan where only one verdict occurs.
    """
    labels = pd.Index(sorted(set(labels_a) | set(labels_b)))
    names = pd.Index(sorted(set(clusters)))
    size = len(labels)
    cell = labels.get_indexer(labels_a) * size + labels.get_indexer(labels_b)
    cluster_cell = names.get_indexer(clusters) * size**2 + cell
    counts = (
        np.bincount(cluster_cell, minlength=len(names) * size**2)
        .reshape(len(names), size**2)
        .astype(float)
    )
    weights = np.vstack(
        [np.ones(len(names)), resample.bootstrap_weights(len(names), replicates, seed)]
    )
    draws = cohen_kappa((weights @ counts).reshape(-1, size, size))
    low, high = resample.finite_percentile_interval(draws[1:], level)
    return {
        "n": len(cell),
        "agreement": float(np.mean(np.asarray(labels_a) == np.asarray(labels_b))),
        "kappa": float(draws[0]),
        "low": float(low),
        "high": float(high),
    }


def to_verify(judgements, rows, questions):
    """Judgements in the order in which an editor should look: rows touched × uncertainty.

    ``rows``: responses with question_id, guess and condition, one per clue that counts. Uncertainty
    is 1 − |2·score − 1|: 1 where the engine could as well say the opposite; a prompt that the line
    itself asks for leaves nothing open. Verdicts by hand are left out. The editor fills
    ``verdict``, ``who`` and ``reason``; the file is then an input of the study.
    """
    key = ["question_id", "guess", "condition"]
    touched = rows.groupby(key).size().rename("rows").reset_index()
    # Without any guess the columns of the key have no type.
    touched = touched.astype(dict.fromkeys(key, "str"))
    table = judgements[judgements["source"] == "engine"].merge(touched, on=key)
    table = table.rename(columns={"verdict": "engine_verdict"})
    table["uncertainty"] = 1 - (2 * table["score"] - 1).abs()
    asked_for = (table["engine_verdict"] == "prompt") & table["rule"].isin(CERTAIN)
    table.loc[asked_for, "uncertainty"] = 0.0
    table["impact"] = table["rows"] * table["uncertainty"]
    table["answerline"] = table["question_id"].map(questions.set_index("question_id")["answerline"])
    for name in ("verdict", "who", "reason"):
        table[name] = ""
    table = table[table["impact"] > 0]
    order = ["impact", "question_id", "guess"]
    table = table.sort_values(order, ascending=[False, True, True])
    return table[store.columns("to_verify")]


def headline(model_scores, segmentation: str, reductions: list[str]):
    """The headline metrics of the rows shown first: definition, elicitation, model, metric, value."""
    rows = primary(model_scores, segmentation, reductions)
    rows = rows[rows["metric"].isin(metrics.names("matchers"))]
    return rows[["definition", "elicitation", "model", "reduction", "metric", "value"]]


def by_matcher(judged: dict):
    """judged/matcher_verdicts from judgements by matcher: was the guess accepted?"""
    parts = [
        table[["question_id", "guess", "condition"]].assign(
            matcher=name, right=(table["verdict"] == "accept").astype(bool)
        )
        for name, table in judged.items()
    ]
    return pd.concat(parts, ignore_index=True)


def bounds(tallies: dict, reference: str, replicates: int, seed: int, level: float):
    """Intervals of what a judge moves, resampling questions: paired, over the same answers.

    ``tallies``: judge → list of :class:`calscore.scores.score.Tally`. Returns judging, definition, the series,
    metric, low, high.
    """
    parts = []
    for of_judges in zip(*tallies.values(), strict=True):
        ours = of_judges[list(tallies).index(reference)]
        size = len(ours.series)
        weights = resample.bootstrap_weights(len(ours.questions), replicates, seed)
        # those of the reference stand before those of all judges
        pairs = np.column_stack(
            [np.arange(size, (1 + len(tallies)) * size), np.tile(np.arange(size), len(tallies))]
        )
        judging = pd.Series(list(tallies)).repeat(size).to_numpy()
        series = pd.concat([ours.series] * len(tallies)).assign(
            judging=judging, definition=ours.definition
        )
        for metric in metrics.names("matchers"):
            if metric not in ours.sums:
                continue
            sums = (tally.sums[metric] for tally in (ours, *of_judges))
            combined = resample.Sums(*(np.concatenate(part) for part in zip(*sums, strict=True)))
            ends = resample.differences(combined, pairs, weights, level)[3]
            parts.append(series.assign(metric=metric, low=ends.low, high=ends.high))
    return pd.concat(parts, ignore_index=True)


def differences(scores: dict, reference: str, bounds=None):
    """matchers.csv: each headline metric under each way of judging, and its distance from ``reference``.

    ``scores``: name → table of :func:`headline`; ``bounds``: the intervals of :func:`bounds`.
    """
    key = ["definition", "elicitation", "model", "metric"]
    base = scores[reference].set_index(key)["value"]
    parts = []
    for name, table in scores.items():
        difference = (
            table["value"].to_numpy()
            - base.reindex(pd.MultiIndex.from_frame(table[key])).to_numpy()
        )
        parts.append(table.assign(judging=name, difference=difference))
    table = pd.concat(parts, ignore_index=True)
    columns = ["judging", *key, "value", "difference"]
    if bounds is not None:
        keys = ["judging", *key, "reduction"]
        table = table.merge(bounds, on=keys, how="left", validate="one_to_one")
        columns += ["low", "high"]
    return table[columns].sort_values(key, kind="stable", ignore_index=True)


def agreements(
    used, engine, guesses, engine_right, replicates: int, seed: int, level: float
) -> list[dict]:
    """Agreement of the engine with the editor's verdicts and with those that came with the input.

    One row per comparison that the data allow: quantity, n, value (κ), low, high, note.
    """
    key = ["question_id", "guess", "condition"]
    rows = []
    by_hand = used[used["source"] == "override"].merge(
        engine, on=key, suffixes=("_editor", "_engine")
    )
    if len(by_hand):
        kappa = agreement(
            by_hand["verdict_editor"],
            by_hand["verdict_engine"],
            by_hand["question_id"],
            replicates,
            seed,
            level,
        )
        rows.append(_row("Cohen's kappa, engine and editor", kappa))
    input_verdicts = guesses["correct_given"].astype("boolean")
    both = input_verdicts.notna() & engine_right.notna()
    if both.any():
        distinct = guesses[both].assign(
            given=input_verdicts[both].astype(bool), engine=engine_right[both].astype(bool)
        )
        distinct = distinct.drop_duplicates([*key, "given"])
        kappa = agreement(
            distinct["given"], distinct["engine"], distinct["question_id"], replicates, seed, level
        )
        rows.append(_row("Cohen's kappa, engine and verdicts of the input", kappa))
    return rows


def _row(quantity: str, kappa: dict) -> dict:
    return {
        "quantity": quantity,
        "n": kappa["n"],
        "value": kappa["kappa"],
        "low": kappa["low"],
        "high": kappa["high"],
        "note": f"equal in {kappa['agreement']:.1%} of distinct guesses; interval resamples questions",
    }


def score_shifts(used, engine) -> list[dict]:
    """How many headline numbers the manual or given verdicts moved, and by how much at most."""
    key = ["definition", "elicitation", "model", "metric"]
    both = used.merge(engine, on=key, suffixes=("", "_engine"))
    change = (both["value"] - both["value_engine"]).abs()
    rows = [
        ("numbers of table 1 and accuracies moved from the engine's", int((change > 1e-12).sum()))
    ]
    for metric in metrics.names("matchers"):
        own_change = change[both["metric"] == metric]
        rows.append(
            (f"largest change of {metric}", float(own_change.max()) if len(own_change) else np.nan)
        )
    return [
        {
            "quantity": quantity,
            "n": len(both),
            "value": value,
            "low": np.nan,
            "high": np.nan,
            "note": "",
        }
        for quantity, value in rows
    ]
