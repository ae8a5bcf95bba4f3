"""The package by itself, installed from its wheel: nothing that it needs lies outside it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support import ROOT

USE = """
import calscore
from calscore.answers import judge
from calscore.core import catalog, config, store
from calscore.guess import prompts
from calscore.pages import base
from calscore.raw import release
from calscore.simulate import grace

assert judge("Silas Marner [or The Weaver of Raveloe]", "the weaver of raveloe").verdict == "accept"
assert store.columns("human_curve")[-1] == "h"
assert len(catalog.products()) > 100
assert config.schema()["$defs"]
masthead = {"title": "t", "simulated": False, "hidden": False, "features": []}
assert "<html" in base.render("audit.html.j2", masthead, "audit/index.html", folder="f", stages=[],
    checks=[], passed=0, failed=[], inputs=[], explained=False, data="", script="")
small = {"packets": 2, "questions_per_packet": 3, "teams": 5, "models": 3, "players": 4}
assert len(grace.simulate(small, 1).questions) == 6
print(calscore.__file__)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The built wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", folder, str(ROOT)], check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_an_installed_wheel_judges_reads_its_declarations_and_renders(wheel, tmp_path):
    place = tmp_path / "site"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", place]
    subprocess.run([*command, str(wheel)], check=True, capture_output=True)
    # Not the checkout: neither its folder nor the editable install comes before.
    script = tmp_path / "use.py"
    script.write_text(f"import sys\nsys.path.insert(0, {str(place)!r})\n{USE}")
    done = subprocess.run(
        [sys.executable, "-I", str(script)], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert str(place) in done.stdout
