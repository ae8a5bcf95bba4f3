"""The examples in docstrings give what they say."""

import doctest
import importlib

import pytest
from calscore.core.package import FOLDER

MODULES = sorted(
    ".".join(("calscore", *path.relative_to(FOLDER).with_suffix("").parts))
    for path in FOLDER.rglob("*.py")
    if ">>>" in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.attempted and not outcome.failed
