"""The answer engine beside its peers on the same cases: ``make bench-answers``.

    python -m benchmarks.answers            print how often each is right, and how fast
    python -m benchmarks.answers --write    replace the tables of docs/answers.md as well
    python -m benchmarks.answers --wrong qbreader    list what the engine gets wrong in a set, and no more

Sets whose files are not there, and peers that cannot run, are named and left out.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pandas as pd
from calscore.judging import evaluation, training
from calscore.stats.resample import group_folds

from .. import ROOT
from . import sets
from .peers import PEERS, engine, engine_judgements, judged_by
from .sets import Absent, Case

PAGE = ROOT / "docs" / "answers.md"
LEFT_OUT = "–"
SLOW = 1000
"""Cases on which PEDANT is timed."""
MARKED = "GRACE, authors' marks"
TUNED = "PEDANT, tuned"
COLUMNS = [name for peer in PEERS for name in ([peer, TUNED] if peer == "PEDANT" else [peer])]
THREE_WAY = ["engine", "qb-answer-checker"]
"""Those that can prompt."""
_FOLDS = 10


def known_sets() -> dict[str, list[Case]]:
    """Title → cases of the sets that are there."""
    makers = {
        "qbreader": sets.qbreader,
        "EVOUNA NQ": lambda: sets.evouna("EVOUNA-NQ"),
        "EVOUNA TQ": lambda: sets.evouna("EVOUNA-TQ"),
        MARKED: lambda: sets.grace(adjudicated=False),
        "GRACE, adjudicated": sets.grace,
    }
    makers |= {f"own: {name}": lambda name=name: sets.suite(name) for name in sets.suites()}
    found = {}
    for title, make in makers.items():
        try:
            found[title] = make()
        except Absent as error:
            print(f"{title} is left out: {error}")
    return found


def by_folds(likeness: list[float], right: np.ndarray, groups: list[str]) -> np.ndarray:
    """Accepted or not, each fold by the threshold that serves the other folds best."""
    likeness, fold = np.array(likeness), group_folds([g.casefold() for g in groups], _FOLDS, 0)
    accepted = np.zeros(len(right), bool)
    for k in np.unique(fold):
        train, out = fold != k, fold == k
        gains = [((likeness[train] >= t) == right[train]).mean() for t in range(102)]
        accepted[out] = likeness[out] >= int(np.argmax(gains))
    return accepted


def unseen() -> dict[str, list[str]]:
    """Verdicts of the engine on EVOUNA by source, its score fitted without the question at hand."""
    rows = training.read_pairs(sets.there("answers/evouna_dev.jsonl"))
    judged = evaluation.cross_validate(rows)
    return {
        source: np.where(part["accepted"], "accept", "reject").tolist()
        for source, part in judged.groupby("source")
    }


def figures(cases: list[Case], found: list, exact: np.ndarray) -> dict[str, float]:
    """How often verdicts or likenesses are right; shares of 1, counts of wrong ones."""
    expected = [case.expected for case in cases]
    right = np.array([one == "accept" for one in expected])
    if isinstance(found[0], str):
        accepted = np.array([one == "accept" for one in found])
    else:
        accepted = by_folds(found, right, [case.group for case in cases])
        found = ["accept" if one else "reject" for one in accepted]
    return {
        "cases": len(cases),
        "right": float((accepted == right).mean()),
        "three_way": float(np.mean([a == b for a, b in zip(found, expected, strict=True)])),
        "false_accepts": int((accepted & ~right).sum()),
        "false_rejects": int((~accepted & right).sum()),
        "balanced_not_exact": evaluation.balanced_accuracy(accepted[~exact], right[~exact]),
    }


def rule_hits(known: dict[str, list[Case]]) -> list[str]:
    """A Markdown table: cases that each rule decides on the public sets and on the own suites, and how many wrongly."""
    counts: dict[str, Counter] = {}
    for title, cases in known.items():
        if title == MARKED:
            continue
        kind = "own" if title.startswith("own") else "public"
        two_way = kind == "public" and title != "qbreader"
        for case, judged in zip(cases, engine_judgements(cases), strict=True):
            verdicts = [judged.verdict, case.expected]
            if two_way:
                verdicts = [verdict == "accept" for verdict in verdicts]
            count = counts.setdefault(judged.rule, Counter())
            count.update({kind: 1, f"{kind} wrong": verdicts[0] != verdicts[1]})
    out = ["| rule | public sets | wrong | own suites | wrong |", "|---|---|---|---|---|"]
    columns = ("public", "public wrong", "own", "own wrong")
    for rule, count in sorted(counts.items(), key=lambda item: (-item[1].total(), item[0])):
        out.append(f"| {rule} | {' | '.join(f'{count[column]:,}' for column in columns)} |")
    return out


def compare() -> tuple[pd.DataFrame, dict[str, str]]:
    """Every peer on every set, in long form; and who could not run, with the reason."""
    rows, absent, folds = [], {}, None
    for title, cases in known_sets().items():
        said: dict[str, list] = {}
        for name, peer in PEERS.items():
            if name in absent:
                continue
            try:
                if name == "engine" and title.startswith("EVOUNA"):
                    folds = folds or unseen()
                    said[name] = folds[title.replace(" ", "-")]
                else:
                    judged = peer(cases)
                    said[name] = judged.found
                    if judged.likeness:
                        said[TUNED] = judged.likeness
            except Absent as error:
                absent[name] = str(error)
                print(f"{name} is left out: {error}")
        parts = {title: np.ones(len(cases), bool)}
        if any(case.system for case in cases):
            parts[f"{title}, one reader"] = np.array([case.system == "fid" for case in cases])
        for part, of in parts.items():
            some = [case for case, yes in zip(cases, of, strict=True) if yes]
            exact = np.array([one == "accept" for one in said["exact match"]])[of]
            for name, found in said.items():
                kept = [one for one, yes in zip(found, of, strict=True) if yes]
                rows.append({"set": part, "matcher": name, **figures(some, kept, exact)})
    return pd.DataFrame(rows), absent


def speed() -> pd.DataFrame:
    """Judgements a second of CPU time, each matcher in a new process: first pass and second."""
    try:
        cases = sets.gpr()
    except Absent as error:
        print(f"speed is left out: {error}")
        return pd.DataFrame()
    one_each = list({case.lines: case for case in reversed(cases)}.values())
    rows = []
    for title, some in (("many guesses a line", cases), ("one guess a line", one_each)):
        for name in PEERS:
            used = some[:SLOW] if name == "PEDANT" else some
            try:
                with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                    first, second = pool.submit(judged_by, name, used, 2).result().seconds
            except Absent:
                continue
            rates = {"cold": len(used) / first, "warm": len(used) / second}
            rows.append({"of": title, "matcher": name, "cases": len(used), **rates})
    return pd.DataFrame(rows)


def import_seconds() -> float:
    """CPU seconds that importing the engine takes, the least of five."""
    code = (
        "import time; t = time.process_time(); from calscore.answers import judge, parse;"
        "print(time.process_time() - t)"
    )
    command = [sys.executable, "-c", code]
    place = ROOT / "workflow"
    runs = [subprocess.run(command, capture_output=True, text=True, cwd=place) for _ in range(5)]
    return min(float(run.stdout) for run in runs)


def wrong(title: str) -> None:
    """Print the cases of a set that the engine decides otherwise."""
    cases = known_sets().get(title)
    if cases is None:
        raise SystemExit(f"no set {title!r}")
    found = unseen()[title.replace(" ", "-")] if "EVOUNA" in title else engine(cases).found
    two_way = "prompt" not in {case.expected for case in cases} or title.startswith("GRACE")
    for case, verdict in zip(cases, found, strict=True):
        verdicts = {verdict, case.expected}
        if len(verdicts) > 1 and not (two_way and verdicts == {"prompt", "reject"}):
            print(f"{verdict}, not {case.expected} | {case.guess!r} | {' / '.join(case.lines)}")


def cells(table: pd.DataFrame, rows: str, text, names: list[str]) -> list[str]:
    """A Markdown table: a row for each value of ``rows``, a column for each matcher of ``names``."""
    out = [f"| {' | '.join([rows, 'cases', *names])} |", "|" + "---|" * (len(names) + 2)]
    for title, part in table.groupby(rows, sort=False):
        by = {row.matcher: row for row in part.itertuples()}
        found = [text(by[name]) if name in by else LEFT_OUT for name in names]
        count = f"{part['cases'].max():,}"
        out.append(f"| {' | '.join([title, count, *found])} |")
    return out


def right_text(row) -> str:
    return f"{100 * row.right:.1f} ({row.false_accepts})"


def three_way_text(row) -> str:
    return f"{100 * row.three_way:.1f}"


def speed_text(row) -> str:
    return f"{row.cold:,.0f}, {row.warm:,.0f}"


def written(page: str, name: str, lines: list[str]) -> str:
    """The page with the lines between its comments ``name`` and ``end of name``."""
    pattern = rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)"
    made, count = re.subn(pattern, lambda m: m[1] + "\n".join(lines) + "\n" + m[2], page, flags=re.S)
    if count != 1:
        raise SystemExit(f"{PAGE.name} has no one place for {name}")
    return made


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.answers", description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--wrong", metavar="SET")
    given = parser.parse_args(arguments)
    if given.wrong:
        return wrong(given.wrong)
    fast = speed()
    table, absent = compare()
    pd.set_option("display.width", 200, "display.max_rows", None)
    print(table.round(4).to_string(index=False))
    with_prompts = table[~table["set"].str.contains("EVOUNA|GRACE")]
    tables = {
        "accuracy": cells(table, "set", right_text, COLUMNS),
        "three-way": cells(with_prompts, "set", three_way_text, THREE_WAY),
    }
    tables["accuracy"] += [f"\n{name} is left out: {why}." for name, why in absent.items()]
    tables["hits"] = rule_hits(known_sets())
    if len(fast):
        tables["speed"] = cells(fast, "of", speed_text, list(PEERS))
    for name, lines in tables.items():
        print(f"\n{name}\n" + "\n".join(lines))
    print(f"\nimport: {import_seconds():.3f} s of CPU time")
    if given.write:
        page = PAGE.read_text(encoding="utf-8")
        for name, lines in tables.items():
            page = written(page, name, lines)
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
