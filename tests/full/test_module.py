"""Another workflow includes this one as a module: from a folder and from GitHub, with and without a prefix."""

import json
import os
import shutil
import subprocess
from unittest import mock

import pytest
from support import ROOT, contents, run_snakemake

INCLUDES = """
configfile: "{study}.yaml"


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
        "{before}results/{study}/audit/passed.txt",
    output:
        "count.txt",
    shell:
        "grep -c . {before}results/{study}/audit/checks.csv > {{output}}"
"""


LOCAL = repr(str(ROOT / "workflow" / "Snakefile"))


def hosted(folder) -> tuple[str, dict[str, str]]:
    """This workflow as Snakemake finds it on GitHub, and the environment in which GitHub is a folder."""
    repository = folder / "somebody" / "calscore"
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("workflow", "notebooks", "envs", "config"):
        shutil.copytree(ROOT / name, repository / name, ignore=ignored)

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


def include(folder, study: str, before: str, snakefile: str, environment: dict[str, str]):
    """Run a workflow of two lines' worth of its own in ``folder``, twice."""
    tiny = (ROOT / "tests" / "flows" / f"{study}.yaml").read_text(encoding="utf-8")
    (folder / f"{study}.yaml").write_text(tiny)
    prefix = f'prefix:\n        "{before}"' if before else ""
    text = INCLUDES.format(snakefile=snakefile, prefix=prefix, before=before, study=study)
    (folder / "Snakefile").write_text(text)
    for again in (False, True):
        with mock.patch.dict(os.environ, environment):
            done = run_snakemake("--snakefile", "Snakefile", cwd=folder)
        assert ("Nothing to be done" in done.stdout + done.stderr) == again
    return folder / before / "results" / study


@pytest.mark.parametrize(
    ("study", "before", "remote"),
    [("tiny_choices", "", False), ("tiny_choices", "sub/", False), ("tiny_buzz", "sub/", True)],
)
def test_a_workflow_that_includes_this_one_gets_the_same_bytes(request, tmp_path, study, before, remote):
    snakefile, environment = hosted(tmp_path / "hub") if remote else (LOCAL, {})
    found = contents(include(tmp_path, study, before, snakefile, environment))
    wanted = contents(request.getfixturevalue(study))
    assert found.keys() == wanted.keys()
    # The record and what shows it name the paths as they are.
    told = ("audit/provenance.json", "audit/index.html", "notebooks/")
    differ = [name for name in wanted if found[name] != wanted[name]]
    assert [name for name in differ if not name.startswith(told)] == []
    record = json.loads(found["audit/provenance.json"])
    assert record["folder"] == f"{before}results/{study}/"
    rules = {"tiny_buzz": {"parse_release", "score_models"}, "tiny_choices": {"parse_options"}}
    assert rules[study] <= set(record["rules"])
    assert int((tmp_path / "count.txt").read_text()) > 1
