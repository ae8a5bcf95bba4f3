"""Which readings allow the printed tables."""

from __future__ import annotations

from calscore.ledger import verdicts
from ledger.paper import (
    grace_forensics,
    published,
)


def test_which_readings_allow_the_tables_of_grace():
    table = verdicts.readings(grace_forensics(), published())
    allowed = table[table["allowed"] == table["cells"]]

    def of(name):
        rows = allowed[allowed["table"] == name]
        return set(zip(rows["definition"], rows["h_definition"], rows["columns"], strict=True))

    assert of("1") == {
        ("release", "buzzed_on_question", "as_printed"),
        ("release", "heard", "as_printed"),
        ("paper", "heard", "exchanged"),
        ("paper", "buzzed_on_question", "exchanged"),
    }
    assert of("1 with 5") == {
        ("paper", "heard", "exchanged"),
        ("paper", "buzzed_on_question", "exchanged"),
    }
    assert of("2") == set()
