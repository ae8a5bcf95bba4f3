"""The ledger of CAIMIRA: its statements (config/published/caimira.yaml) against a study's tables."""

import numpy as np
import pandas as pd

from ..ledger import ledger, verbalise
from ..ledger.estimates import Quantity
from ..ledger.ledger import interval_text
from ..stats.intervals import student_interval

#: Quantity that claims may name → what it needs.
INPUTS_OF = {"difficulty": "difficulties of items that are clues of questions"}


def quantities(irt_items: pd.DataFrame) -> tuple[dict, dict]:
    """({name: quantity with its evidence}, {(name, part): text of its 95 % interval}) of what claims may name.

    ``difficulty.eased``: mean over questions of the slope of difficulty on the clue, its sign turned. Both are empty where
    fewer than two questions have several clues.
    """
    eased = np.array(
        [
            -np.polyfit(part["clue"], part["difficulty"], 1)[0]
            for _, part in irt_items.groupby("question_id")
            if len(part) > 1
        ]
    )
    if len(eased) < 2:
        return {}, {}
    evidence = f"tables/irt_items.csv: difficulty by clue of {len(eased)} questions"
    text = interval_text(eased.mean(), *student_interval(eased, 0.95), "over questions")
    quantity = Quantity({"eased": float(eased.mean())}, evidence)
    return {"difficulty": quantity}, {("difficulty", "eased"): text}


def irt_ledger(published: dict, simulated: bool, irt_items) -> dict[str, pd.DataFrame]:
    """Tables statements, claims and printed_cells, by name: verdicts on ``published`` (claims, facts, file)
    in a study, ``simulated`` or not."""
    values, intervals = quantities(irt_items)
    paper = ledger.Paper(published["claims"], published["facts"], published["file"])
    tables = verbalise.ledger_tables(ledger.evaluate_claims(paper, values, INPUTS_OF, simulated, intervals))
    return {name: tables[name] for name in ("statements", "claims", "printed_cells")}


def live_ledger(caimira: dict, irt_items: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """``{"irt_statements": table}``, a row for each of CAIMIRA's claims, in a study with live buzzes; claims without a
    quantity have the status "not tested here"."""
    claims = irt_ledger(caimira, False, irt_items)["claims"]
    columns = ["id", "section", "statement", "says", "status", "intervals"]
    claims["status"] = claims["status"].replace(ledger.UNPUBLISHED, "not tested here")
    return {"irt_statements": claims[columns]}
