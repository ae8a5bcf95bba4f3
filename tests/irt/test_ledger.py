"""The ledger of CAIMIRA against tables of a study: no verdict rests on constants alone."""

import pandas as pd
import pytest
from calscore.irt import ledger
from support import configuration

PUBLISHED = configuration("published/caimira")


def items(slope=-0.5, clues=(1, 2, 3)):
    return pd.DataFrame(
        [(f"q{q}", c, slope * c + 0.1 * q * c) for q in range(3) for c in clues],
        columns=["question_id", "clue", "difficulty"],
    )


def claims(simulated=False, **changes):
    found = ledger.irt_ledger(PUBLISHED, simulated, items(**changes))["claims"]
    return found.set_index("id")


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, "reproduced"),
        ({"slope": 0.2}, "contradicted"),
        ({"simulated": True}, "not applicable (simulated)"),
    ],
)
def test_statements_against_a_study(changes, status):
    row = claims(**changes).loc["difficulty.clues"]
    assert row["status"] == status
    assert row["intervals"]


def test_what_the_tables_do_not_tell_has_no_verdict():
    rest = claims().drop("difficulty.clues")
    assert set(rest["status"]) == {"needs unpublished data"}
    assert claims(clues=(1,)).loc["difficulty.clues", "status"] == "needs unpublished data"
    live = ledger.live_ledger(PUBLISHED, items())["irt_statements"].set_index("id")
    says = live.loc["difficulty.clues", "says"]
    assert says.startswith("Each further clue makes an item 0.4 logits easier")
    # The paper points to its human responses: they are public, and nothing here reads them.
    assert set(live["status"].drop("difficulty.clues")) == {"not tested here"}
