"""Leaderboard metrics against a slow, obvious implementation; formats; first and last word."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from calscore.core import store
from calscore.core.errors import DataError
from calscore.leaderboard import bonus_files, bonuses, ranks, replayed, submissions, tossups
from calscore.leaderboard.board import entered, named
from calscore.leaderboard.common import common_questions
from calscore.pages import leaderboard
from calscore.simulate import tournament
from scipy import stats
from support import masthead, outside

# --- random tournaments ------------------------------------------------------------------------


def world(seed, questions=9, names=("a", "b", "c")):
    """Runs and plays with few positions, so that ties, missing plays and every class occur."""
    rng = np.random.default_rng(seed)
    runs, plays = [], []
    for q in range(questions):
        words = int(rng.integers(4, 12))
        for name in names:
            if name == "c" and q == 0:
                continue
            ends = sorted({*rng.integers(1, words + 1, 4).tolist(), words})
            for index, end in enumerate(ends):
                error = rng.random() < 0.05
                right = bool(rng.random() < 0.5) and not error
                runs.append(
                    {
                        "submission": name, "question_id": f"q{q}", "run": index, "position": end, "n_words": words,
                        "guess": "ERROR" if error else "x", "confidence": float(rng.integers(0, 11)) / 10,
                        "buzz": bool(rng.random() < 0.25), "correct": right, "judged": "given", "error": error,
                        "live": False, "source_row": f"{name}#{q}/{index}",
                    }
                )  # fmt: skip
        for _ in range(int(rng.integers(0, 5))):
            points = float(rng.choice([-5, 0, 10, 15]))
            plays.append(
                {"question_id": f"q{q}", "team": f"t{rng.integers(3)}", "position": int(rng.integers(1, words + 1)),
                 "points": points, "correct": points > 0, "neg": points < 0}
            )  # fmt: skip
    runs = pd.DataFrame(runs).astype({"n_words": "Int64"})
    return runs, submissions._numbered(pd.DataFrame(plays))


def board_of(runs, plays, score_stopped=True, least=0.5):
    asked = runs[["submission", "question_id"]].drop_duplicates()
    field = tossups.field(runs, asked, plays)
    board = tossups.boards([field], 100, 1, 0.95, score_stopped=score_stopped)
    board = ranks.ranked(board, ranks.entered([field], score_stopped), least)
    return field.firsts, field.scored, board


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else math.nan


def slow_tossups(runs, plays):
    """(metric, reading) → value for one submission, by loops over its questions."""
    by_question = {}
    for run in runs.sort_values("position").itertuples():
        by_question.setdefault(run.question_id, []).append(run)
    humans = {}
    for play in plays.itertuples():
        humans.setdefault(play.question_id, []).append(play)
    score, right, buzzed, position = [], [], [], []
    wins = {"manual": [], "code": [], "code_strict": [], "manual_all": []}
    for question, mine in by_question.items():
        first = next((run for run in mine if run.buzz), None)
        others = humans.get(question, [])
        before = [p for p in others if first and p.correct and p.position < first.position]
        h = len(before) / len(others) if others else 0.0
        good = bool(first and first.correct)
        score.append(0.0 if first is None else (1.0 if good else -0.5) * (1 - h))
        right.append(good)
        buzzed.append(first is not None)
        if first:
            position.append(first.position)
        if others:
            wins["manual"].append(
                mean(good and not (p.correct and p.position < first.position) for p in others)
            )
            wins["code"].append(
                mean(
                    (good and first.position <= p.position)
                    or (p.neg and (first is None or p.position < first.position))
                    for p in others
                )
            )
            wins["code_strict"].append(mean(good and first.position <= p.position for p in others))
            wins["manual_all"].append(good and not before)
    found = {
        ("buzz_precision", "manual"): mean(r for r, b in zip(right, buzzed, strict=True) if b),
        ("buzz_precision", "code"): mean(right),
    }
    for reading in ("manual", "code"):
        found["expected_score", reading] = mean(score)
        found["buzz_frequency", reading] = mean(buzzed)
        found["buzz_position", reading] = mean(position)
    found |= {("win_rate", reading): mean(values) for reading, values in wins.items()}

    def sigma(x):
        return 1 / (1 + math.exp(-x))

    def r(x):
        return (sigma(x) - sigma(-1)) / (sigma(1) - sigma(-1))

    for definition in ("paper", "release"):
        mce, calscore, pairs = [], [], []
        for question, mine in by_question.items():
            mine = [run for run in mine if not run.error]
            if not mine:
                continue
            others = humans.get(question, [])
            plain, adjusted = [], []
            for run in mine:
                so_far = [p for p in others if p.position <= run.position]
                got = sum(p.correct for p in so_far)
                total = len(so_far) if definition == "paper" else len(others)
                h = got / total if total else 0.0
                g = (
                    (1 if run.correct else -1)
                    if definition == "paper"
                    else (1 if run.correct else 0)
                )
                plain.append(g * run.confidence)
                adjusted.append((1 - h) * g * run.confidence)
            f = r if definition == "paper" else float
            mce.append(1 - f(mean(plain)))
            calscore.append(1 - f(mean(adjusted)))
            pairs += [
                (run.confidence, run.correct)
                for run in (mine if definition == "paper" else mine[-1:])
            ]
        found["mce", definition], found["calscore", definition] = mean(mce), mean(calscore)
        found["brier", definition] = mean((c - g) ** 2 for c, g in pairs)
        total = 0.0
        for k in range(10):
            if definition == "paper":
                inside = [
                    (c, g) for c, g in pairs if k / 10 <= c < (k + 1) / 10 or (k == 9 and c == 1)
                ]
            else:
                low, high = np.linspace(0, 1, 11)[k : k + 2]
                inside = [(c, g) for c, g in pairs if low < c <= high or (k == 9 and c == 0)]
            total += abs(sum(c for c, _ in inside) - sum(g for _, g in inside))
        found["ece", definition] = total / len(pairs)
    return found


@pytest.mark.parametrize("seed", range(25))
def test_every_tossup_metric_agrees_with_the_slow_one(seed):
    runs, plays = world(seed)
    _, _, board = board_of(runs, plays)
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
        _, _, board = board_of(*world(seed))
        wide = board.pivot(
            index=["submission", "metric"], columns="reading", values="value"
        ).reset_index()
        for row in wide[wide["metric"] == "win_rate"].itertuples():
            parted |= {
                pair
                for pair in (("manual", "code"), ("code", "code_strict"), ("manual", "manual_all"))
                if abs(getattr(row, pair[0]) - getattr(row, pair[1])) > 1e-9
            }
        precision = wide[wide["metric"] == "buzz_precision"]
        if (precision["manual"] > precision["code"]).any():
            parted.add("precision")
    assert parted == {
        ("manual", "code"),
        ("code", "code_strict"),
        ("manual", "manual_all"),
        "precision",
    }


def slow_kind(right, buzz):
    """Class of a question and gap from the positions of right guesses and of buzzes."""
    if not right:
        return "hopeless", None
    if not buzz:
        return "never buzzed", None
    gap = buzz[0] - right[0]
    return "best" if gap == 0 else "late" if gap > 0 else "premature", gap


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
    table = tossups.classes(firsts.reset_index(), 0.95)
    assert (
        table.groupby("submission")["questions"].sum() == asked.groupby("submission").size()
    ).all()
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
    others = pd.DataFrame(
        {
            "submission": teams["team"],
            "question_id": teams["question_id"],
            "position": teams["position"],
            "right": teams["correct"],
        }
    )
    others = others.astype({"position": "Int64", "right": "boolean"})
    table = tossups.head_to_head(firsts, others).set_index(["a", "b"])
    buzzes = {
        (r.submission, r.question_id): (r.position, r.right)
        for r in pd.concat([firsts, others]).itertuples()
    }
    for (a, b), row in table.iterrows():
        counts = dict.fromkeys(("a_wins", "b_wins", "ties", "neither", "questions"), 0)
        for q in {q for n, q in buzzes if n == a} & {q for n, q in buzzes if n == b}:
            counts["questions"] += 1
            plays_ = [
                (int(p), -int(bool(ok)), who, bool(ok))
                for who, (p, ok) in (("a_wins", buzzes[a, q]), ("b_wins", buzzes[b, q]))
                if p is not pd.NA
            ]
            good = sorted(play for play in plays_ if play[3])
            if not good:
                counts["neither"] += 1
            elif len(good) == 2 and good[0][0] == good[1][0]:
                counts["ties"] += 1
            else:
                counts[good[0][2]] += 1
        assert {k: row[k] for k in counts} == counts, (a, b)


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


def bonus_parts(seed, tmp_path, drop=0.2):
    """Simulated bonuses, read from a file, with some fields missing."""
    rng = np.random.default_rng(seed)
    found = []
    for name, records in tournament.bonuses(seed, 12).items():
        for record in records:
            for part in record["parts"]:
                for field in ("confidence", "decision", "final_guess", "first_correct"):
                    if rng.random() < drop:
                        part.pop(field, None)
        path = tmp_path / f"{name}.jsonl"
        path.write_text("\n".join(map(json.dumps, records)))
        found.append(bonus_files.read(path, name))
    return pd.concat(found, ignore_index=True)


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


OWN = [
    {"guess": "Ada", "confidence": 0.9, "explanation": "e", "correct": True},
    {"guess": "Bob", "confidence": 0.4, "explanation": "e", "correct": False},
]
SAID = [
    {"decision": "switch", "first_guess": "x", "first_correct": False, "final_guess": "Ada", "final_correct": True},
    {"decision": "keep", "first_guess": "y", "first_correct": True, "final_guess": "y", "final_correct": True},
]  # fmt: skip


def as_records(said):
    """Decision records as the leaderboard's scorer writes them, beside the parts."""
    new = {"first_guess": "orig_guess", "first_correct": "orig_correct"}
    return [{new.get(name, name): value for name, value in one.items()} for one in said]


