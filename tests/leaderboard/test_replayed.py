"""Models replayed from guesses on the leaderboard, and how sure its ranks are, against loops."""

import json
import math
import re

import numpy as np
import pandas as pd
import pytest
from buzzing.test_thresholds import EVEN, PROTOBOWL, made
from calscore.answers import judging
from calscore.buzzing import thresholds
from calscore.core import store, theme
from calscore.core.errors import DataError
from calscore.leaderboard import plot, ranks, replayed, submissions, tossups
from calscore.leaderboard.board import named
from calscore.leaderboard.common import common_questions
from calscore.pages import leaderboard
from calscore.stats import resample
from leaderboard.test_leaderboard import slow_kind, slow_places, slow_tossups, world
from support import masthead

OWN = {"owned": -0.1}
TOSSUP = ("expected_score", "buzz_precision", "buzz_frequency", "buzz_position", "win_rate")
RESAMPLING = (60, 7, 0.9)


def guessed(seed, questions=25):
    """(states, buzzpoints) of a model with a threshold of its own, one without, and one in two elicitations
    whose source states buzzes."""
    rng = np.random.default_rng(seed)
    parts = [
        made(questions, seed=seed + i, model=m) for i, m in enumerate(("free", "owned", "told"))
    ]
    parts[2]["buzzed"] = pd.array(rng.random(len(parts[2])) < 0.2, "boolean")
    other = made(questions, seed=seed + 9, model="told").assign(elicitation="verbalized")
    for name in ("mean_logprob", "sum_logprob"):
        other[name] = np.nan
    table = pd.concat([*parts, other], ignore_index=True)
    # Of some questions nothing right is ever guessed.
    table["correct"] &= ~table["question_id"].str.endswith(("3", "7"))
    found = thresholds.analyse(table, [PROTOBOWL, EVEN], [-0.1, -0.3], 3, 10, 1, 0.9)
    return table, found["buzzpoints"]


def played(table, seed, teams=4):
    """Random human plays of the questions, some without any."""
    rng = np.random.default_rng(seed)
    words = table.groupby("question_id")["n_words"].first()
    rows = [
        {"question_id": q, "team": f"t{t}", "position": int(rng.integers(1, n + 1)), "points": points}
        for q, n in words.items()
        for t in range(teams)
        if rng.random() < 0.6
        for points in [float(rng.choice([-5, 0, 10]))]
    ]  # fmt: skip
    plays = pd.DataFrame(rows)
    return submissions._numbered(plays.assign(correct=plays["points"] > 0, neg=plays["points"] < 0))


def entered(table, seed, plays):
    """A field of two live models, each on some of the questions."""
    rng = np.random.default_rng(seed)
    words = table.groupby("question_id")["n_words"].first()
    rows, heard = [], []
    for name, share in (("live-a", 0.9), ("live-b", 0.7)):
        for q, n in words.items():
            if rng.random() > share:
                continue
            heard.append({"submission": name, "question_id": q})
            if rng.random() < 0.8:
                rows.append(
                    {"submission": name, "question_id": q, "run": 0, "position": int(rng.integers(1, n + 1)),
                     "n_words": n, "guess": None, "confidence": np.nan, "buzz": True,
                     "correct": bool(rng.random() < 0.6), "error": False, "live": True}
                )  # fmt: skip
    runs = pd.DataFrame(rows).astype({"n_words": "Int64"})
    return tossups.field(runs, pd.DataFrame(heard), plays)


def believed(table):
    """States as beliefs at their positions."""
    return table.assign(confidence=np.exp(table["score"].astype(float)))


def everything(seed):
    table, points = guessed(seed)
    plays = played(table, seed)
    rules = replayed.chosen(points, OWN, "fitted")
    fields = [
        entered(table, seed, plays),
        replayed.field(points, rules, plays, "leave_out", believed(table)),
    ]
    return table, points, plays, rules, fields


