"""What holds of verdicts and of answers at each clue."""

import numpy as np
import pandas as pd

from ..core import store
from ..core.check_result import Outcome, compare_tables, failing_rows, first_failure, is_close

VERDICT = ["question_id", "guess", "condition"]


def _judged_once(table: pd.DataFrame, rows: pd.DataFrame) -> Outcome:
    """Each guess of ``rows`` (also as sent), and no other, is in ``table``; engine scores lie in [0, 1], rejected below accepted."""
    pairs = ["question_id", "guess"]
    if "sent" in rows:
        # What was sent is judged too, where it reads otherwise.
        sent = rows[rows["sent"].notna()]
        rows = pd.concat([rows[pairs], sent.assign(guess=sent["sent"])[pairs]])
    rows = rows[rows["guess"].notna()]
    once = compare_tables(table[pairs].drop_duplicates(), rows[pairs].drop_duplicates(), pairs, [])
    # The engine, and any other matcher, accepts from a score on and rejects below.
    engine = table[~table["source"].isin(["override", "given"])]
    ends = engine.groupby("verdict")["score"].agg(["min", "max"])
    ordered = engine["score"].between(0, 1) & engine["verdict"].isin(["accept", "prompt", "reject"])
    if {"accept", "reject"} <= set(ends.index):
        ordered &= (engine["verdict"] != "reject") | (engine["score"] < ends.at["accept", "min"])
    return first_failure(once, failing_rows(engine, ~ordered, *VERDICT, "verdict", "score"))


def every_guess_is_judged(judgements: pd.DataFrame, guesses: pd.DataFrame) -> Outcome:
    """Every distinct guess has a verdict and nothing else has; the engine rejects only below what it accepts."""
    return _judged_once(judgements, guesses)


def every_answer_is_judged(survey_judgements: pd.DataFrame, survey: pd.DataFrame) -> Outcome:
    """Every distinct survey answer has a verdict and nothing else has; rejected only below what is accepted."""
    return _judged_once(survey_judgements, survey)


def made_by_then(responses: pd.DataFrame, clues: pd.DataFrame, guesses: pd.DataFrame) -> Outcome:
    """An answer is the last guess at or before the end of its clue, carried where it was made before; stated confidences are the guess's."""
    series = ["model", "elicitation", "question_id"]
    own_guesses = guesses[[*series, "position", "guess", "confidence"]].sort_values([*series, "position"])
    following = own_guesses.groupby(series)["position"].shift(-1).fillna(np.inf)
    place = ["segmentation", "question_id", "clue"]
    t = responses.merge(clues[[*place, "end_word"]], on=place, how="left")
    names = {"guess": "own_guess", "confidence": "own_confidence"}
    own_guesses = own_guesses.assign(following=following).rename(columns=names)
    t = t.merge(own_guesses, on=[*series, "position"], how="left")
    wrong = (t["position"] > t["end_word"]) | ~(t["following"] > t["end_word"])
    wrong |= t["carried"] != (t["position"] < t["end_word"])
    wrong |= t["guess"].fillna("") != t["own_guess"].fillna("")
    wrong |= (t["reduction"] == "stated") & ~is_close(t["confidence"], t["own_confidence"])
    return failing_rows(t, wrong, *store.schema("responses")["key"])


def filled_from_what_was_said(survey_responses: pd.DataFrame, survey, survey_judgements) -> Outcome:
    """Buzzes are the survey's; a judged answer is kept; filled in is right after a right answer, wrong before a
    wrong one, nothing between the two."""
    s = survey_responses
    key = ["player", "question_id", "clue"]
    same_answers = compare_tables(s, survey, key, ["guess", "buzz"])
    observed, correct = s["observed"].astype("boolean"), s["correct"].astype("boolean")
    filled = observed.isna() & correct.notna()
    wrong = (s["backfilled"].astype("boolean") != filled) | (
        observed.notna() & (observed != correct).fillna(True)
    )
    wrong |= s["guess"].notna() != observed.notna()
    series = [s["player"], s["question_id"]]
    yes, no = observed.eq(True).fillna(False), observed.eq(False).fillna(False)
    earlier = yes.astype(int).groupby(series).cumsum() > 0
    later = no[::-1].astype(int).groupby([column[::-1] for column in series]).cumsum()[::-1] > 0
    wrong |= filled & correct.fillna(False) & ~earlier
    wrong |= filled & ~correct.fillna(True) & ~later
    # Between a right answer and a wrong one nothing is known.
    wrong |= observed.isna() & ((earlier ^ later) != correct.notna())
    wrong |= s["n_clues"] != s.groupby(["player", "question_id"])["clue"].transform("max")
    # Without a condition on what was heard, an answer is right just where its verdict says so.
    plain = survey_judgements[~survey_judgements.duplicated(VERDICT[:2], keep=False)]
    judged = s.merge(plain[[*VERDICT[:2], "verdict"]], on=VERDICT[:2])
    differ = judged["observed"].astype(object) != (judged["verdict"] == "accept").astype(object)
    return first_failure(same_answers, failing_rows(s, wrong, *key), failing_rows(judged, differ, *key))


def disagreements_with_the_source(judging_disagreements: pd.DataFrame, guesses) -> Outcome:
    """The mark is that of the guess, and the engine's verdict is another."""
    t = judging_disagreements
    key = ["model", "elicitation", "question_id", "position", "source_row", "guess"]
    both = t.merge(guesses[[*key, "correct_given"]], on=key, how="left")
    wrong = both["given"] != both["correct_given"].map({True: "accept", False: "reject"})
    wrong |= (both["given"] == "accept") == (both["engine"] == "accept")
    return failing_rows(both, wrong, *key)


def marks_add_up(marks: pd.DataFrame, guesses: pd.DataFrame, judging_disagreements) -> Outcome:
    """Every marked run is counted once, as right where its mark says so; those that differ are those listed, by
    cause; the rows of all models are the sums of theirs; verdicts by hand uphold one side or the other."""
    series, key = ["model", "elicitation"], ["elicitation", "says", "cause"]
    own, total = marks[marks["model"] != "all"], marks[marks["model"] == "all"]
    marked = guesses[guesses["correct_given"].notna()]
    right = marked["correct_given"].astype(bool).groupby([marked[c] for c in series])
    runs = right.agg(runs="size", right="sum").reset_index()
    counted = own.assign(right=own["runs"].where(own["says"].isin(["both", "authors"]), 0))
    counted = counted.groupby(series, as_index=False)[["runs", "right"]].sum()
    sums = own.groupby(key, dropna=False, as_index=False)["runs"].sum()
    d = judging_disagreements
    d = d.assign(says=np.where(d["given"].eq("accept"), "authors", "engine"))
    listed = d.groupby([*series, *key[1:]]).size().rename("runs").reset_index()
    sides = marks["runs"] - marks["engine_runs"] - marks["authors_runs"]
    return first_failure(
        compare_tables(counted, runs, series, ["runs", "right"]),
        compare_tables(own[own["cause"].notna()], listed, [*series, *key[1:]], ["runs"]),
        compare_tables(total, sums, key, ["runs"]),
        failing_rows(marks, sides.notna() & (sides != 0), *series, "says", "cause"),
    )
