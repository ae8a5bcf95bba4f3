"""Ranks on common questions, and how sure they are, against loops over replicates."""

import json
import math
from functools import cache

import numpy as np
import pandas as pd
import pytest
from boards import (
    RESAMPLING,
    TOSSUP,
    board_of,
    everything,
    human_plays,
    ranked_fields,
    slow_places,
    slow_tossups,
    world,
)
from calscore.core import store
from calscore.leaderboard import ranks, replay, submissions, tossups
from calscore.leaderboard.assemble import assemble_field
from calscore.simulate import tournament
from calscore.stats import resample
from calscore.stats.bootstrap import Bootstrap

RANKS = ["coverage", "rank"], ["rank_low", "rank_high", "p_first", "resampled"]


def in_scope(runs, metric):
    """Questions of a submission's runs that a metric is of."""
    if metric in ("mce", "calscore", "ece", "brier"):
        runs = runs[~runs["error"]]
    return set(runs["question_id"])


@pytest.mark.parametrize("seed", range(6))
def test_ranks_are_of_common_questions_and_share_ties(seed):
    runs, plays = world(seed, names=("a", "b", "c", "d"))
    runs = runs[~((runs["submission"] == "d") & runs["question_id"].isin(["q2", "q3", "q5"]))]
    runs = pd.concat([runs, runs[runs["submission"] == "a"].assign(submission="twin")], ignore_index=True)
    board = board_of(runs, plays)[2]
    names = ["a", "b", "c", "d", "twin"]
    own = {name: runs[runs["submission"] == name] for name in names}

    @cache
    def slowly(name, questions):
        return slow_tossups(own[name][own[name]["question_id"].isin(questions)], plays)

    for (metric, reading), of in board.groupby(["metric", "reading"]):
        higher = tossups.HIGHER[metric]
        if higher is None:
            assert of["rank"].isna().all()
            continue

        def value(a, b, metric=metric, reading=reading):
            common = in_scope(own[a], metric) & in_scope(own[b], metric)
            return slowly(a, frozenset(common))[metric, reading]

        expected = slow_places(names, value, higher)
        assert of.set_index("submission")["rank"].to_dict() == expected, (metric, reading)
        assert expected["a"] == expected["twin"]
    assert (
        (board["low"] <= board["value"] + 1e-12) & (board["value"] <= board["high"] + 1e-12)
    ).mean() > 0.95


def graded(rights: dict[str, set], questions=20, words=10):
    """Runs and plays: every submission buzzes at the fourth word of what it has, right on ``rights``."""
    runs = [
        {"submission": name, "question_id": f"q{q:02d}", "run": 0, "position": 4, "n_words": words,
         "guess": "x", "confidence": 0.9, "buzz": True, "correct": q in right, "judged": "given",
         "error": False, "live": False, "source_row": f"{name}#{q}"}
        for name, (asked, right) in rights.items()
        for q in sorted(asked)
    ]  # fmt: skip
    plays = human_plays([f"q{q:02d}" for q in range(questions)], 8)
    return pd.DataFrame(runs).astype({"n_words": "Int64"}), plays


EVERY = set(range(20))


CHOOSERS = {
    "best": (EVERY, set(range(18))),
    "good": (EVERY, set(range(14))),
    "poor": (EVERY, set(range(6))),
    # Right on its one question, and on 4 of the 5 that it chose, which the others find easy.
    "one": ({0}, {0}),
    "few": (set(range(5)), set(range(4))),
}


@pytest.mark.parametrize("least", [0.0, 0.2, 0.25, 0.5])
def test_who_chose_its_questions_has_no_rank_or_that_on_those_questions(least):
    runs, plays = graded(CHOOSERS)
    board = board_of(runs, plays, least=least)[2]
    board = board.set_index(["metric", "reading", "submission"]).sort_index()
    score = board.loc[("expected_score", "manual")]
    assert score["value"].idxmax() == "one" and score["coverage"]["one"] == 0.05
    got = score["rank"].dropna().to_dict()
    # All others are right on the five questions of few, so it is behind them, and level with one.
    expected = {"best": 1, "good": 2, "poor": 3}
    if least <= 0.25:
        expected["few"] = 4
    if least == 0:
        # One is level with everybody on its question.
        expected = {"best": 1, "good": 2, "one": 3, "poor": 4, "few": 5}
    assert got == expected
    for name in set(CHOOSERS) - set(expected):
        share = {0.5: "half"}.get(least, f"{100 * least:.0f} %")
        said = f"of 20 questions, ranks need answers to {share} of them"
        assert board.loc[(slice(None), slice(None), name), "rank"].isna().all()
        assert score.loc[name, "note"].endswith(said)