def test_decision_records_beside_parts_and_a_table_are_what_parts_with_records_are(tmp_path):
    """Effect (1 − ½) and adoption (½) exist under all four spellings."""
    both = [own | said for own, said in zip(OWN, SAID, strict=True)]
    numbered = [one | {"number": 2 - i} for i, one in enumerate(as_records(SAID)[::-1])]
    files = {
        "with.jsonl": {"qid": 7, "parts": both},
        "beside.jsonl": {"qid": 7, "part_outputs": OWN, "scores": as_records(SAID)},
        "numbered.jsonl": {"qid": 7, "part_outputs": OWN, "scores": numbered},
    }
    for name, record in files.items():
        (tmp_path / name).write_text(json.dumps(record))
    rows = [{"question_id": 7, "part_number": i + 1, **one} for i, one in enumerate(both)]
    pd.DataFrame(rows[::-1]).to_csv(tmp_path / "table.csv", index=False)
    read = {
        name: bonus_files.read(tmp_path / name, "m").drop(columns="source_row")
        for name in [*files, "table.csv"]
    }
    for name, table in read.items():
        assert not store.faults(
            table.assign(source_row=[f"{name}#{i}" for i in table["part"]]), "bonus_parts"
        )
        pd.testing.assert_frame_equal(table, read["with.jsonl"], check_dtype=False)
        found = bonuses.board(table, 50, 1, 0.95).set_index(["metric", "reading"])["value"]
        assert found["effect", "manual"] == 0.5
        assert found["adoption", "manual"] == found["adoption", "code"] == 0.5  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("b.jsonl", {"qid": 7, "part_outputs": OWN, "scores": as_records(SAID)[:1]}, "row 7, column scores|row 1, column scores"),
        ("b.jsonl", {"qid": 7, "part_outputs": OWN, "scores": [{}, {"orig_correct": "no"}]}, "row 1, part 2, column first_correct"),
        ("b.jsonl", {"qid": 7, "part_outputs": OWN, "scores": [{}, {"correct": True}]}, "row 1, part 2, column correct: found True, expected False"),
        ("b.jsonl", {"qid": 7, "part_outputs": OWN, "scores": [{}, 3]}, "a JSON object"),
        ("b.csv", "question_id,part,guess,correct\n7,1,a,maybe\n", "row 2, column correct: found 'maybe'"),
        ("b.csv", "question_id,part,guess,correct\n7,1,a,1\n7,1,b,0\n", "row 3, column part"),
        ("b.csv", "question_id,guess\n7,a\n", "column part: found None, expected the column to be present"),
        ("b.csv", "question_id,part,guess,correct\n", "at least one"),
    ],
)  # fmt: skip
def test_bad_decision_records_are_one_clear_error(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(DataError, match=message):
        bonus_files.read(path, "m")


# --- first and last word -----------------------------------------------------------------------


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


@pytest.mark.parametrize("row", WINS.strip().splitlines()[1:], ids=lambda row: row.split("  ")[0])
def test_every_case_of_a_win(row):
    model, human, outcome, *expected = row.split()
    runs = pd.DataFrame(
        {
            "submission": ["m"],
            "question_id": ["q"],
            "position": [5],
            "buzz": [model != "silent"],
            "correct": [model == "right"],
            "error": [False],
        }
    )
    points = {"right": 10.0, "wrong": 0.0, "neg": -5.0}[outcome]
    play = {"question_id": "q", "position": {"earlier": 4, "same": 5, "later": 6}[human]}
    play |= {"team": "H", "points": points, "correct": points > 0, "neg": points < 0}
    plays = submissions._numbered(pd.DataFrame([play]))
    firsts = tossups.first_buzzes(runs, runs[["submission", "question_id"]])
    won = tossups.against_humans(firsts, plays).iloc[0]
    got = ["yes" if won[f"win_{reading}"] else "no" for reading in tossups.WIN_READINGS]
    assert got == expected


def duel(word_index, token_position, words=10, human_right=True):
    """One human buzz at a 0-based index against one right buzz at a 1-based count: the scored row."""
    questions = pd.DataFrame({"question_id": ["q"], "n_words": [words]})
    buzzes = pd.DataFrame(
        {
            "question_id": ["q"],
            "team": ["H"],
            "kind": ["human"],
            "word_index": [word_index],
            "correct": [human_right],
            "value": [None],
        }
    )
    runs = pd.DataFrame(
        {
            "submission": ["m"],
            "question_id": ["q"],
            "position": [token_position],
            "buzz": [True],
            "correct": [True],
            "error": [False],
        }
    )
    plays = submissions.plays(buzzes, questions)
    firsts = tossups.first_buzzes(runs, runs[["submission", "question_id"]])
    return tossups.against_humans(firsts, plays).iloc[0]


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


def test_the_end_mark_counts_as_the_last_word():
    """A human at the END mark and one past it have heard all ten words, as a run over all of them has."""
    for index in (9, 10, 11):
        assert duel(index, 10).h == 0
        assert duel(index, 10).win_code_strict == 1
    assert submissions.count([0, 9, 10], [10, 10, 10]).tolist() == [1, 10, 10]


def test_h_counts_a_human_at_the_runs_own_position():
    plays = submissions._numbered(
        pd.DataFrame(
            {
                "question_id": "q",
                "team": None,
                "position": [1, 10],
                "points": [10.0, -5.0],
                "correct": [True, False],
                "neg": [False, True],
            }
        )
    )
    runs = pd.DataFrame({"question_id": ["q", "q", "z"], "position": [1, 10, 1]})
    h = tossups.h_at(runs, plays)
    assert h["buzzed_so_far"].to_list() == [1, 0.5, 0]
    assert h["buzzed_on_question"].to_list() == [0.5, 0.5, 0]
    assert tossups.h_at(runs.assign(position=[0, 9, 1]), plays)["buzzed_so_far"].to_list() == [
        0,
        1,
        0,
    ]


# --- formats -----------------------------------------------------------------------------------

RUNS = [
    {
        "guess": "A",
        "confidence": 0.2,
        "buzz": False,
        "run_idx": 0,
        "correct": False,
        "token_position": 3,
    },
    {
        "guess": "B",
        "confidence": 0.9,
        "buzz": True,
        "run_idx": 1,
        "correct": 1,
        "token_position": 6,
    },
]


def test_three_formats_give_the_same_runs(tmp_path):
    nested, flat, table = tmp_path / "n.jsonl", tmp_path / "f.jsonl", tmp_path / "t.csv"
    nested.write_text(json.dumps({"qid": "q1", "run_outputs": RUNS}))
    flat.write_text("\n".join(json.dumps({"qid": "q1", **run}) for run in RUNS))
    pd.DataFrame([{"question_id": "q1", **run} for run in RUNS]).to_csv(table, index=False)
    read = [
        submissions.read(path, "m").drop(columns=["source_row", "place", "line"])
        for path in (nested, flat, table)
    ]
    for other in read[1:]:
        pd.testing.assert_frame_equal(read[0], other, check_dtype=False)
    table.write_text(
        "question_id,token_position,guess,confidence,buzz,correct\nq1,3,A,.2,FALSE,0\nq1,6,B,.9,True,yes\n"
    )
    pd.testing.assert_frame_equal(
        read[0].drop(columns="run"),
        submissions.read(table, "m")[read[0].columns.drop("run")],
        check_dtype=False,
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"token_position": 0},
            "column token_position: found 0, expected words heard, a whole number from 1",
        ),
        ({"confidence": 1.5}, "column confidence: found 1.5, expected a probability"),
        ({"confidence": "high"}, "found 'high'"),
        ({"buzz": 1}, "column buzz: found 1, expected true or false"),
        ({"token_position": 3}, "expected a position that occurs once"),
        ({"guess": 5}, "column guess: found 5, expected text"),
    ],
)
def test_bad_runs_are_one_clear_error(tmp_path, change, message):
    path = tmp_path / "n.jsonl"
    path.write_text(json.dumps({"qid": "q1", "run_outputs": [RUNS[0], RUNS[1] | change]}))
    with pytest.raises(DataError) as error:
        submissions.read(path, "m")
    assert message in str(error.value)
    assert "n.jsonl" in str(error.value)


