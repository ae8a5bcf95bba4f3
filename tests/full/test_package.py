"""The package by itself, installed from its wheel: nothing that it needs lies outside it."""

import subprocess
import sys
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from support import ROOT

USE = """
import calscore
from calscore.answers import judge
from calscore.core import catalog, schema, store
from calscore.guessers import prompts
from calscore.pages import base
from calscore.raw import release
from calscore.simulate import grace

assert judge("Silas Marner [or The Weaver of Raveloe]", "the weaver of raveloe").verdict == "accept"
assert store.columns("human_curve")[-1] == "h"
assert len(catalog.products()) > 100
assert schema.schema()["$defs"]
masthead = {"title": "t", "simulated": False, "hidden": False, "features": [], "names": {}}
assert "<html" in base.render("audit.html.j2", masthead, "audit/index.html", folder="f", stages=[],
    places={}, checks=[], passed=0, failed=[], outside=[], own=[], explained=[], checked="", traced="", data="", script="")
small = {"packets": 2, "questions_per_packet": 3, "teams": 5, "models": 3, "players": 4}
assert len(grace.simulate_grace(small, 1).questions) == 6
print(calscore.__file__)
"""


BASE = """
import importlib.resources
from importlib.util import find_spec

import calscore
from calscore.answers import judge, parse, to_dict

line = "Battle of the Metaurus River [or Metauro; prompt on Hasdrubal's defeat]"
assert judge(line, "battle of metaurus river").verdict == "accept"
assert judge("Spektor", "Qarth Spektor", question="who sang it").rule == "score"
assert to_dict(parse(line))["version"] == 1
files = importlib.resources.files("calscore")
assert (files / "py.typed").is_file() and (files / "data" / "answerline.schema.json").is_file()
print(calscore.__file__, [name for name in ("snakemake", "numpy", "pandas") if find_spec(name)])
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The built wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", folder, str(ROOT)], check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def site(wheel, tmp_path_factory):
    """A folder with the wheel installed, and nothing else."""
    place = tmp_path_factory.mktemp("installed") / "site"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", place]
    subprocess.run([*command, str(wheel)], check=True, capture_output=True)
    return place


def declared(site) -> list[metadata.Distribution]:
    """What the installed wheel requires without extras, and what that requires, as found here."""
    (wheel,) = metadata.distributions(name="calscore", path=[str(site)])
    found, waiting = {}, [wheel]
    while waiting:
        for line in waiting.pop().requires or ():
            need = Requirement(line)
            if need.name not in found and (not need.marker or need.marker.evaluate({"extra": ""})):
                found[need.name] = metadata.distribution(need.name)
                waiting.append(found[need.name])
    return list(found.values())


def said(folder, *arguments: str, env=None) -> str:
    """What Python prints, which must not fail."""
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_the_wheel_judges_with_its_base_requirements_alone(site, tmp_path):
    only = tmp_path / "only"
    only.mkdir()
    requirements = declared(site)
    assert len(requirements) < 6
    for one in requirements:
        for top in {file.parts[0] for file in one.files if file.parts[0] != ".."}:
            (only / top).symlink_to(one.locate_file(top))
    script = tmp_path / "use.py"
    script.write_text(f"import sys\nsys.path += [{str(site)!r}, {str(only)!r}]\n{BASE}")
    printed = said(tmp_path, "-I", "-S", str(script))
    assert str(site) in printed and printed.endswith("[]\n")
    asked = ("--explain", 'Water Music [prompt on music by asking "which?"]', "music")
    known = {"PYTHONPATH": f"{site}:{only}"}
    printed = said(tmp_path, "-S", str(site / "bin" / "judge"), *asked, env=known)
    assert printed.startswith("Water Music\n  accept: Water Music\n")
    assert printed.endswith("  ask: which?\n")


def test_an_installed_wheel_judges_reads_its_declarations_and_renders(site, tmp_path):
    # Not the checkout: neither its folder nor the editable install comes before.
    script = tmp_path / "use.py"
    script.write_text(f"import sys\nsys.path.insert(0, {str(site)!r})\n{USE}")
    assert str(site) in said(tmp_path, "-I", str(script))