@pytest.mark.parametrize("how", ["leave_out", "no_buzz"])
def test_no_rank_for_one_answer_whatever_missing_questions_count_as(how):
    """Held to all questions as without a buzz, one right answer would still be the best precision."""
    runs, plays = graded(CHOOSERS)
    found = assemble_field(runs, plays, None, how)
    table = tossups.leaderboard_metrics([found], Bootstrap(100, 1, 0.95))
    table = ranks.add_ranks(table, ranks.pool_entrants([found]), 0.5).set_index(["submission"])
    assert table.loc["one", "rank"].isna().all()
    assert table.loc["best", "rank"].dropna().eq(1).any()
    pairs = ranks.rank_intervals(
        ranks.ranked_rows(table.reset_index()),
        ranks.pool_entrants([found]),
        plays,
        0.5,
        Bootstrap(100, 1, 0.95),
    )[1]
    pairs = pd.DataFrame(pairs).set_index(["a", "b", "metric", "reading"])
    assert pairs.loc[("best", "few", "expected_score", "manual"), "questions"] == (
        5 if how == "leave_out" else 20
    )


def _board(runs, plays, missing="no_buzz", groups=None):
    field = assemble_field(runs, plays, None, missing)
    table = tossups.leaderboard_metrics([field], Bootstrap(20, 1, 0.95), True)
    strict = tossups.silence_as_wrong(field, plays) if missing == "no_buzz" else field
    entered = ranks.pool_entrants([strict], True, missing == "no_buzz")
    arguments = (table, entered, groups or {}, plays, 0.5, Bootstrap(20, 1, 0.95))
    table = ranks.rank_within_groups(*arguments)[0]
    return table.set_index(["metric", "reading", "submission"])


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_leaving_out_wrong_answers_never_gains_a_rank(seed, listed):
    """Left out, or listed without outputs: under no metric does a rank get better, in Expected Score neither."""
    runs, plays = world(seed, questions=24)
    runs["guess"] = "x"
    buzzes = runs[runs["buzz"]].drop_duplicates(["submission", "question_id"])
    wrong = buzzes.loc[(buzzes["submission"] == "b") & ~buzzes["correct"], "question_id"]
    drop = (runs["submission"] == "b") & runs["question_id"].isin(wrong[: len(wrong) - seed % 2])
    silent = runs[drop].drop_duplicates("question_id").assign(buzz=False, correct=False)
    silent = silent.assign(position=1, run=0, guess=None, confidence=np.nan)
    runs_after = pd.concat([runs[~drop], silent.iloc[: None if listed else 0]], ignore_index=True)
    before, after = _board(runs, plays), _board(runs_after, plays)
    own = slice(None), slice(None), "b"
    gained = after.loc[own, "rank"] < before.loc[own, "rank"]
    assert not gained.fillna(False).any() and after.loc[own, "rank"].notna().any()
    # In play silence costs nothing: the value is that of a file that lists the question and does not buzz.
    score = ("expected_score", "manual", "b")
    assert after.loc[score, "value"] > before.loc[score, "value"]
    calibration = after.loc[("mce", "paper", "b")]
    assert calibration["note"].endswith("ranks need answers to all of them")
    # A value is said to rest on the questions that it is a mean over.
    assert calibration["questions"] == 24 - silent["question_id"].nunique()
    assert after.loc[score, "questions"] == 24


def test_leaving_out_wrong_answers_gains_a_rank_where_that_is_asked_for():
    """The second of three leaves out those of its answers that are wrong where the first is right."""
    marks = {"a": "1" * 14 + "0" * 6, "m": "1" * 12 + "0" * 8, "c": "10" * 10}
    rows = [
        (name, f"q{n:02d}", 5, True, mark == "1")
        for name, answers in marks.items()
        for n, mark in enumerate(answers)
    ]
    runs = pd.DataFrame(rows, columns=["submission", "question_id", "position", "buzz", "correct"])
    runs = runs.assign(n_words=pd.array([10] * len(runs), "Int64"), run=0, confidence=0.5, guess="x", error=False, live=False)  # fmt: skip
    plays = human_plays(runs.loc[runs["submission"] == "c", "question_id"].tolist(), 9)
    partial = runs[~((runs["submission"] == "m") & ~runs["correct"])]
    for missing, place in (("no_buzz", 2), ("leave_out", 1)):
        key = ("buzz_precision", "code", "m")
        assert _board(runs, plays, missing).loc[key, "rank"] == 2
        assert _board(partial, plays, missing).loc[key, "rank"] == place


