"""A million buzzes with two million bonus parts, read, validated, resolved and summarised.

``python -m benchmarks.bench_tournament [buzzes]``. The files are shaped like those of a season: hundreds of mirrors whose
teams share names, rosters, texts as long as real ones, bonuses of three parts, a few bouncebacks.
"""

from __future__ import annotations

import json
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
PACKETS, TOSSUPS, PARTS = 60, 20, 3
WORDS = (85, 150)
"""Words of a tossup, shortest and longest."""
TOURNAMENTS, TEAMS, SHARED = 220, 33, 1500
"""Mirrors of one set, teams of each, and names that these teams share: 7,260 teams."""
BOUNDS = {1_000_000: (25, 1024), 10_000_000: (250, 8192)}
"""Buzzes → seconds of CPU and MB at most."""
CATEGORIES = ("History", "Literature", "Science", "Arts", "Religion", "Geography")
VOCABULARY = 3000


def _packets(folder: Path, rng) -> np.ndarray:
    """Write the packets; words of each tossup (packets, tossups)."""
    words = np.array([f"w{''.join(rng.choice(list('aeioulnrst'), rng.integers(2, 11)))}" for _ in range(VOCABULARY)])  # fmt: skip

    def text(n: int) -> str:
        drawn = rng.choice(words, n)
        # A sentence has some twenty words; some tossups have a power mark and a guide.
        return " ".join(word + "." * int(i % 20 == 19 or i == n - 1) for i, word in enumerate(drawn))

    lengths = rng.integers(*WORDS, (PACKETS, TOSSUPS))
    folder.mkdir()
    for number, own in enumerate(lengths, start=1):
        tossups = []
        for n in own:
            spoken = text(n).split(" ")
            spoken.insert(n // 2, "(*)")
            tossups.append({"question": f"<b>{' '.join(spoken[: n // 2])}</b> {' '.join(spoken[n // 2 :])}", "answer": "<u>x</u> [accept y; prompt on z]", "metadata": str(rng.choice(CATEGORIES))})  # fmt: skip
        bonuses = [
            {"leadin": text(12), "parts": [text(20) for _ in range(PARTS)], "answers": ["x"] * PARTS, "values": [10] * PARTS,
             "difficultyModifiers": list("emh"), "metadata": str(rng.choice(CATEGORIES))}
            for _ in range(TOSSUPS)
        ]  # fmt: skip
        name = f"Packet {number}"
        document = {"name": name, "tossups": tossups, "bonuses": bonuses}
        (folder / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
    return lengths


def write(folder: Path, rows: int, seed: int = 0) -> None:
    """Buzz, heard, roster and bonus CSV of about ``rows`` buzzes, and packets, in ``folder``."""
    rng = np.random.default_rng(seed)
    lengths = _packets(folder / "packets", rng)
    # Names of a mirror's teams differ; other mirrors have teams of the same names.
    names = np.array([f"School {i:04d} {'AB'[i % 2]}" for i in range(SHARED)])
    teams = np.concatenate([rng.choice(SHARED, TEAMS, replace=False) for _ in range(TOURNAMENTS)])
    games = int(rows / TOSSUPS / 1.4) + 1
    mirror = rng.integers(0, TOURNAMENTS, games)
    titles = np.array([f"Mirror {i:03d}" for i in range(TOURNAMENTS)])
    one = rng.integers(0, TEAMS, games)
    sides = np.array([mirror * TEAMS + one, mirror * TEAMS + (one + rng.integers(1, TEAMS, games)) % TEAMS])  # fmt: skip
    packet = rng.integers(1, PACKETS + 1, games)
    game = np.repeat(np.arange(games), TOSSUPS)
    tossup = np.tile(np.arange(1, TOSSUPS + 1), games)
    length = lengths[packet[game] - 1, tossup - 1]
    two = rng.random(len(game)) < 0.4
    early = rng.integers(5, length - 10)
    negged = rng.integers(0, 2, len(game))

    def base(at):
        return {"tournament": titles[mirror[at]], "round": packet[at], "game": at + 1}

    def named(packets):
        return np.char.add("Packet ", packets.astype(str))

    def part(at, word, value, side):
        team = sides[side, game[at]]
        person = np.char.add("Player ", (teams[team] * 4 + rng.integers(0, 4, len(at))).astype(str))
        more = {"packet": named(packet[game[at]]), "tossup": tossup[at], "team": names[teams[team]]}
        return pd.DataFrame(base(game[at]) | more | {"player": person, "buzz_position": word, "value": value})  # fmt: skip

    every = np.arange(len(game))
    wrong = part(every[two], early[two], -5, negged[two])
    value = np.where(rng.random(len(game)) < 0.2, 15, 10)
    late = np.minimum(early + rng.integers(1, 10, len(game)), length)
    right = part(every, np.where(two, late, early), value, 1 - negged)
    buzzes = pd.concat([wrong, right]).sort_values(["game", "tossup", "buzz_position"])
    buzzes.to_csv(folder / "buzzes.csv", index=False)
    both, asked = np.tile(game, 2), np.tile(tossup, 2)
    own = names[teams[np.concatenate([sides[0][game], sides[1][game]])]]
    heard = base(both) | {"tossup": asked, "team": own, "packet": named(packet[both])}
    pd.DataFrame(heard).to_csv(folder / "heard.csv", index=False)
    of_game = np.repeat(np.arange(games), 8)
    seat = np.tile(np.arange(4), 2 * games)
    team = np.repeat(sides.T.ravel(), 4)
    person = np.char.add("Player ", (teams[team] * 4 + seat).astype(str))
    rosters = base(of_game) | {"team": names[teams[team]], "player": person, "tossups_heard": TOSSUPS}  # fmt: skip
    pd.DataFrame(rosters).to_csv(folder / "rosters.csv", index=False)
    cycle = np.repeat(every, PARTS)
    points = np.where(rng.random(len(cycle)) < 0.55, 10, 0)
    back = np.where((points == 0) & (rng.random(len(cycle)) < 0.1), "10", "")
    scored = base(game[cycle]) | {"cycle": tossup[cycle], "team": right["team"].to_numpy()[cycle]}
    scored |= {"part": np.tile(np.arange(1, PARTS + 1), len(every)), "points": points}
    scored |= {"bonus": tossup[cycle], "bounceback": back}
    pd.DataFrame(scored).to_csv(folder / "bonuses.csv", index=False)


def run(folder: Path) -> dict:
    """Seconds of CPU by step."""
    from calscore.core import store
    from calscore.tournament import buzz_csv, match_log, quizbowl, report

    taken, start = {}, time.process_time()

    def lap(name):
        nonlocal start
        now = time.process_time()
        taken[name], start = now - start, now

    packs = {path.name: path.read_bytes() for path in sorted((folder / "packets").iterdir())}
    paths = {name: folder / f"{name}.csv" for name in ("buzzes", "heard", "rosters", "bonuses")}
    log = buzz_csv.read_buzz_csv(
        paths["buzzes"], paths["heard"], packs, 0, paths["rosters"], paths["bonuses"]
    )
    lap("read")
    tables = match_log.tidy_tables(log, {}, {})
    # In the workflow what comes next are jobs of their own, which read tables.
    del log
    lap("resolve")
    checked = ("questions", "buzzes", "exposures", "games", "plays", "heard", "rosters")
    for name in (*checked, "sides", "box_scores", "bonus_items", "bonus_plays"):
        store.check(tables[name], name, tables)
    lap("validate")
    # No later job reads these.
    del tables["buzzes"], tables["exposures"]
    quizbowl.quizbowl_tables(tables["plays"], tables["heard"], tables["rosters"], tables["questions"], 0.95)
    lap("summarise")
    names = ("games", "sides", "box_scores", "bonus_plays", "plays", "questions")
    report.report_tables(*(tables[name] for name in names))
    lap("report")
    return {"rows": len(tables["plays"]), "parts": len(tables["bonus_plays"]), **taken}


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Another process writes, so that its memory does not count.
        command = [sys.executable, "-m", "benchmarks.bench_tournament", str(ROWS), name]
        subprocess.run(command, check=True, cwd=ROOT)
        taken = run(folder)
    rows, parts = taken.pop("rows"), taken.pop("parts")
    seconds, memory = next((one for most, one in BOUNDS.items() if rows <= 1.1 * most), (0, 0))
    print(f"\n{rows:,} buzzes and {parts:,} bonus parts of a season, seconds of CPU")
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
