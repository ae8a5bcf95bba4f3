"""The ledger of CAIMIRA: what its text says against itself, and against tables of a study."""

import pandas as pd
import pytest
import yaml
from calscore.irt import ledger
from support import ROOT

PUBLISHED = yaml.safe_load(
    (ROOT / "config" / "published" / "caimira.yaml").read_text(encoding="utf-8")
)

#: Statement → verdict on the text alone, read by hand.
TEXT = {
    "groups.players": "reproduced",  # 5 · (1 + 5 + 10 + 15) = 155
    "groups.agents": "reproduced",
    "parameters": "contradicted",  # 90 · 5 + 2 · 5 · 768 + 5 = 8,135
    "example.quran": "internally inconsistent",
    "features.time": "internally inconsistent",
    "features.categories": "internally inconsistent",
    "retrievers.documents": "internally inconsistent",
    "systems.largest": "internally inconsistent",
    "abductive.humans": "internally inconsistent",
}


def checked(simulated=False, clues=(-0.4, -0.2), last=0.50):
    rows = [(k, "n_clues", "fitted", v, v - 0.1, v + 0.1) for k, v in enumerate((9.0, *clues))]
    rows.append((3, "n_clues", "few", float("nan"), float("nan"), float("nan")))
    columns = ["aspect", "feature", "status", "coefficient", "low", "high"]
    difficulty = pd.DataFrame(rows, columns=columns)
    rows = [("unseen", "caimira_text", m, v, v, v) for m, v in ((1, 0.6), (5, 0.5), (8, last))]
    loss = pd.DataFrame(rows, columns=["split", "model", "dimensions", "log_loss", "low", "high"])
    return ledger.irt_ledger(PUBLISHED, simulated, difficulty, loss)["claims"].set_index("id")


def test_the_text_against_itself():
    found = checked()
    assert found["status"].loc[list(TEXT)].to_dict() == TEXT
    assert found.loc["parameters", "recomputed"] == "8135"
    assert "8,135" in found.loc["parameters", "says"]
    rest = found[~found.index.isin([*TEXT, "difficulty.clues", "loss.plateau"])]
    assert set(rest["status"]) == {"needs unpublished data"}


@pytest.mark.parametrize(
    ("changes", "name", "status"),
    [
        ({}, "difficulty.clues", "reproduced"),
        ({"clues": (-0.4, 0.2)}, "difficulty.clues", "contradicted"),
        ({}, "loss.plateau", "reproduced"),
        ({"last": 0.49}, "loss.plateau", "contradicted"),
        ({"simulated": True}, "difficulty.clues", "not applicable (simulated)"),
    ],
)
def test_the_text_against_a_study(changes, name, status):
    found = checked(**changes)
    assert found.loc[name, "status"] == status
    assert found.loc[name, "intervals"]
