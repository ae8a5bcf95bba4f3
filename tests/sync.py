"""The conda file that the lock implies; ``python tests/sync.py --fix`` rewrites it where it is out of step."""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# PyPI name → conda-forge name, where they differ.
CONDA_NAMES = {"matplotlib": "matplotlib-base"}


def direct_dependencies() -> list[str]:
    """Names of what the workflow needs to run: the base requirements in pyproject.toml and its extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = project["dependencies"] + project["optional-dependencies"]["workflow"]
    return [re.match(r"[A-Za-z0-9_.-]+", line)[0] for line in lines]


def locked_versions() -> dict[str, str]:
    """Name → version in the lock; where it differs by Python version, the one for the oldest."""
    text = (ROOT / "envs" / "requirements.txt").read_text(encoding="utf-8")
    found = re.findall(r"^([a-z0-9_.-]+)==([^ \\;]+)", text, re.MULTILINE)
    return dict(reversed(found))


def conda_environment() -> str:
    """The conda file that the lock implies: the direct dependencies at their locked versions."""
    versions = locked_versions()
    lines = [
        "# Written by tests/sync.py from pyproject.toml and envs/requirements.txt.",
        "channels:",
        "  - conda-forge",
        "  - bioconda",
        "  - nodefaults",
        "dependencies:",
        "  - python >=3.11",
    ]
    for name in direct_dependencies():
        lines.append(f"  - {CONDA_NAMES.get(name, name)} ={versions[name]}")
    return "\n".join(lines) + "\n"


FILE = ROOT / "envs" / "environment.yaml"


def main() -> int:
    stale = not FILE.exists() or FILE.read_text(encoding="utf-8") != conda_environment()
    fix = "--fix" in sys.argv
    if stale:
        if fix:
            FILE.write_text(conda_environment(), encoding="utf-8")
        print(f"{'rewrote' if fix else 'out of step'}: {FILE.relative_to(ROOT)}")
    return int(stale and not fix)


if __name__ == "__main__":
    sys.exit(main())
