"""A million buzz rows: read, validated, resolved and summarised: ``python -m benchmarks.bench_tournament [rows]``."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from . import ROOT

ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
WORDS, PACKETS, TOSSUPS = 100, 60, 20
TOURNAMENTS, TEAMS = 220, 33
"""Mirrors of one set, and teams of each: 7,260 teams."""
BOUNDS = {1_000_000: (15, 1024), 10_000_000: (150, 4096)}
"""Rows → seconds of CPU and MB at most."""


def write(folder: Path, rows: int, seed: int = 0) -> None:
    """A buzz CSV of about ``rows`` rows with its heard file and packets, in ``folder``."""
    from calscore.tournament import export

    rng = np.random.default_rng(seed)
    teams = np.array([f"School {i:04d} {'AB'[i % 2]}" for i in range(TOURNAMENTS * TEAMS)])
    games = int(rows / TOSSUPS / 1.4) + 1
    mirror = rng.integers(0, TOURNAMENTS, games)
    titles = np.array([f"Mirror {i:03d}" for i in range(TOURNAMENTS)])
    one = rng.integers(0, TEAMS, games)
    first = mirror * TEAMS + one
    second = mirror * TEAMS + (one + rng.integers(1, TEAMS, games)) % TEAMS
    packet = rng.integers(1, PACKETS + 1, games)
    game = np.repeat(np.arange(games), TOSSUPS)
    tossup = np.tile(np.arange(1, TOSSUPS + 1), games)
    two = rng.random(len(game)) < 0.4
    early = rng.integers(5, WORDS - 10, len(game))
    starts = rng.random(len(game)) < 0.5

    def part(at, word, value, side):
        team = np.where(side, first[game[at]], second[game[at]])
        return pd.DataFrame(
            {
                "tournament": titles[mirror[game[at]]], "round": packet[game[at]], "game": game[at] + 1,
                "packet": packet[game[at]], "tossup": tossup[at], "team": teams[team],
                "player": np.char.add("Player ", (team * 4 + rng.integers(0, 4, len(at))).astype(str)),
                "buzz_position": word, "value": value,
            }
        )  # fmt: skip

    every = np.arange(len(game))
    wrong = part(every[two], early[two], -5, starts[two])
    value = np.where(rng.random(len(game)) < 0.2, 15, 10)
    late = np.minimum(early + rng.integers(1, 10, len(game)), WORDS)
    right = part(every, np.where(two, late, early), value, ~starts)
    buzzes = pd.concat([wrong, right]).sort_values(["game", "tossup", "buzz_position"])
    buzzes["packet"] = "Packet " + buzzes["packet"].astype(str)
    buzzes.to_csv(folder / "buzzes.csv", index=False)
    sides = np.concatenate([first[game], second[game]])
    both = np.concatenate([game, game])
    pd.DataFrame(
        {
            "tournament": titles[mirror[both]], "round": packet[both], "game": both + 1,
            "tossup": np.concatenate([tossup, tossup]), "team": teams[sides],
            "packet": np.char.add("Packet ", packet[both].astype(str)),
        }
    ).to_csv(folder / "heard.csv", index=False)  # fmt: skip
    (folder / "packets").mkdir()
    for number in range(1, PACKETS + 1):
        tossups = [
            {
                "question": " ".join(["word"] * (WORDS - 1) + ["end."]),
                "answer": "x",
                "metadata": "Arts",
            }
        ] * TOSSUPS
        name = f"Packet {number}"
        (folder / "packets" / f"{name}.json").write_text(
            export.dump({"name": name, "tossups": tossups})
        )


def run(folder: Path) -> dict:
    """Seconds of CPU by step."""
    from calscore.core import store
    from calscore.tournament import buzz_csv, match_log, report, stats

    taken, start = {}, time.process_time()

    def lap(name):
        nonlocal start
        now = time.process_time()
        taken[name], start = now - start, now

    packs = {path.name: path.read_bytes() for path in sorted((folder / "packets").iterdir())}
    found = buzz_csv.read(folder / "buzzes.csv", folder / "heard.csv", packs)
    lap("read")
    tables = match_log.tidy_tables(found, {}, {})
    # In the workflow what comes next are jobs of their own, which read tables.
    del found
    lap("resolve")
    for name in ("questions", "buzzes", "exposures", "games", "plays", "heard", "rosters"):
        store.check(tables[name], name, tables)
    lap("validate")
    # No later job reads these.
    del tables["buzzes"], tables["exposures"]
    stats.tables(tables["plays"], tables["heard"], tables["rosters"], tables["questions"], 0.95)
    lap("summarise")
    names = ("games", "sides", "box_scores", "bonus_plays", "bonus_items", "plays", "questions")
    report.tables(*(tables[name] for name in names))
    lap("report")
    return {"rows": len(tables["plays"]), **taken}


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Another process writes, so that its memory does not count.
        command = [sys.executable, "-m", "benchmarks.bench_tournament", str(ROWS), name]
        subprocess.run(command, check=True, cwd=ROOT)
        taken = run(folder)
    rows = taken.pop("rows")
    seconds, memory = next((one for most, one in BOUNDS.items() if rows <= 1.1 * most), (0, 0))
    print(f"\n{rows:,} buzz rows of a tournament, seconds of CPU")
    for step, lap in taken.items():
        print(f"  {step:<24}{lap:>10.1f}")
    print(f"  {'sum':<24}{sum(taken.values()):>10.1f}   (at most {seconds})")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  {'peak memory, MB':<24}{peak:>10.0f}   (at most {memory:,})")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        write(Path(sys.argv[2]), ROWS)
    else:
        main()
