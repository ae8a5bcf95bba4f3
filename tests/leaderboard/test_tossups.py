"""Metrics of tossups, classes, wins and early stopping against loops and cases by hand."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from boards import board_of, human_plays, slow_kind, slow_tossups, world
from calscore.leaderboard import checks, pairs, submissions, tossups
from calscore.stats.bootstrap import Bootstrap
from scipy import stats


@cache
def random_board(seed: int):
    """(runs, plays, board) of a random world."""
    runs, plays = world(seed)
    asked = runs[["submission", "question_id"]].drop_duplicates()
    field = tossups.score_field(runs, asked, plays)
    return runs, plays, tossups.leaderboard_metrics([field], Bootstrap(100, 1, 0.95), True)


@pytest.mark.parametrize("seed", range(25))
def test_every_tossup_metric_agrees_with_the_slow_one(seed):
    runs, plays, board = random_board(seed)
    for name, of in board.groupby("submission"):
        expected = slow_tossups(runs[runs["submission"] == name], plays)
        got = {(row.metric, row.reading): row.value for row in of.itertuples()}
        assert got.keys() == expected.keys()
        for key, value in expected.items():
            assert got[key] == pytest.approx(value, abs=1e-12, nan_ok=True), (name, key)


def test_the_readings_differ_where_they_should():
    """Random worlds hold every case that parts the readings; otherwise agreement says little."""
    parted = set()
    for seed in range(25):
        wide = (
            random_board(seed)[2]
            .pivot(index=["submission", "metric"], columns="reading", values="value")
            .reset_index()
        )
        for row in wide[wide["metric"] == "win_rate"].itertuples():
            parted |= {
                pair
                for pair in (("manual", "code"), ("code", "code_strict"), ("manual", "manual_all"))
                if abs(getattr(row, pair[0]) - getattr(row, pair[1])) > 1e-9
            }
        score = wide[wide["metric"] == "expected_score"]
        if (abs(score["manual"] - score["manual_strict"]) > 1e-9).any():
            parted.add("expected score")
        precision = wide[wide["metric"] == "buzz_precision"]
        if (precision["manual"] > precision["code"]).any():
            parted.add("precision")
    assert parted == {
        ("manual", "code"),
        ("code", "code_strict"),
        ("manual", "manual_all"),
        "expected score",
        "precision",
    }


@pytest.mark.parametrize("seed", range(10))
def test_classes_and_gaps_agree_with_the_slow_ones(seed):
    runs, _ = world(seed, questions=30)
    asked = runs[["submission", "question_id"]].drop_duplicates()
    firsts = tossups.first_buzzes(runs, asked).set_index(["submission", "question_id"])
    seen = set()
    for key, mine in runs.sort_values("position").groupby(["submission", "question_id"]):
        buzz = [r.position for r in mine.itertuples() if r.buzz]
        right = [r.position for r in mine.itertuples() if r.correct]
        kind, gap = slow_kind(right, buzz)
        if gap is not None:
            assert firsts.loc[key, "gap"] == gap
        assert firsts.loc[key, "class"] == kind
        seen.add(kind)
    assert seen == set(tossups.CLASSES)
    table = tossups.class_table(firsts.reset_index(), 0.95)
    assert (table.groupby("submission")["questions"].sum() == asked.groupby("submission").size()).all()
    for row in table[table["questions"] > 0].itertuples():
        of = firsts.reset_index()
        of = of[(of["submission"] == row.submission) & (of["class"] == row._3)]
        total = (firsts.reset_index()["submission"] == row.submission).sum()
        share = stats.binomtest(len(of), total).proportion_ci(method="wilson")
        assert (row.share_low, row.share_high) == pytest.approx((share.low, share.high))
        gaps = of["gap"].dropna().astype(float)
        if len(gaps) > 1 and gaps.std() > 0:
            expected = stats.t.interval(0.95, len(gaps) - 1, gaps.mean(), stats.sem(gaps))
            assert (row.mean_gap_low, row.mean_gap_high) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(10))
def test_head_to_head_agrees_with_the_slow_one(seed):
    runs, plays = world(seed)
    asked = runs[["submission", "question_id"]].drop_duplicates()
    firsts = tossups.first_buzzes(runs, asked)
    teams = plays.drop_duplicates(["team", "question_id"])
    others = teams.rename(columns={"team": "submission", "correct": "right"})
    others = others.astype({"position": "Int64", "right": "boolean"})
    met = pairs.meeting_rows(firsts, others, Bootstrap(50, 1, 0.95))
    table = pd.DataFrame(met).set_index(["a", "b"]).drop(index=pairs.CROWD, level="b")
    buzzes = {
        (r.submission, r.question_id): (r.position, r.right) for r in pd.concat([firsts, others]).itertuples()
    }
    for (a, b), row in table.iterrows():
        counts = dict.fromkeys(("a_wins", "b_wins", "ties", "decided", "questions"), 0)
        for q in {q for n, q in buzzes if n == a} & {q for n, q in buzzes if n == b}:
            counts["questions"] += 1
            plays_ = [
                (int(p), -int(bool(ok)), who, bool(ok))
                for who, (p, ok) in (("a_wins", buzzes[a, q]), ("b_wins", buzzes[b, q]))
                if p is not pd.NA
            ]
            good = sorted(play for play in plays_ if play[3])
            counts["decided"] += bool(good)
            if not good:
                continue
            if len(good) == 2 and good[0][0] == good[1][0]:
                counts["ties"] += 1
            else:
                counts[good[0][2]] += 1
        assert {k: row[k] for k in counts} == counts, (a, b)


# The human earlier than the model, at the same word, later; the human right, wrong at no cost, negging.
# Manual (the metrics manual): "successfully answers … before the opponent correctly buzzes". Code: right and
# not later, or the human negged earlier, whatever the model does then. Strict: right and not later.
WINS = """
    model  human    human's      manual code strict
    right  earlier  right        no     no   no
    right  earlier  wrong        yes    no   no
    right  earlier  neg          yes    yes  no
    right  same     right        yes    yes  yes
    right  same     wrong        yes    yes  yes
    right  same     neg          yes    yes  yes
    right  later    right        yes    yes  yes
    right  later    wrong        yes    yes  yes
    right  later    neg          yes    yes  yes
    wrong  earlier  right        no     no   no
    wrong  earlier  wrong        no     no   no
    wrong  earlier  neg          no     yes  no
    wrong  same     right        no     no   no
    wrong  same     wrong        no     no   no
    wrong  same     neg          no     no   no
    wrong  later    right        no     no   no
    wrong  later    wrong        no     no   no
    wrong  later    neg          no     no   no
    silent earlier  right        no     no   no
    silent earlier  wrong        no     no   no
    silent earlier  neg          no     yes  no
