"""What the README shows runs as printed."""

import re

import pytest
from conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_python_blocks_run(block, demo, monkeypatch):
    assert "assert" in block
    monkeypatch.chdir(demo.parent.parent)
    exec(compile(block, "README.md", "exec"), {})


def test_commands_are_make_targets():
    targets = set(
        re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )
    named = set(re.findall(r"^make +([a-z]+)", README, re.MULTILINE)) | set(
        re.findall(r"`make ([a-z]+)`", README)
    )
    assert {"test", "grace"} <= named <= targets


def test_counts_in_the_text(grace):
    import pandas as pd

    claims = pd.read_csv(grace / "tables" / "claims.csv")
    assert f"{len(claims)} checks" in README


def test_links_lead_somewhere():
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_figures_of_the_answer_engine():
    import json

    fitted = json.loads((ROOT / "workflow" / "calscore" / "equivalence.json").read_text())
    figures = fitted["provenance"]["cross_validated"]["figures"]
    for name in ("accuracy", "exact_accuracy"):
        for source in ("EVOUNA-NQ / fid", "EVOUNA-TQ / fid"):
            assert f"{100 * figures[source][name]:.1f} %" in README
    assert f"{fitted['provenance']['pairs']:,} human-labelled" in README