@pytest.mark.parametrize(
    "text", ["[1]", "{", '{"qid": "q"}', '{"run_outputs": []}', "", '{"qid": "q", "run_outputs": [3]}', '{"qid": "q", "run_outputs": [{"buzz": true, "token_position": NaN}]}']
)  # fmt: skip
def test_lines_that_are_no_submission(tmp_path, text):
    path = tmp_path / "n.jsonl"
    path.write_text(text)
    with pytest.raises(DataError):
        submissions.read(path, "m")
    with pytest.raises(DataError):
        bonus_files.read(path, "m")


def test_errors_are_counted_apart_and_missing_verdicts_judged(tmp_path):
    path = tmp_path / "n.jsonl"
    runs = [
        {"guess": "ERROR", "confidence": 1.0, "buzz": True, "correct": True, "token_position": 2},
        {"guess": "Silas Marner", "confidence": 0.9, "buzz": True, "token_position": 4},
    ]
    path.write_text(
        json.dumps({"qid": "q1", "run_outputs": runs})
        + "\n"
        + json.dumps({"qid": "zz", "run_outputs": runs})
    )
    questions = pd.DataFrame(
        {
            "question_id": ["q1"],
            "source_id": ["s"],
            "n_words": [3],
            "text": ["one two three"],
            "answerline": ["Silas Marner"],
        }
    )
    findings = []
    table = submissions.identify(submissions.read(path, "m"), questions, findings)
    table = submissions.finish(table, questions, findings, submissions.judge_runs)
    assert table["correct"].to_list() == [False, True]
    assert table["judged"].to_list() == ["given", "engine"]
    assert {f.finding for f in findings} == {
        "question not in the study", "token position past the end", "ERROR in place of a guess", "judged by the engine",
    }  # fmt: skip
    firsts = tossups.first_buzzes(table, table[["submission", "question_id"]])
    assert firsts.loc[0, ["errors", "error_buzz", "right"]].to_list() == [1, True, False]
    sums = tossups.calibration_sums(
        table,
        submissions._numbered(
            pd.DataFrame(columns=["question_id", "team", "position", "points", "correct", "neg"])
        ),
    )
    assert sums["paper", "m"]["n"].to_list() == [1]
    with pytest.raises(DataError, match="without answer lines"):
        submissions.finish(
            submissions.identify(submissions.read(path, "m"), questions, []), questions, []
        )


