"""Models replayed from guesses are what the same guesses in a file are."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from boards import (
    OWN,
    RESAMPLING,
    TOSSUP,
    believed,
    everything,
    guessed,
    played,
    slow_kind,
    slow_tossups,
)
from calscore.core import store
from calscore.core.errors import DataError
from calscore.judging import guess_verdicts
from calscore.leaderboard import replay, submissions, tossups


def test_what_is_replayed_says_what_it_is():
    _, points = guessed(1)
    rules = replay.replay_rules(points, OWN, "fitted")
    assert rules["submission"].to_list() == [
        "free (replayed, -0.1)",
        "free (replayed, -0.3)",
        "free (replayed, tuned)",
        "owned (replayed, -0.1)",
        "owned (replayed, tuned)",
        "told (replayed, logit, as stated)",
        "told (replayed, logit, tuned)",
        "told (replayed, verbalized, tuned)",
    ]
    assert set(rules["opponents"]) == {"any", "fitted"}
    names = replay.display_names(rules, {"free": "Free"})
    assert names["free (replayed, -0.1)"] == "Free (replayed, −0.1)"
    assert replay.is_replayed(rules["submission"]).all()
    assert not replay.is_replayed(["free", "replayed, x)", "a (replayed)", None]).any()
    with pytest.raises(DataError, match="replayed from guesses"):
        replay.check_reserved_names(pd.Series(["mine", "mine (replayed, tuned)"]))


def as_file(states, limits, stated, path):
    """The states as a submission file that buzzes at the first score above each question's limit."""
    records = []
    for question, of in states.sort_values("position").groupby("question_id"):
        runs, done = [], False
        for i, row in enumerate(of.itertuples()):
            buzz = bool(row.buzzed) if stated else row.score > limits[question]
            runs.append(
                {"guess": row.guess, "confidence": math.exp(row.score), "buzz": bool(buzz and not done), "run_idx": i,
                 "correct": bool(row.correct), "token_position": int(row.position)}
            )  # fmt: skip
            done |= buzz
        records.append({"qid": question, "run_outputs": runs})
    path.write_text("\n".join(map(json.dumps, records)))


def slow_classes(runs):
    counts = dict.fromkeys(tossups.CLASSES, 0)
    gaps = {kind: [] for kind in tossups.CLASSES}
    for _, of in runs.sort_values("position").groupby("question_id"):
        right = [r.position for r in of.itertuples() if r.correct]
        buzz = [r.position for r in of.itertuples() if r.buzz]
        kind, gap = slow_kind(right, buzz)
        if gap is not None:
            gaps[kind].append(gap)
        counts[kind] += 1
    return counts, gaps


def assert_as_a_file(board, classes, runs, plays, only=None):
    """One replayed submission's rows (of the metrics ``only``) are what loops over the same guesses give."""
    expected = slow_tossups(runs, plays)
    got = {(r.metric, r.reading): r.value for r in board.itertuples()}
    assert set(got) == set(expected)
    for key, value in expected.items():
        if only is None or key[0] in only:
            assert got[key] == pytest.approx(value, abs=1e-12, nan_ok=True), key
    counts, gaps = slow_classes(runs)
    assert classes.set_index("class")["questions"].to_dict() == counts
    for kind, gap in classes.set_index("class")["mean_gap"].items():
        assert gap == pytest.approx(np.mean(gaps[kind]) if gaps[kind] else np.nan, nan_ok=True)


