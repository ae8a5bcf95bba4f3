"""What holds of opponents, thresholds and replayed matches."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..audit.outcome import bad, near, outside, same, worst

_OWN = ["set", "model", "elicitation", "rule", "opponents"]


def bounds_of_shares(opponents):
    """Bounds of the observed share are the same beside every curve, and fall as more is heard."""
    t, ends = opponents, ["share_low", "share_high"]
    first = t.groupby("revealed")[ends].transform("first")
    wrong = (t[ends].isna() != first.isna()) | ((t[ends] - first).abs() > 1e-9)
    wrong |= t.sort_values("revealed").groupby("opponents")[ends].diff().reindex(t.index) > 1e-9
    return bad(t, wrong.any(axis=1), "opponents", "revealed", *ends)


def bounds_of_the_fitted(opponents):
    """The curve fitted here has bounds everywhere, those of others have none; π is what its coefficients say."""
    t = opponents
    missing = t[["pi_low", "pi_high"]].isna().any(axis=1)
    cubic = sum(t[f"c{power}"] * t["revealed"] ** power for power in range(4))
    curve = near(t["pi"], cubic) | near(t["pi"], cubic.clip(0, 1))
    wrong = (missing == t["opponents"].eq("fitted")) | ~curve
    return bad(t, wrong, "opponents", "revealed", "pi")


def share_not_right_yet(opponents, buzzes, questions, exposures):
    """The observed share is of the pairs of a human team and a question that it heard, not right yet."""
    heard = exposures.loc[exposures["kind"] == "human", ["team", "question_id"]].drop_duplicates()
    right = buzzes[buzzes["correct"].astype(bool)]
    words = right["question_id"].map(questions.set_index("question_id")["n_words"])
    at = ((right["word_index"] + 1) / words).groupby([right["team"], right["question_id"]]).min()
    at = at.reindex(pd.MultiIndex.from_frame(heard)).fillna(np.inf).to_numpy()
    wanted = [(at > share + 1e-9).mean() for share in opponents["revealed"]]
    return bad(opponents, ~near(opponents["share"], wanted), "opponents", "revealed", "share")


def as_the_guess(buzzpoints, guesses):
    """A buzz is at a position where the model guessed that, one for each question and rule."""
    t = buzzpoints[(buzzpoints["set"] == "study") & buzzpoints["position"].notna()]
    key = ["model", "elicitation", "question_id", "position"]
    both = t.astype({"position": "int64"}).merge(
        guesses[[*key, "guess"]], on=key, how="left", suffixes=("", "_made"), indicator=True
    )
    lost = (both["_merge"] != "both").to_numpy()
    differ = both["guess"].fillna("") != both["guess_made"].fillna("")
    return bad(both, lost | differ.to_numpy(), *key)


def counts_of_thresholds(thresholds, buzzpoints):
    """Questions, buzzes and right ones are those of the buzzpoints; shares follow."""
    b = buzzpoints.assign(
        buzzed=buzzpoints["position"].notna(), right=buzzpoints["correct"].eq(True).fillna(False)
    )
    n = b.groupby(_OWN).agg(
        questions=("buzzed", "size"), buzzes=("buzzed", "sum"), correct=("right", "sum")
    )
    wanted = n.astype("int64").reset_index()
    t = thresholds
    shown = t.merge(wanted[_OWN])
    one = same(shown, wanted.merge(t[_OWN]), _OWN, ["questions", "buzzes", "correct"])
    buzzed = t["buzzes"].where(t["buzzes"] > 0)
    wrong = ~near(t["buzz_rate"], t["buzzes"] / t["questions"])
    wrong |= ~near(t["precision"], t["correct"] / buzzed)
    for name in ("buzz_rate", "precision", "mean_revealed", "mean_words"):
        wrong |= outside(t, name)
    wrong |= outside(t, "expected_wins", "")
    return worst(one, bad(t, wrong, *_OWN))


def positions_of_thresholds(thresholds, buzzpoints, questions, opponents):
    """Mean words and share heard at the buzz, and expected wins, are those of the buzzpoints."""
    b = buzzpoints[buzzpoints["set"] == "study"]
    words = b["question_id"].map(questions.set_index("question_id")["n_words"])
    at = b["position"].astype(float)
    b = b.assign(mean_words=at, mean_revealed=at / words)
    wanted = b.groupby(_OWN)[["mean_words", "mean_revealed"]].mean().reset_index()
    t = thresholds[thresholds["set"] == "study"]
    # Buzzpoints of rules that look at no opponents are the same for any.
    own = [name for name in _OWN if name != "opponents"]
    key, curves = [*own, "opponents"], opponents.drop_duplicates("opponents")
    every = b.rename(columns={"opponents": "of"}).merge(t[key], on=own)
    every = every[every["of"].isin(["any"]) | (every["of"] == every["opponents"])]
    every = every.merge(curves[["opponents", *(f"c{power}" for power in range(4))]], on="opponents")
    worth = sum(every[f"c{power}"] * every["mean_revealed"] ** power for power in range(4))
    every["expected_wins"] = worth.where(every["correct"].eq(True).fillna(False), 0.0)
    wins = every.groupby(key)["expected_wins"].mean().reset_index()
    known = t.merge(wanted[_OWN])
    return worst(
        same(known, wanted.merge(known[_OWN]), _OWN, ["mean_words", "mean_revealed"], 1e-9),
        same(t, wins, key, ["expected_wins"], 1e-9),
    )


def names_of_models(table, names):
    """Names are those of the configuration."""
    wanted = table["model"].replace(names)
    return bad(table, table["name"] != wanted, "model", "name")


def buzzing_less(expected_wins):
    """The higher the threshold, the fewer buzzes; bounds are on either side; one threshold is marked best of each."""
    t = expected_wins
    key = ["set", "model", "elicitation", "opponents"]
    ordered = t.sort_values([*key, "scale", "threshold"], kind="stable")
    by = [ordered[name].fillna("") for name in (*key, "scale")]
    wrong = (ordered["buzz_rate"].groupby(by).diff() > 1e-9).reindex(t.index)
    wrong |= outside(t, "expected_wins", "") | outside(t, "buzz_rate") | outside(t, "precision")
    best = t["expected_wins"].where(t["best"].astype(bool)).groupby([t[n].fillna("") for n in key])
    top = t.groupby(key, dropna=False)["expected_wins"].transform("max")
    wrong |= t["best"].astype(bool) & ~near(best.transform("max"), top)
    return bad(t, wrong, *key, "threshold")


def counted_by_threshold(expected_wins, guesses, judgements, questions, opponents):
    """On the study's questions the first guess above a threshold is the buzz: how many, how many right, and the sum of π where they are."""
    t = expected_wins[expected_wins["set"] == "study"].reset_index(drop=True)
    pair, powers = ["question_id", "guess"], [f"c{power}" for power in range(4)]
    right = judgements["verdict"].eq("accept").groupby([judgements[name] for name in pair])
    # A verdict may hang on the place: then either is possible.
    g = guesses.merge(right.agg(["min", "max"]), left_on=pair, right_index=True, how="left")
    g = g.sort_values(["question_id", "position"]).fillna({"min": False, "max": False})
    score = np.log(g["confidence"].astype(float).where(g["confidence"] > 0))
    g["score"] = g["mean_logprob"].astype(float).fillna(score).fillna(-np.inf)
    g["heard"] = g["position"] / g["question_id"].map(questions.set_index("question_id")["n_words"])
    curves = opponents.drop_duplicates("opponents").set_index("opponents")[powers]
    wrong = np.zeros(len(t), dtype=bool)
    for (model, elicitation, curve), rows in t.groupby(["model", "elicitation", "opponents"]):
        mine = g[(g["model"] == model) & (g["elicitation"] == elicitation)]
        pi = np.polynomial.polynomial.polyval(mine["heard"], curves.loc[curve]).to_numpy()
        ends = [mine[end].to_numpy(float) for end in ("min", "max")]
        values = np.column_stack([np.ones(len(mine)), *ends, *(end * pi for end in ends)])
        highest = mine.groupby("question_id")["score"].cummax().to_numpy()
        start = ~mine["question_id"].duplicated().to_numpy()
        above = highest > rows["threshold"].to_numpy()[:, None]
        first = above & (start | ~np.roll(above, 1, axis=1))
        found = (first @ values).T
        n = mine["question_id"].nunique()
        buzzes, share, value = (rows[c].to_numpy() for c in ("buzz_rate", "precision", "expected_wins"))  # fmt: skip
        least, most = np.sort(found[[1, 3, 2, 4]].reshape(2, 2, -1), axis=0)
        said = np.array([np.nan_to_num(share) * found[0], value * n])
        off = ((said < least - 1e-6) | (said > most + 1e-6)).any(axis=0)
        wrong[rows.index] = off | ~near(buzzes * n, found[0]) | (rows["questions"] != n)
    return bad(t, wrong, "model", "elicitation", "opponents", "threshold", "expected_wins")


