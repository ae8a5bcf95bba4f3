"""The command ``calscore`` and the make targets that it stands for."""

import re

import pytest
from calscore import cli
from support import ROOT

# arguments → call of make
CALLS = [
    ("run grace --guesses mine.jsonl", ["make", "grace", "GUESSES=mine.jsonl"]),
    ("run demo --cores 2", ["make", "demo", "CORES=2"]),
    ("explain --study demo --table table1 --row model=M1 --column mce", ["make", "explain", "STUDY=demo", "TABLE=table1", "ROW=model=M1", "COLUMN=mce"]),
    ("verify --study grace --deep 1", ["make", "verify", "STUDY=grace", "DEEP=1"]),
    ("compare results/demo mine.yaml", ["make", "compare", "A=results/demo", "B=mine.yaml"]),
    ("unlock", ["make", "unlock"]),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "call"), CALLS)
def test_a_subcommand_is_its_make_target(arguments, call):
    assert cli.make_command(arguments.split()) == call


def test_every_subcommand_has_a_target():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    assert set(cli.TARGETS) - {"run"} <= targets
