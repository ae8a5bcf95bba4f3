"""The ledger of CAIMIRA against tables of a study: no verdict rests on constants alone."""

import pandas as pd
import pytest
import yaml
from calscore.irt import ledger
from support import ROOT

PUBLISHED = yaml.safe_load(
    (ROOT / "config" / "published" / "caimira.yaml").read_text(encoding="utf-8")
)


def tables(slope=-0.5, largest=0.50, aspects=2):
    items = pd.DataFrame(
        [(f"q{q}", c, slope * c + 0.1 * q * c) for q in range(3) for c in (1, 2, 3)],
        columns=["question_id", "clue", "difficulty"],
    )
    rows = [
        ("unseen", "caimira", m, v, v - 0.01, v + 0.01)
        for m, v in ((1, 0.6), (2, 0.5), (5, largest))
    ]
    loss = pd.DataFrame(rows, columns=["split", "model", "dimensions", "log_loss", "low", "high"])
    scale = pd.DataFrame([("aspects", "number", aspects)], columns=["quantity", "place", "value"])
    return items, loss, scale


def claims(simulated=False, **changes):
    found = ledger.irt_ledger(PUBLISHED, simulated, *tables(**changes))["claims"]
    return found.set_index("id")


@pytest.mark.parametrize(
    ("changes", "name", "status"),
    [
        ({}, "difficulty.clues", "reproduced"),
        ({"slope": 0.2}, "difficulty.clues", "contradicted"),
        ({}, "loss.plateau", "reproduced"),
        ({"largest": 0.49}, "loss.plateau", "contradicted"),
        ({"simulated": True}, "difficulty.clues", "not applicable (simulated)"),
    ],
)
def test_statements_against_a_study(changes, name, status):
    row = claims(**changes).loc[name]
    assert row["status"] == status
    assert row["intervals"]


def test_what_the_tables_do_not_tell_has_no_verdict():
    found = claims(aspects=5)
    assert found.loc["loss.plateau", "status"] not in ("reproduced", "contradicted")
    rest = found.drop(["difficulty.clues", "loss.plateau"])
    assert set(rest["status"]) == {"needs unpublished data"}
    live = ledger.live_ledger(PUBLISHED, *tables())["irt_statements"].set_index("id")
    assert "−0.4" in live.loc["difficulty.clues", "says"].replace("-", "−")
