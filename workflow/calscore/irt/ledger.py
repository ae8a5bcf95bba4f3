"""The ledger of CAIMIRA: its statements (config/published/caimira.yaml) against a study's tables."""

from __future__ import annotations

import numpy as np

from ..ledger import ledger, verbalise
from ..ledger.expressions import Quantity
from ..ledger.ledger import interval_text

KNOWN = {
    "difficulty": "difficulties of items that are clues of questions",
    "loss": "held-out loss beyond the number of aspects that is chosen",
}


def quantities(irt_items, irt_loss, irt_scale):
    """What claims may name, with its evidence; and intervals by place.

    ``difficulty.by_clue``: mean over questions of the slope of difficulty on the clue. ``loss``: log-loss on unseen
    questions with the chosen and with the largest number of aspects, where that is larger.
    """
    from scipy.special import stdtrit

    values, intervals = {}, {}
    slopes = np.array(
        [
            np.polyfit(part["clue"], part["difficulty"], 1)[0]
            for _, part in irt_items.groupby("question_id")
            if len(part) > 1
        ]
    )
    if len(slopes) > 1:
        mean, error = slopes.mean(), slopes.std(ddof=1) / len(slopes) ** 0.5
        half = stdtrit(len(slopes) - 1, 0.975) * error
        evidence = f"tables/irt_items.csv: difficulty by clue of {len(slopes)} questions"
        values["difficulty"] = Quantity({"by_clue": float(mean)}, evidence)
        ends = mean, mean - half, mean + half
        intervals["difficulty", "by_clue"] = interval_text(*ends, "over questions")
    rows = irt_loss[(irt_loss["split"] == "unseen") & (irt_loss["model"] == "caimira")]
    rows = rows.set_index("dimensions")
    chosen = int(irt_scale.set_index("quantity").loc["aspects", "value"])
    if chosen in rows.index and chosen < rows.index.max():
        losses = {"chosen": rows.loc[chosen], "largest": rows.loc[rows.index.max()]}
        evidence = "tables/irt_loss.csv: unseen, caimira"
        values["loss"] = Quantity(
            {k: float(row["log_loss"]) for k, row in losses.items()}, evidence
        )
        for name, row in losses.items():
            ends = row["log_loss"], row["low"], row["high"]
            intervals["loss", name] = interval_text(*ends, "questions resampled")
    return values, intervals


def irt_ledger(published: dict, simulated: bool, irt_items, irt_loss, irt_scale) -> dict:
    """statements.csv of a study of item responses, with its children."""
    values, intervals = quantities(irt_items, irt_loss, irt_scale)
    paper = ledger.Paper(published["claims"], published["facts"], published["file"])
    tables = verbalise.tables(ledger.evaluate(paper, values, KNOWN, simulated, intervals))
    return {name: tables[name] for name in ("statements", "claims", "printed_cells")}


def live_ledger(caimira: dict, irt_items, irt_loss, irt_scale) -> dict:
    """tables/irt_statements: the same statements, in a study whose own ledger is of another paper."""
    claims = irt_ledger(caimira, False, irt_items, irt_loss, irt_scale)["claims"]
    columns = ["id", "section", "statement", "says", "status", "intervals"]
    return {"irt_statements": claims[columns]}
