"""A small study made from a large one: its rules' own scripts, run in this process on a few questions."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from calscore.audit import made_again
from calscore.core import record as made
from calscore.core import store
from calscore.core.store import read_csv
from calscore.raw import replies
from support import ROOT

SKIPPED = (
    *("simulate_study", "collect_raw", "collect_outputs", "parse_release", "parse_outputs"),
    *("parse_guesses", "parse_survey"),
)


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

    def write(path):
        return str(folder / path)

    def read(path):
        return write(path) if path.startswith("results/") else str(ROOT / path)

    for name in record["order"]:
        entry = record["rules"][name]
        entry["params"] = smaller(entry["params"], replicates, segmentations)
        if name.startswith("plot_"):
            continue
        inputs = [path for paths in entry["input"].values() for path in paths]
        if name not in SKIPPED and not all(Path(read(path)).exists() for path in inputs):
            # A page that shows what is not drawn here.
            continue
        for path in (*entry["output"], *entry["log"]):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if name in SKIPPED:
            _cut(large, folder, record["folder"], entry["output"], kept)
            if name == "parse_guesses":
                _account(folder, entry)
            outputs = [folder / path for path in entry["output"]]
            made.made(name, outputs, folder / entry["log"][0])
        else:
            made_again.run_rule(name, entry, ROOT / "workflow" / "scripts", read, write)
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
    paths = {
        key: folder / entry["names"][key] for key in ("guesses", "replies", "unparsed_replies")
    }
    counts, unparsed = replies.account(store.read(paths["guesses"]))
    store.write_csv(counts, paths["replies"])
    store.write_csv(unparsed, paths["unparsed_replies"])
