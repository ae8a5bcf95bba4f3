"""Whether the release counts each earlier mark of a file, such as ``[H6, -]``, as two words: positions beside the outputs'.

``python -m benchmarks.positions STUDY``: a folder of results with ``tidy/buzzes`` and ``tidy/output_buzzes``. Teams share a
file by site, and a live model has one mark for each match in which it still buzzed. Which teams a model met is fitted by
packet. Prints the share of human buzzes before the end whose position is then that of the outputs: of all, and, where the
study has texts, of those whose word stands once in its question. The outputs often give the first place of a word that recurs.
Then the numbers of Tables 1 and 5 that the best reading of each source of positions gives, and the same fit of files to
simulated buzzes with marks inserted that way.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from calscore.ledger.multiverse import HumanCurveVariants, rank_readings, scores_under_variants
from calscore.ledger.rounding import Runs

KEY = ["question_id", "team", "correct"]
SITES = {team: int(number > 8) for number in range(1, 18) for team in [f"H{number}"]}
"""The file of a team; from packet 10 on all teams share one."""
SHARED = 10
ANY = "any"
"""An opponent that never answers first."""


def marks_before(rows, files: dict[str, int], opponents: dict[tuple[str, int], tuple]) -> list:
    """Marks before each human buzz of a question in its own file; ``rows``: (team, word, right) in order."""
    marks, answered, counts = Counter(), set(), []
    for team, _, right in rows:
        if team in files:
            counts.append(marks[files[team]])
            marks[files[team]] += 1
            answered |= {team} if right else set()
        else:
            counts.append(0)
            for file in set(files.values()):
                marks[file] += sum(met not in answered for met in opponents.get((team, file), ()))
    return counts


def hits(questions, files, opponents, words: int = 2) -> list[list[bool]]:
    """Whether each buzz without its marks stands where the outputs have it; (rows, words of the outputs, last word) each."""
    return [
        [
            np.isfinite(output) and word < last and word - words * before == output
            for (_, word, _), output, before in zip(
                rows, outputs, marks_before(rows, files, opponents), strict=True
            )
        ]
        for rows, outputs, last in questions
    ]


def _climb(questions, files, opponents, options, words: int):
    """The best (hits, files, opponents) that single changes reach; ``options``: the place of a change → its choices."""

    def count(state) -> int:
        return sum(map(sum, hits(questions, *state, words)))

    state = files, opponents
    best, before = count(state), -1
    while best > before:
        before = best
        for (part, place), choices in options.items():
            for choice in choices:
                trial = tuple(
                    {**old, place: choice} if number == part else old for number, old in enumerate(state)
                )
                if (value := count(trial)) > best:
                    state, best = trial, value
    return best, *state


def fit(questions, models, files, search: bool, words: int = 2):
    """(hits, files, opponents) of a packet; ``search``: whether its files are fitted too."""
    options: dict = {(0, team): (0, 1) for team in files} if search else {}
    met = [ANY, *sorted(files)]
    sets = [(), (ANY, ANY), *((team,) for team in met), *itertools.combinations(met, 2)]
    pairs = list(itertools.product(models, sorted({0, 1} if search else set(files.values()))))
    options |= {(1, pair): sets for pair in pairs}
    return _climb(questions, files, dict.fromkeys(pairs, (ANY,)), options, words)


def packets(buzzes, output_buzzes, questions):
    """Packet → (questions as :func:`hits` takes them, their ids), models, teams."""
    outputs = output_buzzes.drop_duplicates(KEY, keep=False).set_index(KEY)["word_index"]
    last = questions.set_index("question_id")["n_words"] - 1
    for packet, rows in buzzes.groupby("packet"):
        by_question, ids = [], []
        for question, part in rows.sort_values("word_index", kind="stable").groupby("question_id"):
            events = list(part[["team", "word_index", "correct"]].itertuples(index=False, name=None))
            places = [outputs.get((question, team, right), np.nan) for team, _, right in events]
            humans = [
                place if team[0] == "H" else np.nan for (team, *_), place in zip(events, places, strict=True)
            ]
            by_question.append((events, humans, last[question]))
            ids.append(question)
        teams = sorted(set(rows["team"]))
        yield (
            packet,
            by_question,
            ids,
            [t for t in teams if t[0] == "M"],
            [t for t in teams if t[0] == "H"],
        )


def _sound(text: str, output: float) -> bool:
    """Whether the word at the outputs' place stands once in the question, and is not its first."""
    words = [re.sub(r"\W", "", word).lower() for word in text.split()]
    return 0 < output < len(words) and words.count(words[int(output)]) == 1


def fitted(buzzes, output_buzzes, questions):
    """Of each packet its number, questions, their ids, files, and the opponents of its models by the best fit."""
    for packet, by_question, ids, models, teams in packets(buzzes, output_buzzes, questions):
        files = {team: SITES[team] if packet < SHARED else 0 for team in teams}
        yield packet, by_question, ids, models, *fit(by_question, models, files, search=False)[1:]


