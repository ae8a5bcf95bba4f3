"""What the README and the pages under docs show runs as printed."""

import re

import pytest
from support import ROOT

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


def test_pictures_of_the_release_are_those_that_the_workflow_draws(grace):
    for name in ("figure4", "forensics", "crowd_size"):
        shown = ROOT / "docs" / "images" / f"grace-{name}.png"
        assert shown.read_bytes() == (grace / "figures" / f"{name}.png").read_bytes(), name


def test_counts_in_the_text(grace):
    import pandas as pd

    statements = pd.read_csv(grace / "tables" / "statements.csv")
    assert f"{len(statements)} statements" in README
    text = (ROOT / "docs" / "workflow.md").read_text(encoding="utf-8")
    assert f"({len(statements)} of GRACE)" in text


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
    import json

    fitted = json.loads(
        (ROOT / "workflow" / "calscore" / "data" / "equivalence.json").read_text(encoding="utf-8")
    )
    figures = fitted["provenance"]["cross_validated"]["figures"]
    for name in ("accuracy", "exact_accuracy"):
        for source in ("EVOUNA-NQ / fid", "EVOUNA-TQ / fid"):
            assert f"{100 * figures[source][name]:.1f} %" in README
    assert f"{fitted['provenance']['pairs']:,} human-labelled" in README


def test_one_version_everywhere():
    import tomllib

    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "version"
    ]
    assert f"version: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\d.*)$", changes, re.MULTILINE)[1] == version