def tossup_study(count=3):
    """Questions, and plays of them, that submissions of a few lines are held against."""
    questions = pd.DataFrame(
        {
            "question_id": [f"q{i}" for i in range(count)],
            "source_id": [f"s{i}" for i in range(count)],
            "n_words": 20,
            "answerline": "A",
            "text": "x " * 20,
        }
    )
    return questions, [{"qid": f"q{i}", "human_buzz_positions": [[9, 10]]} for i in range(count)]


def findings_of(tmp_path, *submitted):
    """{(kind, place): detail} of submissions, each a list of JSON lines, without buzz logs."""
    _, plays = tossup_study()
    path = tmp_path / "plays.jsonl"
    path.write_text("\n".join(map(json.dumps, plays)))
    files = []
    for i, records in enumerate(submitted):
        files.append(tmp_path / f"m{i}.jsonl")
        files[-1].write_text("\n".join(map(json.dumps, records)))
    names = [path.stem for path in files]
    found = submissions.tidy(files, names, None, path, None, None, None)["findings"]
    return {(one.finding, one.place): one.detail for one in found}


def shifted(by):
    return [{**run, "token_position": run["token_position"] + by} for run in RUNS]


def test_a_question_that_a_file_has_twice_is_found(tmp_path):
    once = [{"qid": f"q{i}", "run_outputs": RUNS} for i in range(3)]
    assert findings_of(tmp_path, once) == {}
    twice = findings_of(tmp_path, [*once, {"qid": "q1", "run_outputs": shifted(1)}])
    assert twice == {
        ("question twice in a submission", "m0"): "1 of 3 questions, first q1 in lines 2 and 4"
    }
    # A run a line is no question twice.
    flat = [{"qid": f"q{i}", **run} for i in range(3) for run in RUNS]
    assert findings_of(tmp_path, flat) == {}