def table(packets_fitted, questions) -> pd.DataFrame:
    """By packet: human buzzes compared, equal by sites, those whose place is sound, and equal of these.

    ``held_out``: equal where opponents are fitted to every other question and counted on the rest.
    """
    texts = questions.set_index("question_id")["text"]
    records = []
    for packet, by_question, ids, models, files, opponents in packets_fitted:
        record = {"packet": packet, "compared": 0, "equal": 0, "held_out": 0, "sound": 0, "equal_of_sound": 0}  # fmt: skip
        for half in (0, 1):
            _, _, other = fit(by_question[half::2], models, files, search=False)
            record["held_out"] += sum(map(sum, hits(by_question[1 - half :: 2], files, other)))
        flags = hits(by_question, files, opponents)
        for question, (rows, outputs, last), equals in zip(ids, by_question, flags, strict=True):
            for (_, word, _), output, equal in zip(rows, outputs, equals, strict=True):
                if np.isfinite(output) and word < last:
                    sound = pd.notna(texts[question]) and _sound(texts[question], output)
                    record["compared"] += 1
                    record["equal"] += int(equal)
                    record["sound"] += int(sound)
                    record["equal_of_sound"] += int(sound and equal)
        records.append(record)
    return pd.DataFrame(records)


def corrected(packets_fitted, buzzes) -> pd.DataFrame:
    """The buzzes before the end without the marks before them; those in the last word stay."""
    moved = buzzes.set_index(KEY)["word_index"].copy()
    for _, by_question, ids, _, files, opponents in packets_fitted:
        for question, (rows, _, last) in zip(ids, by_question, strict=True):
            counts = marks_before(rows, files, opponents)
            for (team, word, right), before in zip(rows, counts, strict=True):
                if word < last:
                    moved[question, team, right] = max(word - 2 * before, 0)
    return buzzes.assign(word_index=moved.to_numpy())


def best_readings(buzzes, guesses, judgements, questions, exposures, published) -> pd.DataFrame:
    """The best reading of each column of Tables 1 and 5 that rests on h, and how many of its numbers it gives."""
    runs = Runs(guesses, judgements, questions)
    humans = HumanCurveVariants(runs, buzzes, None, exposures)
    readings, _ = rank_readings(scores_under_variants(runs, humans), published)
    best = readings[(readings["rank"] == 1) & readings["h_source"].notna()]
    return best[["table", "metric", "within", "cells", "tried", "deviation_mean"]]


def simulated(seed: int, n_questions: int = 20):
    """A packet with marks inserted as the account has it: (questions, models, the true files)."""
    rng = np.random.default_rng(seed)
    teams = [f"H{number}" for number in range(1, 13)]
    files = dict(zip(teams, rng.permutation([0, 1] * 6), strict=True))
    opponents = {("M1", 0): (ANY,), ("M1", 1): ()}
    questions = []
    for _ in range(n_questions):
        heard = sorted(
            (int(word), team, bool(rng.random() < 0.7))
            for team, word in zip([*teams, "M1"], rng.normal(60, 20, 13).clip(0, 99), strict=True)
            if rng.random() < 0.7
        )
        rows = [(team, word, right) for word, team, right in heard]
        moved = [
            (team, word + 2 * before, right)
            for (team, word, right), before in zip(rows, marks_before(rows, files, opponents), strict=True)
        ]
        # marks keep their order within a file; between files the release sorts by position
        order = np.argsort([word for _, word, _ in moved], kind="stable")
        outputs = [rows[k][1] if rows[k][0][0] == "H" else np.nan for k in order]
        questions.append(([moved[k] for k in order], outputs, 200))
    return questions, ["M1"], files


def recovery(seed: int) -> tuple[float, float]:
    """Shares of pairs of teams put into one file or two rightly, and of positions that come out, from random files."""
    questions, models, truth = simulated(seed)
    rng = np.random.default_rng(seed)
    starts = [
        {team: int(side) for team, side in zip(truth, rng.integers(0, 2, len(truth)), strict=True)}
        for _ in range(4)
    ]
    best, files, _ = max(
        (fit(questions, models, start, search=True) for start in starts),
        key=lambda fitted: fitted[0],
    )
    pairs = [(files[a] == files[b]) == (truth[a] == truth[b]) for a, b in itertools.combinations(truth, 2)]
    compared = sum(np.isfinite(outputs).sum() for _, outputs, _ in questions)
    return float(np.mean(pairs)), best / compared


def main(study: Path) -> None:
    names = "buzzes", "output_buzzes", "questions", "guesses", "exposures"
    tables = {name: pd.read_parquet(study / "tidy" / f"{name}.parquet") for name in names}
    buzzes, questions = tables["buzzes"], tables["questions"]
    packets_fitted = list(fitted(buzzes, tables["output_buzzes"], questions))
    rows = table(packets_fitted, questions)
    print(rows.to_string(index=False))
    print(rows.drop(columns="packet").sum().to_string())
    judgements = pd.read_parquet(study / "judged" / "judgements.parquet")
    published = yaml.safe_load(Path("config/published/grace.yaml").read_text(encoding="utf-8"))
    given = tables["guesses"], judgements, questions, tables["exposures"], published
    for name, source in {
        "released": buzzes,
        "corrected": corrected(packets_fitted, buzzes),
    }.items():
        print(f"{name}\n{best_readings(source, *given).to_string(index=False)}")
    for seed in range(4):
        pairs, places = recovery(seed)
        print(f"simulated, seed {seed}: {pairs:.0%} of pairs of teams, {places:.0%} of positions")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
