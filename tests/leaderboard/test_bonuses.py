"""Metrics of bonuses against loops."""

import math

import pandas as pd
import pytest
from boards import bonus_parts, mean
from calscore.leaderboard import bonuses


def slow_bonuses(parts):
    """(metric, reading) → value for one submission, by loops over its parts."""
    rows = list(parts.itertuples())
    whole = {}
    for row in rows:
        whole.setdefault(row.question_id, []).append(row.correct)
    told = [r for r in rows if r.first_correct is not pd.NA and r.final_correct is not pd.NA]
    gaps = [abs(r.correct - r.confidence) for r in rows if not math.isnan(r.confidence)]
    final = [r for r in rows if isinstance(r.final_guess, str)]
    decided = [r for r in rows if isinstance(r.decision, str)]
    effect = mean(r.final_correct for r in told) - mean(r.first_correct for r in told)
    accuracy = mean(all(values) for values in whole.values())
    found = {
        ("calibration", "manual"): mean(gaps), ("calibration", "code"): 1 - mean(gaps),
        ("adoption", "manual"): mean(r.final_guess.lower() == r.guess.lower() for r in final),
        ("adoption", "code"): mean(r.decision != "keep" for r in decided),
    }  # fmt: skip
    for reading in ("manual", "code"):
        found["effect", reading] = effect
        found["question_accuracy", reading] = accuracy
        found["part_accuracy", reading] = mean(r.correct for r in rows)
    return found


@pytest.mark.parametrize("seed", range(10))
def test_every_bonus_metric_agrees_with_the_slow_one(seed, tmp_path):
    parts = bonus_parts(seed, tmp_path)
    board = bonuses.board(parts, 100, 1, 0.95)
    for name, of in board.groupby("submission"):
        expected = slow_bonuses(parts[parts["submission"] == name])
        got = {(row.metric, row.reading): row.value for row in of.itertuples()}
        assert got.keys() == expected.keys()
        for key, value in expected.items():
            assert got[key] == pytest.approx(value, abs=1e-12, nan_ok=True), (name, key)


def test_what_lacks_its_records_is_said(tmp_path):
    parts = bonus_parts(1, tmp_path, drop=0)
    board = bonuses.board(parts, 100, 1, 0.95).set_index(["submission", "metric", "reading"])
    assert board.loc[("alone", "effect", "manual"), "note"].startswith(
        "not computed: no decision records"
    )
    assert math.isnan(board.loc[("alone", "adoption", "code"), "value"])
    assert board.sort_index().loc["helper", "note"].eq("").all()
    assert {f.place for f in bonuses.findings(board.reset_index())} == {
        "alone, effect",
        "alone, adoption",
    }