def test_a_submission_without_any_of_the_questions_is_an_error(tmp_path):
    known = [{"qid": f"q{i}", "run_outputs": RUNS} for i in range(3)]
    with pytest.raises(DataError, match="m1") as error:
        findings_of(tmp_path, known, [{"qid": "zz", "run_outputs": RUNS}])
    assert "found 'zz', expected at least one question of the study" in str(error.value)


@pytest.mark.parametrize(
    ("gone", "said"), [(6, "no run has a confidence"), (2, "2 of 6 runs have no confidence")]
)
def test_missing_confidences_are_found(tmp_path, gone, said):
    runs = [run for _ in range(3) for run in RUNS]
    runs = [{**run, "confidence": None} if i < gone else run for i, run in enumerate(runs)]
    records = [{"qid": f"q{i}", "run_outputs": runs[2 * i : 2 * i + 2]} for i in range(3)]
    assert findings_of(tmp_path, records) == {("runs without a confidence", "m0"): said}


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_is_named_by_line_and_field(tmp_path, value):
    path = tmp_path / "n.jsonl"
    record = json.dumps({"qid": "q1", "run_outputs": RUNS}).replace("0.9", value)
    path.write_text(json.dumps({"qid": "q0", "run_outputs": RUNS}) + "\n" + record)
    with pytest.raises(DataError) as error:
        submissions.read(path, "m")
    assert str(error.value) == (
        f"n.jsonl, row 2, column run_outputs/1/confidence: found {value!r}, "
        "expected JSON without NaN and Infinity"
    )


