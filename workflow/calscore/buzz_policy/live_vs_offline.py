"""The same model live and offline: what it did against people, and what its runs say it does."""

import numpy as np
import pandas as pd

from ..core import store
from ..stats.bootstrap import Bootstrap
from . import matches

OUTCOMES = {(True, True): "right", (True, False): "wrong", (False, False): "no buzz"}


def live_question_rows(
    buzzes: pd.DataFrame, exposures: pd.DataFrame, buzzpoints: pd.DataFrame
) -> pd.DataFrame:
    """Table live_questions: a row per question that a model was read live, elicitation and playable rule not tuned
    by a π. ``word_live`` and ``word_offline`` are 0-based indices of the last word heard (null: no buzz)."""
    key = ["model", "question_id"]
    live = matches.live_points(buzzes, exposures)[[*key, "word", "right"]]
    rules = matches.playable_rules(buzzpoints, "any")
    offline = matches.replayed_points(buzzpoints, rules).drop_duplicates(
        ["rule", "model", "elicitation", "question_id"]
    )
    both = live.merge(offline, on=key, suffixes=("_live", "_offline"))
    for side in ("live", "offline"):
        outcomes = zip(both[f"word_{side}"].notna(), both[f"right_{side}"], strict=True)
        both[side] = [OUTCOMES[pair] for pair in outcomes]
        both[f"word_{side}"] = both[f"word_{side}"].astype("Int64")
    table = store.frame(both, "live_questions")
    return table.sort_values(["model", "elicitation", "rule", "question_id"], ignore_index=True)


def agreement_table(table, names: dict[str, str], bootstrap: Bootstrap) -> pd.DataFrame:
    """Table live_offline: for each model, elicitation and rule how often live and offline agree, and how far apart they buzz.

    ``table``: live_questions; ``names``: model → label. ``later``: words that the runs buzz later than the model did live,
    mean over questions with a buzz on both sides, nan without any. Its percentile interval resamples those (two or more)."""
    rows = []
    for key, series in table.groupby(["model", "elicitation", "rule"], sort=True):
        row = dict(zip(["model", "elicitation", "rule"], key, strict=True))
        row |= {"name": names.get(key[0], key[0]), "n_questions": len(series)}
        for side in ("live", "offline"):
            for outcome in ("right", "wrong", "no buzz"):
                row[f"{side}_{outcome.replace(' ', '_')}"] = int((series[side] == outcome).sum())
        row["same_outcome"] = float((series["live"] == series["offline"]).mean())
        gap = (series["word_offline"] - series["word_live"]).dropna().to_numpy(dtype=float)
        row |= {"n_both": len(gap), "later": gap.mean() if len(gap) else np.nan}
        if len(gap) > 1:
            row["later_low"], row["later_high"] = bootstrap.mean_interval(gap)
        rows.append(row)
    return store.frame(rows, "live_offline")


def live_vs_offline_tables(
    buzzes, exposures, buzzpoints, names: dict[str, str], replicates: int, seed: int, level: float
) -> dict[str, pd.DataFrame]:
    """Tables live_questions and live_offline by name, of the models that have both live buzzes and buzzpoints. ``names``: model →
    label."""
    table = live_question_rows(buzzes, exposures, buzzpoints)
    return {
        "live_questions": table,
        "live_offline": agreement_table(table, names, Bootstrap(replicates, seed, level)),
    }