"""


def only_buzz(position, words, right, buzz=True):
    """The first buzz of a submission with one run on one question."""
    runs = pd.DataFrame({"submission": "m", "question_id": ["q"], "position": position, "n_words": words, "buzz": buzz, "correct": right, "error": False})  # fmt: skip
    return tossups.first_buzzes(runs, runs[["submission", "question_id"]])


@pytest.mark.parametrize("row", WINS.strip().splitlines()[1:], ids=lambda row: row.split("  ")[0])
def test_every_case_of_a_win(row):
    model, human, outcome, *expected = row.split()
    points = {"right": 10.0, "wrong": 0.0, "neg": -5.0}[outcome]
    plays = human_plays(["q"], {"earlier": 4, "same": 5, "later": 6}[human], points)
    firsts = only_buzz(5, 9, model == "right", model != "silent")
    won = tossups.score_against_humans(firsts, plays).iloc[0]
    got = ["yes" if won[f"win_{reading}"] else "no" for reading in tossups.WIN_READINGS]
    assert got == expected


# Points of the first buzz under the public scorer's code and its comment; at the end where its words heard are the index
# of the question's last run plus 1. Runs at 5, 8 and 10 words.
TOSSUP_SCORES = """
    buzzes  right at  code  comment
    5       5         1     10
    5       8         -.5   -5
    5       -         -.5   -5
    8,10    8         1     10
    8,10    10        -.5   -5
    10      10        1     5
    10      5         0     0
    10      -         0     0
    -       5         0     0
    -       -         0     0
