"""What holds of submissions, boards and ranks."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..audit.outcome import bad, is_wilson, near, same, worst

_KEY = ["submission", "metric", "reading"]


def live_runs(runs, buzzes):
    """Runs of live models are first buzzes of theirs, right or wrong as those were."""
    first = buzzes[buzzes["kind"] == "model"].sort_values("word_index", kind="stable")
    first = first.drop_duplicates(["question_id", "team"])
    live = runs[runs["live"].fillna(False).astype(bool) & runs["buzz"].astype(bool)]
    live = live.rename(columns={"submission": "team"})
    key = ["question_id", "team"]
    correct = live.assign(correct=live["correct"].astype(object))
    return same(correct, first.merge(live[key]), key, ["correct"])


def within_runs(runs):
    """Runs of a question go on from one to the next; a live buzz is not past its words (a file's may be, and is listed)."""
    t = runs.sort_values(["submission", "question_id", "run"], ignore_index=True)
    wrong = t.groupby(["submission", "question_id"])["position"].diff() < 0
    wrong |= t["live"] & (t["position"] > t["n_words"]).fillna(True).astype(bool)
    return bad(t, wrong, "submission", "question_id", "run")


def of_the_teams(human_plays, buzzes, questions):
    """Where the plays are those of the study's own teams, they are as many as their buzzes, at the same words."""
    t = human_plays
    own = buzzes[buzzes["kind"] == "human"]
    if not t["team"].isin(set(own["team"])).mean() > 0.5:
        return bad(t, np.zeros(len(t), dtype=bool))
    key = ["question_id", "team"]
    n = own.groupby(key)["correct"].agg(["size", "sum"]).astype(float).reset_index()
    mine = t.groupby(key)["correct"].agg(["size", "sum"]).astype(float).reset_index()
    places = t["question_id"].isin(questions["question_id"])
    return worst(bad(t, ~places, *key), same(mine, n, key, ["size", "sum"]))


def in_bounds(leaderboard):
    """Right ones are among the buzzes, those among the questions; values lie in their bounds; precision is theirs."""
    t = leaderboard
    wrong = (t["right"] > t["buzzes"]) | (t["error_buzzes"] > t["errors"])
    wrong |= (t["low"] > t["value"] + 1e-9) | (t["high"] < t["value"] - 1e-9)
    of = (t["metric"] == "buzz_precision") & (t["reading"] == "manual") & t["value"].notna()
    wrong |= of & ~near(t["value"], t["right"] / t["buzzes"].where(t["buzzes"] > 0))
    return bad(t, wrong | t.duplicated(_KEY), *_KEY, "value")


def runs_of_the_board(leaderboard, runs):
    """Buzzes of who entered are at most those of the runs; all rows of one say the same counts; how often it buzzes follows."""
    first = runs[runs["buzz"].astype(bool)].drop_duplicates(["submission", "question_id"])
    t = leaderboard
    wrong = (t["buzzes"] > t["submission"].map(first.groupby("submission").size())).fillna(False)
    by = t.groupby("submission")
    for name in ("questions", "buzzes", "right", "errors", "error_buzzes"):
        wrong |= by[name].transform("nunique") != 1
    of = (t["metric"] == "buzz_frequency") & (t["reading"] == "manual") & t["value"].notna()
    wrong |= of & ~near(t["value"], t["buzzes"] / t["questions"])
    return bad(t, wrong, *_KEY, "questions", "buzzes", "right")


def ranks_of_the_board(leaderboard, leaderboard_pairs, options):
    """Who covers too little, or has no value, has no rank; of the others as many stand higher as the rank says."""
    t = leaderboard
    wrong = t["rank"].notna() & (t["value"].isna() | (t["coverage"] < options["rank_coverage"]))
    pairs = leaderboard_pairs
    ahead = np.sign((pairs["a_value"].round(12) - pairs["b_value"].round(12)).fillna(0))
    ahead = ahead.where(~pairs["metric"].isin(["brier", "calscore", "ece", "mce"]), -ahead)
    there = pairs.assign(one=pairs["a"], other=pairs["b"], ahead=ahead)
    back = pairs.assign(one=pairs["b"], other=pairs["a"], ahead=-ahead)
    games = pd.concat([there, back], ignore_index=True)
    outside = set(pairs["b"]) - set(pairs["a"])
    outside = {name for name in outside if " (replayed, " in name}
    for (metric, reading), of in games.groupby(["metric", "reading"]):
        rows = t[(t["metric"] == metric) & (t["reading"] == reading) & t["rank"].notna()]
        among = sorted(set(rows["submission"]) - outside)
        lead = of.pivot_table(index="one", columns="other", values="ahead", aggfunc="sum")
        lead = lead.reindex(index=rows["submission"], columns=among).fillna(0)
        stands = lead.sum(axis=1)
        theirs = stands[among]
        for row in rows.itertuples():
            met = lead.loc[row.submission] if row.submission in outside else 0
            wrong[row.Index] |= row.rank != 1 + (theirs - met > stands[row.submission]).sum()
    return bad(t, wrong, *_KEY, "rank")


def pairs_of_the_board(leaderboard_pairs, leaderboard):
    """Differences are those of the values, within their bounds; who has common questions with all has its own value."""
    t = leaderboard_pairs
    if not len(t):
        return bad(t, [])
    wrong = ~near(t["difference"], t["a_value"] - t["b_value"])
    wrong |= (t["low"] > t["high"]) | (t["a"] == t["b"])
    asked = leaderboard.drop_duplicates("submission").set_index("submission")["questions"]
    for name in ("a", "b"):
        wrong |= t["questions"] > t[name].map(asked).astype(float)
    known = leaderboard.set_index(_KEY)["value"]
    score = t["metric"] == "expected_score"
    for name in ("a", "b"):
        whole = score & (t["questions"] == t[name].map(asked).astype(float))
        own = known.reindex(pd.MultiIndex.from_frame(t[[name, "metric", "reading"]])).to_numpy()
        wrong |= whole & ~near(t[f"{name}_value"], own)
    return bad(t, wrong, "a", "b", "metric", "difference")


def of_the_board(leaderboard_ranks, leaderboard):
    """Values, bounds and ranks are those of the leaderboard."""
    known = leaderboard.merge(leaderboard_ranks[_KEY])
    return same(leaderboard_ranks, known, _KEY, ["value", "low", "high", "rank"])


def how_sure(leaderboard_ranks, options):
    """Bounds of a rank are where there is a rank, in order, and reach 1 just where rank 1 is not rare."""
    t = leaderboard_ranks.astype(dict.fromkeys(("rank", "rank_low", "rank_high"), float))
    tail = (1 - options["level"]) / 2
    sure = t["rank"].notna()
    wrong = sure & t[["rank_low", "rank_high", "p_first", "resampled"]].isna().any(axis=1)
    wrong |= (
        (t["rank_low"] > t["rank_high"])
        | (t["rank_low"] < 1)
        | ~t["p_first"].fillna(0).between(0, 1)
    )
    # One replicate lies between the share and the bound.
    near_tail = 1 / options["replicates"]
    wrong |= sure & (t["p_first"] > tail + near_tail) & (t["rank_low"] != 1)
    wrong |= sure & (t["p_first"] < tail - near_tail) & (t["rank_low"] == 1)
    both = t["resampled"] == "questions and teams"
    wrong |= both != t["two_way_low"].notna()
    wrong |= both != t["two_way_high"].notna()
    wrong |= t["two_way_low"] > t["two_way_high"]
    return bad(t, wrong, "submission", "column")


def wins_of_pairs(head_to_head, options):
    """Wins, ties and what neither won make up the questions; the share of a is of what was decided, a tie half."""
    t = head_to_head
    decided = t["a_wins"] + t["b_wins"] + t["ties"]
    wrong = decided + t["neither"] != t["questions"]
    won = t["a_wins"] + t["ties"] / 2
    wrong |= is_wilson(t, "a_share", "low", "high", won, decided, options["level"])
    return bad(t, wrong, "a", "b", "a_share")


def common_to_both(common_questions, leaderboard):
    """A difference is that of its scores, each in its bounds; who has all its questions in common has its own score."""
    t = common_questions
    wrong = ~near(t["difference"], t["a_score"] - t["b_score"])
    own = leaderboard[
        (leaderboard["metric"] == "expected_score") & (leaderboard["reading"] == "manual")
    ]
    own = own.set_index("submission")
    for side in ("a", "b"):
        whole = t["questions"] == t[side].map(own["questions"]).astype(float)
        wrong |= (
            whole & t["difference"].notna() & ~near(t[f"{side}_score"], t[side].map(own["value"]))
        )
    for value, low, high in (
        ("share", "low", "high"),
        ("difference", "difference_low", "difference_high"),
    ):
        wrong |= (t[low] > t[value] + 1e-9) | (t[high] < t[value] - 1e-9)
    return bad(t, wrong | t.duplicated(["a", "b", "b_kind"]), "a", "b", "share")


def pairs_from_buzzes(
    common_questions, runs, options, names, buzzes=None, exposures=None, questions=None,
    buzzpoints=None, human_plays=None,
):  # fmt: skip
    """Names, common and decided questions, and shares follow from first buzzes: of runs, of a replayed rule, of teams."""
    t, pair = common_questions, ["who", "question_id"]
    if t.empty:
        return bad(t, [])
    wrong = np.zeros(len(t), dtype=bool)
    for side in ("a", "b"):
        head = t[side].str.partition(" (replayed, ")
        shown = head[0].map(lambda key: names.get(key, key)) + head[1]
        wrong |= t[f"{side}_name"] != shown + head[2].str.replace("-", "−")
    filed = runs[~runs["live"].astype(bool)].rename(
        columns={"submission": "who", "correct": "right"}
    )
    filed = filed.assign(position=filed["position"].where(filed["buzz"].astype(bool)))
    parts = [filed.sort_values("position").drop_duplicates(pair)]
    if exposures is not None:
        first = buzzes.sort_values("word_index", kind="stable").drop_duplicates(
            ["question_id", "team"]
        )
        words = first["question_id"].map(questions.set_index("question_id")["n_words"])
        first = first[["question_id", "team", "correct"]].assign(
            position=np.minimum(first["word_index"] + 1, words).astype(float)
        )
        heard = exposures[["question_id", "team", "kind"]].drop_duplicates(["question_id", "team"])
        heard = heard.merge(first, how="left")
        parts.append(heard.rename(columns={"team": "who", "correct": "right"}))
    if buzzpoints is not None:
        p = buzzpoints[buzzpoints["set"] == "study"]
        p = p[(p["rule"] != "tuned") | (p["opponents"] == options["opponents"])]
        rule = p["rule"].str.removeprefix("given ").replace("stated", "as stated")
        for words in (rule, p["elicitation"] + ", " + rule):
            who = p["model"] + " (replayed, " + words + ")"
            parts.append(p.assign(who=who, right=p["correct"])[who.isin({*t["a"], *t["b"]})])
    every = pd.concat([one.reindex(columns=[*pair, "kind", "position", "right"]) for one in parts])
    every = every.astype({"position": float, "right": object})
    every["right"] = every["right"].eq(True)
    who, asked = (np.unique(every[name].astype(str), return_inverse=True) for name in pair)
    had, right = np.zeros((2, len(who[0]), len(asked[0])), dtype=bool)
    at = np.full(had.shape, np.inf)
    place = who[1], asked[1]
    had[place], at[place] = True, every["position"].fillna(np.inf)
    right[place] = every["right"] & every["position"].notna()
    if options["missing_questions"] == "no_buzz":
        every_one = set(asked[0][had.any(axis=0)]) | set(human_plays["question_id"])
        had[~np.isin(who[0], every.loc[every["kind"].notna(), "who"])] = np.isin(
            asked[0], [*every_one]
        )
    human = np.isin(who[0], every.loc[every["kind"] == "human", "who"])
    index = {name: i for i, name in enumerate(who[0])}
    counted = []
    for a, b, kind in zip(t["a"], t["b"], t["b_kind"], strict=True):
        i, j = index.get(a), human if kind == "human teams" else [index.get(b, index.get(a))]
        both = had[i] & had[j]
        tie = right[i] & right[j] & (at[i] == at[j])
        won = (right[i] & (~right[j] | (at[i] < at[j]))) + tie / 2
        decided = (both & (right[i] | right[j])).sum()
        counted.append((both.any(axis=0).sum(), decided, (won * both).sum()))
    n, decided, won = np.array(counted, dtype=float).reshape(-1, 3).T
    wrong |= (t["questions"] != n) | ~near(t["decided"], decided)
    wrong |= ~near(t["share"], won / np.where(decided > 0, decided, np.nan))
    return bad(t, wrong, "a", "b", "share")


def classes_make_up_all(leaderboard_classes, leaderboard, options):
    """Classes of a submission make up its questions; right ones are among them; Wilson's bounds follow."""
    t = leaderboard_classes
    total = t.groupby("submission")["questions"].transform("sum")
    ends = ("share", "share_low", "share_high")
    wrong = is_wilson(t, *ends, t["questions"], total, options["level"])
    wrong |= (t["right"] > t["questions"]) | t.duplicated(["submission", "class"])
    board = leaderboard.drop_duplicates("submission").set_index("submission")
    wrong |= total > t["submission"].map(board["questions"]).astype(float)
    return bad(t, wrong, "submission", "class", "questions")


# --- bonuses -----------------------------------------------------------------------------------


def parts_of_bonuses(bonus_parts):
    """Parts of a bonus are numbered from 1; a kept answer is the first or final one."""
    t = bonus_parts
    n = t.groupby(["submission", "question_id"]).cumcount() + 1
    return bad(
        t, (t["part"] != n) | t.duplicated("source_row"), "submission", "question_id", "part"
    )


def shares_of_bonuses(bonuses, bonus_parts):
    """Accuracies and effects are means over parts and bonuses; calibration under one reading is 1 − the other's."""
    p = bonus_parts.astype({name: float for name in ("correct", "first_correct", "final_correct")})
    by = p.groupby("submission")
    wanted = pd.DataFrame(
        {
            "part_accuracy": by["correct"].mean(),
            "question_accuracy": p.groupby(["submission", "question_id"])["correct"]
            .min()
            .groupby("submission")
            .mean(),
            "effect": by["final_correct"].mean() - by["first_correct"].mean(),
        }
    )
    long = wanted.rename_axis(columns="metric").stack().rename("value").reset_index()
    t = bonuses
    key = ["submission", "metric"]
    known = t[t["metric"].isin(wanted) & t["value"].notna()]
    parts = [
        same(of, long.merge(of[key]), key, ["value"], 1e-9) for _, of in known.groupby("reading")
    ]
    sizes = by.agg(parts=("part", "size"), bonuses=("question_id", "nunique")).reset_index()
    parts.append(same(t.drop_duplicates("submission"), sizes, ["submission"], ["parts", "bonuses"]))
    wide = t[t["metric"] == "calibration"].pivot(
        index="submission", columns="reading", values="value"
    )
    both = wide.dropna().reset_index()
    wrong = (t["low"] > t["value"]) | (t["high"] < t["value"]) | (t["parts_used"] > t["parts"])
    return worst(
        *parts,
        bad(both, ~near(both["manual"], 1 - both["code"]), "submission"),
        bad(t, wrong, "submission", "metric", "reading"),
    )
