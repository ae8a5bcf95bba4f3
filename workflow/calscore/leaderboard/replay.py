"""Models that come as guesses, entered as submissions that buzz where a threshold rule says.

A replayed submission is what the same guesses would be if a file of runs said where it buzzes: no opponent
keeps it from buzzing. Positions of buzzpoints are 1-based counts of words, as those of runs."""

import numpy as np
import pandas as pd

from ..core.errors import DataError
from . import submissions, tossups

MARK = " (replayed, "
SERIES = ["model", "elicitation"]


def is_replayed(names) -> np.ndarray:
    """Mask of ``names`` (a list or column) that contain :data:`MARK` and end with ")"; False for null ones."""
    names = pd.Series(names, dtype=object).fillna("").astype(str)
    return (names.str.contains(MARK, regex=False) & names.str.endswith(")")).to_numpy(dtype=bool)


def replay_rules(buzzpoints, own: dict[str, float], opponents: str) -> pd.DataFrame:
    """The rules under which models are replayed, sorted: model, elicitation, rule, opponents, words, submission;
    empty without buzzpoints (None). For each model and elicitation: buzzes that its source states; the given
    threshold that ``own`` (model → threshold) names, else, without stated buzzes, every given one (no sums); and the
    rule tuned on the other folds by ``opponents``. ``submission`` is the model's key and ``words`` for the rule."""
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


def display_names(rules: pd.DataFrame, names: dict[str, str]) -> dict[str, str]:
    """Replayed submission of :func:`replay_rules` → label: its model's label in ``names`` (else the key) and its rule, with
    minus signs for hyphens."""
    words = rules["words"].str.replace("-", "−", regex=False)
    models = rules["model"].map(lambda key: names.get(key, key))
    return dict(zip(rules["submission"], models + MARK + words + ")", strict=True))


def confidences_at_clue_ends(responses: pd.DataFrame, clues: pd.DataFrame) -> pd.DataFrame:
    """``responses`` (:func:`calscore.scores.tables.primary_rows`) with ``end_word`` and ``position``, both the number of words
    heard at the end of the clue, from tidy/clues. ``MergeError`` for a clue that occurs twice there."""
    ends = clues[["segmentation", "question_id", "clue", "end_word"]]
    rows = responses.merge(ends, on=["segmentation", "question_id", "clue"], validate="many_to_one")
    return rows.assign(position=rows["end_word"])


def replayed_field(buzzpoints, rules, plays, missing_questions: str, beliefs) -> tossups.Field:
    """:class:`.tossups.Field` of the submissions of ``rules`` (:func:`replay_rules`) on the questions of ``buzzpoints``,
    buzzing where these say, against ``plays`` (tidy/human_plays); none is early-stopped. ``beliefs``:
    :func:`confidences_at_clue_ends`, the runs of each rule of their series. ``missing_questions``: as
    :func:`.submissions.counted_questions` takes it."""
    key = [*SERIES, "rule", "opponents"]
    points = buzzpoints[buzzpoints["set"] == "study"]
    points = rules[[*key, "submission"]].merge(points, on=key)
    answered = points[["submission", "question_id"]]
    places = points[[*SERIES, "submission", "question_id", "position"]]
    places = places.rename(columns={"position": "buzz_position"})
    runs = places.merge(beliefs, on=[*SERIES, "question_id"])
    buzz = (runs["position"] == runs["buzz_position"]).fillna(False).astype(bool)
    runs = runs.assign(buzz=buzz, run=0, error=False, live=False, n_words=pd.NA)
    counted = submissions.counted_questions(answered, runs, plays, missing_questions)
    # A series guesses at the end of each clue, whatever the rule.
    never = tossups.early_stop_table(runs.assign(live=True))
    return tossups.score_field(runs, counted, plays, answered)._replace(stopped=never)


def check_reserved_names(names: pd.Series) -> None:
    """``DataError`` if any of ``names`` reads as that of a replayed submission."""
    reserved = sorted(set(names[is_replayed(names)]))
    if reserved:
        expected = f"a name without {MARK.strip()!r}, which names models replayed from guesses"
        raise DataError.at("config", "inputs/submissions", "name", reserved[0], expected)
