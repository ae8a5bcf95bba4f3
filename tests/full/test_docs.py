"""The documents build as a site without a warning, and what they may not exceed."""

import os
import re
import subprocess
import sys

from support import ROOT


def test_the_site_builds_without_a_warning(tmp_path, demo, played):
    """With tutorials executed: their pages have what their cells print."""
    results = tmp_path / "results"
    results.mkdir()
    for study in (demo, played):
        (results / study.name).symlink_to(study)
    target = tmp_path / "site"
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    command += [str(ROOT / "docs"), str(target)]
    known = os.environ | {"CALSCORE_RESULTS": str(results)}
    done = subprocess.run(command, capture_output=True, text=True, env=known)
    assert done.returncode == 0, done.stderr
    pages = {path.relative_to(target).as_posix() for path in target.rglob("*.html")}
    assert {"index.html", "reference/gallery.html", "reference/api.html", "glossary.html"} <= pages
    for name in ("first-run", "your-model", "your-tournament", "audit-a-number"):
        source = (ROOT / "docs" / "tutorials" / f"{name}.md").read_text(encoding="utf-8")
        page = (target / "tutorials" / f"{name}.html").read_text(encoding="utf-8")
        assert "```{code-cell}" in source
        assert re.search(r"highlight-text|class=\"dataframe\"", page)
    model = (target / "tutorials" / "your-model.html").read_text(encoding="utf-8")
    assert "nearest: p01-q01" in model