def test_plays_given_as_pairs(tmp_path):
    path = tmp_path / "h.jsonl"
    path.write_text(
        '{"qid": "q1", "human_buzz_positions": [[12, 10], {"position": 5, "points": -5}, [7, 0]], "n_words": 20}\n'
        '{"qid": "q2", "human_buzz_positions": []}'
    )
    plays, questions = submissions.read_plays(path)
    assert plays[["position", "correct", "neg"]].to_numpy().tolist() == [
        [5, False, True],
        [7, False, False],
        [12, True, False],
    ]
    assert questions["n_words"].to_list() == [20, pd.NA]
    assert not store.faults(plays, "human_plays")
    path.write_text('{"qid": "q1", "human_buzz_positions": [[0, 10]]}')
    with pytest.raises(DataError, match="row 1, play 1"):
        submissions.read_plays(path)


# --- early stopping ----------------------------------------------------------------------------


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
    assert not tossups.early_stopped(whole)["early_stopped"].any()
    assert tossups.early_stopped(short)["early_stopped"].all()
    plays = submissions._numbered(
        pd.DataFrame(
            {
                "question_id": ["q0"],
                "team": ["t"],
                "position": [50],
                "points": [10.0],
                "correct": [True],
                "neg": [False],
            }
        )
    )
    refused = board_of(short, plays, score_stopped=False)[2]
    told = board_of(short, plays, score_stopped=True)[2]
    calibration = refused["metric"].isin(["mce", "calscore", "ece", "brier"])
    assert (
        refused.loc[calibration, "value"].isna().all()
        and refused.loc[~calibration, "value"].notna().all()
    )
    assert refused.loc[calibration, "note"].str.startswith("early-stopped").all()
    assert told.loc[calibration, "value"].notna().all()
    assert told.loc[calibration, "note"].str.startswith("biased").all()
    # Tossup metrics rest on the first buzz alone and are the same.
    full = board_of(whole, plays)[2]
    pd.testing.assert_series_equal(
        full.loc[~calibration, "value"], refused.loc[~calibration, "value"]
    )
    assert not np.allclose(full.loc[calibration, "value"], told.loc[calibration, "value"])


