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
    folds by ``opponents``. ``submission`` is the model's key and ``words`` for it. Without buzzpoints the table is empty.
    """
    key = [*SERIES, "rule", "opponents"]
    if buzzpoints is None:
        return pd.DataFrame(columns=[*key, "words", "submission"], dtype="str")
    rows = buzzpoints.loc[buzzpoints["set"] == "study", key].drop_duplicates()
    rows = rows.sort_values(key, ignore_index=True)
    model, rule = rows["model"], rows["rule"]
    stated, tuned = rule == "stated", (rule == "tuned") & (rows["opponents"] == opponents)
    threshold = rule.str.startswith("given ") & ~rule.str.endswith("(sum)")
    has_stated = stated.groupby([model, rows["elicitation"]]).transform("any")
    is_own = rule == "given " + model.map(own).map("{:g}".format)
    threshold &= is_own.where(model.isin(list(own)), ~has_stated)
    words = rule.str.removeprefix("given ").replace("stated", "as stated")
    several = rows.groupby("model")["elicitation"].transform("nunique") > 1
    words = words.mask(several, rows["elicitation"] + ", " + words)
    rows = rows.assign(words=words, submission=model + MARK + words + ")")
    return rows[stated | threshold | tuned].reset_index(drop=True)


def shown_names(rules, names: dict[str, str]) -> dict[str, str]:
    """Submission → name shown: the model's name in place of its key, a minus sign in place of a hyphen."""
    words = rules["words"].str.replace("-", "−", regex=False)
    models = rules["model"].map(lambda key: names.get(key, key))
    return dict(zip(rules["submission"], models + MARK + words + ")", strict=True))


def confidences_at_clue_ends(responses, clues):
    """The rows of judged/responses given (:func:`calscore.scores.tables.primary_rows`) at the ends of their clues."""
    ends = clues[["segmentation", "question_id", "clue", "end_word"]]
    rows = responses.merge(ends, on=["segmentation", "question_id", "clue"], validate="many_to_one")
    return rows.assign(position=rows["end_word"])


def field(buzzpoints, rules, plays, missing_questions: str, beliefs) -> tossups.Field:
    """The replayed submissions scored, on the questions that their series guessed on.

    ``beliefs``: one row per model, elicitation, question and clue with position (words at the end of the clue),
    confidence and correct; as in scores/model_scores, a guess holds until the next one. They are the runs of each of
    the ``rules`` (:func:`replay_rules`) of their series.
    """
    key = [*SERIES, "rule", "opponents"]
    points = buzzpoints[buzzpoints["set"] == "study"]
    points = rules[[*key, "submission"]].merge(points, on=key)
    answered = points[["submission", "question_id"]]
    places = points[[*SERIES, "submission", "question_id", "position"]]
    places = places.rename(columns={"position": "buzz_position"})
    runs = places.merge(beliefs, on=[*SERIES, "question_id"])
    buzz = (runs["position"] == runs["buzz_position"]).fillna(False).astype(bool)
    runs = runs.assign(buzz=buzz, run=0, error=False, live=False, n_words=pd.NA)
    asked = submissions.counted_questions(answered, runs, plays, missing_questions)
    # A series guesses at the end of each clue, whatever the rule.
    never = tossups.early_stopped(runs.assign(live=True))
    return tossups.field(runs, asked, plays, answered)._replace(stopped=never)


def check_reserved_names(found) -> None:
    """``DataError`` where a name of the series ``found`` (live or submitted) reads as a replayed one's."""
    taken = sorted(set(found[is_replayed(found)]))
    if taken:
        expected = f"a name without {MARK.strip()!r}, which names models replayed from guesses"
        raise DataError.at("config", "inputs/submissions", "name", taken[0], expected)