@pytest.mark.parametrize("seed", range(4))
def test_a_replayed_submission_is_the_same_guesses_in_a_file(seed, tmp_path):
    table, points, plays, rules, fields = everything(seed)
    board = tossups.leaderboard_metrics(fields, RESAMPLING)
    classes = tossups.class_table(fields[1].firsts, 0.9)
    questions = table.drop_duplicates("question_id")[["question_id", "n_words"]]
    questions = questions.assign(source_id=questions["question_id"])
    seen = set()
    for rule in rules.itertuples():
        states = table[(table["model"] == rule.model) & (table["elicitation"] == rule.elicitation)]
        limits = dict.fromkeys(states["question_id"], 0.0)
        if rule.rule == "tuned":
            key = ["model", "elicitation", "rule", "opponents"]
            of = points.merge(rules.loc[rules["submission"] == rule.submission, key], on=key)
            limits = of.set_index("question_id")["threshold"].to_dict()
        elif rule.rule != "stated":
            limits = dict.fromkeys(limits, float(rule.rule.split()[1]))
        path = tmp_path / "file.jsonl"
        as_file(states, limits, rule.rule == "stated", path)
        runs = submissions.match_questions(submissions.read_runs(path, "file"), questions, [])
        runs = submissions.tidy_runs(runs, questions, [])
        of = classes[classes["submission"] == rule.submission]
        assert_as_a_file(board[board["submission"] == rule.submission], of, runs, plays)
        seen |= set(of.loc[of["questions"] > 0, "class"])
    assert seen == set(tossups.CLASSES)


def test_questions_that_were_never_guessed_count_where_they_are_to():
    table, points = guessed(3)
    plays = played(table, 3)
    rules = replay.replay_rules(points, OWN, "fitted")
    extra = plays.head(1).assign(question_id="unheard")
    out, counted = (
        replay.replayed_field(points, rules, pd.concat([plays, extra]), how, believed(table))
        for how in ("leave_out", "no_buzz")
    )
    assert "unheard" not in set(out.scored["question_id"])
    more = counted.scored[counted.scored["question_id"] == "unheard"]
    assert len(more) == len(rules) and not more["buzzed"].any()
    assert (more["class"] == "hopeless").all() and (more["n_plays"] == 1).all()


def test_replayed_rows_of_the_demo_follow_from_its_guesses(demo):
    board = pd.read_csv(demo / "tables" / "leaderboard.csv")
    classes = pd.read_csv(demo / "tables" / "leaderboard_classes.csv")
    guesses = store.read(demo / "tidy" / "guesses.parquet")
    questions = store.read(demo / "tidy" / "questions.parquet")
    judgements = store.read(demo / "judged" / "judgements.parquet")
    plays = store.read(demo / "tidy" / "human_plays.parquet")
    live = board[~replay.is_replayed(board["submission"])]
    assert set(live["submission"]) == {"M1", "M2", "M3"}
    for model, limit in (("M1", -0.03), ("M6", -0.05)):
        of = guesses[(guesses["model"] == model) & (guesses["elicitation"] == "logit")]
        words = of["question_id"].map(questions.set_index("question_id")["n_words"])
        of = of.assign(condition=guess_verdicts.met_conditions(of, questions), n_words=words)
        runs = of.assign(
            correct=guess_verdicts.correctness(of, judgements).fillna(False).astype(bool),
            buzz=of["mean_logprob"] > limit,
            confidence=0.5,
            error=False,
        )
        name = f"{model} (replayed, logit, {limit})"
        mine = classes[classes["submission"] == name]
        assert_as_a_file(board[board["submission"] == name], mine, runs, plays, TOSSUP)


def test_calibration_on_the_leaderboard_is_that_of_table_1(demo):
    """Two ways to the same numbers: plays held against positions here, the human curve by clue there."""
    board = pd.read_csv(demo / "tables" / "leaderboard.csv")
    table = pd.read_csv(demo / "tables" / "table1.csv")
    metrics = ["mce", "calscore", "ece", "brier"]
    rows = board[replay.is_replayed(board["submission"]) & board["metric"].isin(metrics)]
    place = rows["submission"].str.extract(r"^(?P<model>\S+) \(replayed, (?P<elicitation>\w+), ")
    rows = pd.concat([rows, place], axis=1)
    wide = table.melt(["definition", "elicitation", "model"], metrics, "metric", "printed")
    both = rows.merge(
        wide.rename(columns={"definition": "reading"}),
        on=["reading", "elicitation", "model", "metric"],
    )
    assert len(both) == len(rows) > 100
    assert (both["value"] - both["printed"]).abs().max() < 1e-12
