"""What is said of pip-audit's findings: vulnerabilities fail, an unreachable service is skipped with a word."""

import json

import audit_packages
import pytest

CLEAN = {"name": "pandas", "version": "3.0", "vulns": []}
UNKNOWN = {"name": "wrapt", "skip_reason": "not found"}
BAD = {"name": "x", "version": "1", "vulns": [{"id": "GHSA-1", "fix_versions": ["2"]}]}


@pytest.mark.parametrize(
    ("packages", "code", "words"),
    [
        ([CLEAN, UNKNOWN], 0, "1 of 2 packages audited"),
        ([CLEAN, BAD], 1, "x 1: GHSA-1, mended in 2"),
        ([UNKNOWN, UNKNOWN], 0, f"{audit_packages.SKIPPED}: none of 2 packages is known there"),
    ],
)
def test_findings_in_words(packages, code, words):
    found, said = audit_packages.report(json.dumps({"dependencies": packages}))
    assert found == code
    assert words in said


def test_no_network_is_skipped_with_its_reason():
    found, said = audit_packages.report("", "Traceback\nConnectionError: no route")
    assert (found, said) == (0, f"{audit_packages.SKIPPED}: ConnectionError: no route")
