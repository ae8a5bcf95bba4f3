"""Which rule made each file of a study, from what, with which options and which code."""

from __future__ import annotations

from pathlib import Path

from ..core.digest import files_of, sha256


def named(path: str, root: Path, project: Path) -> str:
    """A path as it is written down: files of the project from its top, wherever the run takes place."""
    whole = (root / path).resolve()
    return whole.relative_to(project).as_posix() if whole.is_relative_to(project) else path


def record(study: dict, rules: dict, products, root: Path, project: Path) -> dict:
    """The content of audit/provenance.json.

    ``rules``: name → docstring, input (name → paths), output (paths), params (with the checksum of its code), script,
    all relative to ``root``; ``project`` is the folder of the workflow. Adds to the whole the rules in an
    order in which each comes after those that it reads from, the titles of the products, and the
    SHA-256 of every input that no rule made.
    """
    folder = f"results/{study['name']}/"
    titles = {file: product.title for product in products for file in product.files}
    ordered = {}
    for name in order(rules):
        entry = dict(rules[name])
        entry["script"] = Path(entry["script"]).name
        entry["code_sha256"] = entry["params"].pop("code")
        entry["input"] = {
            key: [named(path, root, project) for path in paths]
            for key, paths in entry["input"].items()
        }
        ordered[name] = entry
    outputs = {path for entry in rules.values() for path in entry["output"]}
    outside = {
        path
        for entry in rules.values()
        for paths in entry["input"].values()
        for path in paths
        if path not in outputs and not any(path.startswith(one + "/") for one in outputs)
    }
    return {
        "study": study,
        "folder": folder,
        "rules": ordered,
        "order": list(ordered),
        "titles": titles,
        "inputs": {
            named(path, root, project): {file.name: sha256(file) for file in files_of(root / path)}
            for path in sorted(outside)
        },
    }


def order(rules: dict) -> list[str]:
    """Rules so that each comes after those whose outputs it reads; by name where either could."""
    makers = {path: name for name, entry in rules.items() for path in entry["output"]}
    needs = {
        name: {
            makers[path] for paths in entry["input"].values() for path in paths if path in makers
        }
        for name, entry in rules.items()
    }
    done: list[str] = []
    while len(done) < len(needs):
        done += [name for name in sorted(needs) if name not in done and needs[name] <= set(done)][
            :1
        ]
    return done


def maker(record: dict, path: str) -> str | None:
    """The rule that made ``path`` (relative to the study's folder), None where no rule did."""
    full = record["folder"] + path
    for name, entry in record["rules"].items():
        if any(full == one or full.startswith(one + "/") for one in entry["output"]):
            return name
    return None
