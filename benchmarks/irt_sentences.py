"""Derive every sentence on item responses of a study's first page from its tables, sharing no code with the pages.

``python -m benchmarks.irt_sentences results/demo-irt results/grace``: each sentence beside what the tables say; ends with
status 1 where a number or a word differs.
"""

from __future__ import annotations

import csv
import html
import re
import sys
from pathlib import Path

NUMBER = re.compile(r"[+−-]?\d+\.\d+|\d+")


def rows(folder: Path, name: str) -> list[dict]:
    """Rows of a CSV table as text; none where the study has no such table."""
    path = folder / "tables" / f"{name}.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def sentences(folder: Path) -> list[str]:
    """Items of the section on item responses of index.html."""
    page = (folder / "index.html").read_text(encoding="utf-8")
    (section,) = re.findall(r'<section id="tells">(.*?)</section>', page, re.DOTALL)
    return [
        html.unescape(re.sub("<[^>]+>", "", item)) for item in re.findall("<li>(.*?)</li>", section)
    ]


def fixed(value, digits: int, sign: bool = False) -> str:
    return f"{float(value):{'+' if sign else ''}.{digits}f}".replace("-", "−")


def chances(folder: Path) -> list[str]:
    table = rows(folder, "irt_accuracy")
    depth = max((int(row["depth"]) for row in table), default=0)
    numbers = []
    for row in table:
        if int(row["depth"]) == depth:
            numbers += NUMBER.findall(row["agent_type"]) if row["kind"] == "ai" else []
            numbers += [fixed(row[name], 2) for name in ("p", "low", "high")]
            if row["difference"]:
                names = ("difference", "difference_low", "difference_high")
                numbers += [fixed(row[name], 2, sign=True) for name in names]
    return numbers


def bracket(folder: Path) -> list[str]:
    table = [row for row in rows(folder, "irt_readings") if row["reading"] == "censored"]
    table.sort(key=lambda row: float(row["wait"]))
    if not table:
        return []
    return [
        fixed(table[0]["p_human"], 2),
        *(fixed(table[-1][name], 2) for name in ("wait", "p_human")),
    ]


def aspects(folder: Path) -> list[str]:
    table = [row for row in rows(folder, "irt_loss") if row["model"] == "caimira" and row["split"] == "seen"]  # fmt: skip
    return [text for row in table for text in (fixed(row["log_loss"], 3), row["dimensions"])]


def text_gain(folder: Path) -> list[str]:
    numbers = []
    for row in rows(folder, "irt_loss"):
        if row["split"] == "unseen" and row["beyond_words"]:
            numbers.append(fixed(float(row["log_loss"]) - float(row["beyond_words"]), 3))
            names = ("beyond_words", "beyond_words_low", "beyond_words_high")
            numbers += [fixed(row[name], 4, sign=True) for name in names]
    return numbers


def expected(folder: Path) -> list[tuple[str, list[str]]]:
    """A word that each sentence must have, and its numbers, in order."""
    few = [row for row in rows(folder, "irt_agents") if row["compared"] == "False"]
    many = next(float(row["value"]) for row in rows(folder, "irt_scale") if row["quantity"] == "aspects")  # fmt: skip
    loss = [row for row in rows(folder, "irt_loss") if row["split"] == "unseen" and row["beyond_words_high"]]  # fmt: skip
    helps = bool(loss) and float(loss[0]["beyond_words_high"]) < 0
    deep = any(int(row["depth"]) for row in rows(folder, "irt_accuracy"))
    claims = [
        ("In the last fifth" if deep else "Over all items", chances(folder)),
        ("buzz once they know the answer", bracket(folder)),
        ("stay out of comparisons", [str(len(few))] if few else []),
        ("agents are good" if many > 1 else "agents are not told", aspects(folder)),
        ("The text tells more" if helps else "The text does not tell more", text_gain(folder)),
    ]
    return [(word, numbers) for word, numbers in claims if numbers]


def differences(folder: Path) -> list[str]:
    """What a page says that its tables do not."""
    said, wanted = sentences(folder), expected(folder)
    faults = [] if len(said) == len(wanted) else [f"{len(said)} sentences, {len(wanted)} expected"]
    for sentence, (word, numbers) in zip(said, wanted, strict=False):
        if word not in sentence or NUMBER.findall(sentence) != numbers:
            faults.append(f"{sentence}\n  tables: {word} … {', '.join(numbers)}")
    return faults


def main() -> None:
    failed = False
    for name in sys.argv[1:]:
        faults = differences(Path(name))
        print(
            f"{name}: {len(sentences(Path(name)))} sentences, {len(faults)} differ",
            *faults,
            sep="\n",
        )
        failed |= bool(faults)
    sys.exit(failed)


if __name__ == "__main__":
    main()
