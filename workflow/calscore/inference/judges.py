"""Scores of the same answers under every judge: what a judge moves, and which ranks change."""

import numpy as np
import pandas as pd

from ..core import store
from ..core.mark_sources import first_judge
from ..judging.guess_verdicts import correctness, marks_by_judge
from ..judging.matchers import MATCHERS
from ..scores import metrics, score, streaming
from ..stats import resample

REFERENCE = ("authors", "engine")
"""What a judge is compared with: the marks that came with a model's runs, else the engine."""
_RUN = ["model", "elicitation", "question_id", "position"]


def marks_of_judges(
    guesses: pd.DataFrame,
    judgements: pd.DataFrame,
    by_matcher: dict[str, pd.DataFrame],
    judging_disagreements: pd.DataFrame,
) -> dict[str, pd.Series]:
    """Judge → whether each guess is right, aligned with ``guesses``; null (matchers: False) where it has no say.

    Judges are those of :func:`calscore.judging.guess_verdicts.marks_by_judge`, the plain matchers (``by_matcher``: their
    judgements), and, where people judged, ``left`` and ``against``: their verdicts with arguable marks left as the
    authors', or turned.
    """
    marks, _ = marks_by_judge(guesses, judgements)
    for name in MATCHERS[1:]:
        marks[name] = correctness(guesses, by_matcher[name]).fillna(False)
    by_hand = judging_disagreements[judging_disagreements["adjudicated"].notna()]
    if len(by_hand) and "authors" in marks:
        # a model of one's own has marks, but none that was judged by hand
        own_marks = marks["authors"].where(guesses["model"].isin(by_hand["model"]))
        verdicts = guesses[_RUN].merge(by_hand, on=_RUN, how="left", validate="many_to_one")
        verdicts.index = guesses.index
        corrected = own_marks.mask(verdicts["adjudicated"].notna(), verdicts["adjudicated"] == "accept")
        arguable = verdicts["arguable"].fillna(False).astype(bool)
        marks["left"] = corrected.mask(arguable, own_marks)
        marks["against"] = corrected.mask(arguable, ~own_marks)
    return marks


def scores_by_judge(
    rows: pd.DataFrame,
    human_curve: pd.DataFrame,
    names: dict[str, str],
    replicates: int,
    seed: int,
    level: float,
) -> pd.DataFrame:
    """Table judges: each score of a model under every judge, its rank, and how much the judge moves it.

    ``rows``: responses of one segmentation and reduction, repeated for each judge in ``marks``; ``names``: model → name shown.
    ``replicates``, ``seed`` and ``level`` are those of the bootstrap of questions behind ``low`` and ``high``, the bounds of
    ``difference``. That is the score less the one under the first judge of :data:`REFERENCE` that the model has, over the
    questions that both judged. ``changed``: number of clues on which the two judges disagree. Sorted by definition,
    elicitation, metric, model and judge."""
    (clues,) = score.clues_of(score.scored_rows(rows, human_curve))
    series = clues.series
    identity = ["model", "elicitation"]
    reference = first_judge(series[series["marks"].isin(REFERENCE)], REFERENCE)
    reference = pd.Series(reference.index, pd.MultiIndex.from_frame(reference[identity]))
    reference = reference.reindex(pd.MultiIndex.from_frame(series[identity]))
    pairs = np.column_stack([np.arange(len(series)), reference])
    weights = resample.bootstrap_weights(len(clues.questions), replicates, seed)
    parts = []
    for tally in score.iter_tallies(clues):
        series = tally.series.assign(segmentation=clues.segmentation, definition=tally.definition)
        for metric in metrics.metric_names("judges"):
            if metric in tally.sums:
                sums = tally.sums[metric]
                difference, _, _, ends, _ = resample.series_differences(sums, pairs, weights, level)
                scores = {"value": resample.estimate(sums), "difference": difference}
                parts.append(series.assign(metric=metric, **scores, low=ends.low, high=ends.high))
    table = streaming.rank_models(pd.concat(parts, ignore_index=True))
    table["name"] = [names.get(model, model) for model in table["model"]]
    table = table.join(_count_changes(rows).rename("changed"), on=[*identity, "marks"])
    order = ["definition", "elicitation", "metric", "model", "marks"]
    return store.frame(table, "judges").sort_values(order, ignore_index=True)


def _count_changes(rows: pd.DataFrame) -> pd.Series:
    """Number of clues, by model, elicitation and judge, where the judge differs from the first of :data:`REFERENCE`."""
    key = ["model", "elicitation", "question_id", "clue"]
    reference = first_judge(rows[rows["marks"].isin(REFERENCE)], REFERENCE)
    both = rows.merge(reference[[*key, "correct"]], on=key, suffixes=("", "_first"))
    return (
        (both["correct"] != both["correct_first"])
        .groupby([both[name] for name in ("model", "elicitation", "marks")])
        .sum()
    )
