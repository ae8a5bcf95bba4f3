"""The engine and its score on human-labelled pairs.

    python -m benchmarks.compare_equivalence            print its accuracy and reliability
    python -m benchmarks.compare_equivalence --write    fit again and replace workflow/calscore/data/equivalence.json

The pairs are answers/evouna_dev.jsonl in the folder that CALSCORE_DATA names. All figures are
cross-validated by question. Beside other programs, and on other sets: benchmarks/answers.
"""

from __future__ import annotations

import sys

import numpy as np
from calscore.answers import score
from calscore.answers.parse import line_of
from calscore.judging import evaluation, matchers, training
from rapidfuzz import fuzz

from . import DATA

PAIRS = DATA / "answers" / "evouna_dev.jsonl"


def token_set(rows, fold):
    """Token-set ratio with the nearest reference; the threshold is the best of the other folds."""
    label = np.array([row["human_label"] for row in rows])
    ratio = np.empty(len(rows))
    for i, row in enumerate(rows):
        guess = matchers.squad_normal(row["candidate"])
        ratio[i] = max(fuzz.token_set_ratio(matchers.squad_normal(r), guess) for r in row["refs"])
    accepted = np.zeros(len(rows), bool)
    fid = np.array([row["system"] == "fid" for row in rows])
    source = np.array([row["source"] for row in rows])
    for name in np.unique(source):
        for k in np.unique(fold):
            train = (fold != k) & fid & (source == name)
            right = [((ratio[train] >= t) == label[train]).mean() for t in range(101)]
            out = (fold == k) & (source == name)
            accepted[out] = ratio[out] >= int(np.argmax(right))
    return accepted


def matcher(rows, name: str):
    """Verdicts of one of the other matchers at its usual threshold."""
    return np.array(
        [matchers.match_guess(line_of(r["refs"]), r["candidate"], "", name).verdict == "accept" for r in rows]
    )


def main() -> int:
    if not PAIRS.exists():
        print(f"skipped: {PAIRS.name} is not in {PAIRS.parent} (set CALSCORE_DATA)")
        return 0
    if "--write" in sys.argv[1:]:
        score.MODEL_FILE.write_text(evaluation.refit_model(PAIRS).to_json(), encoding="utf-8")
        score.default_model.cache_clear()
    judged = evaluation.cross_validate(training.read_pairs(PAIRS))
    print(evaluation.accuracy_by_source(judged).to_string(float_format="%.4f"))
    bins = evaluation.reliability_table(judged["score"], judged["label"])
    print(f"\nreliability of the score\n{bins.to_string(float_format='%.3f')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
