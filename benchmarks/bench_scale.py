"""Seconds (wall clock and CPU) and memory of h_t and of all scores with intervals, by the number of clue rows: docs/scale.csv.

``python -m benchmarks.bench_scale [rows …]`` simulates tables of 20 systems on questions of 10 clues (20 teams heard
each), has the functions of the rules read them, in a process each, and prints a row for each size; with ``--write`` the
rows replace those of the same size in docs/scale.csv, and docs/images/scale.png is drawn again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from calscore.core import store

from . import ROOT

CLUES, SYSTEMS, TEAMS, WORDS = 10, 20, 20, 12
TABLE = ROOT / "docs" / "scale.csv"
FIGURE = ROOT / "docs" / "images" / "scale.png"
SIZES = (10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
MEMORY = 2000
PART = 20_000
"""Questions that are simulated at a time."""


def _parts(questions: int):
    for first in range(0, questions, PART):
        yield np.arange(first, min(first + PART, questions))


def _ids(numbers) -> np.ndarray:
    return np.array([f"p{n // 20 + 1:06d}-q{n % 20 + 1:02d}" for n in numbers], dtype=object)


def simulate(folder: Path, rows: int, seed: int = 1) -> None:
    """Tables clues, buzzes, exposures and responses of ``rows`` clue rows, in ``folder``."""
    questions = rows // (CLUES * SYSTEMS)

    def clues():
        for part in _parts(questions):
            clue = np.tile(np.arange(1, CLUES + 1), len(part))
            yield pd.DataFrame(
                {"segmentation": "words-12", "question_id": np.repeat(_ids(part), CLUES), "clue": clue,
                 "end_word": clue * WORDS, "end_char": clue * WORDS * 6, "revealed": clue / CLUES}
            )  # fmt: skip

    def teams(part):
        names = np.array([f"T{n:02d}" for n in range(1, TEAMS + 1)], dtype=object)
        return pd.DataFrame(
            {"question_id": np.repeat(_ids(part), TEAMS), "packet": np.repeat(part // 20 + 1, TEAMS),
             "team": np.tile(names, len(part)), "kind": "human"}
        )  # fmt: skip

    def exposures():
        for part in _parts(questions):
            yield store.frame(teams(part).assign(source="declared"), "exposures")

    def buzzes():
        rng = np.random.default_rng([seed, 1])
        for part in _parts(questions):
            of = teams(part)
            n = len(of)
            of["word_index"] = rng.integers(0, CLUES * WORDS, n)
            of["correct"] = rng.random(n) < of["word_index"] / (CLUES * WORDS)
            of = of.assign(player=None, match=None, value=None, source_row="")
            yield store.frame(of[rng.random(n) < 0.6], "buzzes")

    def responses():
        for system in range(SYSTEMS):
            rng = np.random.default_rng([seed, 2, system])
            for part in _parts(questions):
                clue = np.tile(np.arange(1, CLUES + 1), len(part))
                confidence = rng.random(len(clue)).round(3)
                of = pd.DataFrame(
                    {"question_id": np.repeat(_ids(part), CLUES), "clue": clue, "position": clue * WORDS,
                     "confidence": confidence, "correct": rng.random(len(clue)) < 0.1 + 0.7 * confidence}
                )  # fmt: skip
                yield store.frame(
                    of.assign(
                        segmentation="words-12", model=f"M{system:02d}", elicitation="verbalized",
                        reduction="stated", marks="engine", guess=None, buzz=None, carried=False,
                    ),
                    "responses",
                )  # fmt: skip

    for pieces in (clues, exposures, buzzes, responses):
        store.save(pieces(), pieces.__name__, folder / f"{pieces.__name__}.parquet")


def work(folder: Path, memory: int, threads: int) -> dict:
    """The functions of both rules on the tables of ``folder``, in this process: seconds of each, and the most memory in MB."""
    import resource
    import time

    from calscore.human import curves
    from calscore.scores import streaming

    def stored(*names):
        return [store.Stored(folder / f"{name}.parquet", name) for name in names]

    def h():
        return curves.human_tables(*stored("clues", "buzzes", "exposures"), memory)

    def scores():
        tables = stored("responses", "human_curve", "crowd", "clues")
        return streaming.scores(*tables, 2000, 1, 0.95, memory, threads)

    seconds = {}
    for stage, function in {"h": h, "scores": scores}.items():
        began, cpu = time.perf_counter(), time.process_time()
        for table, value in function().items():
            store.save(value, table, folder / f"{table}.parquet")
        seconds[f"{stage}_seconds"] = time.perf_counter() - began
        seconds[f"{stage}_cpu"] = time.process_time() - cpu
    return seconds | {"memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def measured(rows: int, memory: int, threads: int) -> dict:
    """A row of the table, the work done in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="calscore-bench-") as at:
        simulate(Path(at), rows)
        command = [sys.executable, "-m", "benchmarks.bench_scale", "--work", at]
        command += ["--memory", str(memory), "--threads", str(threads)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        return {"rows": rows} | json.loads(done.stdout)


def exponent(table: pd.DataFrame, column: str, least: int = 1_000_000) -> float:
    """b of seconds = a·rows^b, least squares on logarithms of sizes from ``least`` on."""
    some = table[table["rows"] >= least]
    return float(np.polyfit(np.log(some["rows"]), np.log(some[column]), 1)[0])


def draw(table: pd.DataFrame):
    """Seconds of CPU and memory against rows, with the exponent of the seconds."""
    from calscore.core import theme
    from matplotlib import pyplot as plt

    theme.apply_style()
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.5, 3.2), layout="constrained")
    names = {"h_cpu": ("h", "s"), "scores_cpu": ("scores with intervals", "o")}
    for column, (label, marker) in names.items():
        label = f"{label}: rows to the {exponent(table, column):.2f}"
        left.plot(table["rows"], table[column], marker=marker, label=label)
    right.plot(table["rows"], table["memory_mb"], marker="o")
    right.axhline(MEMORY, linestyle=":", color="0.4")
    right.text(table["rows"].min(), MEMORY * 1.03, "option memory")
    right.set(ylim=(0, MEMORY * 1.15), ylabel="most memory (MB)")
    left.set(yscale="log", ylabel="seconds of CPU")
    left.yaxis.set_major_formatter("{x:g}")
    left.margins(y=0.2)
    left.legend(loc="upper left", title="from a million on")
    counts = [f"{rows:,}" for rows in table["rows"]]
    for ax in (left, right):
        ax.set(xscale="log", xlabel="clue rows")
        ax.set_xticks(table["rows"], counts, rotation=30, ha="right")
        ax.minorticks_off()
    return figure


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("rows", nargs="*", type=int, default=SIZES[:-2])
    parser.add_argument("--work", type=Path)
    parser.add_argument("--memory", type=int, default=MEMORY)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.work:
        print(json.dumps(work(given.work, given.memory, given.threads)))
        return
    table = pd.DataFrame([measured(rows, given.memory, given.threads) for rows in given.rows])
    print(table.round(2).to_string(index=False))
    if given.write:
        if TABLE.exists():
            table = pd.concat([pd.read_csv(TABLE), table]).drop_duplicates("rows", keep="last")
        table = table.sort_values("rows", ignore_index=True).round(2)
        store.write_csv(table, TABLE)
        draw(table).savefig(FIGURE, dpi=110)


if __name__ == "__main__":
    main()