"""


@pytest.mark.parametrize("words", [10, None], ids=["words known", "longest run"])
@pytest.mark.parametrize("row", TOSSUP_SCORES.strip().splitlines()[1:], ids=lambda row: "-".join(row.split()))
def test_every_case_of_a_tossup_score(row, words):
    buzzes, right, *expected = row.split()
    ends = [5, 8, 10]
    runs = pd.DataFrame(
        {"submission": "m", "question_id": "q", "position": ends, "n_words": pd.array([words] * 3, "Int64"),
         "buzz": [str(end) in buzzes.split(",") for end in ends], "correct": [str(end) == right for end in ends],
         "error": False}
    )  # fmt: skip
    firsts = tossups.first_buzzes(runs, runs[["submission", "question_id"]])
    for reading, points in zip(("code", "comment"), expected, strict=True):
        assert tossups.tossup_points(firsts, reading).tolist() == [float(points)]


@pytest.mark.parametrize("words", [10, None])
def test_the_last_run_is_the_questions_and_not_where_a_submission_stopped(words):
    """The mean is over all questions, and who stopped at word 5 of 10 buzzed before the last run."""
    rows = [("a", "q", 5, True, True), ("b", "q", 10, True, True), ("a", "r", 10, False, True), ("b", "r", 10, True, False)]  # fmt: skip
    runs = pd.DataFrame(rows, columns=["submission", "question_id", "position", "buzz", "correct"])
    runs = runs.assign(
        n_words=pd.array([words] * 4, "Int64"), run=0, confidence=np.nan, error=False, live=False
    )
    plays = human_plays([], 1)
    board = board_of(runs, plays)[2].set_index(["metric", "reading", "submission"]).sort_index()
    assert board.loc[("tossup_score", "comment"), "value"].to_dict() == {"a": 5.0, "b": 2.5}
    assert board.loc[("tossup_score", "code"), "value"].to_dict() == {"a": 0.5, "b": 0.5}
    assert board.loc[("tossup_score", "comment"), "rank"].to_dict() == {"a": 1, "b": 2}


def duel(word_index, token_position, words=10, human_right=True):
    """One human buzz at a 0-based index against one right buzz at a 1-based count: the scored row."""
    questions = pd.DataFrame({"question_id": ["q"], "n_words": [words]})
    buzzes = pd.DataFrame({"question_id": ["q"], "team": "H", "kind": "human", "word_index": word_index, "correct": human_right, "value": None})  # fmt: skip
    firsts = only_buzz(token_position, words, True)
    return tossups.score_against_humans(firsts, submissions.human_plays(buzzes, questions)).iloc[0]


@pytest.mark.parametrize("last", [1, 10])
def test_index_and_count_meet_at_the_first_and_the_last_word(last):
    tie = duel(last - 1, last)
    assert (tie.h, tie.score, tie.win_manual, tie.win_code, tie.win_code_strict) == (0, 1, 1, 1, 1)
    if last > 1:
        beaten = duel(last - 2, last)
        assert (beaten.h, beaten.score, beaten.win_manual, beaten.win_code_strict) == (1, 0, 0, 0)
        assert duel(last - 1, last - 1).h == 0
        wrong = duel(last - 2, last, human_right=False)
        assert (wrong.h, wrong.win_manual, wrong.win_code, wrong.win_code_strict) == (0, 1, 1, 0)


@pytest.mark.parametrize(
    ("word_index", "human_right", "score", "strict"),
    [(3, True, 0, 0), (3, False, 1, 0), (4, True, 1, 0), (4, False, 1, 0), (5, True, 1, 1), (5, False, 1, 1)],
)  # fmt: skip
def test_to_the_letter_a_model_scores_only_before_the_human(word_index, human_right, score, strict):
    """A right buzz after five words, a human's at the fourth, fifth and sixth."""
    row = duel(word_index, 5, human_right=human_right)
    assert (row.score, row.score_strict) == (score, strict)


