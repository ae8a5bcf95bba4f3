"""What the README and the pages under docs show runs as printed."""

import json
import re
import tomllib

import numpy as np
import pandas as pd
import pytest
from support import ROOT, configuration, renormalised

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
BLOCKS = [
    block
    for page in PAGES
    if page.name != "CONTRIBUTING.md"  # excerpts of what is to be written
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
]


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_python_blocks_run(block, demo, monkeypatch):
    assert "assert" in block
    monkeypatch.chdir(demo.parent.parent)
    exec(compile(block, "README.md", "exec"), {})


def test_commands_are_make_targets():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.search(r"^\.PHONY: (.+)", makefile, re.MULTILINE)[1].split())
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    named = set(re.findall(r"^make +([a-z-]+)", text, re.MULTILINE)) | set(
        re.findall(r"`make ([a-z-]+)", text)
    )
    assert {"test", "grace", "models", "confidence-gap"} <= named <= targets


def test_counts_in_the_text(grace):
    statements = pd.read_csv(grace / "tables" / "statements.csv")
    assert f"{len(statements)} statements" in README
    text = (ROOT / "docs" / "workflow.md").read_text(encoding="utf-8")
    assert f"({len(statements)} of GRACE, " in text


def test_table_1_of_the_readme_is_counted_from_the_numbers():
    """Eq. 1 with and without h, from resources/grace alone; h as in docs/scores.md, "The h"."""
    runs, buzzes, questions = (
        pd.read_csv(ROOT / "resources" / "grace" / f"{name}.csv") for name in ("runs", "buzzes", "questions")
    )
    question = ["packet", "number"]
    buzzes = buzzes[buzzes["team"].str.startswith("H")].merge(questions[[*question, "words"]])
    right = buzzes[(buzzes["right"] == 1) & (buzzes["word"] < buzzes["words"] - 1)]
    pairs = runs.reset_index().merge(right[[*question, "word"]], on=question)
    so_far = pairs[pairs["word"] <= pairs["last_word"]].groupby("index").size()
    buzz_counts = runs[question].merge(buzzes.groupby(question).size().rename("n").reset_index(), how="left")[
        "n"
    ]
    h = (so_far.reindex(runs.index) / buzz_counts).fillna(0)
    gain = (2 * runs["authors"] - 1) * np.exp(runs["log_confidence"])

    def error(terms):
        mean = terms.groupby([runs["model"], runs["packet"], runs["number"]]).mean()
        return (1 - renormalised(mean)).groupby("model").mean()

    mce, calscore = error(gain), error((1 - h) * gain)
    published = configuration("published/grace")
    printed = published["table1"]["scores"]["logit"]
    lines = re.findall(r"^\| (\S+) \| (\.\d+) \| (\.\d+) \| (\.\d+) \| (\.\d+) \|$", README, re.M)
    names = {"M1": "GPT-4", "M2": "GPT-4o", "M3": "Mistral-7b", "M4": "Llama-2-70b"}
    names |= {"M5": "Llama-3.1-8B", "M6": "Llama-3.1-70B"}
    assert len(lines) == len(names)
    for model, name in names.items():
        (cells,) = (cells for shown, *cells in lines if shown == name)
        assert cells[1::2] == [f"{value[model]:.3f}"[1:] for value in (mce, calscore)]
        assert cells[0::2] == [printed[model][heading][1:] for heading in ("calscore", "mce")]


def test_the_readme_is_short():
    assert len(README.split()) <= 700


def test_links_lead_somewhere():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\((?!http)([^)#]+)[^)]*\)", text):
            # make docs writes the reference.
            written = target.startswith("reference/")
            assert written or (page.parent / target).exists(), f"{page.name}: {target}"


def test_figures_of_the_answer_engine():
    fitted = json.loads(
        (ROOT / "workflow" / "calscore" / "data" / "equivalence.json").read_text(encoding="utf-8")
    )
    figures = fitted["provenance"]["cross_validated"]["figures"]
    for source in ("EVOUNA-NQ / fid", "EVOUNA-TQ / fid"):
        assert f"{100 * figures[source]['accuracy']:.1f} %" in README


def test_one_version_everywhere():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert f"version: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\d.*)$", changes, re.MULTILINE)[1] == version