def test_what_is_replayed_says_what_it_is():
    _, points = guessed(1)
    rules = replayed.chosen(points, OWN, "fitted")
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
    names = replayed.shown_names(rules, {"free": "Free"})
    assert names["free (replayed, -0.1)"] == "Free (replayed, −0.1)"
    assert replayed.is_replayed(rules["submission"]).all()
    assert not replayed.is_replayed(["free", "replayed, x)", "a (replayed)", None]).any()
    with pytest.raises(DataError, match="replayed from guesses"):
        replayed.refuse(pd.Series(["mine", "mine (replayed, tuned)"]))


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
    board = tossups.boards(fields, *RESAMPLING)
    classes = tossups.classes(fields[1].firsts, 0.9)
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
        runs = submissions.identify(submissions.read(path, "file"), questions, [])
        runs = submissions.finish(runs, questions, [])
        of = classes[classes["submission"] == rule.submission]
        assert_as_a_file(board[board["submission"] == rule.submission], of, runs, plays)
        seen |= set(of.loc[of["questions"] > 0, "class"])
    assert seen == set(tossups.CLASSES)


def test_questions_that_were_never_guessed_count_where_they_are_to():
    table, points = guessed(3)
    plays = played(table, 3)
    rules = replayed.chosen(points, OWN, "fitted")
    extra = plays.head(1).assign(question_id="unheard")
    out, counted = (
        replayed.field(points, rules, pd.concat([plays, extra]), how, believed(table))
        for how in ("leave_out", "no_buzz")
    )
    assert "unheard" not in set(out.scored["question_id"])
    more = counted.scored[counted.scored["question_id"] == "unheard"]
    assert len(more) == len(rules) and not more["buzzed"].any()
    assert (more["class"] == "hopeless").all() and (more["n_plays"] == 1).all()


def board_of(fields, least=0.5):
    return ranks.ranked(tossups.boards(fields, *RESAMPLING), ranks.entered(fields), least)


def test_replayed_submissions_move_nobody():
    _, _, plays, _, fields = everything(5)
    alone, both = board_of(fields[:1]), board_of(fields)
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


def test_replayed_submissions_alone_rank_among_themselves():
    _, _, plays, _, fields = everything(5)
    nobody = tossups.field(
        store.empty("runs"), pd.DataFrame(columns=["submission", "question_id"]), plays
    )
    assert not len(nobody.scored)
    board = board_of([nobody, fields[1]])
    score = board[(board["metric"] == "expected_score") & (board["reading"] == "manual")]
    assert score["rank"].min() == 1 and score["rank"].max() > 2
    nothing = pd.DataFrame(columns=["submission", "question_id", "position", "right"])
    assert tossups.head_to_head(nobody.firsts, nothing).empty


# --- how sure ranks are ------------------------------------------------------------------------


def slow_draws(of, plays, metric, reading, every, by_question, by_team):
    """Values per replicate of one submission's scored questions ``of``: loops over replicates, questions and plays.

    ``every``: the questions that columns of ``by_question`` are of.
    """
    teams = sorted(plays["team"].unique())
    humans = {q: list(rows.itertuples()) for q, rows in plays.groupby("question_id")}
    values = []
    for r in range(len(by_question)):
        top = bottom = 0.0
        for row in of.itertuples():
            w = by_question[r, every.index(row.question_id)]
            others = humans.get(row.question_id, [])
            weight = [1.0 if by_team is None else by_team[r, teams.index(p.team)] for p in others]
            if not sum(weight):
                weight = [1.0] * len(others)
            buzzed, right = bool(row.buzzed), bool(row.buzzed) and bool(row.right)

            def share(flags, weight=weight):
                return sum(w * f for w, f in zip(weight, flags, strict=True)) / sum(weight)

            early = [buzzed and p.correct and p.position < row.position for p in others]
            if metric == "expected_score":
                h = share(early) if others else 0.0
                top += w * (1.0 if right else -0.5 if buzzed else 0.0) * (1 - h)
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
    resampling = replicates, seed, level = 12, 7, 0.9
    _, _, plays, _, fields = everything(11)
    if not teams:
        plays = plays.assign(team=None)
    board = board_of(fields)
    scored = pd.concat([f.scored for f in fields], ignore_index=True)
    rivals = ["live-a", "live-b"]
    standing = ranks.ranks(board)
    table, pairs = ranks.sure(standing, ranks.entered(fields), plays, 0.5, *resampling)
    pd.testing.assert_frame_equal(table[standing.columns], standing)
    pairs = pairs.set_index(["metric", "reading", "a", "b"])
    every = sorted(scored["question_id"].unique())
    if teams:
        known = sorted(plays["team"].unique())
        by_question, by_team = resample.two_way_weights(len(every), len(known), replicates, seed)
    else:
        by_question = resample.bootstrap_weights(len(every), replicates, seed)
    named = plays.assign(team=plays["team"].fillna("nobody"))
    kinds = set()
    for (metric, reading), of in table.groupby(["metric", "reading"]):
        if metric not in TOSSUP:
            assert of["rank"].isna().all() and of["p_first"].isna().all()
            continue
        both = teams and (metric, reading) in ranks.BY_TEAM
        drawn = Shared(
            fields, named, metric, reading, every, by_question, by_team if both else None
        )
        for row in of.itertuples():
            names = sorted({*rivals, row.submission})
            mine = drawn(row.submission, row.submission)
            place = [
                slow_places(names, lambda a, b, r=r, drawn=drawn: drawn(a, b)[r], True)[
                    row.submission
                ]
                for r in range(replicates)
                if not math.isnan(mine[r])
            ]
            for other in rivals:
                pair = (metric, reading, other, row.submission)
                if pair not in pairs.index:
                    continue
                one, gap = pairs.loc[pair], drawn(*pair[2:]) - drawn(row.submission, other)
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
    field = tossups.field(runs, asked, plays)
    key = ("win_rate", "manual")
    drawn = ranks.crossed(ranks.entered([field]), plays, [key], 4000, 1)[key]
    value = tossups.boards([field], 100, 1, 0.95).query(
        "metric == 'win_rate' and reading == 'manual'"
    )
    for row in value.itertuples():
        top, bottom = (part.sum(axis=1) for part in drawn[row.submission])
        mine = top / bottom
        assert mine.mean() == pytest.approx(row.value, abs=4 * mine.std() / math.sqrt(4000) + 0.002)


