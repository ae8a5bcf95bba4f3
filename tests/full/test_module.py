"""Another workflow includes this one as a module: from a folder and from GitHub, with and without a prefix."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest
from support import ROOT, contents

INCLUDES = """
configfile: "tiny_buzz.yaml"


module calscore:
    snakefile:
        {snakefile}
    config:
        config
    {prefix}


use rule * from calscore as calscore_*


rule mine:
    default_target: True
    input:
        "{before}results/tiny_buzz/audit/manifest.json",
    output:
        "count.txt",
    shell:
        "grep -c . {before}results/tiny_buzz/tables/table1.csv > {{output}}"
"""


LOCAL = repr(str(ROOT / "workflow" / "Snakefile"))


def hosted(folder) -> tuple[str, dict[str, str]]:
    """This workflow as Snakemake finds it on GitHub, and the environment in which GitHub is a folder."""
    repository = folder / "somebody" / "calscore"
    for name in ("workflow", "notebooks", "envs", "config"):
        shutil.copytree(
            ROOT / name, repository / name, ignore=shutil.ignore_patterns("__pycache__")
        )

    def git(*arguments):
        who = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.org")
        command = ["git", *who, *arguments]
        return subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True)

    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message", "All")
    commit = git("rev-parse", "HEAD").stdout.strip()
    instead = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.file://{folder}/.insteadOf",
        "GIT_CONFIG_VALUE_0": "https://github.com/",
        "XDG_CACHE_HOME": str(folder / "cache"),
    }
    return f'github("somebody/calscore", path="workflow/Snakefile", commit="{commit}")', instead


def include(folder, before: str, snakefile: str, environment: dict[str, str]):
    """Run a workflow of two lines' worth of its own in ``folder``, twice."""
    tiny = (ROOT / "tests" / "flows" / "tiny_buzz.yaml").read_text(encoding="utf-8")
    (folder / "tiny_buzz.yaml").write_text(tiny)
    text = INCLUDES.format(
        snakefile=snakefile,
        prefix=f'prefix:\n        "{before}"' if before else "",
        before=before,
    )
    (folder / "Snakefile").write_text(text)
    forked = str(ROOT / "tests" / "forked.py")
    command = [sys.executable, forked, "--cores", "2", "--profile", "none", "--show-failed-logs"]
    for again in (False, True):
        done = subprocess.run(
            command, cwd=folder, env=os.environ | environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr[-4000:]
        assert ("Nothing to be done" in done.stdout + done.stderr) == again
    return folder / before / "results" / "tiny_buzz"


@pytest.mark.parametrize(("before", "remote"), [("", False), ("sub/", False), ("sub/", True)])
def test_a_workflow_that_includes_this_one_gets_the_same_bytes(tiny_buzz, tmp_path, before, remote):
    snakefile, environment = hosted(tmp_path / "hub") if remote else (LOCAL, {})
    found = contents(include(tmp_path, before, snakefile, environment))
    wanted = contents(tiny_buzz)
    assert found.keys() == wanted.keys()
    # The record and what shows it name the paths as they are.
    told = ("audit/provenance.json", "audit/index.html", "notebooks/")
    differ = [name for name in wanted if found[name] != wanted[name]]
    assert [name for name in differ if not name.startswith(told)] == []
    record = json.loads(found["audit/provenance.json"])
    assert record["folder"] == f"{before}results/tiny_buzz/"
    assert {"parse_release", "score_models"} <= set(record["rules"])
    assert int((tmp_path / "count.txt").read_text()) > 1
