"""Models that come as guesses, entered as submissions that buzz where a threshold rule says.

A replayed submission is what the same guesses would be if a file of runs said where it buzzes: no opponent
keeps it from buzzing. Positions of buzzpoints are 1-based counts of words, as those of runs.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..core.errors import DataError
from . import submissions, tossups

MARK = " (replayed, "
SERIES = ["model", "elicitation"]


def is_replayed(names) -> np.ndarray:
    """Which names of submissions are those of replayed ones."""
    names = pd.Series(names, dtype=object).fillna("").astype(str)
    return (names.str.contains(MARK, regex=False) & names.str.endswith(")")).to_numpy(dtype=bool)


def replay_rules(buzzpoints, own: dict[str, float], opponents: str):
    """The rules that are replayed: columns model, elicitation, rule, opponents, words, submission.

    Of each series what its source states; the given threshold that the configuration has for its model
    (``own``), without one and without stated buzzes every given one; and the one tuned on the other
    folds by ``opponents``. ``submission`` is the model's key and ``words`` for it. None without buzzpoints.
    """
    columns = [*SERIES, "rule", "opponents", "words", "submission"]
    if buzzpoints is None:
        return pd.DataFrame(columns=columns, dtype="str")
    result = buzzpoints[["set", *SERIES, "rule", "opponents"]].drop_duplicates()
    result = result[result["set"] == "study"].drop(columns="set")
    result = result.sort_values([*SERIES, "rule", "opponents"], ignore_index=True)
    kinds = result.groupby("model")["elicitation"].nunique()
    parts = []
    for (model, elicitation), rows in result.groupby(SERIES, sort=True):
        rules = set(rows["rule"])
        source = sorted(r for r in rules if r.startswith("given ") and not r.endswith("(sum)"))
        stated = [r for r in ("stated",) if r in rules]
        if model in own:
            source = [r for r in source if r == f"given {own[model]:g}"]
        elif stated:
            source = []
        tuned = rows[(rows["rule"] == "tuned") & (rows["opponents"] == opponents)]
        retained = pd.concat([rows[rows["rule"].isin([*stated, *source])], tuned])
        words = retained["rule"].str.removeprefix("given ").replace("stated", "as stated")
        if kinds[model] > 1:
            words = f"{elicitation}, " + words
        parts.append(retained.assign(words=words, submission=f"{model}{MARK}" + words + ")"))
    return (
        pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns, dtype="str")
    )


def shown_names(rules, names: dict[str, str]) -> dict[str, str]:
    """Submission → name shown: the model's name in place of its key, a minus sign in place of a hyphen."""
    words = rules["words"].str.replace("-", "−", regex=False)
    models = rules["model"].map(lambda key: names.get(key, key))
    return dict(zip(rules["submission"], models + MARK + words + ")", strict=True))


def first_buzzes(buzzpoints, rules):
    """:func:`tossups.first_buzzes` of the replayed submissions ``rules`` (:func:`replay_rules`).

    The buzz and its verdict are those of the rule, the first right guess is where the rule ``optimal`` of
    the same series buzzes. A question on which the series guessed and the rule does not buzz has its row.
    """
    points = buzzpoints[buzzpoints["set"] == "study"]
    best = points.loc[points["rule"] == "optimal", [*SERIES, "question_id", "position"]]
    best = best.rename(columns={"position": "first_right"})
    table = rules[[*SERIES, "rule", "opponents", "submission"]].merge(
        points, on=[*SERIES, "rule", "opponents"]
    )
    table = table.merge(best, on=[*SERIES, "question_id"], how="left", validate="many_to_one")
    table = table.rename(columns={"correct": "right"}).assign(errors=0, error_buzz=False)
    key = ["submission", "question_id"]
    columns = [*key, "position", "right", "error_buzz", "first_right", "errors"]
    return tossups.classify_buzzes(table[columns].sort_values(key, ignore_index=True))


def calibration(beliefs, rules, plays) -> dict:
    """:func:`tossups.calibration_sums` of each replayed submission: those of its series, whatever the rule.

    ``beliefs``: one row per model, elicitation, question and clue with position (words at the end of the clue),
    confidence and correct; as in scores/model_scores, a guess holds until the next one.
    """
    series = beliefs["model"] + "\n" + beliefs["elicitation"]
    sums = tossups.calibration_sums(beliefs.assign(submission=series, error=False), plays)
    result = {}
    for rule in rules.itertuples():
        for (definition, name), group in sums.items():
            if name == f"{rule.model}\n{rule.elicitation}":
                result[definition, rule.submission] = group
    return result


def confidences_at_clue_ends(responses, clues):
    """The rows of judged/responses given (:func:`calscore.scores.tables.primary`) at the ends of their clues."""
    ends = clues[["segmentation", "question_id", "clue", "end_word"]]
    rows = responses.merge(ends, on=["segmentation", "question_id", "clue"], validate="many_to_one")
    return rows.assign(position=rows["end_word"])


def field(buzzpoints, rules, plays, missing_questions: str, beliefs) -> tossups.Field:
    """The replayed submissions scored, on the questions that their series guessed on.

    ``beliefs`` as for :func:`calibration`.
    """
    firsts = first_buzzes(buzzpoints, rules)
    answered = firsts[["submission", "question_id"]]
    questions = submissions.counted_questions(
        answered, firsts.assign(live=False), plays, missing_questions
    )
    # Questions that it never guessed on, where they are to count: no buzz, nothing right.
    key = ["submission", "question_id"]
    firsts = firsts.merge(questions.drop_duplicates(), "right", key)
    firsts = firsts.fillna({"error_buzz": False, "errors": 0})
    # A series guesses at the end of each clue, of which the last is the question's.
    latest = beliefs.groupby("question_id")["position"].max()
    firsts["at_end"] = tossups.at_end(firsts, latest)
    firsts = tossups.classify_buzzes(firsts.sort_values(key, ignore_index=True))
    names = sorted(firsts["submission"].unique())
    counts = dict.fromkeys(("telling", "cut", "buzzed"), 0)
    stopped = pd.DataFrame({"submission": names}).assign(
        **counts, early_stopped=False, partly=False
    )
    sums = calibration(beliefs, rules, plays)
    return tossups.Field(firsts, tossups.against_humans(firsts, plays), stopped, sums, answered)


def check_reserved_names(found) -> None:
    """``DataError`` where a live or submitted name reads as a replayed one's."""
    taken = sorted(set(found[is_replayed(found)]))
    if taken:
        expected = f"a name without {MARK.strip()!r}, which names models replayed from guesses"
        raise DataError.at("config", "inputs/submissions", "name", taken[0], expected)