def ranked(plays, fields):
    """(board, scored, ranks with their bounds) of two fields."""
    board = board_of(fields)
    scored = pd.concat([f.scored for f in fields], ignore_index=True)
    standing = ranks.ranks(board)
    return (
        board,
        scored,
        ranks.sure(standing, ranks.entered(fields), plays, 0.5, *RESAMPLING)[0],
    )


def test_the_figure_draws_the_bounds():
    _, _, plays, _, fields = everything(11)
    board, _, table = ranked(plays, fields)
    theme.apply()
    styles = theme.model_styles({}, board["submission"])
    figure = plot.ranks(table, styles, {}, plot.READINGS)
    (ax,) = figure.axes
    (bars,) = ax.collections
    labels = [text.get_text() for text in ax.get_yticklabels()]
    worst = table.loc[table["metric"].isin(plot.READINGS), "rank_high"].max()
    drawn = {
        (labels[int(one[0, 1])], *(int((x - 1) % (worst + 1)) + 1 for x in one[:, 0]))
        for one in bars.get_segments()
    }
    rows = table[table["metric"].map(plot.READINGS).eq(table["reading"]) & table["rank"].notna()]
    assert drawn == set(
        rows[["submission", "rank_low", "rank_high"]].itertuples(index=False, name=None)
    )
    assert not replayed.is_replayed(labels[:2]).any() and replayed.is_replayed(labels[2:]).all()
    hollow = [line.get_markerfacecolor() == "white" for line in ax.lines[: len(labels)]]
    assert hollow == replayed.is_replayed(labels).tolist()


