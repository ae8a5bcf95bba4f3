"""What Snakemake would run again after each of many deletions, the workflow parsed once.

``python tests/deletions.py <plans.json> <path>... -- <arguments of snakemake>`` writes path → rules. Each
path is away while its dry run, in a fork of the process that has read the workflow, looks at the folder;
the path "" stands for nothing deleted.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from snakemake.cli import main as snakemake
from snakemake.workflow import Workflow

_execute = Workflow.execute


@contextmanager
def away(path: str):
    """Without a file, which comes back as it was."""
    if not path:
        yield
        return
    hidden = Path(path).rename(f"{path}.away")
    yield
    hidden.rename(path)


def planned(workflow: Workflow, *arguments, before=None, **options) -> list[str]:
    """Rules of the jobs that a dry run in a fork of this process would run; ``before``: what the fork does first."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            if before:
                before()
            _execute(workflow, *arguments, **options)
            rules = sorted({job.rule.name for job in workflow.dag.needrun_jobs()})
            os.write(writing, json.dumps(rules).encode())
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writing)
    with open(reading, encoding="utf-8") as answer:
        rules = answer.read()
    _, status = os.waitpid(child, 0)
    if status:
        sys.exit("a dry run failed")
    return json.loads(rules)


def write_plans(target: str, snakemakes: list[str], make) -> None:
    """Plans that ``make(plan)`` collects once the workflow is read, as JSON to ``target``.

    ``plan(before=None)`` gives the rules of one dry run (:func:`planned`); ``snakemakes``: Snakemake's arguments.
    """
    plans = []

    def execute(workflow, *arguments, **options):
        def plan(before=None):
            return planned(
                workflow, *arguments, before=before and partial(before, workflow), **options
            )

        plans.append(make(plan))
        return True

    Workflow.execute = execute
    # Quiet about both, a dry run ends with the jobs that it would run, before it plays them.
    try:
        snakemake([*snakemakes, "--dry-run", "--quiet", "rules", "progress"])
    finally:
        Path(target).write_text(json.dumps(plans[0] if plans else None), encoding="utf-8")


def main() -> None:
    end = sys.argv.index("--")
    target, *paths = sys.argv[1:end]

    def each(plan):
        plans = {}
        for path in paths:
            with away(path):
                plans[path] = plan()
        return plans

    write_plans(target, sys.argv[end + 1 :], each)


if __name__ == "__main__":
    main()