def results_of_matches(matches):
    """Result and margin, per 20 questions, are those of the points; tied and silent questions are among those played."""
    t = matches
    gap = t["model_points"] - t["team_points"]
    wanted = np.select([gap > 0, gap < 0], ["win", "loss"], "draw")
    wrong = (t["result"] != wanted) | (t["tied_buzzes"] + t["silent"] > t["questions"])
    wrong |= ~near(t["margin"], 20 * gap / t["questions"])
    wrong |= outside(t, "margin", "")
    return bad(t, wrong, "ties", "rule", "model", "team", "result")


def heard_in_matches(matches, exposures):
    """A match is played on questions that the team heard."""
    heard = exposures.groupby("team")["question_id"].nunique()
    t = matches
    return bad(
        t, t["questions"] > t["team"].map(heard).astype(float), "rule", "model", "team", "questions"
    )


def won(win_matrix, matches):
    """Wins, losses and draws are those of the matches, the mean margin their mean."""
    key = ["ties", "rule", "model", "elicitation"]
    m = matches.assign(elicitation=matches["elicitation"].fillna(""))
    t = win_matrix.assign(elicitation=win_matrix["elicitation"].fillna(""))
    wanted = pd.crosstab([m[name] for name in key], m["result"]).reset_index()
    results = {"win": "wins", "loss": "losses", "draw": "draws"}
    wanted = wanted.rename(columns=results).reindex(columns=[*key, *results.values()], fill_value=0)
    wanted["mean_margin"] = m.groupby(key)["margin"].mean().to_numpy()
    counts = same(t, wanted, key, [*results.values(), "mean_margin"], 1e-9)
    known = set(m["team"])
    teams = [name for name in t if name in known]
    long = t.melt(key, teams, "team", "result").dropna(subset="result")
    return worst(counts, same(long, m, [*key, "team"], ["result"]))


