"""Invariants of opponents, thresholds, buzzpoints and replayed matches."""

import numpy as np
import pandas as pd

from ..core.check_result import Outcome, compare_tables, failing_rows, first_failure, is_close, outside_bounds
from ..core.mark_sources import first_judge

_RULE = ["set", "model", "elicitation", "rule", "opponents"]


def opponents_fall(opponents: pd.DataFrame) -> Outcome:
    """The observed share of opponents falls with the words heard, and π is its cubic."""
    columns = ["share", "share_low", "share_high"]
    ordered = opponents.sort_values("revealed", kind="stable")
    rising = (ordered.groupby("opponents")[columns].diff() > 1e-9).any(axis=1)
    cubic = sum(opponents[f"c{power}"] * opponents["revealed"] ** power for power in range(4))
    wrong = rising.reindex(opponents.index) | outside_bounds(opponents, "share")
    wrong |= ~(is_close(opponents["pi"], cubic) | is_close(opponents["pi"], cubic.clip(0, 1)))
    return failing_rows(opponents, wrong, "opponents", "revealed", "pi")


def buzzes_at_guesses(buzzpoints: pd.DataFrame, guesses: pd.DataFrame, responses: pd.DataFrame) -> Outcome:
    """A buzz is at a position where the model made that guess, and right where that response is."""
    buzzed = buzzpoints[(buzzpoints["set"] == "study") & buzzpoints["position"].notna()]
    key = ["model", "elicitation", "question_id", "position"]
    both = buzzed.astype({"position": "int64"}).merge(
        guesses[[*key, "guess"]], on=key, how="left", suffixes=("", "_made"), indicator=True
    )
    judged = first_judge(responses)[[*key, "correct"]].drop_duplicates(key)
    both = both.merge(judged, on=key, how="left", suffixes=("", "_judged"))
    wrong = both["guess"].fillna("") != both["guess_made"].fillna("")
    wrong |= both["correct_judged"].notna() & (both["correct"] != both["correct_judged"]).fillna(True)
    return failing_rows(both, wrong | (both["_merge"] != "both"), *key)


def counts_of_thresholds(thresholds: pd.DataFrame, buzzpoints: pd.DataFrame) -> Outcome:
    """Questions, buzzes and right ones are those of the buzzpoints, and values lie in their bounds."""
    rows = buzzpoints.assign(
        buzzed=buzzpoints["position"].notna(), right=buzzpoints["correct"].eq(True).fillna(False)
    )
    counts = rows.groupby(_RULE).agg(
        questions=("buzzed", "size"), buzzes=("buzzed", "sum"), correct=("right", "sum")
    )
    counts = counts.astype("int64").reset_index()
    # Rules that look at no opponents have one buzzpoint for all of them.
    shared = counts["opponents"] == "any"
    opponents = thresholds[["set", "opponents"]].drop_duplicates()
    counts = pd.concat([counts[~shared], counts[shared].drop(columns="opponents").merge(opponents)])
    wrong = ~is_close(thresholds["buzz_rate"], thresholds["buzzes"] / thresholds["questions"])
    for name in ("buzz_rate", "precision", "mean_revealed", "mean_words"):
        wrong |= outside_bounds(thresholds, name)
    wrong |= outside_bounds(thresholds, "expected_wins", "")
    columns = ["questions", "buzzes", "correct"]
    return first_failure(
        compare_tables(thresholds, counts, _RULE, columns),
        failing_rows(thresholds, wrong, *_RULE),
    )


def buzzes_fall_with_threshold(expected_wins: pd.DataFrame, options) -> Outcome:
    """A higher threshold has no more buzzes, and no observed confidence wins more than the best one."""
    key = ["set", "model", "elicitation", "opponents"]
    ordered = expected_wins.sort_values([*key, "scale", "threshold"], kind="stable")
    rate = ordered.groupby([*key, "scale"], dropna=False)["buzz_rate"]
    wrong = (rate.diff() > 1e-9).reindex(expected_wins.index)
    for name, form in (("expected_wins", ""), ("buzz_rate", "buzz_rate_"), ("precision", "precision_")):
        wrong |= outside_bounds(expected_wins, name, form)
    # A given threshold may lie below every observed confidence, and win more than any of them.
    is_given = expected_wins["threshold"].isin(options["thresholds"])
    observed = expected_wins["expected_wins"].mask(is_given & ~expected_wins["best"])
    most = observed.groupby([expected_wins[name] for name in key], dropna=False).transform("max")
    best = expected_wins["best"].astype(bool)
    wrong |= best & (expected_wins["expected_wins"] < most - 1e-9)
    return failing_rows(expected_wins, wrong, *key, "threshold")


def results_of_matches(matches: pd.DataFrame) -> Outcome:
    """Result and margin per 20 questions follow from the points."""
    gap = matches["model_points"] - matches["team_points"]
    result = np.select([gap > 0, gap < 0], ["win", "loss"], "draw")
    wrong = (matches["result"] != result) | outside_bounds(matches, "margin", "")
    wrong |= ~is_close(matches["margin"], 20 * gap / matches["questions"])
    wrong |= matches["tied_buzzes"] + matches["silent"] > matches["questions"]
    return failing_rows(matches, wrong, "ties", "rule", "model", "team", "result")


def wins_counted(win_matrix: pd.DataFrame, matches: pd.DataFrame) -> Outcome:
    """Wins, losses and draws are those of the matches."""
    key = ["ties", "rule", "model", "elicitation"]
    table, rows = (
        frame.assign(elicitation=frame["elicitation"].fillna("")) for frame in (win_matrix, matches)
    )
    names = {"win": "wins", "loss": "losses", "draw": "draws"}
    wanted = pd.crosstab([rows[name] for name in key], rows["result"]).reset_index()
    wanted = wanted.rename(columns=names).reindex(columns=[*key, *names.values()], fill_value=0)
    return compare_tables(table, wanted, key, [*names.values()])


def live_as_logged(live_questions: pd.DataFrame, buzzes: pd.DataFrame) -> Outcome:
    """The live side is the model's first logged buzz on the question."""
    model_buzzes = buzzes[buzzes["kind"] == "model"].sort_values("word_index", kind="stable")
    first_buzzes = model_buzzes.drop_duplicates(["team", "question_id"]).set_index(["team", "question_id"])
    first_buzzes = first_buzzes.reindex(pd.MultiIndex.from_frame(live_questions[["model", "question_id"]]))
    outcome = first_buzzes["correct"].map({True: "right", False: "wrong"}).fillna("no buzz").to_numpy()
    wrong = live_questions["live"].to_numpy() != outcome
    wrong |= ~is_close(live_questions["word_live"], first_buzzes["word_index"])
    return failing_rows(live_questions, wrong, "model", "rule", "question_id", "live", "word_live")


def value_is_a_difference(decision_value: pd.DataFrame) -> Outcome:
    """The value of recalibration is the difference of points, and hindsight has the most points."""
    table = decision_value
    gap = table["points_recalibrated"] - table["points_stated"]
    wrong = ~is_close(table["value"], gap) | outside_bounds(table, "value")
    for way in ("stated", "recalibrated"):
        wrong |= table[f"points_{way}"] > table["points_foresight"] + 1e-9
    return failing_rows(table, wrong, "model", "elicitation", "value")
