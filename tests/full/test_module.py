"""Another workflow includes this one as a module, with its own configuration, with and without a prefix."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from support import ROOT, contents

INCLUDES = """
configfile: "tiny_buzz.yaml"


module calscore:
    snakefile:
        {snakefile!r}
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


def include(folder, before: str):
    """Run a workflow of two lines' worth of its own in ``folder``."""
    (folder / "config").symlink_to(ROOT / "config")
    tiny = (ROOT / "tests" / "flows" / "tiny_buzz.yaml").read_text(encoding="utf-8")
    (folder / "tiny_buzz.yaml").write_text(tiny)
    text = INCLUDES.format(
        snakefile=str(ROOT / "workflow" / "Snakefile"),
        prefix=f'prefix:\n        "{before}"' if before else "",
        before=before,
    )
    (folder / "Snakefile").write_text(text)
    forked = str(ROOT / "tests" / "forked.py")
    command = [sys.executable, forked, "--cores", "2", "--profile", "none", "--show-failed-logs"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    return folder / before / "results" / "tiny_buzz"


@pytest.mark.parametrize("before", ["", "sub/"])
def test_a_workflow_that_includes_this_one_gets_the_same_bytes(tiny_buzz, tmp_path, before):
    found = contents(include(tmp_path, before))
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