def live_as_logged(live_questions, buzzes):
    """The live side is the first logged buzz of the model on the question; no buzz has no word."""
    t = live_questions
    mine = buzzes[buzzes["kind"] == "model"].sort_values("word_index", kind="stable")
    first = mine.drop_duplicates(["team", "question_id"]).set_index(["team", "question_id"])
    at = first.reindex(pd.MultiIndex.from_frame(t[["model", "question_id"]]))
    said = at["correct"].map({True: "right", False: "wrong"}).fillna("no buzz").to_numpy()
    wrong = (t["live"].to_numpy() != said) | ~near(t["word_live"], at["word_index"])
    wrong |= (t["word_offline"].isna() != (t["offline"] == "no buzz")).to_numpy()
    return bad(t, wrong, "model", "rule", "question_id", "live", "word_live")


def counted_by_question(live_offline, live_questions):
    """Outcomes make up the questions, and are those of the table by question, as is how much later the live buzz is not."""
    t, key = live_offline, ["model", "elicitation", "rule"]
    parts = [live_questions[key].assign(n_questions=1)]
    for side in ("live", "offline"):
        said = pd.get_dummies(live_questions[side], dtype=int)
        parts.append(said.rename(columns=lambda name, of=side: f"{of}_{name.replace(' ', '_')}"))
    counts = pd.concat(parts, axis=1)
    counts["same_outcome"] = (live_questions["live"] == live_questions["offline"]).astype(float)
    counts["later"] = live_questions["word_offline"] - live_questions["word_live"]
    by = counts.groupby(key, dropna=False)
    means = by[["same_outcome", "later"]].mean()
    wanted = by.sum().assign(**means, n_both=by["later"].count()).reset_index()
    return same(t, wanted, key, [name for name in wanted if name not in key], 1e-9)


def _gains(guesses, buzzes, exposures, questions, points: dict):
    """What a right and what a wrong buzz gains over silence where each guess was made, mean over the human teams that heard."""
    heard = exposures[exposures["kind"] == "human"][["team", "question_id"]].drop_duplicates()
    theirs = buzzes[buzzes["kind"] == "human"].sort_values("word_index")
    theirs = theirs.drop_duplicates(["team", "question_id"])[["team", "question_id", "word_index", "correct"]]  # fmt: skip
    heard = heard.merge(theirs, how="left")
    last = heard["question_id"].map(questions.set_index("question_id")["n_words"]) - 1
    negged = (heard["correct"].eq(False) & (heard["word_index"] < last)).to_numpy()
    lost = np.where(negged, points["wrong"], 0)
    silent = np.where(heard["correct"].eq(True), points["right"], lost)
    heard = heard.assign(silent=silent, lost=lost, last=last)
    at = guesses[["question_id", "position"]].drop_duplicates().merge(heard, on="question_id")
    first = at["position"] - 1 < at["word_index"].fillna(np.inf)
    # A right buzz before the team's keeps its points from it; after a team's wrong one it still counts.
    late = ~first & at["correct"].eq(False)
    right = np.where(first, points["right"] + at["silent"], np.where(late, points["right"], 0))
    paid = points["wrong"] * (at["position"] - 1 < at["last"])
    at = at.assign(if_right=right, if_wrong=np.where(first, paid + at["lost"], 0))
    return at.groupby(["question_id", "position"])[["if_right", "if_wrong"]].mean().reset_index()