def test_the_page_has_a_table_of_its_own_for_those_replayed():
    _, _, plays, rules, fields = everything(11)
    board, scored, table = ranked(plays, fields)
    stopped = pd.concat([f.stopped for f in fields], ignore_index=True)
    firsts = fields[0].firsts
    nobody = pd.DataFrame(columns=["submission", "question_id", "position", "right"])
    names = replayed.shown_names(rules, {"told": "Tell"})
    kinds = dict.fromkeys(["live-a", "live-b"], "live") | dict.fromkeys(
        rules["submission"], "replayed"
    )
    common = common_questions(scored, None, kinds, names, set(), 60, 1, 0.9)
    parts = [board, table, tossups.classes(scored, 0.9)]
    text = leaderboard.render(
        masthead("title"), *(named(one, names) for one in parts), tossups.head_to_head(firsts, nobody), common,
        stopped, ["live-a", "live-b"], rules, "<svg></svg>", 0.9, 60,
    )  # fmt: skip
    first, second = text.split("<h2>Tossups, replayed from guesses</h2>")
    assert "free (replayed, −0.1)" not in first.split("<h2>Tossups</h2>")[1]
    assert "free (replayed, −0.1)" in second and "live-a" in first
    row = table[(table["metric"] == "expected_score") & (table["submission"] == "live-a")].iloc[0]
    assert f"#{row['rank']} ({row['rank_low']}–{row['rank_high']})" in first
    # Calibration is that of the series, whatever its thresholds, so each has one row; live models have none.
    table = second.split('id="calibration"')[1].split("<details>")[0]
    heads = re.findall(r"<button type=.button.>([^<]*)", table)
    assert heads[1:3] == ["questions", "CalScore ↓"]
    shown = re.findall(r"<tr><td>([^<]*)</td>", table)
    assert sorted(shown) == ["Tell (logit)", "Tell (verbalized)", "free", "owned"]
    values = {
        name: board.query("submission == @key and metric == 'calscore' and reading == 'paper'")["value"].item()
        for name, key in zip(shown, (replayed_as(rules, one) for one in shown), strict=True)
    }  # fmt: skip
    assert list(values.values()) == sorted(values.values())
    for value in values.values():
        assert f'data-key="{value!r}"' in table


def replayed_as(rules, shown: str) -> str:
    """A submission of the series that a row of calibration names."""
    model, _, rest = shown.replace("Tell", "told").partition(" (")
    of = rules[rules["model"] == model]
    return of.loc[of["elicitation"] == (rest.strip(")") or "logit"), "submission"].iloc[0]


# --- the demo study ----------------------------------------------------------------------------


def test_replayed_rows_of_the_demo_follow_from_its_guesses(demo):
    board = pd.read_csv(demo / "tables" / "leaderboard.csv")
    classes = pd.read_csv(demo / "tables" / "leaderboard_classes.csv")
    guesses = store.read(demo / "tidy" / "guesses.parquet")
    questions = store.read(demo / "tidy" / "questions.parquet")
    judgements = store.read(demo / "judged" / "judgements.parquet")
    plays = store.read(demo / "tidy" / "human_plays.parquet")
    live = board[~replayed.is_replayed(board["submission"])]
    assert set(live["submission"]) == {"M1", "M2", "M3"}
    for model, limit in (("M1", -0.03), ("M6", -0.05)):
        of = guesses[(guesses["model"] == model) & (guesses["elicitation"] == "logit")]
        of = of.assign(condition=judging.conditions(of, questions))
        runs = of.assign(
            correct=judging.right(of, judgements).fillna(False).astype(bool),
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
    rows = board[replayed.is_replayed(board["submission"]) & board["metric"].isin(metrics)]
    place = rows["submission"].str.extract(r"^(?P<model>\S+) \(replayed, (?P<elicitation>\w+), ")
    rows = pd.concat([rows, place], axis=1)
    wide = table.melt(["definition", "elicitation", "model"], metrics, "metric", "printed")
    both = rows.merge(
        wide.rename(columns={"definition": "reading"}),
        on=["reading", "elicitation", "model", "metric"],
    )
    assert len(both) == len(rows) > 100
    assert (both["value"] - both["printed"]).abs().max() < 1e-12


def test_ranks_of_the_demo_add_up(demo):
    table = pd.read_csv(demo / "tables" / "leaderboard_ranks.csv")
    board = pd.read_csv(demo / "tables" / "leaderboard.csv")
    both = table.merge(board, on=["submission", "metric", "reading"], suffixes=("", "_board"))
    assert len(both) == len(table)
    for name in ("value", "low", "high", "rank"):
        assert both[name].equals(both[f"{name}_board"])
    live = table[~replayed.is_replayed(table["submission"]) & table["rank"].notna()]
    # Somebody is first in each replicate; more than one where they tie.
    assert (live.groupby("column")["p_first"].sum() >= 1 - 1e-9).all()
    assert (live["resampled"] == ranks.BOTH).any() and (live["resampled"] == ranks.QUESTIONS).any()
    wider = (live["two_way_high"] - live["two_way_low"]) - (live["high"] - live["low"])
    assert wider.mean() > -0.005