def test_one_question_that_goes_on_means_partly():
    whole = steady()
    goes_on = whole.loc[whole["buzz"] & (whole["run"] < 5), "question_id"].iloc[0]
    at = whole["question_id"] == goes_on
    mixed = pd.concat([stop(whole[~at]), whole[at]], ignore_index=True)
    row = tossups.early_stopped(mixed).iloc[0]
    assert (row["early_stopped"], row["partly"]) == (False, True)


@pytest.mark.parametrize(("how", "frequency"), [("leave_out", 1.0), ("no_buzz", 0.5)])
def test_questions_that_a_submission_lacks(how, frequency):
    runs = steady()
    runs = runs[runs["question_id"].isin(runs.loc[runs["buzz"], "question_id"])]
    count = runs["question_id"].nunique()
    plays = pd.DataFrame(
        {"question_id": [f"z{i}" for i in range(count)], "position": 5, "points": 10.0}
    )
    plays = submissions._numbered(plays.assign(team="t", correct=True, neg=False))
    asked = submissions.asked(runs[["submission", "question_id"]], runs, plays, how)
    assert tossups.first_buzzes(runs, asked)["buzzed"].mean() == frequency
    questions = pd.DataFrame({"question_id": [*runs["question_id"].unique(), "z0"]})
    assert submissions.missing(runs, questions)[0].detail.startswith("1 of ")


# --- ranks and page ----------------------------------------------------------------------------


def slow_places(names, value, higher):
    """Rank of each of ``names`` by who beats whom; ``value(a, b)``: that of a on what it shares with b."""
    stands = dict.fromkeys(names, 0)
    for a in names:
        for b in names:
            x, y = value(a, b), value(b, a)
            if a != b and abs(x - y) > 1e-10:
                stands[a] += 1 if (x > y) == higher else -1
    return {a: 1 + sum(stands[b] > stands[a] for b in names) for a in names}


def in_scope(runs, metric):
    """Questions of a submission's runs that a metric is of."""
    if metric in ("mce", "calscore", "ece", "brier"):
        runs = runs[~runs["error"]]
    return set(runs["question_id"])


@pytest.mark.parametrize("seed", range(6))
def test_ranks_are_of_common_questions_and_share_ties(seed):
    runs, plays = world(seed, names=("a", "b", "c", "d"))
    runs = runs[~((runs["submission"] == "d") & runs["question_id"].isin(["q2", "q3", "q5"]))]
    runs = pd.concat(
        [runs, runs[runs["submission"] == "a"].assign(submission="twin")], ignore_index=True
    )
    board = board_of(runs, plays)[2]
    names = ["a", "b", "c", "d", "twin"]
    own = {name: runs[runs["submission"] == name] for name in names}
    for (metric, reading), of in board.groupby(["metric", "reading"]):
        higher = tossups.HIGHER[metric]
        if higher is None:
            assert of["rank"].isna().all()
            continue

        def value(a, b, metric=metric, reading=reading):
            common = in_scope(own[a], metric) & in_scope(own[b], metric)
            rows = own[a][own[a]["question_id"].isin(common)]
            return slow_tossups(rows, plays)[metric, reading]

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
    plays = pd.DataFrame({"question_id": [f"q{q:02d}" for q in range(questions)], "team": "t"})
    plays = plays.assign(position=8, points=10.0, correct=True, neg=False)
    return pd.DataFrame(runs).astype({"n_words": "Int64"}), submissions._numbered(plays)


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
        said = f"of 20 questions, ranks ask for {least:g} of them"
        assert board.loc[(slice(None), slice(None), name), "rank"].isna().all()
        assert score.loc[name, "note"].endswith(said)


