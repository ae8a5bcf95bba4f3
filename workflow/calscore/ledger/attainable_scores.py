"""What values a benchmark CalScore can take at all, given the human curve it is adjusted by.

CalScore weights the model's signed confidence by 1 - h_t, so the human curve alone bounds it. A printed score outside
the bounds cannot have come from that curve under that definition. The bounds depend on which h is meant (the paper
words it in two ways) and on where the clues end: ends that come earlier mostly mean a smaller h and a wider range.
"""

import pandas as pd

from ..scores.metrics import DEFINITIONS, renormalise

#: Metric definition → the readings of h under which its range is given, its own one first. §4.1
#: counts correct among all buzzes so far; §4.3 and Appendix H speak of the humans who heard the
#: question; the released code divides by all buzzes on it.
H_READINGS = {
    "paper": ("buzzed_so_far", "heard", "buzzed_on_question"),
    "release": ("buzzed_on_question", "heard"),
}


def attainable_calscore(
    human_curve_rows: pd.DataFrame, definition: str, h_definition: str | None = None
) -> tuple[float, float]:
    """(lowest, highest) benchmark CalScore, the mean over questions, that any model could get against this human curve.

    ``human_curve_rows``: rows of table human_curve of one segmentation (question_id, clue, h and perhaps h_definition).
    Only those of ``h_definition`` are used; by default of the one that belongs to ``definition`` (paper or release).

    For a question let a = mean_t(1 − h_t), which lies in [0, 1].

    - ``paper`` (§4.3, Appendix K): g·c lies in [−1, 1] at each clue and 1 − h_t ≥ 0, so mean_t (1−h)·g·c lies in
      [−a, a]; r is increasing, so CalScore_q = 1 − r(·) lies in [1 − r(a), 1 − r(−a)].
    - ``release``: g·c lies in [0, 1], so CalScore_q = 1 − mean_t (1−h)·g·c lies in [1 − a, 1].

    The ends are attained: c = 1 throughout with g always right gives the low end, and always wrong the high end. Questions are
    free of each other, so the bounds of the mean over questions are the means of the bounds. Every value between is attained too.
    """
    rows = human_curve_rows
    if "h_definition" in rows:
        rows = rows[rows["h_definition"] == (h_definition or DEFINITIONS[definition])]
    weights = (1.0 - rows["h"]).groupby(rows["question_id"]).mean()
    if definition == "release":
        return float((1.0 - weights).mean()), 1.0
    return float((1.0 - renormalise(weights)).mean()), float((1.0 - renormalise(-weights)).mean())
