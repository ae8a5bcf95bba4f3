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


FINDING = re.compile("AI systems \\(|of knowledge tell|of how hard an unseen question")


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
    systems = [row for row in table if row["difference"]]
    if not systems:
        return []
    best = max(systems, key=lambda row: float(row["p"]))
    (human,) = (row for row in table if row["kind"] == "human")
    low, high = float(best["difference_low"]), float(best["difference_high"])
    ends = interval(low, high, 2)
    where = "in the last fifth of a question" if int(best["depth"]) else "over all items"
    close = "" if low > 0 or high < 0 else " This is too close to call."
    return [
        f"{fixed(best['p'], 2)} is the chance that the best type of AI systems ({best['agent_type']}) is right {where}; "
        f"that of humans is {fixed(human['p'], 2)} (difference {ends}, 95 % interval).{close}"
    ]


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
    scale = [row["value"] for row in rows(folder, "irt_scale") if row["quantity"] == "aspects"]
    if not scale:
        return []
    *most, last = losses
    tried = f"{', '.join(most)} and {last}" if most else last
    many = (
        "1 kind of knowledge tells"
        if float(scale[0]) == 1
        else f"{float(scale[0]):.0f} kinds of knowledge tell"
    )
    return [f"{many} agents apart. Log-loss of held-out answers: {tried}."]


def text_gain(folder: Path) -> list[str]:
    loss = [row for row in rows(folder, "irt_loss") if row["split"] == "unseen"]
    words = [row["log_loss"] for row in loss if row["model"] == "words"]
    if not words:
        return []
    (row,) = (row for row in loss if row["model"] == "caimira" and row["dimensions"] == "1")
    helps = "tells" if float(row["beyond_words_high"]) < 0 else "does not tell"
    gain = fixed(float(row["log_loss"]) - float(words[0]), 4, sign=True)
    ends = interval(row["beyond_words_low"], row["beyond_words_high"], 4)
    return [
        f"{gain} in log-loss: the text {helps} more of how hard an unseen question is than the number of words heard ({ends})."
    ]


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
