"""Invariants of submissions, boards, ranks and pairs."""

from __future__ import annotations

import pandas as pd

from ..core.check_result import compare_tables, failing_rows, first_failure, is_close, outside

KEY = ["submission", "metric", "reading"]


def ordered_runs(runs):
    """Runs of a question go on from one to the next; a live buzz lies within the question."""
    table = runs.sort_values(["submission", "question_id", "run"], ignore_index=True)
    wrong = table.groupby(["submission", "question_id"])["position"].diff() < 0
    wrong |= table["live"] & (table["position"] > table["n_words"]).fillna(True).astype(bool)
    return failing_rows(table, wrong, "submission", "question_id", "run")


def counts_of_board(leaderboard, runs, options):
    """Right buzzes are among the buzzes, and those among the runs; values lie in their bounds; ranks ask for coverage."""
    table = leaderboard
    buzzes = runs[runs["buzz"].astype(bool)].drop_duplicates(["submission", "question_id"])
    most = table["submission"].map(buzzes.groupby("submission").size())
    wrong = (table["right"] > table["buzzes"]) | (table["buzzes"] > table["questions"])
    wrong |= (table["buzzes"] > most).fillna(False) | (table["error_buzzes"] > table["errors"])
    # Resamples of ECE, which is biased upward, may all lie above it.
    wrong |= outside(table, "value", "") & (table["metric"] != "ece")
    wrong |= (table["low"] > table["high"]) | table.duplicated(KEY)
    for name in ("questions", "buzzes", "right", "errors", "error_buzzes"):
        wrong |= table.groupby("submission")[name].transform("nunique") != 1
    unranked = table["value"].isna() | (table["coverage"] < options["rank_coverage"])
    wrong |= table["rank"].notna() & unranked
    return failing_rows(table, wrong, *KEY, "value")


def bounds_of_ranks(leaderboard_ranks, leaderboard):
    """Values and ranks are those of the board; every rank has bounds in order and a share of first places."""
    table = leaderboard_ranks
    ranked = table["rank"].notna()
    wrong = ranked & table[["rank_low", "rank_high", "p_first", "resampled"]].isna().any(axis=1)
    wrong |= (table["rank_low"] > table["rank_high"]).fillna(False)
    wrong |= (table["rank_low"] < 1).fillna(False) | ~table["p_first"].fillna(0).between(0, 1)
    wrong |= table["two_way_low"] > table["two_way_high"]
    board = leaderboard.merge(table[KEY])
    return first_failure(
        compare_tables(table, board, KEY, ["value", "rank"]),
        failing_rows(table, wrong, "submission", "column"),
    )


def wins_of_pairs(head_to_head):
    """Wins, ties and questions that neither won make up the questions; the share is of those decided."""
    table = head_to_head
    decided = table["a_wins"] + table["b_wins"] + table["ties"]
    share = (table["a_wins"] + table["ties"] / 2) / decided.where(decided > 0)
    wrong = (decided + table["neither"] != table["questions"]) | outside(table, "a_share", "")
    return failing_rows(table, wrong | ~is_close(table["a_share"], share), "a", "b", "a_share")


def differences_of_pairs(table):
    """A difference is that of its two values; ends are in order; nobody meets itself."""
    value, ends = ("score", ("difference_low", "difference_high"))
    if "metric" in table:
        value, ends = "value", ("low", "high")
    wrong = ~is_close(table["difference"], table[f"a_{value}"] - table[f"b_{value}"])
    wrong |= (table[ends[0]] > table[ends[1]]) | (table["a"] == table["b"])
    return failing_rows(table, wrong, "a", "b", "difference")


def classes_of_board(leaderboard_classes, leaderboard):
    """Classes of a submission make up its questions; right buzzes are among them."""
    table = leaderboard_classes
    questions = table.groupby("submission")["questions"].transform("sum")
    most = (
        table["submission"].map(leaderboard.groupby("submission")["questions"].max()).astype(float)
    )
    wrong = (table["right"] > table["questions"]) | (questions > most)
    wrong |= ~is_close(table["share"], table["questions"] / questions.where(questions > 0))
    return failing_rows(table, wrong, "submission", "class", "questions")


def means_of_bonuses(bonuses, bonus_parts, options):
    """Accuracies are shares of the parts and bonuses that count; values lie in their bounds; parts are numbered from 1."""
    by_bonus = bonus_parts.astype({"correct": float}).groupby(["submission", "question_id"])["correct"]  # fmt: skip
    sums = by_bonus.agg(right="sum", parts="size", whole="min").reset_index()
    total = sums.groupby("submission")[["right", "parts", "whole"]].sum()
    total["bonuses"] = sums.groupby("submission").size()
    if options["missing_questions"] != "leave_out":
        total["parts"] = sums.groupby("question_id")["parts"].max().sum()
        total["bonuses"] = sums["question_id"].nunique()
    means = {
        "part_accuracy": total["right"] / total["parts"],
        "question_accuracy": total["whole"] / total["bonuses"],
    }
    wanted = pd.DataFrame(means).rename_axis(columns="metric").stack().rename("value").reset_index()
    number = bonus_parts.groupby(["submission", "question_id"]).cumcount() + 1
    wrong = outside(bonuses, "value", "") | (bonuses["parts_used"] > bonuses["parts"])
    accuracies = bonuses[bonuses["metric"].isin(list(means))].drop_duplicates(KEY[:2])
    return first_failure(
        compare_tables(accuracies, wanted, KEY[:2], ["value"], 1e-9),
        failing_rows(bonuses, wrong, *KEY),
        failing_rows(bonus_parts, bonus_parts["part"] != number, "submission", "question_id"),
    )
