"""The decision value of a confidence, written out: no code of the package but what it reads."""

import numpy as np
import pandas as pd


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


def decision_value(verdicts, guesses, buzzes, exposures, questions, options) -> pd.DataFrame:
    """Counts, points and thresholds of each way to buzz, every threshold tried one by one on the other folds."""
    marks = "adjudicated" if (verdicts["marks"] == "adjudicated").any() else "engine"
    gains = _gains(guesses, buzzes, exposures, questions, options["match_points"])
    read = verdicts[verdicts["marks"] == marks].merge(gains, on=["question_id", "position"])
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
            limits, table, highest = np.r_[-1.0, np.unique(believed)], [], []
            for i, j in zip(starts, ends, strict=True):
                kept = np.append(promise[i:j], 0)
                highest.append(np.maximum.accumulate(believed[i:j]))
                table.append(kept[np.searchsorted(highest[-1], limits, side="right")])
            table = np.array(table)
            hoped = [np.mean(table[fold != one], axis=0).round(12) for one in range(parts)]
            taken = limits[[len(of) - 1 - of[::-1].argmax() for of in hoped]][fold]
            at = [i + np.searchsorted(top, limit, side="right") for i, top, limit in zip(starts, highest, taken, strict=True)]  # fmt: skip
            at = np.array(at)[np.array(at) < ends]
            row |= {f"buzzes_{way}": len(at), f"correct_{way}": right[at].sum()}
            row |= {f"points_{way}": gain[at].sum() / n, f"threshold_{way}": np.median(taken)}
        found.append(dict(zip(["model", "elicitation"], series, strict=True)) | row)
    return pd.DataFrame(found)
