"""Table 1 under every judge: what a score gains or loses, and which ranks change."""

from __future__ import annotations

import pandas as pd

from ..core import store
from ..scores import metrics, score, streaming
from ..scores import tables as score_tables
from ..stats import resample

KEY = ["definition", "elicitation", "metric", "model"]


def judge_differences(table1, comparisons):
    """tables/judges.csv: each score of table 1 under two judges, their paired difference (a − b), both ranks.

    Differences, intervals and p values are those of tables/comparisons (kind ``judges``): both judge
    the same answers to the same questions. ``order_kept``: whether the pairs of models that a and b
    both rank stand in the same order for this model, as a share of its pairs.
    """
    scores = []
    for metric in metrics.names("table1"):
        columns = ["definition", "elicitation", "model", "name", "marks", metric, f"{metric}_rank"]
        scores_of_metric = table1[columns].set_axis([*columns[:5], "value", "rank"], axis=1)
        scores.append(scores_of_metric.assign(metric=metric).dropna(subset="value"))
    scores = pd.concat(scores, ignore_index=True)
    pairs = comparisons[(comparisons["kind"] == "judges") & (comparisons["category"] == "all")]
    pairs = pairs.rename(columns={"elicitation_a": "elicitation", "model_a": "model"})
    if pairs.empty:
        return store.empty("judges")
    table = pairs
    for side in "ab":
        side_scores = scores.rename(columns={"marks": f"marks_{side}"})
        side_scores = side_scores.rename(
            columns={name: f"{name}_{side}" for name in ("value", "rank")}
        )
        if side == "b":
            side_scores = side_scores.drop(columns="name")
        table = table.merge(side_scores, on=[*KEY, f"marks_{side}"], validate="many_to_one")
    table["order_kept"] = _order_kept(table)
    order = [*KEY[:3], "marks_a", "marks_b", "rank_a", "model"]
    return store.frame(table, "judges").sort_values(order, ignore_index=True)


def _order_kept(table):
    """Share of the other models that are on the same side of each row's model under both judges."""
    race = ["definition", "elicitation", "metric", "marks_a", "marks_b"]
    own = table[[*race, "model", "value_a", "value_b"]].reset_index()
    both = own.merge(own, on=race, suffixes=("", "_of"))
    both = both[both["model"] != both["model_of"]]
    same_order = (both["value_a"] < both["value_a_of"]) == (both["value_b"] < both["value_b_of"])
    return same_order.groupby(both["index"]).mean().reindex(table.index)


def judge_tables(table1, comparisons) -> dict:
    """:func:`judge_differences` by its declared name."""
    return {"judges": judge_differences(table1, comparisons)}


_RUN = ["model", "elicitation", "question_id", "position"]


def mark_ranks(
    responses, human_curve, judging_disagreements, primary_segmentation, reductions, names
) -> dict:
    """mark_ranks: every model by what is made of the marks that can be argued either way.

    ``judging_disagreements`` has the verdict by hand on each run that marks and engine judge differently. Other runs
    keep the mark that came with them.
    """
    by_hand = judging_disagreements[judging_disagreements["adjudicated"].notna()]
    if by_hand.empty:
        return {"mark_ranks": store.empty("mark_ranks")}
    rows = score_tables.primary(responses, primary_segmentation, reductions, every_judge=True)
    # a model of one's own has marks, but none that was judged by hand
    given = (rows["marks"] == "authors") & rows["model"].isin(by_hand["model"])
    rows = rows[given].drop(columns="marks")
    rows = rows.merge(
        by_hand[[*_RUN, "adjudicated", "arguable"]], on=_RUN, how="left", validate="many_to_one"
    )
    as_given, verdict = rows["correct"].astype(bool), rows["adjudicated"] == "accept"
    decided = as_given.where(rows["adjudicated"].isna(), verdict)
    arguable = rows["arguable"].fillna(False).astype(bool)
    readings = {
        "given": as_given,
        "left": decided.mask(arguable, as_given),
        "decided": decided,
        "against": decided.mask(arguable, ~as_given),
    }
    rows = pd.concat(
        [rows.assign(marks=name, correct=marks) for name, marks in readings.items()],
        ignore_index=True,
    )
    (clues,) = score.clues_of(score.scored_rows(rows, human_curve))
    scores = streaming.rank_models(
        pd.concat(
            [
                tally.series.assign(
                    segmentation=clues.segmentation,
                    definition=tally.definition,
                    metric=metric,
                    value=resample.estimate(tally.sums[metric]),
                )
                for _, tally in score.iter_question_sums(clues)
                for metric in metrics.names("table1")
                if metric in tally.sums
            ],
            ignore_index=True,
        )
    )
    changed = rows["correct"] != pd.concat([as_given] * len(readings), ignore_index=True)
    changed = changed.groupby([rows[name] for name in ("elicitation", "marks", "model")]).sum()
    scores = scores.join(changed.rename("changed"), on=changed.index.names)
    scores = scores.assign(name=[names.get(model, model) for model in scores["model"]])
    table = store.frame(scores.rename(columns={"marks": "arguable"}), "mark_ranks")
    return {"mark_ranks": table}
