"""What holds of verdicts and of answers at each clue."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..core import store
from ..core.check_result import compare_tables, failing_rows, first_failure, is_close

VERDICT = ["question_id", "guess", "condition"]


def _judged(table, rows):
    pairs = ["question_id", "guess"]
    if "sent" in rows:
        # What was sent is judged too, where it reads otherwise.
        sent = rows[rows["sent"].notna()]
        rows = pd.concat([rows[pairs], sent.assign(guess=sent["sent"])[pairs]])
    rows = rows[rows["guess"].notna()]
    once = compare_tables(table[pairs].drop_duplicates(), rows[pairs].drop_duplicates(), pairs, [])
    # The engine accepts from a score on, and rejects below.
    engine = table[table["source"] == "engine"]
    ends = engine.groupby("verdict")["score"].agg(["min", "max"])
    ordered = engine["score"].between(0, 1) & engine["verdict"].isin(["accept", "prompt", "reject"])
    if {"accept", "reject"} <= set(ends.index):
        ordered &= (engine["verdict"] != "reject") | (engine["score"] < ends.at["accept", "min"])
    return first_failure(once, failing_rows(engine, ~ordered, *VERDICT, "verdict", "score"))


def every_guess_is_judged(judgements, guesses):
    """Every distinct guess has a verdict and nothing else has; the engine rejects only below what it accepts."""
    return _judged(judgements, guesses)


def every_answer_is_judged(survey_judgements, survey):
    """Every distinct survey answer has a verdict and nothing else has; rejected only below what is accepted."""
    return _judged(survey_judgements, survey)


def from_the_guesses(responses, clues, guesses, judgements, questions, buzzes, exposures, traced):
    """Guess, position, confidence, correctness and carrying follow from guesses, verdicts and clues."""
    parts = []
    for name in sorted(clues["segmentation"].unique()):
        rows = traced(name).states
        parts.append(
            rows.assign(
                segmentation=name,
                confidence=rows["c"],
                correct=rows["right"].astype(bool),
                carried=rows["position"] < rows["end_word"],
            )
        )
    wanted = pd.concat(parts, ignore_index=True)
    key = store.schema("responses")["key"]
    columns = ["position", "guess", "confidence", "correct", "carried"]
    return aligned(responses.astype({"correct": bool}), wanted, key, columns)


def aligned(table, wanted, key, columns):
    """Row-wise comparison of two tables, in a fraction of the time where the rows are in the same order already."""
    wanted = wanted.sort_values(key, kind="stable", ignore_index=True)
    if len(table) != len(wanted) or any(
        not table[name].equals(wanted[name].astype(table[name].dtype)) for name in key
    ):
        return compare_tables(table, wanted, key, columns)
    differ = np.zeros(len(table), dtype=bool)
    for name in columns:
        stored, two = table[name], wanted[name]
        if pd.api.types.is_float_dtype(two.dtype):
            differ |= ~is_close(stored, two, 1e-12)
        else:
            none = stored.isna().to_numpy() & two.isna().to_numpy()
            differ |= ~(stored.eq(two).fillna(False).to_numpy(dtype=bool) | none)
    return (
        compare_tables(table[differ], wanted[differ], key, columns)
        if differ.any()
        else failing_rows(table, differ)
    )


def buzzes_of_models(responses, guesses, options):
    """A model buzzes where its source says so, or where the mean log-probability exceeds its threshold."""
    limits = {k: m.get("threshold") for k, m in options["models"].items()}
    limit = guesses["model"].map(limits).astype(float)
    above = (guesses["mean_logprob"] > limit).astype("boolean")
    above = above.mask(limit.isna() | guesses["mean_logprob"].isna())
    stated = guesses["buzzed"].astype("boolean")
    would = guesses.assign(would=stated.where(stated.notna(), above))
    key = ["model", "elicitation", "question_id", "position"]
    merged = responses.merge(would[[*key, "would"]], on=key, how="left")
    place = ["segmentation", "model", "elicitation", "reduction", "marks", "question_id"]
    place.append("position")
    # Rows are in the order of clues: the guess is made at the first that it is carried to.
    wanted = merged["would"].where(
        ~merged.duplicated(place) | ~merged["would"].fillna(False), False
    )
    differ = merged["buzz"].isna() != wanted.isna()
    differ |= (merged["buzz"] != wanted).fillna(False)
    return failing_rows(merged, differ, *store.schema("responses")["key"])


def filled_from_what_was_said(survey_responses, survey, survey_judgements):
    """Buzzes are the survey's; a judged answer is kept; filled in is right after a right answer, wrong before a
    wrong one, nothing between the two.
    """
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
    return first_failure(
        same_answers, failing_rows(s, wrong, *key), failing_rows(judged, differ, *key)
    )


def disagreements_with_the_source(judging_disagreements, guesses, judgements, options):
    """The mark is that of the guess and the engine's verdict another; where it does not depend on what was heard it
    is that of the judgements, and no other run is marked against such a verdict.
    """
    t = judging_disagreements
    key = ["model", "elicitation", "question_id", "position"]
    marked = guesses[guesses["correct_given"].notna() & guesses["guess"].notna()]
    both = t.merge(marked[[*key, "source_row", "guess", "correct_given"]], on=[*key, "source_row"])
    source_mark = both["correct_given"].map({True: "accept", False: "reject"})
    wrong = (both["given"] != source_mark) | (both["guess_x"] != both["guess_y"])
    wrong |= (both["given"] == "accept") == (both["engine"] == "accept")
    outcome = first_failure(
        failing_rows(both, wrong, *key), failing_rows(t, np.full(len(t), len(both) != len(t)))
    )
    if outcome.failures or options["matcher"] != "engine":
        return outcome
    unconditional = judgements[~judgements.duplicated(VERDICT[:2], keep=False)]
    judged = marked.merge(unconditional[[*VERDICT[:2], "engine"]], on=VERDICT[:2])
    differ = judged["correct_given"].astype(bool) != (judged["engine"] == "accept")
    testable = t.merge(unconditional[VERDICT[:2]], on=VERDICT[:2])
    return compare_tables(testable, judged[differ], key, ["engine"])


def marks_add_up(marks, guesses, judging_disagreements):
    """Every marked run is counted once, as right where its mark says so; those that differ are those listed, by
    cause; the rows of all models are the sums of theirs; verdicts by hand uphold one side or the other.
    """
    series = ["model", "elicitation"]
    own = marks[marks["model"] != "all"]
    marked = guesses[guesses["correct_given"].notna()]
    right = marked["correct_given"].astype(bool).groupby([marked[c] for c in series])
    runs = right.size().reset_index(name="runs")
    runs["right"] = right.sum().to_numpy()
    counted = own.assign(right=own["runs"].where(own["says"].isin(["both", "authors"]), 0))
    counted = counted.groupby(series, as_index=False)[["runs", "right"]].sum()
    sums = own.groupby(["elicitation", "says", "cause"], dropna=False, as_index=False)["runs"].sum()
    key = ["elicitation", "says", "cause"]
    total = marks[marks["model"] == "all"]
    d = pd.concat([judging_disagreements, judging_disagreements.assign(model="all")])
    engine = d["adjudicated"].eq("accept") == d["engine"].eq("accept")
    d = d.assign(says=np.where(d["given"].eq("accept"), "authors", "engine"))
    place, counts = [*series, "says", "cause"], {}
    for side, mask in (
        ("", slice(None)),
        ("engine_", engine),
        ("authors_", ~engine),
        ("arguable_", d["arguable"].eq(True)),
    ):
        side_rows = d[mask]
        counts[f"{side}runs"] = side_rows.groupby(place).size()
        side_rows = side_rows.drop_duplicates([*place, "question_id", "guess"])
        counts[f"{side}pairs"] = side_rows.groupby(place).size()
    listed = pd.DataFrame(counts).fillna(0).reset_index()
    differing = marks[marks["cause"].notna()]
    by_hand = differing[differing["engine_runs"].notna()]
    listed_by_hand = listed.merge(by_hand[place])
    return first_failure(
        compare_tables(counted, runs, series, ["runs", "right"]),
        compare_tables(differing, listed, place, ["runs", "pairs"]),
        compare_tables(total, sums, key, ["runs"]),
        compare_tables(by_hand, listed_by_hand, place, [*counts][2:]),
    )