def test_a_group_is_ranked_by_itself():
    runs, plays = graded(
        {name: (EVERY, set(range(n))) for name, n in zip("abcd", (18, 14, 9, 6), strict=True)}
    )
    board = _board(runs, plays, groups={"b": "School", "d": "School"})
    score = board.sort_index().loc[("expected_score", "manual")]
    assert score["rank"].to_dict() == {"a": 1, "c": 2, "b": 1, "d": 2}
    assert score["group"].to_dict() == {"a": None, "c": None, "b": "School", "d": "School"}


def test_a_submission_can_lead_by_calibration_and_trail_by_score(tmp_path):
    questions = pd.DataFrame({"question_id": [f"q{i}" for i in range(120)], "n_words": 96})
    questions = questions.assign(source_id="s", answerline="Ada")
    parts = []
    for name, records in tournament.tossup_submissions(questions, 5).items():
        (tmp_path / name).write_text("\n".join(map(json.dumps, records)))
        parts.append(submissions.read_runs(tmp_path / name, name))
    runs = submissions.tidy_runs(submissions.match_questions(pd.concat(parts), questions, []), questions, [])
    rng = np.random.default_rng(1)
    plays = human_plays(questions["question_id"], rng.integers(40, 96, 120))
    board = board_of(runs, plays, score_stopped=False)[2].set_index(["metric", "reading", "submission"])
    assert board.loc[("expected_score", "manual", "timid"), "rank"] == 4
    assert board.loc[("calscore", "paper", "timid"), "rank"] <= 2
    assert math.isnan(board.loc[("calscore", "paper", "stopped"), "value"])


def test_replayed_submissions_move_nobody():
    _, _, plays, _, fields = everything(5)
    alone, both = ranked_fields(fields[:1]), ranked_fields(fields)
    pd.testing.assert_frame_equal(both.iloc[: len(alone)], alone)
    every = sorted({q for f in fields for q in f.scored["question_id"]})
    for (metric, reading), of in both.iloc[len(alone) :].groupby(["metric", "reading"]):
        higher = tossups.HIGHER[metric]
        if higher is None or metric not in TOSSUP:
            assert of["rank"].isna().all()
            continue
        once = np.ones((1, len(every)))
        shared = Shared(fields, plays, metric, reading, every, once, None)

        def value(a, b, shared=shared):
            return shared(a, b)[0]

        rivals = ["live-a", "live-b"]
        for name, rank in of.set_index("submission")["rank"].items():
            assert rank == slow_places([*rivals, name], value, higher)[name], (metric, name)
    # Live models have no confidences, so nobody ranks by calibration.
    assert both.iloc[len(alone) :].query("metric == 'calscore'")["value"].notna().all()


def test_live_models_are_ranked_apart():
    """A live model may meet an opponent who is first, one submitted or replayed never does. The user's own moves nobody."""
    _, _, plays, rules, fields = everything(5)
    again = list(rules["submission"])

    def boards(names, live):
        """Tables with ranks and with their bounds, of the submissions ``names``."""
        own = [
            field._replace(scored=field.scored[field.scored["submission"].isin(names)]) for field in fields
        ]
        pool = ranks.pool_entrants(own, live=set(live), yours=set(again[:1]))
        scores, bootstrap = tossups.leaderboard_metrics(own, RESAMPLING), RESAMPLING
        parts = ranks.rank_within_groups(scores, pool, {}, plays, 0.5, bootstrap)[:2]
        return [part.set_index(ranks.KEY)[columns] for part, columns in zip(parts, RANKS, strict=True)]

    everybody = ["live-a", "live-b", *again]
    for names, live, alike in (
        (everybody, ["live-a", "live-b"], (["live-a", "live-b"], again)),
        (everybody, ["live-a"], (["live-a"], ["live-b", *again])),
        (again, [], (again[1:],)),
    ):
        whole = boards(names, live)
        for group in alike:
            for table, own in zip(whole, boards(group, {*live} & {*group}), strict=True):
                pd.testing.assert_frame_equal(table.loc[own.index], own)