def _mended(chance, right, fold):
    """``chance`` recalibrated by a logistic regression on its log-odds over the rows of other folds, with a ridge of .01."""
    x = np.log(np.clip(chance, 0.001, 0.999) / (1 - np.clip(chance, 0.001, 0.999)))
    x = np.column_stack([np.ones(len(x)), (x - x.mean()) / max(x.std(), 1e-9)])
    found = np.zeros(len(x))
    for one in np.unique(fold):
        z, y, b = x[fold != one], right[fold != one], np.zeros(2)

        def loss(b, z=z, y=y):
            return np.logaddexp(0, z @ b).sum() - y @ (z @ b) + 0.005 * b @ b

        # Newton's steps, halved where one leads up.
        for _ in range(50):
            p = 1 / (1 + np.exp(-z @ b))
            bend = (z.T * (p * (1 - p))) @ z + 0.01 * np.eye(2)
            step = np.linalg.solve(bend, z.T @ (y - p) - 0.01 * b)
            while loss(b + step) > loss(b) + 1e-9:
                step = step / 2
            b = b + step
            if np.abs(step).max() < 1e-8:
                break
        found[fold == one] = 1 / (1 + np.exp(-x[fold == one] @ b))
    return np.where(chance > 0, found, 0.0)


def ways_to_buzz(decision_value, guesses, buzzes, exposures, questions, options, traced):
    """Every buzz is found again, by thresholds tried one by one on the other folds: counts, points and thresholds; the value is a difference."""
    t = decision_value
    if t.empty:
        return bad(t, [])
    read = traced(options["primary_segmentation"]).verdicts
    read = read[read["marks"] == ("adjudicated" if (read["marks"] == "adjudicated").any() else "engine")]  # fmt: skip
    gains = _gains(guesses, buzzes, exposures, questions, options["match_points"])
    read = read.merge(gains, on=["question_id", "position"])
    read = read.sort_values(["question_id", "position"], kind="stable")
    found = []
    for series, of in read.groupby(["model", "elicitation"]):
        told = np.exp(of["mean_logprob"].astype(float))
        stated = of["confidence"].astype(float)
        chance = (told.fillna(stated) if told.notna().any() else stated).fillna(0).to_numpy()
        right, code = of["right"].to_numpy(float), pd.factorize(of["question_id"])[0]
        starts = np.flatnonzero(np.r_[True, np.diff(code) > 0])
        ends, n = [*starts[1:], len(of)], len(starts)
        if n < 2:
            continue
        parts = min(options["folds"], n)
        fold = np.random.default_rng(options["seed"]).permutation(np.arange(n) % parts)
        if_right, if_wrong = of["if_right"].to_numpy(), of["if_wrong"].to_numpy()
        gain = np.where(right > 0, if_right, if_wrong)
        best = np.maximum.reduceat(gain, starts)
        row = {"questions": n, "points_foresight": np.maximum(best, 0).mean()}
        row["buzzes_foresight"] = row["correct_foresight"] = (best > 0).sum()
        ways = {"stated": chance, "recalibrated": _mended(chance, right, fold[code])}
        for way, believed in ways.items():
            promise = believed * if_right + (1 - believed) * if_wrong
            limits, table = np.r_[-1.0, np.unique(believed)], []
            highest = [
                np.maximum.accumulate(believed[i:j]) for i, j in zip(starts, ends, strict=True)
            ]
            for i, j, top in zip(starts, ends, highest, strict=True):
                kept = np.append(promise[i:j], 0)
                table.append(kept[np.searchsorted(top, limits, side="right")])
            table = np.array(table)
            hoped = [np.mean(table[fold != one], axis=0).round(12) for one in range(parts)]
            taken = limits[[len(of) - 1 - of[::-1].argmax() for of in hoped]][fold]
            at = [i + np.searchsorted(top, limit, side="right") for i, top, limit in zip(starts, highest, taken, strict=True)]  # fmt: skip
            at = np.array(at)[np.array(at) < ends]
            row |= {f"buzzes_{way}": len(at), f"correct_{way}": right[at].sum()}
            row |= {f"points_{way}": gain[at].sum() / n, f"threshold_{way}": np.median(taken)}
        found.append(dict(zip(["model", "elicitation"], series, strict=True)) | row)
    wanted = pd.DataFrame(found).merge(t[["model", "elicitation"]])
    columns = [name for name in wanted if name not in ("model", "elicitation")]
    counted = same(t, wanted, ["model", "elicitation"], columns, 1e-6)
    wrong = ~near(t["value"], t["points_recalibrated"] - t["points_stated"])
    return worst(counted, bad(t, wrong, "model", "elicitation", "value"))
