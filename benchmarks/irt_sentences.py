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


FINDING = re.compile(
    "of agents. Chance|in the model. Log-loss|is the log-loss on questions left out"
)


def texts(items: list[str]) -> list[str]:
    """Text of pieces of HTML, without links."""
    items = [re.sub("<a.*?</a>", "", item, flags=re.DOTALL) for item in items]
    return [" ".join(html.unescape(re.sub("<[^>]+>", " ", item)).split()) for item in items]


def sentences(folder: Path) -> tuple[list[str], list[str]]:
    """The findings on item responses of index.html, and the items of their section."""
    page = (folder / "index.html").read_text(encoding="utf-8")
    section = "".join(re.findall(r'<section id="tells">(.*?)</section>', page, re.DOTALL))
    items = re.findall(r"<li(?: [^>]*)?>((?:(?!</li>).)*)</li>", page, re.DOTALL)
    findings = [text for text in texts(items) if FINDING.search(text)]
    return findings, texts(re.findall("<li>(.*?)</li>", section, re.DOTALL))


def fixed(value, digits: int, sign: bool = False) -> str:
    return f"{float(value):{'+' if sign else ''}.{digits}f}".replace("-", "−")


def interval(low, high, digits: int) -> str:
    low, high = float(low), float(high)
    return (" to " if low < 0 or high < 0 else "–").join(fixed(end, digits) for end in (low, high))


def deepest(folder: Path) -> list[dict]:
    """Rows of irt_accuracy of the last fifth, or of all items where there are no fifths."""
    table = rows(folder, "irt_accuracy")
    depth = max((int(row["depth"]) for row in table), default=0)
    return [row for row in table if int(row["depth"]) == depth]


def finding(folder: Path) -> list[str]:
    table = deepest(folder)
    kinds = {kind: [row for row in table if row["kind"] == kind] for kind in ("human", "ai")}
    if len(kinds["human"]) > 1:
        kinds["human"] = [row for row in kinds["human"] if row["agent_type"] != "human"]
    if not all(kinds.values()):
        return []
    listed = [row for part in kinds.values() for row in part[:4]]
    chances = [
        f"{row['agent_type']} {fixed(row['p'], 2)} ({interval(row['low'], row['high'], 2)})"
        for row in listed
    ]
    place = "in the last fifth of a question" if int(table[0]["depth"]) else "over all items"
    read = " That of humans is read from buzzes." * bool(rows(folder, "irt_readings"))
    return [
        f"{len(listed)} types of agents. Chance of a right answer {place} (95 % intervals): {'; '.join(chances)}.{read}"
    ]


def bracket(folder: Path) -> list[str]:
    table = [row for row in rows(folder, "irt_readings") if row["reading"] == "censored"]
    if not table:
        return []
    least, most = (choose(table, key=lambda row: float(row["wait"])) for choose in (min, max))
    source = ", as models did that also had to guess" * (most["wait_source"] == "measured")
    return [
        "If humans buzz once they know the answer, a single player or team is right in the last fifth of a question with "
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


def chosen_aspects(folder: Path) -> str:
    (scale,) = (row for row in rows(folder, "irt_scale") if row["quantity"] == "aspects")
    return f"{float(scale['value']):.0f}"


def several(number: str) -> str:
    return f"{number} aspect{'s' * (number != '1')}"


def aspects(folder: Path) -> list[str]:
    losses = {
        row["dimensions"]: float(row["log_loss"])
        for row in rows(folder, "irt_loss")
        if row["model"] == "caimira" and row["split"] == "seen"
    }
    if not losses:
        return []
    *most, last = [f"{fixed(loss, 3)} with {number}" for number, loss in losses.items()]
    tried = f"{', '.join(most)} and {last}: lowest with {min(losses, key=losses.get)}"
    return [
        f"{several(chosen_aspects(folder))} in the model. Log-loss of held-out answers to questions that others answered "
        f"(lower is better) is {tried if most else last}."
    ]


def text_gain(folder: Path) -> list[str]:
    loss = [row for row in rows(folder, "irt_loss") if row["split"] == "unseen"]
    words = [float(row["log_loss"]) for row in loss if row["model"] == "words"]
    if not words:
        return []
    gains = {}
    for row in loss:
        if row["model"] == "caimira":
            gain = fixed(float(row["log_loss"]) - words[0], 4, sign=True)
            ends = interval(row["beyond_words_low"], row["beyond_words_high"], 4)
            gains[row["dimensions"]] = gain, f"({ends})"
    chosen = chosen_aspects(folder)
    gain, ends = gains[chosen]
    text = (
        f"{gain} is the log-loss on questions left out (lower is better) with texts and {several(chosen)}, less that with "
        f"the number of words heard alone {ends}."
    )
    if chosen != "1":
        text += " With one aspect, where texts tell difficulty alone: {} {}.".format(*gains["1"])
    return [text]


def differences(folder: Path) -> list[str]:
    """What a page says that its tables do not, and what it does not say; it has three findings, others may go before."""
    findings, section = sentences(folder)
    wanted = [line for part in (finding, aspects, text_gain) for line in part(folder)]
    faults = [f"page:   {line}" for line in findings if line not in wanted]
    faults += [f"tables: {line}" for line in wanted[: len(findings)] if line not in findings]
    wanted = [line for part in (bracket, left_out) for line in part(folder)]
    faults += [f"page:   {line}" for line in section if line not in wanted]
    faults += [f"tables: {line}" for line in wanted if line not in section]
    return faults or ["the order differs"] * (section != wanted)


def main() -> None:
    failed = False
    for name in sys.argv[1:]:
        faults = differences(Path(name))
        print(f"{name}: {sum(map(len, sentences(Path(name))))} sentences", *faults, sep="\n")
        failed |= bool(faults)
    sys.exit(failed)


if __name__ == "__main__":
    main()
