"""Tables of guesses judged by the engine, and the other matchers that papers use."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import pandas as pd
from rapidfuzz import fuzz

from ..answers.answerline import Answerline
from ..answers.grammar import LONGEST
from ..answers.hybrid_judge import (
    Undecided,
    decide,
    judge,
    rule_verdict_or_features,
    standing,
)
from ..answers.parse import parse
from ..answers.rules import Judgement
from ..answers.score import Model
from ..core import store
from ..core.errors import DataError, Faults
from ..core.progress import progress

MATCHERS = ("engine", "exact", "f1", "fuzzy")
F1_THRESHOLD = 0.5  # share of tokens, SQuAD-style
FUZZY_THRESHOLD = 0.9  # CAIMIRA gives no number: "tuned against human judgments on a small dev set"
TOO_LONG = "too long"
"""Rule of a guess that is longer than any answer: a model that repeats itself until its token limit."""
_PAIR_COLUMNS = ("question_id", "guess", "condition", "answerline")

_PairTexts = dict[tuple[str, str, str], tuple[str, str | None, str | None]]


def _distinct_pairs(pairs: pd.DataFrame) -> _PairTexts:
    """(question_id, guess, condition), '' for missing → (answer line, question, tossup); ``DataError`` as
    :func:`judge_pairs`."""
    faults = Faults("pairs")
    for column in _PAIR_COLUMNS:
        if column not in pairs:
            faults.add("", column, None, "the column to be present")
    faults.refuse()
    rows: _PairTexts = {}
    lines: dict[object, str] = {}
    columns = [pairs[c].tolist() for c in _PAIR_COLUMNS]
    question_words = pairs["question"].tolist() if "question" in pairs else [None] * len(pairs)
    read = pairs["tossup"].tolist() if "tossup" in pairs else [None] * len(pairs)
    for key, guess, condition, line, question, tossup in zip(*columns, question_words, read, strict=True):
        earlier_line = lines.setdefault(key, line)
        if not isinstance(line, str):
            faults.add(key, "answerline", line, "text")
        elif earlier_line != line:
            faults.add(key, "answerline", line, f"the same as {earlier_line!r}")
        else:
            guess = guess if isinstance(guess, str) else ""
            condition = condition if isinstance(condition, str) else ""
            question = question if isinstance(question, str) and question.strip() else None
            tossup = tossup if isinstance(tossup, str) and tossup.strip() else None
            rows.setdefault((key, guess, condition), (line, question, tossup))
    faults.refuse()
    return rows


def _judgement_table(rows: _PairTexts, judgements: Iterable[Judgement], matcher: str) -> pd.DataFrame:
    """Table judgements with a row for each of ``rows`` and of ``judgements`` (by ``matcher``), in one order."""
    table = pd.DataFrame(
        [(*key, judged[0], *judged, matcher) for key, judged in zip(rows, judgements, strict=True)],
        columns=store.columns("judgements"),
    )
    return table.astype({"score": float})


def judge_pairs(pairs: pd.DataFrame, model: Model | None = None) -> pd.DataFrame:
    """Table judgements, one row per distinct question_id, guess ('' for a missing one) and condition, by first appearance.

    ``pairs``: these columns, answerline and perhaps question (short-answer) or tossup (a whole quizbowl one).
    The engine rejects guesses of over :data:`~calscore.answers.grammar.LONGEST` characters (``too long``).
    Raises ``DataError`` where a column is missing, an answer line is not text or a question has two."""
    rows = _distinct_pairs(pairs)
    result: dict[tuple[str, str, str], Judgement | Undecided] = {}
    in_order = sorted(rows, key=lambda key: rows[key][0])  # each line is worked out once
    for key in progress(in_order, "judging guesses"):
        (_, guess, condition), (line, question, tossup) = key, rows[key]
        if len(guess) > LONGEST:
            result[key] = Judgement("reject", 0.0, TOO_LONG)
            continue
        result[key] = rule_verdict_or_features(parse(line), guess, condition, question, None, tossup)
    return _judgement_table(rows, (decide(result[key], model) for key in rows), "engine")


@lru_cache(maxsize=1 << 15)
def squad_normal(text: str) -> str:
    """Lower case without punctuation and articles, as in SQuAD's scorer, but a hyphen is a space."""
    text = re.sub(r"[^\w\s]|_", "", text.lower().replace("-", " "))
    return " ".join(re.sub(r"\b(?:a|an|the)\b", " ", text).split())


def exact_match(alternatives: Iterable[str], guess: str) -> float:
    """1.0 where the guess is one of the alternatives, both as :func:`squad_normal` has them, else 0.0."""
    normal = squad_normal(guess)
    return float(any(normal == squad_normal(a) for a in alternatives))


def token_f1(alternatives: Iterable[str], guess: str) -> float:
    """Highest token F1 (0–1) of the guess with an alternative, both as :func:`squad_normal` has them; 0 without any."""
    tokens = squad_normal(guess).split()
    count, best = Counter(tokens), 0.0
    for a in alternatives:
        second = squad_normal(a).split()
        shared = sum((count & Counter(second)).values())
        best = max(best, 2.0 * shared / (len(tokens) + len(second)) if shared else 0.0)
    return best


def character_ratio(alternatives: Iterable[str], guess: str) -> float:
    """Highest character matching rate (0–1, RapidFuzz ``ratio``) with an alternative, both in SQuAD's normal form.
    CAIMIRA's fuzzy match with answer aliases (its Appendix, Answer Match Evaluation)."""
    normal = squad_normal(guess)
    return max((fuzz.ratio(squad_normal(a), normal) / 100.0 for a in alternatives), default=0.0)


_MEASURES = {
    "exact": (exact_match, 1.0),
    "f1": (token_f1, F1_THRESHOLD),
    "fuzzy": (character_ratio, FUZZY_THRESHOLD),
}


def match_guess(
    answerline: str | Answerline,
    guess: str | None,
    condition: str = "",
    matcher: str = "engine",
) -> Judgement:
    """One guess judged by a matcher of :data:`MATCHERS`; ``DataError`` for another.

    All but ``engine`` compare with what the line accepts under ``condition`` and know neither prompts nor rejects.
    Their rule is the matcher's name (``empty`` for a guess without words), the score their measure (0–1, 4 decimals)."""
    if matcher == "engine":
        return judge(answerline, guess, condition)
    if matcher not in _MEASURES:
        raise DataError.at("judging", "", "matcher", matcher, f"one of {', '.join(MATCHERS)}")
    line = parse(answerline) if not isinstance(answerline, Answerline) else answerline
    measure, threshold = _MEASURES[matcher]
    if not isinstance(guess, str) or not squad_normal(guess):
        return Judgement("reject", 0.0, "empty")
    value = measure(standing(line, condition)[0], guess)
    good = value >= threshold
    return Judgement("accept" if good else "reject", round(value, 4), matcher)


def match_pairs(pairs: pd.DataFrame, matcher: str = "engine", model: Model | None = None) -> pd.DataFrame:
    """Table judgements of ``pairs`` as in :func:`judge_pairs`, by any of :data:`MATCHERS`; ``model`` is for ``engine`` alone."""
    if matcher == "engine":
        return judge_pairs(pairs, model)
    rows = _distinct_pairs(pairs)
    return _judgement_table(
        rows,
        (match_guess(line, guess, condition, matcher) for (_, guess, condition), (line, *_) in rows.items()),
        matcher,
    )
