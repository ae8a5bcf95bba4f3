"""Files that must agree with others: the conda file with the lock, config/README.md with its schema.

``python tests/sync.py --fix`` rewrites what is out of step; the tests only compare.
"""

from __future__ import annotations

import csv
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# PyPI name → conda-forge name, where they differ.
CONDA_NAMES = {"matplotlib": "matplotlib-base"}


def direct_dependencies() -> list[str]:
    """Names of the runtime dependencies in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [re.match(r"[A-Za-z0-9_.-]+", line)[0] for line in project["dependencies"]]


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


def config_readme() -> str:
    """config/README.md: every key of the configuration, from its schema."""
    sys.path.insert(0, str(ROOT / "workflow"))
    from calscore.core.config import schema

    definitions = schema()["$defs"]
    lines = (ROOT / "config" / "README.head.md").read_text(encoding="utf-8").rstrip().splitlines()

    def describe(spec: dict) -> str:
        kind = spec.get("type") or (
            "one of " + ", ".join(f"`{v}`" for v in spec["enum"]) if "enum" in spec else ""
        )
        if isinstance(kind, list):
            kind = " or ".join(kind)
        default = f", default `{spec['default']!r}`" if "default" in spec else ""
        return f"{kind}{default}"

    def section(title: str, properties: dict, depth: int = 0) -> None:
        if title:
            lines.extend(["", title, "", "| key | type | meaning |", "|---|---|---|"])
        for name, spec in properties.items():
            target = definitions[spec["$ref"].rsplit("/", 1)[1]] if "$ref" in spec else spec
            note = spec.get("description") or target.get("description", "")
            kind = describe(target).replace("|", "\\|")
            lines.append(f"| `{name}` | {kind} | {note} |")
            inner = target.get("items", {}).get("properties") or target.get("properties")
            if not inner and isinstance(target.get("additionalProperties"), dict):
                inner = {
                    f"<key>/{k}": v
                    for k, v in target["additionalProperties"].get("properties", {}).items()
                }
            if inner and "$ref" not in spec:
                section("", {f"{name}/{key}": value for key, value in inner.items()}, depth + 1)

    section("## Top level", schema()["properties"])
    section("## A study (`studies/<name>`)", definitions["study"]["properties"])
    section("## Inputs (`inputs`)", definitions["inputs"]["properties"])
    section("## A file (`release/archive` and the like)", definitions["file"]["properties"])
    section(
        "## Options (`options`, for all studies or in one)", definitions["options"]["properties"]
    )
    return "\n".join(lines) + "\n"


COVERAGE_TABLES = {
    "coverage": ("benchmarks/coverage/coverage.csv", ("quantity", "method", "studies")),
    "curves": ("benchmarks/coverage/curves_coverage.csv", ("quantity", "method", "studies")),
    "tables": ("benchmarks/coverage/tables_coverage.csv", ("quantity", "method", "studies")),
    "options": ("benchmarks/coverage/options_coverage.csv", ("quantity", "method", "studies")),
    "odds ratios": (
        "workflow/calscore/data/odds_ratio_coverage.csv",
        ("effects", "method", "term", "studies"),
    ),
    "fuller scores": ("benchmarks/coverage/fuller_coverage.csv", ("definition", "metric")),
}
"""Name of a table in docs/inference.head.md, as a line [[name]] → file, columns shown beside the coverage."""


def coverage_table(path: str, columns) -> str:
    """A table of measured coverage in Markdown, folded."""
    with (ROOT / path).open(encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    lines = [
        f"<details><summary>{len(rows)} rows (<code>{path}</code>)</summary>",
        "",
        " | ".join(["", *columns, "coverage", ""]).strip(),
        "|" + "---|" * (len(columns) + 1),
    ]
    for row in rows:
        cells = [row[name].replace("|", "\\|") for name in columns]
        share = f"{100 * float(row['coverage']):.1f} %"
        lines.append(" | ".join(["", *cells, share, ""]).strip())
    return "\n".join([*lines, "", "</details>"])


def inference_doc() -> str:
    """docs/inference.md: what the intervals rest on, with the measured coverage."""
    text = (ROOT / "docs" / "inference.head.md").read_text(encoding="utf-8").rstrip()
    for name, (path, columns) in COVERAGE_TABLES.items():
        place = f"\n[[{name}]]\n"
        if (text + "\n").count(place) != 1:
            raise ValueError(f"docs/inference.head.md has no line [[{name}]], or several")
        text = (text + "\n").replace(place, f"\n{coverage_table(path, columns)}\n").rstrip()
    return text + "\n"


GENERATED = {
    "envs/environment.yaml": conda_environment,
    "config/README.md": config_readme,
    "docs/inference.md": inference_doc,
}


def main() -> int:
    stale = [
        name
        for name, make in GENERATED.items()
        if not (ROOT / name).exists() or (ROOT / name).read_text(encoding="utf-8") != make()
    ]
    for name in stale:
        if "--fix" in sys.argv:
            (ROOT / name).write_text(GENERATED[name](), encoding="utf-8")
        print(f"{'rewrote' if '--fix' in sys.argv else 'out of step'}: {name}")
    return 0 if "--fix" in sys.argv else len(stale)


if __name__ == "__main__":
    sys.exit(main())
