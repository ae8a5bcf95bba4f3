"""What Snakemake would run again after each of many corruptions, the workflow parsed once.

``python tests/corruptions.py <plans.json> <count> <folder of the study> -- <arguments of snakemake>`` writes a list
of path, kind and rules. Each dry run, in a fork of the process that has read the workflow, compares with the
records as every run does at its start.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

import deletions
import pyarrow as pa
import pyarrow.parquet as pq


def flipped(path: Path, chance: random.Random) -> None:
    """One bit is another, as a failing disk leaves it."""
    content = bytearray(path.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)


def timed_back(path: Path, chance: random.Random) -> None:
    """One bit is another and the file looks as old as it was."""
    known = path.stat()
    flipped(path, chance)
    os.utime(path, ns=(known.st_atime_ns, known.st_mtime_ns))


def exchanged(path: Path, chance: random.Random) -> None:
    """Another file of the same size and time stands in its place."""
    known, new = path.stat(), path.with_name("other")
    shutil.copy(path, new)
    flipped(new, chance)
    os.utime(new, ns=(known.st_atime_ns, known.st_mtime_ns))
    os.replace(new, path)


def cut(path: Path, chance: random.Random) -> None:
    """The end is gone."""
    os.truncate(path, path.stat().st_size // 2)


def longer(path: Path, chance: random.Random) -> None:
    """Something was added to the end."""
    with path.open("ab") as handle:
        handle.write(b"\n")


def edited(path: Path, chance: random.Random) -> None:
    """A number of a table is another; the table is as valid as before, and no check may count it again."""
    table = pq.read_table(path)
    numbers = [
        n for n, kind in enumerate(table.schema.types) if pa.types.is_floating(kind) and len(table)
    ]
    if not numbers:
        return flipped(path, chance)
    column = chance.choice(numbers)
    values = table.column(column).to_pylist()
    row = chance.randrange(len(values))
    values[row] = 0.25 if values[row] is None else values[row] * 0.5 + 0.125
    field = table.schema.field(column)
    pq.write_table(
        table.set_column(column, field, pa.array(values, field.type)), path, compression="zstd"
    )
    return None


BYTES = [flipped, timed_back, exchanged, cut, longer]


def chosen(folder: Path, count: int) -> list[tuple[Path, Callable]]:
    """Files of raw, simulated and intermediate folders, half of them tables whose values are edited."""
    chance = random.Random(21)
    kept = {"audit", "logs", "benchmarks", "tables", "figures", "notebooks", "export"}
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.stat().st_size
        and path.name[0] != "."
        and path.relative_to(folder).parts[0] not in kept
        and len(path.relative_to(folder).parts) > 1
    ]
    raw = [path for path in files if path.relative_to(folder).parts[0] in ("raw", "simulated")]
    tables = [path for path in files if path.suffix == ".parquet"]
    found = [(path, edited) for path in chance.sample(tables, min(count // 2, len(tables)))]
    while len(found) < count:
        of = raw if len(found) % 2 else files
        found.append((chance.choice(of), BYTES[len(found) % len(BYTES)]))
    return found


@contextmanager
def corrupted(path: Path, corrupt: Callable, chance: random.Random):
    """With a corruption; the file comes back as it was."""
    kept = path.with_name(f"{path.name}.kept")
    shutil.copy2(path, kept)
    hidden = kept.rename(Path("kept"))
    before = path.read_bytes()
    corrupt(path, chance)
    assert path.read_bytes() != before, f"{path} is as it was"
    yield
    path.write_bytes(before)
    shutil.copystat(hidden, path)
    hidden.unlink()


def main() -> None:
    end = sys.argv.index("--")
    target, count, folder = sys.argv[1:end]

    def compare(workflow):
        from calscore.runner import job_records

        job_records.note_changes(workflow.rules, [folder])

    def each(plan):
        chance = random.Random(7)
        plans = [["", "", plan(compare)]]
        for path, corrupt in chosen(Path(folder), int(count)):
            with corrupted(path, corrupt, chance):
                rules = plan(compare)
            for note in Path(folder, "logs").rglob("*.changed"):
                note.unlink()
            plans.append([path.relative_to(folder).as_posix(), corrupt.__name__, rules])
        return plans

    deletions.write_plans(target, sys.argv[end + 1 :], each)


if __name__ == "__main__":
    main()
