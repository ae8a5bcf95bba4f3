"""The scheduler wakes when a job ends, not more and more often; a limit that somebody asked for stays."""

import re
import subprocess
import sys

import pytest
from support import with_package

# Four jobs one after another, of a quarter of a second; the timers that the scheduler sets are counted.
SNAKEFILE = """
import threading

class Counted(threading.Timer):
    made = 0
    def start(self):
        Counted.made += 1
        super().start()

threading.Timer = Counted

onstart:
    if {asked}:
        from calscore.core import rounds
        rounds.only_when_due(workflow)

onsuccess:
    print("timers", Counted.made)

rule all:
    input: [f"{{name}}.txt" for name in "abcd"]

rule one:
    output: "{{name}}.txt"
    shell: "sleep .25; touch {{output}}"
"""


def _timers(folder, asked, *options):
    (folder / "Snakefile").write_text(SNAKEFILE.format(asked=asked))
    ran = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "1", *options],
        cwd=folder,
        env=with_package(),
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return int(re.search(r"timers (\d+)", ran.stdout + ran.stderr)[1])


@pytest.mark.parametrize(
    ("asked", "options", "any_timer"),
    [
        pytest.param(True, [], False, id="the limit nobody asked for"),
        pytest.param(False, [], True, id="Snakemake by itself"),
        pytest.param(True, ["--max-jobs-per-timespan", "50/1s"], True, id="a limit of the user"),
    ],
)
def test_timers(tmp_path, asked, options, any_timer):
    assert (_timers(tmp_path, asked, *options) > 0) is any_timer
