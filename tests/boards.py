"""Random leaderboards of submissions and of models replayed from guesses, and loops that count them slowly."""

import json
import math

import numpy as np
import pandas as pd
from buzz_policy.test_thresholds import EVEN, PROTOBOWL, made
from calscore.buzz_policy import thresholds
from calscore.leaderboard import bonus_files, ranks, replay, submissions, tossups
from calscore.simulate import tournament
from calscore.stats.bootstrap import Bootstrap


def human_plays(questions, position, points=10.0, team="t"):
    """A human play of each of ``questions``: right where it has points, a neg where it lost some."""
    table = pd.DataFrame({"question_id": questions})
    table = table.assign(team=team, position=position, points=points)
    kinds = {"correct": table["points"] > 0, "neg": table["points"] < 0, "censored": False}
    return submissions._number_plays(table.assign(**kinds))


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
            team = f"t{rng.integers(3)}"
            plays.append((f"q{q}", int(rng.integers(1, words + 1)), points, team))
    runs = pd.DataFrame(runs).astype({"n_words": "Int64"})
    return runs, human_plays(*zip(*plays, strict=True))


def board_of(runs, plays, score_stopped=True, least=0.5):
    asked = runs[["submission", "question_id"]].drop_duplicates()
    field = tossups.score_field(runs, asked, plays)
    board = tossups.leaderboard_metrics([field], Bootstrap(100, 1, 0.95), score_stopped)
    board = ranks.add_ranks(board, ranks.pool_entrants([field], score_stopped), least)
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
    score, right, buzzed, position, tossup, strict = [], [], [], [], [], []
    wins = {"manual": [], "code": [], "code_strict": [], "manual_all": []}
    for question, mine in by_question.items():
        first = next((run for run in mine if run.buzz), None)
        others = humans.get(question, [])
        before = [p for p in others if first and p.correct and p.position < first.position]
        h = len(before) / len(others) if others else 0.0
        good = bool(first and first.correct)
        score.append(0.0 if first is None else (1.0 if good else -0.5) * (1 - h))
        points = 0.0 if first is None else 1.0 if good else -0.5
        ahead = [first is not None and first.position < p.position for p in others]
        strict.append(mean(points * a for a in ahead) if others else points)
        last = first is not None and first.position >= mine[-1].n_words
        code = 0.0 if first is None else 1.0 if good else 0.0 if last else -0.5
        said = 0 if first is None else (5 if last else 10) if good else (0 if last else -5)
        tossup.append((code, said))
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
        ("expected_score", "manual_strict"): mean(strict),
        ("tossup_score", "code"): mean(code for code, _ in tossup),
        ("tossup_score", "comment"): mean(said for _, said in tossup),
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
                g = (1 if run.correct else -1) if definition == "paper" else (1 if run.correct else 0)
                plain.append(g * run.confidence)
                adjusted.append((1 - h) * g * run.confidence)
            f = r if definition == "paper" else float
            mce.append(1 - f(mean(plain)))
            calscore.append(1 - f(mean(adjusted)))
            pairs += [(run.confidence, run.correct) for run in (mine if definition == "paper" else mine[-1:])]
        found["mce", definition], found["calscore", definition] = mean(mce), mean(calscore)
        found["brier", definition] = mean((c - g) ** 2 for c, g in pairs)
        total = 0.0
        for k in range(10):
            if definition == "paper":
                inside = [(c, g) for c, g in pairs if k / 10 <= c < (k + 1) / 10 or (k == 9 and c == 1)]
            else:
                low, high = np.linspace(0, 1, 11)[k : k + 2]
                inside = [(c, g) for c, g in pairs if low < c <= high or (k == 9 and c == 0)]
            total += abs(sum(c for c, _ in inside) - sum(g for _, g in inside))
        found["ece", definition] = total / len(pairs)
    return found


def slow_kind(right, buzz):
    """Class of a question and gap from the positions of right guesses and of buzzes."""
    if not right:
        return "hopeless", None
    if not buzz:
        return "never buzzed", None
    gap = buzz[0] - right[0]
    return "best" if gap == 0 else "late" if gap > 0 else "premature", gap


