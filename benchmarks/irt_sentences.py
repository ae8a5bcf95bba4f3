"""Derive every sentence on item responses of a study's first page from its tables, sharing no code with the pages.

``python -m benchmarks.irt_sentences results/demo-irt results/grace``: each sentence beside what the tables say; ends with
status 1 where a word or a number differs.
"""

from __future__ import annotations

import csv
import html
import re
import sys
from pathlib import Path


def rows(folder: Path, name: str) -> list[dict]:
    """Rows of a CSV table as text; none where the study has no such table."""
    path = folder / "tables" / f"{name}.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def sentences(folder: Path) -> list[str]:
    """The finding on item responses of index.html, where there is one, and the items of their section."""
    page = (folder / "index.html").read_text(encoding="utf-8")
    (section,) = re.findall(r'<section id="tells">(.*?)</section>', page, re.DOTALL)
    items = re.findall("<li>(.*?)</li>", section, re.DOTALL)
    for finding in re.findall(r"<li(?: [^>]*)?>(?:(?!</li>).)*</li>", page, re.DOTALL):
        if "AI systems (" in finding and "is the chance that" in finding:
            items.insert(0, re.sub("<a.*?</a>", "", finding, flags=re.DOTALL))
    return [" ".join(html.unescape(re.sub("<[^>]+>", " ", item)).split()) for item in items]


def fixed(value, digits: int, sign: bool = False) -> str:
    return f"{float(value):{'+' if sign else ''}.{digits}f}".replace("-", "−")


def signed_interval(row: dict, name: str, digits: int) -> str:
    ends = (fixed(row[f"{name}_{end}"], digits, sign=True) for end in ("low", "high"))
    return f"({' to '.join(ends)})"


def deepest(folder: Path) -> list[dict]:
    """Rows of irt_accuracy of the last fifth, or of all items where there are no fifths."""
    table = rows(folder, "irt_accuracy")
    depth = max((int(row["depth"]) for row in table), default=0)
    return [row for row in table if int(row["depth"]) == depth]


def finding(folder: Path) -> list[str]:
    table = deepest(folder)
    systems = [row for row in table if row["difference"]]
    if not systems:
        return []
    best = max(systems, key=lambda row: float(row["p"]))
    (human,) = (row for row in table if row["kind"] == "human")
    low, high = float(best["difference_low"]), float(best["difference_high"])
    ends = (" to " if low < 0 or high < 0 else "–").join((fixed(low, 2), fixed(high, 2)))
    where = "in the last fifth of a question" if int(best["depth"]) else "over all items"
    close = "" if low > 0 or high < 0 else " This is too close to call."
    return [
        f"{fixed(best['p'], 2)} is the chance that the best type of AI systems ({best['agent_type']}) is right {where}; "
        f"that of humans is {fixed(human['p'], 2)} (difference {ends}, 95 % interval).{close}"
    ]


def chances(folder: Path) -> list[str]:
    table, parts = deepest(folder), []
    for row in table:
        who = "humans" if row["kind"] == "human" else f"systems of type {row['agent_type']}"
        part = f"{who} {fixed(row['p'], 2)} ({fixed(row['low'], 2)} to {fixed(row['high'], 2)})"
        if row["difference"]:
            gap = fixed(row["difference"], 2, sign=True)
            part += f", {gap} from humans {signed_interval(row, 'difference', 2)}"
        parts.append(part)
    if not parts:
        return []
    where = "In the last fifth of a question" if int(table[0]["depth"]) else "Over all items"
    return [f"{where} the chance of a right answer is: {'; '.join(parts)}."]


def bracket(folder: Path) -> list[str]:
    table = [row for row in rows(folder, "irt_readings") if row["reading"] == "censored"]
    if not table:
        return []
    least, most = (choose(table, key=lambda row: float(row["wait"])) for choose in (min, max))
    source = ", as models did that also had to guess" * (most["wait_source"] == "measured")
    return [
        "The model assumes that humans buzz once they know the answer. Then a single player or team is right there with "
        f"chance {fixed(least['p_human'], 2)}. If they let a known clue pass with chance {fixed(most['wait'], 2)}{source}, "
        f"it is {fixed(most['p_human'], 2)}."
    ]


def left_out(folder: Path) -> list[str]:
    few = sum(row["compared"] == "False" for row in rows(folder, "irt_agents"))
    if not few:
        return []
    noun = "agents" if few > 1 else "agent"
    return [
        f"{few} {noun} with fewer than ten answers, or with answers all alike, stay out of comparisons."
    ]


def aspects(folder: Path) -> list[str]:
    losses = [
        f"{fixed(row['log_loss'], 3)} with {row['dimensions']}"
        for row in rows(folder, "irt_loss")
        if row["model"] == "caimira" and row["split"] == "seen"
    ]
    (number,) = (row["value"] for row in rows(folder, "irt_scale") if row["quantity"] == "aspects")
    word = "are good" if float(number) > 1 else "are not told to be good"
    return [
        f"Beyond a slope on words heard, agents {word} at different questions: the log-loss of held-out answers to seen "
        f"questions by number of aspects is {', '.join(losses)}."
    ]


def text_gain(folder: Path) -> list[str]:
    loss = [row for row in rows(folder, "irt_loss") if row["split"] == "unseen"]
    words = [row["log_loss"] for row in loss if row["model"] == "words"]
    if not words:
        return []
    (row,) = (row for row in loss if row["model"] == "caimira" and row["dimensions"] == "1")
    helps = "tells" if float(row["beyond_words_high"]) < 0 else "does not tell"
    gain = fixed(float(row["log_loss"]) - float(words[0]), 4, sign=True)
    return [
        f"The text {helps} more of how hard an unseen question is than the number of words heard: with one aspect in both "
        f"models it changes the log-loss of {fixed(words[0], 3)} by {gain} {signed_interval(row, 'beyond_words', 4)}."
    ]


SECTION = (finding, chances, bracket, left_out, aspects, text_gain)
"""Sentences in the order of the page; each is left out where its tables have nothing to say."""


def differences(folder: Path) -> list[str]:
    """What a page says that its tables do not, and what it does not say."""
    said, wanted = sentences(folder), [line for part in SECTION for line in part(folder)]
    if not any("best type of AI systems" in line for line in said):
        # A page has three findings; others may go before this one.
        wanted = [line for line in wanted if line not in finding(folder)]
    faults = [f"page:   {line}" for line in said if line not in wanted]
    faults += [f"tables: {line}" for line in wanted if line not in said]
    return faults or ["the order differs"] * (said != wanted)


def main() -> None:
    failed = False
    for name in sys.argv[1:]:
        faults = differences(Path(name))
        print(f"{name}: {len(sentences(Path(name)))} sentences", *faults, sep="\n")
        failed |= bool(faults)
    sys.exit(failed)


if __name__ == "__main__":
    main()