@pytest.mark.parametrize("how", ["leave_out", "no_buzz"])
def test_no_rank_for_one_answer_whatever_missing_questions_count_as(how):
    """Held to all questions as without a buzz, one right answer would still be the best precision."""
    runs, plays = graded(CHOOSERS)
    found = entered(runs, plays, None, how)
    table = tossups.boards([found], 100, 1, 0.95)
    table = ranks.ranked(table, ranks.entered([found]), 0.5).set_index(["submission"])
    assert table.loc["one", "rank"].isna().all()
    assert table.loc["best", "rank"].dropna().eq(1).any()
    pairs = ranks.sure(
        ranks.ranks(table.reset_index()), ranks.entered([found]), plays, 0.5, 100, 1, 0.95
    )[1]
    pairs = pairs.set_index(["a", "b", "metric", "reading"])
    assert pairs.loc[("best", "few", "expected_score", "manual"), "questions"] == (
        5 if how == "leave_out" else 20
    )


def test_a_submission_can_lead_by_calibration_and_trail_by_score():
    questions = pd.DataFrame(
        {
            "question_id": [f"q{i}" for i in range(120)],
            "source_id": "s",
            "n_words": 96,
            "answerline": "Ada",
        }
    )
    parts = []
    for name, records in tournament.submissions(questions, 5).items():
        for record in records:
            parts += [
                submissions._run(record["qid"], run, i, f"{name}#{i}") | {"submission": name}
                for i, run in enumerate(record["run_outputs"])
            ]
    runs = submissions.finish(
        submissions.identify(pd.DataFrame(parts), questions, []), questions, []
    )
    rng = np.random.default_rng(1)
    plays = submissions._numbered(
        pd.DataFrame(
            {
                "question_id": questions["question_id"],
                "team": "t",
                "position": rng.integers(40, 96, 120),
                "points": 10.0,
                "correct": True,
                "neg": False,
            }
        )
    )
    board = board_of(runs, plays, score_stopped=False)[2].set_index(
        ["metric", "reading", "submission"]
    )
    assert board.loc[("expected_score", "manual", "timid"), "rank"] == 4
    assert board.loc[("calscore", "paper", "timid"), "rank"] <= 2
    assert math.isnan(board.loc[("calscore", "paper", "stopped"), "value"])


def test_the_page_is_whole_by_itself_and_escapes_names(tmp_path):
    runs, plays = world(3)
    runs["submission"] = runs["submission"].replace("a", "<b>a & co</b>")
    firsts, scored, board = board_of(runs, plays)
    field = tossups.field(runs, runs[["submission", "question_id"]], plays)
    everyone = sorted(runs["submission"].unique())
    entrants = ranks.entered([field], True)
    table, _ = ranks.sure(ranks.ranks(board), entrants, plays, 0.5, 100, 1, 0.95)
    common = common_questions(
        scored, None, dict.fromkeys(everyone, "submitted"), {}, set(), 100, 1, 0.95
    )
    pairs = tossups.head_to_head(
        firsts, pd.DataFrame(columns=["submission", "question_id", "position", "right"])
    )
    parts = [board, table, tossups.classes(firsts, 0.95)]
    text = leaderboard.render(
        masthead("A <title>", simulated=True), *(named(one, {}) for one in parts), pairs, common,
        tossups.early_stopped(runs), [], replayed.chosen(None, {}, ""), "<?xml?><svg></svg>", 0.95, 100,
        bonuses.board(bonus_parts(1, tmp_path), 100, 1, 0.95),
    )  # fmt: skip
    assert "<b>a" not in text and "&lt;b&gt;a &amp; co" in text and "A &lt;title&gt;" in text
    assert outside(text) == [], "it refers to something outside"
    assert "SIMULATED DATA" in text
    value = board[(board["metric"] == "expected_score") & (board["submission"] == "b")][
        "value"
    ].iloc[0]
    assert f'data-key="{float(value)!r}"' in text
    for name in leaderboard.DEFINITIONS:
        assert f"<dt>{name}</dt>" in text