def test_a_play_that_broke_off_at_the_buzz_is_no_human_buzz():
    firsts = pd.DataFrame({"submission": ["m"], "question_id": ["q"], "position": pd.array([5], "Int64"), "right": pd.array([False], "boolean"), "buzzed": [True]})  # fmt: skip
    plays = pd.DataFrame({"question_id": "q", "position": [4, 5, 5], "correct": False, "neg": False, "censored": [True, True, False]})  # fmt: skip
    row = tossups.score_against_humans(firsts, plays).iloc[0]
    assert (row.n_plays, row.score_strict) == (2, -0.25)


def test_h_counts_a_human_at_the_runs_own_position():
    plays = human_plays(["q", "q"], [1, 10], [10.0, -5.0])
    runs = pd.DataFrame({"question_id": ["q", "q", "z"], "position": [1, 10, 1]})
    h = tossups.human_curve_at(runs, plays)
    assert h["buzzed_so_far"].to_list() == [1, 0.5, 0]
    assert h["buzzed_on_question"].to_list() == [0.5, 0.5, 0]
    assert tossups.human_curve_at(runs.assign(position=[0, 9, 1]), plays)["buzzed_so_far"].to_list() == [
        0,
        1,
        0,
    ]


def stop(runs, keep_last=True):
    """The runs up to the first buzz, and the last."""
    kept = []
    for _, of in runs.sort_values("position").groupby(["submission", "question_id"]):
        at = of["buzz"].to_numpy().argmax() if of["buzz"].any() else len(of) - 1
        kept.append(of.iloc[: at + 1])
        if keep_last and at + 1 < len(of):
            kept.append(of.iloc[-1:])
    return pd.concat(kept, ignore_index=True)


def steady(seed=0):
    """A submission with a run every ten words of a hundred, buzzing somewhere."""
    rng = np.random.default_rng(seed)
    rows = [
        {
            "submission": "m", "question_id": f"q{q}", "run": i, "position": 10 * (i + 1), "n_words": 100, "guess": "x",
            "confidence": 0.5, "buzz": i == at, "correct": i >= at, "judged": "given", "error": False, "live": False,
        }
        for q in range(12) for at in [int(rng.integers(0, 12))] for i in range(10)
    ]  # fmt: skip
    return pd.DataFrame(rows).astype({"n_words": "Int64"})


@pytest.mark.parametrize("numbered", [True, False])
@pytest.mark.parametrize("keep_last", [True, False])
def test_early_stopping_is_detected_and_refused(numbered, keep_last):
    whole = steady()
    short = stop(whole, keep_last)
    if not numbered:
        short["run"] = short.groupby(["submission", "question_id"]).cumcount()
    assert not tossups.early_stop_table(whole)["early_stopped"].any()
    assert tossups.early_stop_table(short)["early_stopped"].all()
    plays = human_plays(["q0"], 50)
    refused = board_of(short, plays, score_stopped=False)[2]
    told = board_of(short, plays, score_stopped=True)[2]
    calibration = refused["metric"].isin(["mce", "calscore", "ece", "brier"])
    assert refused.loc[calibration, "value"].isna().all() and refused.loc[~calibration, "value"].notna().all()
    assert refused.loc[calibration, "note"].str.startswith("early-stopped").all()
    assert told.loc[calibration, "value"].notna().all()
    assert told.loc[calibration, "note"].str.startswith("biased").all()
    # Tossup metrics rest on the first buzz alone and are the same.
    full = board_of(whole, plays)[2]
    pd.testing.assert_series_equal(full.loc[~calibration, "value"], refused.loc[~calibration, "value"])
    assert not np.allclose(full.loc[calibration, "value"], told.loc[calibration, "value"])


def test_one_question_that_goes_on_means_partly():
    whole = steady()
    goes_on = whole.loc[whole["buzz"] & (whole["run"] < 5), "question_id"].iloc[0]
    at = whole["question_id"] == goes_on
    mixed = pd.concat([stop(whole[~at]), whole[at]], ignore_index=True)
    row = tossups.early_stop_table(mixed).iloc[0]
    assert (row["early_stopped"], row["partly"]) == (False, True)


