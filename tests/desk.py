"""A small study made from a large one: its rules' own scripts, run in this process on a few questions."""

from __future__ import annotations

import json
import runpy
import shutil
from pathlib import Path
from types import SimpleNamespace

from calscore.core import store
from calscore.core.store import read_csv
from calscore.raw import replies
from support import ROOT

SKIPPED = ("simulate_study", "collect_raw", "parse_release", "parse_guesses", "parse_survey")


class Named(list):
    """Values in order, each also under its name, as Snakemake hands them to a script."""

    def __init__(self, values: dict):
        super().__init__(values.values())
        self._values = values

    def __getattr__(self, name):
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __getitem__(self, key):
        return self._values[key] if isinstance(key, str) else super().__getitem__(key)

    def items(self):
        return self._values.items()

    def get(self, name, default=None):
        return self._values.get(name, default)


def smaller(value, replicates: int, segmentations: list[str]):
    """Options with fewer replicates and segmentations."""
    if not isinstance(value, dict):
        return value
    found = {key: smaller(one, replicates, segmentations) for key, one in value.items()}
    if "replicates" in found:
        found["replicates"] = replicates
    if "segmentations" in found:
        found["segmentations"] = segmentations
    return found


def small_study(large: Path, folder: Path, count: int = 10, replicates: int = 100) -> Path:
    """``folder``/results/<name> with ``count`` or one more questions of ``large`` and everything derived from them."""
    record = json.loads((large / "audit" / "provenance.json").read_text(encoding="utf-8"))
    target = folder / record["folder"]
    segmentations = [record["study"]["options"]["primary_segmentation"], "given"]
    record["study"] = smaller(record["study"], replicates, segmentations)
    questions = store.read(large / "tidy" / "questions.parquet")
    step = len(questions) // count
    kept = set(questions["question_id"].iloc[::step][:count])
    # One with a reply that could not be parsed, or that table would be empty.
    unparsed = read_csv(large / "audit" / "unparsed_replies.csv")["question_id"]
    kept |= set(unparsed.iloc[-1:])
    for name in record["order"]:
        entry = record["rules"][name]
        entry["params"] = smaller(entry["params"], replicates, segmentations)
        if name == "cut_clues":
            entry["params"]["segmentations"] = segmentations
        if name.startswith("plot_"):
            continue
        for path in entry["output"]:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if name in SKIPPED:
            _cut(large, folder, record["folder"], entry["output"], kept)
            if name == "parse_guesses":
                _account(folder, entry)
        else:
            _run(folder, name, entry)
    for path in list(record["titles"]):
        if not (target / path).exists():
            del record["titles"][path]
    (target / "audit").mkdir(exist_ok=True)
    (target / "audit" / "provenance.json").write_text(json.dumps(record), encoding="utf-8")
    return target


def _cut(large, folder, prefix, outputs, kept) -> None:
    for path in outputs:
        source, target = large / path.removeprefix(prefix), folder / path
        if source.suffix == ".parquet":
            table = store.read(source)
            if "question_id" in table:
                table = table[table["question_id"].isin(kept)]
            store.write(table, source.stem, target)
        elif source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)


def _account(folder: Path, entry: dict) -> None:
    """The account of replies, of the guesses that are left."""
    paths = {key: folder / entry["names"][key] for key in ("guesses", "replies", "unparsed")}
    counts, unparsed = replies.account(store.read(paths["guesses"]))
    store.write_csv(counts, paths["replies"])
    store.write_csv(unparsed, paths["unparsed"])


def _run(folder: Path, name: str, entry: dict) -> None:
    def place(path):
        if isinstance(path, list):
            return [place(one) for one in path]
        return str((folder if path.startswith("results/") else ROOT) / path)

    inputs = {key: [place(p) for p in paths] for key, paths in entry["input"].items()}
    inputs = {key: paths[0] if len(paths) == 1 else paths for key, paths in inputs.items()}
    fake = SimpleNamespace(
        rule=name,
        input=Named(inputs),
        output=Named({key: place(path) for key, path in entry["names"].items()}),
        params=Named(entry["params"]),
        log=[],
        wildcards=Named({"study": entry["output"][0].split("/")[1]}),
    )
    script = ROOT / "workflow" / "scripts" / entry["script"]
    runpy.run_path(str(script), init_globals={"snakemake": fake})