def test_replayed_submissions_alone_rank_among_themselves():
    _, _, plays, _, fields = everything(5)
    nobody = tossups.score_field(
        store.empty("runs"), pd.DataFrame(columns=["submission", "question_id"]), plays
    )
    assert not len(nobody.scored)
    board = ranked_fields([nobody, fields[1]])
    score = board[(board["metric"] == "expected_score") & (board["reading"] == "manual")]
    assert score["rank"].min() == 1 and score["rank"].max() > 2


def slow_draws(of, plays, metric, reading, every, by_question, by_team):
    """Values per replicate of one submission's scored questions ``of``: loops over replicates, questions and plays.

    ``every``: the questions that columns of ``by_question`` are of.
    """
    place = {name: at for at, name in enumerate(every)}
    teams = {name: at for at, name in enumerate(sorted(plays["team"].unique()))}
    rows = list(of.itertuples())
    humans = {q: list(rows.itertuples()) for q, rows in plays.groupby("question_id")}
    values = []
    for r in range(len(by_question)):
        top = bottom = 0.0
        for row in rows:
            w = by_question[r, place[row.question_id]]
            others = humans.get(row.question_id, [])
            weight = [1.0 if by_team is None else by_team[r, teams[p.team]] for p in others]
            if not sum(weight):
                weight = [1.0] * len(others)
            buzzed, right = bool(row.buzzed), bool(row.buzzed) and bool(row.right)

            def share(flags, weight=weight):
                return sum(w * f for w, f in zip(weight, flags, strict=True)) / sum(weight)

            early = [buzzed and p.correct and p.position < row.position for p in others]
            if metric == "expected_score":
                if reading == "manual_strict":
                    early = [buzzed and p.position <= row.position for p in others]
                h = share(early) if others else 0.0
                top += w * (1.0 if right else -0.5 if buzzed else 0.0) * (1 - h)
                bottom += w
            elif metric == "tossup_score":
                points = {
                    "code": (1, 0) if bool(row.at_end) else (1, -0.5),
                    "comment": (5, 0) if bool(row.at_end) else (10, -5),
                }[reading]
                top += w * (points[0] if right else points[1] if buzzed else 0)
                bottom += w
            elif metric == "buzz_precision":
                top += w * right
                bottom += w * (buzzed if reading == "manual" else 1)
            elif others:
                if reading == "manual":
                    won = [right and not e for e in early]
                elif reading == "code_strict":
                    won = [right and row.position <= p.position for p in others]
                elif reading == "code":
                    won = [
                        (right and row.position <= p.position)
                        or (p.neg and not (buzzed and row.position <= p.position))
                        for p in others
                    ]
                else:
                    won = [right and not any(early)] * len(others)
                top += w * share(won)
                bottom += w
        values.append(top / bottom if bottom else math.nan)
    return np.array(values)


class Shared:
    """Values of submissions on what they share with others, by :func:`slow_draws`; each is computed once."""

    def __init__(self, fields, *given):
        self.scored = pd.concat([f.scored for f in fields], ignore_index=True)
        self.given, self.known = given, {}

    def asked(self, name):
        of = self.scored[self.scored["submission"] == name]
        return set(of.loc[(self.given[1] != "win_rate") | (of["n_plays"] > 0), "question_id"])

    def __call__(self, a, b):
        common = frozenset(self.asked(a) & self.asked(b))
        if (a, common) not in self.known:
            of = self.scored[self.scored["submission"] == a]
            of = of[of["question_id"].isin(common)]
            self.known[a, common] = slow_draws(of, *self.given)
        return self.known[a, common]