@pytest.mark.parametrize(("how", "frequency"), [("leave_out", 1.0), ("no_buzz", 0.5)])
def test_questions_that_a_submission_lacks(how, frequency):
    runs = steady()
    runs = runs[runs["question_id"].isin(runs.loc[runs["buzz"], "question_id"])]
    count = runs["question_id"].nunique()
    plays = human_plays([f"z{i}" for i in range(count)], 5)
    asked = submissions.counted_questions(runs[["submission", "question_id"]], runs, plays, how)
    assert tossups.first_buzzes(runs, asked)["buzzed"].mean() == frequency


# A play that broke off at word 10 without a buzz, against a buzz (position, right) → what is known of it.
BROKEN = {
    "right before": (8, True, {"n_plays": 1, "beaten": 0, "win_manual": 1, "win_code": 1}),
    "right at its end": (10, True, {"n_plays": 1, "beaten": 0, "win_manual": 1, "win_code": 1}),
    "wrong before": (8, False, {"n_plays": 1, "beaten": 0, "win_manual": 0, "win_code": 0}),
    "right after": (11, True, None),
    "silent": (None, None, None),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_play_that_broke_off_counts_up_to_there(name):
    position, right, wanted = BROKEN[name]
    firsts = pd.DataFrame({"submission": ["s"], "question_id": ["q"], "position": [position], "right": [right]})  # fmt: skip
    firsts = firsts.astype({"position": "Int64", "right": "boolean"})
    play = {"question_id": "q", "play": 1, "team": None, "position": 10, "points": np.nan, "correct": False, "neg": False, "censored": True}  # fmt: skip
    found = tossups.encounters(firsts, pd.DataFrame([play]))
    assert len(found) == (wanted is not None)
    if wanted:
        assert {column: int(found[column].iloc[0]) for column in wanted} == wanted
    assert not tossups.human_curve_at(pd.DataFrame({"question_id": ["q"], "position": [12]}), pd.DataFrame([play])).to_numpy().any()  # fmt: skip


def test_a_share_without_variance_is_no_certainty():
    """All of 9 right: resampling gives 1 to 1, Wilson's 1 / (1 + z² / 9). Other metrics without variance have no interval."""
    runs, plays = world(3)
    runs = runs[runs["submission"] == "a"].assign(buzz=True, correct=True, error=False)
    _, _, board = board_of(runs, plays)
    rows = board[board["reading"].isin(["manual", "code"])].set_index(["metric", "reading"])
    for metric in ("buzz_precision", "buzz_frequency"):
        low, high = rows.loc[(metric, "manual"), ["low", "high"]]
        assert (low, high) == pytest.approx((1 / (1 + 1.959964**2 / 9), 1))
    score = rows.loc[("tossup_score", "code")]
    assert score["value"] == 1 and pd.isna(score["low"]) and pd.isna(score["high"])


@pytest.mark.parametrize("seed", range(4))
def test_shares_that_are_not_those_of_their_counts_fail(seed):
    """Precision and frequency hold in made worlds; one count or value that is wrong is told with its row."""
    _, _, board = board_of(*world(seed))
    assert checks.shares_of_counts(board).failures == 0
    first = board[board["submission"] == "a"].index
    metric, reading = (board.loc[first, name] for name in ("metric", "reading"))
    precision = first[(metric == "buzz_precision") & (reading == "manual")]
    frequency = first[metric == "buzz_frequency"]
    for place, column, size in ((first, "right", 2), (first, "buzzes", 3), (first, "questions", 3)):
        wrong = board.assign(**{column: board[column].astype(float)})
        wrong.loc[place, column] += 1
        assert checks.shares_of_counts(wrong).failures == size, column
    for place in (precision, frequency[:1]):
        wrong = board.copy()
        wrong.loc[place, "value"] += 0.01
        assert checks.shares_of_counts(wrong).failures == 1
