"""Files that must agree with others do, and the lock is what it claims to be."""

import re

import pytest
import sync
from support import ROOT


@pytest.mark.parametrize("name", sync.GENERATED)
def test_generated_files_are_in_step(name):
    found = (ROOT / name).read_text(encoding="utf-8")
    assert found == sync.GENERATED[name](), f"{name} is out of step: python tests/sync.py --fix"


def test_the_lock_has_hashes_and_names_no_index():
    text = (ROOT / "envs" / "requirements.txt").read_text(encoding="utf-8")
    assert "://" not in text
    assert "index-url" not in text
    packages = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(packages) > 50
    assert all("--hash=sha256:" in package for package in packages)


def test_every_direct_dependency_is_locked():
    assert set(sync.direct_dependencies()) <= set(sync.locked_versions())
