"""Invariants of a study of answer options: counts and shares against the answers."""

import pandas as pd

from ..core.check_result import Outcome, bounds_around, compare_tables, failing_rows, first_failure, is_close
from . import NONE, RIGHT, STATES
from .bootstrap import CELL, PAIR

__all__ = ["bounds_around"]


def same_questions_in_each_setting(option_results: pd.DataFrame, option_questions: pd.DataFrame) -> Outcome:
    """Every model answers the same questions in each setting, each of them once."""
    n = option_results.groupby(CELL, observed=True)["row"].agg(["size", "nunique"]).reset_index()
    most = n.groupby(PAIR)["size"].transform("max")
    wrong = (n["size"] != n["nunique"]) | (n["size"] != most) | (n["size"] > len(option_questions))
    unknown = ~option_results["row"].isin(option_questions["row"])
    empty = option_questions[["question", "answer", "topic"]].eq("").any(axis=1)
    return first_failure(
        failing_rows(n, wrong, *CELL, "size"),
        failing_rows(option_results, unknown, "model", "row"),
        failing_rows(option_questions, empty, "row"),
    )


def _counts(option_results: pd.DataFrame) -> pd.DataFrame:
    """n answers, right and not attempted ones per judging, model and setting."""
    counted = option_results.assign(
        right=option_results["output"] == RIGHT, none=option_results["output"] == NONE, n=1
    )
    return counted.groupby(CELL, observed=True)[["n", "right", "none"]].sum().reset_index()


def counts_match_answers(option_scores: pd.DataFrame, option_results: pd.DataFrame) -> Outcome:
    """Answers, right ones and those not attempted are counted; shares follow from the counts."""
    counts = _counts(option_results)
    outcomes = []
    for letter, setting in (("N", "normal"), ("D", "distractor")):
        columns = {f"{letter}_{name}": name for name in ("n", "right", "none")}
        counted = option_scores[[*PAIR, "reading", *columns]].rename(columns=columns)
        expected = counts[counts["setting"] == setting].merge(counted[[*PAIR, "reading"]], on=PAIR)
        counted = counted[counted["n"] > 0]
        outcomes.append(compare_tables(counted, expected, [*PAIR, "reading"], ["n", "right", "none"]))
        wrong = False
        for name in ("right", "none"):
            share = option_scores[f"{letter}_{name}"] / option_scores[f"{letter}_n"]
            wrong |= ~is_close(option_scores[f"{letter}_{name}_share"], share)
        outcomes.append(failing_rows(option_scores, wrong, *PAIR))
    return first_failure(*outcomes)


def groups_make_up_all(table: pd.DataFrame, option_results: pd.DataFrame) -> Outcome:
    """The groups of a model hold at most its answers; shares follow from the counts, and a mean
    over models is the mean of theirs."""
    key = [*CELL, "reading"]
    single, mean = table[table["model"] != "mean"], table[table["model"] == "mean"]
    sums = single.groupby(key)[["n", "right", "none"]].sum().reset_index()
    totals = sums[key].merge(_counts(option_results), on=CELL, how="left")
    columns = ["n", "right", "none"]
    columns_of_mean = ["judging", "setting", "reading", "group"]
    means = single.groupby(columns_of_mean)[["right_share", "ece"]].agg(
        lambda values: values.mean(skipna=False)
    )
    wrong = ~is_close(single["right_share"], single["right"] / single["n"])
    wrong |= (single["n_counted"] > single["n"]) | (single["right"] + single["none"] > single["n"])
    return first_failure(
        failing_rows(sums, (sums[columns] > totals[columns]).any(axis=1), *key),
        failing_rows(single, wrong, *key, "group"),
        compare_tables(mean, means.reset_index(), columns_of_mean, ["right_share", "ece"], 1e-9),
    )


def bins_hold_answers(option_reliability: pd.DataFrame) -> Outcome:
    """Mean confidence lies in its bin; accuracy is right / n."""
    t = option_reliability
    wrong = ~is_close(t["accuracy"], t["right"] / t["n"].where(t["n"] > 0))
    wrong |= (t["confidence"] < t["low"] - 1e-9) | (t["confidence"] > t["high"] + 1e-9)
    return failing_rows(t, wrong, *CELL, "reading", "bin")


def _verdict_pairs(option_results: pd.DataFrame, index: list[str], columns: str) -> pd.DataFrame:
    """``n`` answers per ``index`` and pair of verdicts under the two values of ``columns`` (setting or judging); others are left out."""
    named = option_results.assign(output=option_results["output"].map(STATES))
    named = named.astype(dict.fromkeys(CELL, object))
    wide = named.pivot(index=[*index, "row"], columns=columns, values="output").dropna()
    pairs = [name for name in ("normal", "distractor", "shared", "own") if name in wide]
    return wide.groupby([*index, *pairs]).size().rename("n").reset_index()


def transitions_are_counted(option_transitions: pd.DataFrame, option_results: pd.DataFrame) -> Outcome:
    """Verdicts before and after are counted; shares are of those before and of all."""
    t, key = option_transitions, [*PAIR, "before", "after"]
    pairs = _verdict_pairs(option_results, PAIR, "setting")
    pairs = pairs.rename(columns={"normal": "before", "distractor": "after"})
    before = t.groupby([*PAIR, "before"])["n"].transform("sum")
    wrong = ~is_close(t["share"], t["n"] / before.where(before > 0))
    wrong |= ~is_close(t["of_all"], t["n"] / t.groupby(PAIR)["n"].transform("sum"))
    return first_failure(compare_tables(t[t["n"] > 0], pairs, key, ["n"]), failing_rows(t, wrong, *key))


def gains_are_transitions(option_comparisons: pd.DataFrame, option_transitions: pd.DataFrame) -> Outcome:
    """Gains and losses are the transitions to and from right; their difference is the change."""
    t, c = option_transitions, option_comparisons.set_index(PAIR)
    was, becomes = t["before"] == "right", t["after"] == "right"
    counts = pd.DataFrame(
        {
            name: (t["n"] * mask).groupby([t[column] for column in PAIR]).sum()
            for name, mask in (
                ("n_paired", was | True),
                ("right_before", was),
                ("gained", ~was & becomes),
                ("lost", was & ~becomes),
            )
        }
    ).reindex(c.index)
    wrong = (c[[*counts]] != counts).any(axis=1)
    wrong |= ~is_close(c["right_change"], (counts["gained"] - counts["lost"]) / counts["n_paired"])
    return failing_rows(c.reset_index(), wrong.to_numpy(), *PAIR)


def judge_verdicts_are_counted(judge_verdicts: pd.DataFrame, option_results: pd.DataFrame) -> Outcome:
    """Verdicts of the two judges on the same answer are counted."""
    key = ["model", "setting", "shared_judge", "own_judge"]
    pairs = _verdict_pairs(option_results, key[:2], "judging")
    pairs = pairs.rename(columns={"shared": "shared_judge", "own": "own_judge"})
    total = judge_verdicts.groupby(key[:2])["n"].transform("sum")
    return first_failure(
        compare_tables(judge_verdicts[judge_verdicts["n"] > 0], pairs, key, ["n"]),
        failing_rows(judge_verdicts, ~is_close(judge_verdicts["share"], judge_verdicts["n"] / total), *key),
    )
