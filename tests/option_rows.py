"""The published rows of "Mind the Confidence Gap" that lie with the real data, and its printed numbers."""

import numpy as np
from calscore.multiple_choice import contrasts, scoring, tables
from calscore.stats.bootstrap import Bootstrap
from support import configuration

QUESTION_FILE = "simpleQA_with_distractors.csv"
FILES = {
    "normal": "gpt-4o-mini_normal_0_20_results.json",
    "distractor": "gpt-4o-mini_distractors_0_20_results.json",
}
PUBLISHED = configuration("published/confidence_gap")


def ece(c, output, reading: str) -> float:
    """Expected calibration error of answers under a reading; nan where none counts."""
    labels, edges = scoring.READINGS[reading]
    n = scoring.is_counted(output, labels).sum()
    gaps = scoring.residuals(c, output, labels, edges).sum(axis=0)
    return np.abs(gaps).sum() / n if n else float("nan")


def all_tables(questions, results):
    """Every table of :mod:`calscore.multiple_choice.tables` by its file name."""
    resamples = tables.Resamples(results, 100, 0)
    given = results, questions
    more = resamples, {}, Bootstrap(100, 0, 0.95)
    types, draws = tables.by_group(*given, "answer_type", *more)
    return {
        "option_scores": tables.scores(results, resamples, {}, 0.95),
        "option_readings": tables.readings(results, resamples, {}, 0.95),
        "option_types": types,
        "option_topics": tables.by_group(*given, "topic", *more)[0],
        "option_overall": tables.by_group(*given, "all", *more)[0],
        "option_reliability": tables.reliability(results, {}, 0.95),
        "option_transitions": tables.transitions(results, {}, 0.95),
        "option_comparisons": tables.comparisons(resamples, {}, 0.95),
        "option_distraction": contrasts.accuracy_harm_correlation(resamples, 0.95),
        "option_contrasts": contrasts.contrasts(resamples, draws, {}, 0.95),
    }
