"""The engine and its score on human-labelled pairs: accuracy, paired tests, reliability.

    python -m benchmarks.compare_equivalence            print the comparison
    python -m benchmarks.compare_equivalence --write    fit again and replace workflow/calscore/data/equivalence.json

The pairs are answers/evouna_dev.jsonl in the folder that CALSCORE_DATA names. All figures are
cross-validated by question. Beside other programs, and on other sets: benchmarks/answers.
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
from calscore.answers import rule_judge, score
from calscore.answers.parse import line_of
from calscore.judging import evaluation, matchers, training
from rapidfuzz import fuzz
from scipy.stats import binomtest

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
        [
            matchers.match(line_of(r["refs"]), r["candidate"], "", name).verdict == "accept"
            for r in rows
        ]
    )


def rules(rows):
    """Verdicts of the rules alone, without the score."""
    return np.array(
        [
            rule_judge.judge_by_rules(line_of(r["refs"]), r["candidate"]).verdict == "accept"
            for r in rows
        ]
    )


def compare(rows, judged, candidates: dict[str, np.ndarray]) -> pd.DataFrame:
    """Accuracy of each candidate by source and system, and McNemar's test of the engine with it."""
    label = judged["label"].to_numpy() == 1
    engine = judged["accepted"].to_numpy() == label
    out = []
    for source in sorted(judged["source"].unique()):
        for system in ("fid", "all"):
            rows_in = (judged["source"] == source).to_numpy()
            if system == "fid":
                rows_in = rows_in & (judged["system"] == "fid").to_numpy()
            left = rows_in & ~judged["exact"].to_numpy()
            for name, accepted in candidates.items():
                right = accepted == label
                b, c = ((engine & ~right)[rows_in].sum(), (right & ~engine)[rows_in].sum())
                p = binomtest(int(b), int(b + c)).pvalue if b + c else 1.0
                out.append(
                    {
                        "source": source,
                        "system": system,
                        "matcher": name,
                        "pairs": int(rows_in.sum()),
                        "accuracy": right[rows_in].mean(),
                        "balanced_not_exact": evaluation.balanced_accuracy(
                            accepted[left], label[left]
                        ),
                        "engine_only": b,
                        "other_only": c,
                        "p": p,
                    }
                )
    return pd.DataFrame(out)


def main() -> int:
    if not PAIRS.exists():
        print(f"skipped: {PAIRS.name} is not in {PAIRS.parent} (set CALSCORE_DATA)")
        return 0
    if "--write" in sys.argv[1:]:
        score.MODEL_FILE.write_text(evaluation.refit(PAIRS).to_json(), encoding="utf-8")
        score.default_model.cache_clear()
    rows = training.read_pairs(PAIRS)
    judged = evaluation.cross_validate(rows)
    candidates = {"engine": judged["accepted"].to_numpy()}
    candidates["rules alone"] = rules(rows)
    for name in matchers.MATCHERS[1:]:
        candidates[name] = matcher(rows, name)
    candidates["token-set ratio"] = token_set(rows, judged["fold"].to_numpy())
    for name, strict in (("no question, not strict", False), ("no question, strict", True)):
        hidden = evaluation.cross_validate(rows, with_question=False, strict=strict)
        candidates[f"engine, {name}"] = hidden["accepted"].to_numpy()
    with pd.option_context("display.width", 160, "display.max_columns", None):
        print(compare(rows, judged, candidates).to_string(index=False, float_format="%.4f"))
        print("\nengine, cross-validated by question")
        print(evaluation.summary(judged).to_string(float_format="%.4f"))
        print("\nreliability of the score, all pairs")
        print(
            evaluation.reliability(judged["score"], judged["label"]).to_string(float_format="%.3f")
        )
        decided = judged[judged["rule"] == "score"]
        print("\nreliability of the score, pairs that it decides")
        print(
            evaluation.reliability(decided["probability"], decided["label"]).to_string(
                float_format="%.3f"
            )
        )
        print("\nhow often each rule decides, and how often rightly")
        by = judged.assign(right=judged["accepted"] == judged["label"]).groupby("rule")["right"]
        print(by.agg(["size", "mean"]).to_string(float_format="%.3f"))
    seeds = [evaluation.summary(evaluation.cross_validate(rows, seed)) for seed in range(1, 5)]
    spread = pd.concat([s["accuracy"].rename(f"seed {i}") for i, s in enumerate(seeds, 1)], axis=1)
    print("\naccuracy with other folds")
    print(spread.to_string(float_format="%.4f"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
