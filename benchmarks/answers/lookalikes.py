"""Answers of other lines that look alike: ``python -m benchmarks.answers.lookalikes FOLDER``.

Each answer line of the folder gets the nine most similar main answers of other lines of its category.
What is accepted is listed: it is wrong, unless both lines are about one thing. A file holds a line a row
(.txt), or rows or objects with ``answerline`` or ``answer`` and perhaps ``category`` (.csv, .json, .jsonl, also .gz).
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from calscore.answers import judge, parse
from rapidfuzz import fuzz, process

NEIGHBOURS = 9


def rows_of(path: Path) -> Iterator[object]:
    """The rows of a file, or of the longest list in it."""
    opened = gzip.open if path.suffix == ".gz" else open
    kind = path.name.removesuffix(".gz").rpartition(".")[2]
    with opened(path, "rt", encoding="utf-8", newline="") as handle:
        if kind == "txt":
            yield from (line.strip() for line in handle)
        elif kind == "csv":
            yield from csv.DictReader(handle)
        elif kind == "jsonl":
            yield from map(json.loads, handle)
        elif kind == "json":
            data = json.load(handle)
            lists = [v for v in data.values() if isinstance(v, list)] if isinstance(data, dict) else [data]
            yield from max(lists, key=len, default=[])


def answer_lines(folder: Path) -> dict[str, set[str]]:
    """Category → answer lines of the files of a folder, or of one file."""
    lines: dict[str, set[str]] = {}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
        for row in rows_of(path) if path.is_file() else ():
            fields = row if isinstance(row, dict) else {"answer": row}
            line = fields.get("answerline") or fields.get("answer")
            if isinstance(line, str) and line.strip():
                category = str(fields.get("category") or "")
                lines.setdefault(category, set()).add(line.strip())
    return lines


def accepted_lookalikes(
    lines: dict[str, set[str]],
) -> tuple[int, list[tuple[str, str, str, float]]]:
    """How many pairs there are, and line, guess, rule and score of those that are accepted."""
    pairs, accepted = 0, []
    for members in lines.values():
        answers = {line: parse(line).main for line in sorted(members)}
        names = sorted({answer for answer in answers.values() if answer})
        for line, answer in answers.items():
            others = [name for name in names if name.casefold() != answer.casefold()]
            for guess, *_ in process.extract(answer, others, scorer=fuzz.ratio, limit=NEIGHBOURS):
                pairs += 1
                judged = judge(line, guess)
                if judged.verdict == "accept":
                    accepted.append((line, guess, judged.rule, judged.score))
    return pairs, accepted


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.answers.lookalikes", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="+")
    lines: dict[str, set[str]] = {}
    for folder in parser.parse_args(arguments).folder:
        for category, members in answer_lines(folder).items():
            lines.setdefault(category, set()).update(members)
    pairs, accepted = accepted_lookalikes(lines)
    for line, guess, rule, score in accepted:
        print(f"{rule} {score:g} | {guess} | {line[:120]}")
    print(f"{len(accepted)} of {pairs:,} accepted")


if __name__ == "__main__":
    main()
