"""Checking the judge: scores under every judge, agreement with people, what to look at first."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ..answers.rules import CERTAIN
from ..answers.score import read_model
from ..core import store
from ..core.mark_sources import first_judge
from ..judging.guess_verdicts import (
    clue_responses,
    correctness,
    distinct_pairs,
    judge_guesses,
    met_conditions,
    verdicts_of_extract,
)
from ..judging.matchers import MATCHERS
from ..scores.tables import primary_rows
from ..stats import resample
from ..stats.agreement import cohen_kappa
from .judges import marks_of_judges, scores_by_judge


def judge_sensitivity_tables(
    questions: pd.DataFrame,
    clues: pd.DataFrame,
    guesses: pd.DataFrame,
    judgements: pd.DataFrame,
    responses: pd.DataFrame,
    human_curve: pd.DataFrame,
    judging_disagreements: pd.DataFrame,
    model: Path | None,
    primary_segmentation: str,
    reductions: list[str],
    replicates: int,
    seed: int,
    level: float,
    names: dict[str, str],
    extract: Path | None = None,
) -> dict[str, pd.DataFrame]:
    """Tables matcher_verdicts, judges, to_verify and verification, by name.

    ``model``: file of the learned score (None: the package's own); ``extract``: folder that has every matcher's verdicts.
    """
    resampling = {"replicates": replicates, "seed": seed, "level": level}
    responses, clues, human_curve = (
        table[table["segmentation"] == primary_segmentation] for table in (responses, clues, human_curve)
    )
    guesses = guesses.assign(condition=met_conditions(guesses, questions))
    if extract:
        judged = _matcher_verdicts_of_extract(questions, guesses, extract)
    else:
        pairs, fitted = distinct_pairs(guesses), read_model(model)
        judged = {name: judge_guesses(pairs, questions, matcher=name, model=fitted)[0] for name in MATCHERS}
    marks = marks_of_judges(guesses, judgements, judged, judging_disagreements)
    rows = primary_rows(
        clue_responses(clues, guesses, marks, {}),
        primary_segmentation,
        reductions,
        every_judge=True,
    )
    scores = scores_by_judge(rows, human_curve, names, **resampling)

    responses = first_judge(responses[responses["guess"].notna()])
    responses = responses.drop_duplicates(["model", "elicitation", "question_id", "clue"])
    responses = responses.assign(condition=met_conditions(responses, questions))
    right = correctness(guesses, judged["engine"])
    kappas = engine_verification(judgements, judged["engine"], guesses, right, **resampling)
    return {
        "matcher_verdicts": matcher_verdicts(judged),
        "judges": scores,
        "to_verify": judgements_to_verify(judgements, responses, questions),
        "verification": pd.DataFrame(kappas, columns=store.columns("verification")),
    }


def _matcher_verdicts_of_extract(
    questions: pd.DataFrame, guesses: pd.DataFrame, extract: Path
) -> dict[str, pd.DataFrame]:
    """Matcher → judgements of an extract's guesses; a mark in place of the engine's verdict stands for every matcher."""
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


def bootstrap_kappa(
    labels_a: Sequence, labels_b: Sequence, clusters: Sequence, replicates: int, seed: int, level: float
) -> dict[str, float]:
    """Cohen's κ of two verdicts on each of n items, with percentile bounds from resampling ``clusters`` (a label for each item).

    Keys: n, agreement (share equal), kappa, low, high. κ is nan where only one verdict occurs.
    """
    labels = pd.Index(sorted(set(labels_a) | set(labels_b)))
    names = pd.Index(sorted(set(clusters)))
    size = len(labels)
    cell = labels.get_indexer(labels_a) * size + labels.get_indexer(labels_b)
    cluster_cell = names.get_indexer(clusters) * size**2 + cell
    counts = (
        np.bincount(cluster_cell, minlength=len(names) * size**2).reshape(len(names), size**2).astype(float)
    )
    weights = np.vstack([np.ones(len(names)), resample.bootstrap_weights(len(names), replicates, seed)])
    draws = cohen_kappa((weights @ counts).reshape(-1, size, size))
    low, high = resample.finite_percentile_interval(draws[1:], level)
    return {
        "n": len(cell),
        "agreement": float(np.mean(np.asarray(labels_a) == np.asarray(labels_b))),
        "kappa": float(draws[0]),
        "low": float(low),
        "high": float(high),
    }


def judgements_to_verify(
    judgements: pd.DataFrame, rows: pd.DataFrame, questions: pd.DataFrame
) -> pd.DataFrame:
    """Table to_verify: judgements of the engine, or the matcher in its place, by ``impact``, number of responses × uncertainty, highest first.

    ``rows``: responses with question_id, guess and condition. Uncertainty is 1 − |2·score − 1|, and 0 for a prompt that the
    line itself asks for. Verdicts by hand and judgements without impact are left out; columns verdict, who and reason are
    for the editor.
    """
    key = ["question_id", "guess", "condition"]
    touched = rows.groupby(key).size().rename("rows").reset_index()
    # Without any guess the columns of the key have no type.
    touched = touched.astype(dict.fromkeys(key, "str"))
    table = judgements[judgements["source"].isin(MATCHERS)].merge(touched, on=key)
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


def matcher_verdicts(judged: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Table matcher_verdicts: whether each matcher accepts a guess under a condition; ``judged``: matcher → judgements."""
    parts = [
        table[["question_id", "guess", "condition"]].assign(
            matcher=name, right=(table["verdict"] == "accept").astype(bool)
        )
        for name, table in judged.items()
    ]
    return pd.concat(parts, ignore_index=True)


def engine_verification(
    used: pd.DataFrame,
    engine: pd.DataFrame,
    guesses: pd.DataFrame,
    engine_right: pd.Series,
    replicates: int,
    seed: int,
    level: float,
) -> list[dict[str, object]]:
    """Rows of the table verification: κ of the engine with the editor's verdicts and with marks of the input.

    ``used`` and ``engine``: the study's judgements and the engine's; ``engine_right``: the engine's, aligned with
    ``guesses``. A comparison that the data do not allow has no row.
    """
    key = ["question_id", "guess", "condition"]
    labels = {}
    by_hand = used[used["source"] == "override"].merge(engine, on=key, suffixes=("_editor", "_engine"))
    if len(by_hand):
        columns = ("verdict_editor", "verdict_engine", "question_id")
        labels["engine and editor"] = [by_hand[name] for name in columns]
    input_verdicts = guesses["correct_given"].astype("boolean")
    both = input_verdicts.notna() & engine_right.notna()
    if both.any():
        distinct = guesses[both].assign(
            given=input_verdicts[both].astype(bool), engine=engine_right[both].astype(bool)
        )
        distinct = distinct.drop_duplicates([*key, "given"])
        columns = ("given", "engine", "question_id")
        labels["engine and verdicts of the input"] = [distinct[name] for name in columns]
    rows = []
    for pair, verdicts in labels.items():
        kappa = bootstrap_kappa(*verdicts, replicates, seed, level)
        equal = f"equal in {kappa.pop('agreement'):.1%} of distinct guesses"
        row = {"quantity": f"Cohen's kappa, {pair}", "value": kappa.pop("kappa"), **kappa}
        rows.append(row | {"note": f"{equal}; interval resamples questions"})
    return rows
