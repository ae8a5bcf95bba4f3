"""Metrics of bonuses against loops."""

import math

import pandas as pd
import pytest
from boards import bonus_parts, mean
from calscore.core.errors import DataError
from calscore.leaderboard import bonuses
from calscore.stats.bootstrap import Bootstrap


def slow_bonuses(parts):
    """(metric, reading) → value for one submission, by loops over its parts."""
    rows = list(parts.itertuples())
    whole = {}
    for row in rows:
        whole.setdefault(row.question_id, []).append(row.correct)
    told = [r for r in rows if r.first_correct is not pd.NA and r.final_correct is not pd.NA]
    gaps = [abs(r.correct - r.confidence) for r in rows if not math.isnan(r.confidence)]
    stated = [r for r in rows if not math.isnan(r.confidence)]
    final = [r for r in rows if isinstance(r.final_guess, str)]
    decided = [r for r in rows if isinstance(r.decision, str)]
    effect = mean(r.final_correct for r in told) - mean(r.first_correct for r in told)
    accuracy = mean(all(values) for values in whole.values())
    found = {
        ("calibration", "manual"): mean(gaps), ("calibration", "code"): 1 - mean(gaps),
        ("calibrated_accuracy", "code"): mean(r.correct * (1 - abs(r.correct - r.confidence)) for r in stated),
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
    board = bonuses.bonus_table(parts, Bootstrap(100, 1, 0.95), 0.5, "leave_out")
    for name, of in board.groupby("submission"):
        expected = slow_bonuses(parts[parts["submission"] == name])
        got = {(row.metric, row.reading): row.value for row in of.itertuples()}
        assert got.keys() == expected.keys()
        for key, value in expected.items():
            assert got[key] == pytest.approx(value, abs=1e-12, nan_ok=True), (name, key)


def test_what_lacks_its_records_is_said(tmp_path):
    parts = bonus_parts(1, tmp_path, drop=0)
    board = bonuses.bonus_table(parts, Bootstrap(100, 1, 0.95), 0.5, "no_buzz")
    board = board.set_index(["submission", "metric", "reading"])
    note = board.loc[("alone", "effect", "manual"), "note"]
    assert note.startswith("not computed: no decision records")
    assert math.isnan(board.loc[("alone", "adoption", "code"), "value"])
    assert board.sort_index().loc["helper", "note"].eq("").all()
    places = {f.place for f in bonuses.missing_record_findings(board.reset_index())}
    assert places == {"alone, effect", "alone, adoption"}


def _parts(answers: dict[str, str]) -> pd.DataFrame:
    """Bonuses of one part; ``answers``: submission → right (1), wrong (0) or left out (-), a character a bonus."""
    rows = [
        {"submission": name, "question_id": f"b{n:02d}", "part": 1, "guess": "x", "confidence": 0.5, "correct": mark == "1"}
        for name, marks in answers.items()
        for n, mark in enumerate(marks)
        if mark != "-"
    ]  # fmt: skip
    table = pd.DataFrame(rows).assign(first_correct=pd.NA, final_correct=pd.NA, final_guess=None, decision=None)  # fmt: skip
    return table.astype({"first_correct": "boolean", "final_correct": "boolean"})


@pytest.mark.parametrize(("missing", "gain"), [("no_buzz", False), ("leave_out", True)])
def test_leaving_out_wrong_answers_gains_no_rank_unless_asked_for(missing, gain):
    honest = {"a": "1" * 12 + "0" * 8, "b": "10" * 10, "c": "0" * 20}
    ranks = []
    for marks in ("1" * 11 + "0" * 9, "1" * 11 + "-" * 9):
        board = bonuses.bonus_table(_parts(honest | {"m": marks}), Bootstrap(100, 1, 0.95), 0.5, missing)
        board = board.set_index(["metric", "reading", "submission"]).sort_index()
        ranks.append(board.loc["part_accuracy", "manual", "m"]["rank"])
    assert ranks == [2, 1 if gain else 2]


def test_one_right_bonus_is_no_first_place():
    answers = {f"s{n}": "10" * 10 for n in range(4)} | {"m": "1" + "-" * 19}
    board = bonuses.bonus_table(_parts(answers), Bootstrap(100, 1, 0.95), 0.5, "leave_out")
    own = board[(board["submission"] == "m") & board["value"].notna()]
    assert own["rank"].isna().all() and own["p_first"].isna().all()
    note = "answered 1 of 20 bonuses, ranks need answers to half of them"
    assert own["note"].str.contains(note).any()
    first = board[(board["submission"] == "s0") & (board["metric"] == "part_accuracy")]
    assert (first[["rank", "rank_low", "rank_high"]] == 1).all(axis=None)


def test_no_bonus_submission_is_one_clear_error(tmp_path):
    with pytest.raises(DataError, match="column bonus_submissions: found None, expected at least one"):
        bonuses.score_submissions(None, [], tmp_path, 20, 1, 0.95, 0.5, "no_buzz", {})