@pytest.mark.full
@pytest.mark.parametrize("teams", [True, False])
def test_ranks_are_as_sure_as_loops_over_replicates_say(teams):
    # Few: the loops go through every pair of every replicate.
    replicates, seed, level = 6, 7, 0.9
    _, _, plays, _, fields = everything(11)
    if not teams:
        plays = plays.assign(team=None)
    board = ranked_fields(fields)
    scored = pd.concat([f.scored for f in fields], ignore_index=True)
    rivals = ["live-a", "live-b"]
    standing = ranks.ranked_rows(board)
    bootstrap = Bootstrap(replicates, seed, level)
    table, pairs = ranks.rank_intervals(standing, ranks.pool_entrants(fields), plays, 0.5, bootstrap)
    pd.testing.assert_frame_equal(table[standing.columns], standing)
    pairs = pd.DataFrame(pairs).set_index(["metric", "reading", "a", "b"])
    every = sorted(scored["question_id"].unique())
    if teams:
        known = sorted(plays["team"].unique())
        by_question, by_team = Bootstrap(replicates, seed, 0.95).two_way_weights(len(every), len(known))
    else:
        by_question = resample.bootstrap_weights(len(every), replicates, seed)
    named = plays.assign(team=plays["team"].fillna("nobody"))
    kinds = set()
    for (metric, reading), of in table.groupby(["metric", "reading"]):
        if metric not in TOSSUP:
            assert of["rank"].isna().all() and of["p_first"].isna().all()
            continue
        both = teams and (metric, reading) in ranks.BY_TEAM
        drawn = Shared(fields, named, metric, reading, every, by_question, by_team if both else None)
        for row in of.itertuples():
            names = sorted({*rivals, row.submission})
            mine = drawn(row.submission, row.submission)
            place = [
                slow_places(names, lambda a, b, r=r, drawn=drawn: drawn(a, b)[r], True)[row.submission]
                for r in range(replicates)
                if not math.isnan(mine[r])
            ]
            for other in rivals:
                if other == row.submission:
                    continue
                pair = (metric, reading, *sorted([other, row.submission]))
                one, gap = pairs.loc[pair], drawn(*pair[2:]) - drawn(*pair[:1:-1])
                assert one["questions"] == len(drawn.asked(other) & drawn.asked(row.submission))
                ends = np.quantile(gap[~np.isnan(gap)], [(1 - level) / 2, (1 + level) / 2])
                assert [one["low"], one["high"]] == pytest.approx(ends.tolist())
                assert one["resampled"] == row.resampled
            place.sort()
            n, tail = len(place) - 1, (1 - level) / 2
            assert row.resampled == (ranks.BOTH if both else ranks.QUESTIONS)
            assert row.p_first == pytest.approx(np.mean([p == 1 for p in place]))
            assert row.rank_low == place[math.floor(n * tail + 1e-9)]
            assert row.rank_high == place[math.ceil(n * (1 - tail) - 1e-9)]
            if both:
                ends = np.quantile(mine, [tail, 1 - tail])
                assert [row.two_way_low, row.two_way_high] == pytest.approx(ends.tolist())
            else:
                assert math.isnan(row.two_way_low) and math.isnan(row.two_way_high)
            kinds.add(row.rank_high - row.rank_low)
    assert len(kinds) > 1


def test_resampling_teams_is_not_biased_where_few_played():
    """A question of one team is lost in most replicates; its share stays, or the mean would move."""
    runs, plays = world(2, questions=40)
    plays = plays.drop_duplicates("question_id").reset_index(drop=True)
    asked = runs[["submission", "question_id"]].drop_duplicates()
    field = tossups.score_field(runs, asked, plays)
    key = ("win_rate", "manual")
    drawn = ranks.two_way_metric_sums(ranks.pool_entrants([field]), plays, [key], Bootstrap(4000, 1, 0.95))[
        key
    ]
    value = tossups.leaderboard_metrics([field], Bootstrap(100, 1, 0.95)).query(
        "metric == 'win_rate' and reading == 'manual'"
    )
    for row in value.itertuples():
        top, bottom = (part.sum(axis=1) for part in drawn[row.submission])
        mine = top / bottom
        assert mine.mean() == pytest.approx(row.value, abs=4 * mine.std() / math.sqrt(4000) + 0.002)


def test_ranks_of_the_demo_add_up(demo):
    table = pd.read_csv(demo / "tables" / "leaderboard_ranks.csv")
    board = pd.read_csv(demo / "tables" / "leaderboard.csv")
    both = table.merge(board, on=["submission", "metric", "reading"], suffixes=("", "_board"))
    assert len(both) == len(table)
    for name in ("value", "low", "high", "rank"):
        assert both[name].equals(both[f"{name}_board"])
    live = table[~replay.is_replayed(table["submission"]) & table["rank"].notna()]
    # Somebody is first in each replicate; more than one where they tie.
    assert (live.groupby("column")["p_first"].sum() >= 1 - 1e-9).all()
    assert (live["resampled"] == ranks.BOTH).any() and (live["resampled"] == ranks.QUESTIONS).any()
    wider = (live["two_way_high"] - live["two_way_low"]) - (live["high"] - live["low"])
    assert wider.mean() > -0.005