def bonus_parts(seed, tmp_path, drop=0.2):
    """Simulated bonuses, read from a file, with some fields missing."""
    rng = np.random.default_rng(seed)
    found = []
    for name, records in tournament.bonus_submissions(seed, 12).items():
        for record in records:
            for part in record["parts"]:
                for field in ("confidence", "decision", "final_guess", "first_correct"):
                    if rng.random() < drop:
                        part.pop(field, None)
        path = tmp_path / f"{name}.jsonl"
        path.write_text("\n".join(map(json.dumps, records)))
        found.append(bonus_files.read_bonus_parts(path, name))
    return pd.concat(found, ignore_index=True)


def slow_places(names, value, higher):
    """Rank of each of ``names`` by who beats whom; ``value(a, b)``: that of a on what it shares with b."""
    stands = dict.fromkeys(names, 0)
    for a in names:
        for b in names:
            x, y = value(a, b), value(b, a)
            if a != b and abs(x - y) > 1e-10:
                stands[a] += 1 if (x > y) == higher else -1
    return {a: 1 + sum(stands[b] > stands[a] for b in names) for a in names}


OWN = {"owned": -0.1}


TOSSUP = (
    "expected_score", "buzz_precision", "buzz_frequency", "buzz_position", "win_rate", "tossup_score",
)  # fmt: skip


RESAMPLING = Bootstrap(60, 7, 0.9)


def guessed(seed, questions=25):
    """(states, buzzpoints) of a model with a threshold of its own, one without, and one in two elicitations
    whose source states buzzes."""
    rng = np.random.default_rng(seed)
    parts = [made(questions, seed=seed + i, model=m) for i, m in enumerate(("free", "owned", "told"))]
    parts[2]["buzzed"] = pd.array(rng.random(len(parts[2])) < 0.2, "boolean")
    other = made(questions, seed=seed + 9, model="told").assign(elicitation="verbalized")
    for name in ("mean_logprob", "sum_logprob"):
        other[name] = np.nan
    table = pd.concat([*parts, other], ignore_index=True)
    table["n_words"] = table.groupby("question_id")["n_words"].transform("max")
    # Of some questions nothing right is ever guessed.
    table["correct"] &= ~table["question_id"].str.endswith(("3", "7"))
    found = thresholds.policy_tables(table, [PROTOBOWL, EVEN], [-0.1, -0.3], 3, Bootstrap(10, 1, 0.9))
    return table, found["buzzpoints"]


def played(table, seed, teams=4):
    """Random human plays of the questions, some without any."""
    rng = np.random.default_rng(seed)
    words = table.groupby("question_id")["n_words"].first()
    plays = [
        (q, int(rng.integers(1, n + 1)), points, f"t{t}")
        for q, n in words.items()
        for t in range(teams)
        if rng.random() < 0.6
        for points in [float(rng.choice([-5, 0, 10]))]
    ]
    return human_plays(*zip(*plays, strict=True))


def live_field(table, seed, plays):
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
    return tossups.score_field(runs, pd.DataFrame(heard), plays)


def believed(table):
    """States as beliefs at their positions."""
    return table.assign(confidence=np.exp(table["score"].astype(float)))


def everything(seed):
    table, points = guessed(seed)
    plays = played(table, seed)
    rules = replay.replay_rules(points, OWN, "fitted")
    fields = [
        live_field(table, seed, plays),
        replay.replayed_field(points, rules, plays, "leave_out", believed(table)),
    ]
    return table, points, plays, rules, fields


def ranked_fields(fields, least=0.5):
    return ranks.add_ranks(
        tossups.leaderboard_metrics(fields, RESAMPLING), ranks.pool_entrants(fields), least
    )


def ranked(plays, fields):
    """(board, scored, ranks with their bounds) of two fields."""
    board = tossups.leaderboard_metrics(fields, RESAMPLING)
    scored = pd.concat([f.scored for f in fields], ignore_index=True)
    entered = ranks.pool_entrants(fields, live={"live-a", "live-b"})
    board, standing, _ = ranks.rank_within_groups(board, entered, {}, plays, 0.5, RESAMPLING)
    return board, scored, standing


def replayed_as(rules, shown: str) -> str:
    """A submission of the series that a row of calibration names."""
    model, _, rest = shown.replace("Tell", "told").partition(" (")
    of = rules[rules["model"] == model]
    return of.loc[of["elicitation"] == (rest.strip(")") or "logit"), "submission"].iloc[0]
