"""What an answer and a guess have in common: the features of the learned score."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from anyascii import anyascii
from rapidfuzz import fuzz
from rapidfuzz.distance import JaroWinkler, LCSseq

from .lexicon import words
from .normalise import ENGLISH, normal
from .parse import line_of
from .person_names import same_given
from .rule_judge import judge_by_rules
from .rules import Judgement

_STOP = words("small words") | words("small words of the score")
NEGATIONS = words("negations")
_MONTHS = {
    form: number
    for number, name in enumerate(words("months", list), 1)
    for form in (name, name[:3])
} | {"sept": 9}
_COPULAS = words("copulas")
_CAPITAL = re.compile(r"\b[A-Z]\w*")
_RANGE = re.compile(r"\b(1\d{3}|20\d\d)\s*[-/]\s*(\d{4}|\d\d)\b")
_DECADE = re.compile(r"\d{3}0s")
_CENTURY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?[\s-]+century\b", re.I)
_BEFORE = re.compile(r"\b(\d{1,4}) ?B\.?C")
_AMOUNTS = re.compile(r"\b(\d+(?:\.\d+)?) ?(?:-|to) ?(\d+(?:\.\d+)?)\b")
_ASIDE = re.compile(r"\s*\([^()]*\)?")
_PARTS = re.compile(r" (?:and|&) ")
_DENIES = ("in", "un", "non", "im", "il", "ir", "dis", "anti")
# "which two", "the four", "who are the only 2", "father and son both"
_SEVERAL = re.compile(
    r"\b(?:what|which|name|the|'s)(?: \w+)? (?:two|three|four|five|six|seven|[2-7])\b|\bboth\b",
    re.I,
)
_ERA = re.compile(r"\d{3}0s|century|\b(?:BCE?|AD|CE)\b")
_stem_words = ENGLISH.stemWords
_GENERIC_STEMS = frozenset(_stem_words(sorted(words("kinds"))))

_ASKED = {
    "when": r"\bwhen\b|\b(?:what|which) (?:year|date|month|day|decade|century)\b|\bhow (?:old|long)\b",
    "count": r"\bhow (?:many|much|far|tall|big|high|fast)\b|\bnumber of\b|\bpercent",
    "who": r"\bwho(?:m|se)?\b",
    "where": r"\bwhere\b|\b(?:what|which) (?:\w+ )?(?:country|city|state|county|island|place|town)\b",
}
_ASKED_PATTERNS = {kind: re.compile(pattern, re.I) for kind, pattern in _ASKED.items()}
SHAPES = ("date", "number", "name", "long", "common")


class Text(NamedTuple):
    """An answer ready to compare. Sets hold stems; ``content`` lacks stop words if any are left."""

    plain: str
    words: tuple[str, ...]
    stems: tuple[str, ...]
    content: tuple[str, ...]
    known: frozenset[str]
    capitals: frozenset[str]
    numbers: frozenset[str]
    years: frozenset[int]
    months: frozenset[int]
    days: frozenset[str]
    spans: tuple[tuple[int, int], ...]
    amounts: tuple[tuple[float, float], ...]
    parts: int
    shape: str
    sentence: bool


@lru_cache(maxsize=1 << 15)
def content_of(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """A text without what stands in parentheses, its words, their stems, and those of words that carry meaning."""
    raw = _ASIDE.sub(" ", text) if "(" in text else text
    raw = raw if any(map(str.isalnum, raw)) or "_" in raw else text
    if not raw.isascii():
        raw = anyascii(re.sub("[‐-―−]", "-", raw))
    words = normal(raw).tokens if any(map(str.isalnum, raw)) else ()
    stems = tuple(_stem_words(words))
    content = tuple([s for s, w in zip(stems, words, strict=True) if w not in _STOP]) or stems
    return raw, words, stems, content


@lru_cache(maxsize=1 << 15)
def text_of(text: str) -> Text:
    """A text taken apart for comparison."""
    raw, words, stems, content = content_of(text)
    known_words = frozenset(content)
    upper = [w.casefold() for w in _CAPITAL.findall(raw)]
    capitals = known_words.intersection((*upper, *_stem_words(upper))) if upper else frozenset()
    numbers = frozenset(w for w in words if w[0].isdigit())
    years = frozenset(int(w) for w in numbers if len(w) == 4 and w.isdigit() and w < "2101")
    if numbers and (before := _BEFORE.findall(raw)):
        years = frozenset(-int(year) for year in before)
    months = frozenset(_MONTHS[w] for w in words if w in _MONTHS) if numbers else frozenset()
    days = frozenset(w for w in numbers if len(w) < 3) if months else frozenset()
    return Text(
        " ".join(words), words, stems, content, known_words, capitals, numbers, years, months, days,
        _spans(raw) if numbers else (), _amounts(raw) if numbers else (),
        1 + len(_PARTS.findall(raw)), _shape(raw, words, known_words, capitals, numbers, months, years),
        bool(claim_in(raw)),
    )  # fmt: skip


def _spans(raw: str) -> tuple[tuple[int, int], ...]:
    """Spans of years that a text names: 1979-80, the 1980s, the 19th century."""
    result = []
    for match in _RANGE.finditer(raw):
        start, end = match.groups()
        end = start[: 4 - len(end)] + end
        if int(start) <= int(end):
            result.append((int(start), int(end)))
    result += [(int(d[:-1]), int(d[:-1]) + 9) for d in _DECADE.findall(raw)]
    if re.search(r"\bB\.?C", raw):
        return tuple((-100 * int(c), 99 - 100 * int(c)) for c in _CENTURY.findall(raw))
    result += [(int(c) * 100 - 100, int(c) * 100 - 1) for c in _CENTURY.findall(raw)]
    return tuple(result)


def _amounts(raw: str) -> tuple[tuple[float, float], ...]:
    """From what to what a text says that an amount is: 10-12 years; (n, n) for a lone amount."""
    result = [(float(a), float(b)) for a, b in _AMOUNTS.findall(raw)]
    lone = re.findall(r"\b\d+(?:\.\d+)?\b", raw.replace(",", ""))
    return tuple(result or [(float(n), float(n)) for n in lone[:1]])


def _shape(raw, words, stems, capitals, numbers, months, years) -> str:
    """Type of an answer as far as its form shows it: a place or a person is a ``name``."""
    if numbers and (months or _ERA.search(raw) or (years and len(words) < 3)):
        return "date"
    if numbers:
        return "number"
    if len(words) > 4:
        return "long"
    return "name" if words and stems == capitals else "common"


@lru_cache(maxsize=1 << 15)
def claim_in(raw: str) -> str:
    """What a sentence says, as in "She is played by *Rashida Jones*.": what stands
    behind the last copula, "by" or colon; '' for a phrase.
    """
    if raw.count(" ") < 3:
        return ""
    words = raw.replace(":", " :").split()
    if not (len(words) > 5 or (len(words) > 3 and raw.rstrip().endswith("."))):
        return ""
    final = next((i for i in range(len(words), 0, -1) if words[i - 1].casefold() in _COPULAS), 0)
    return " ".join(words[final:]).strip(" .\"'") if final else ""


@lru_cache(maxsize=1 << 12)
def asked_of(question: str) -> tuple[frozenset[str], str]:
    """Stems of a question and what it asks for: when, count, who, where or what."""
    question_words = next((k for k, p in _ASKED_PATTERNS.items() if p.search(question)), "what")
    return frozenset(_stem_words(normal(question).tokens)), question_words


class Side(NamedTuple):
    """The alternatives of one line, and in what share of them each stem occurs."""

    texts: tuple[Text, ...]
    share: dict[str, float]


@lru_cache(maxsize=1 << 12)
def side_of(texts: tuple[str, ...]) -> Side:
    ready = tuple(t for t in map(text_of, dict.fromkeys(texts)) if t.plain)
    counts = Counter(stem for t in ready for stem in t.known)
    return Side(ready, {stem: n / len(ready) for stem, n in counts.items()})


# --------------------------------------------------------------------------- features

_NUMERIC = (
    "f1", "precision", "recall", "precision_new", "recall_new",
    "ratio", "token_set", "token_sort", "partial", "jaro_winkler", "lcs_reference", "lcs_guess",
    "lcs_words_reference", "lcs_words_guess", "length_log_ratio", "longer", "reference_words",
    "guess_words", "inside_guess", "inside_reference", "nothing_missing", "nothing_added",
    "only_question_words_added", "first_agrees", "last_agrees", "reference_ends_in_guess",
    "guess_ends_in_reference", "missing_names", "missing_others", "added_names", "added_others",
    "added_from_question", "missing_from_question", "missing_longest", "missing_shared",
    "missing_generic", "added_generic", "appended", "near", "only_near", "swapped", "numbers_equal", "numbers_conflict",
    "numbers_missing", "numbers_added", "numbers_part", "year_agrees", "year_conflict",
    "month_conflict", "day_conflict", "date_conflict", "coarser_date", "finer_date", "within_span",
    "coarser_date_too", "within_span_too", "within_amounts", "numbers_swapped",
    "prefix_denies", "parts_missing", "given_agrees",
    "surname_agrees", "negation_differs", "sentence", "best_recall", "best_token_set", "alternatives",
    "question_given", "rule_accepts", "rule_doubt", "rule_despite_letters",
)  # fmt: skip
FEATURES = (
    *_NUMERIC,
    *(f"reference_{s}" for s in SHAPES),
    *(f"guess_{s}" for s in SHAPES),
    "shapes_agree",
    *(f"asked_{k}" for k in _ASKED),
    "when_year_agrees",
    "who_guess_is_part",
    "where_guess_is_part",
    "count_numbers_equal",
)


class _Overlap(NamedTuple):
    """Content stems of a pair: shared, missing from the guess, added by it (near ones aside)."""

    shared: frozenset[str]
    near: int
    missing: list[str]
    added: list[str]


def overlap(a: Text, g: Text) -> _Overlap:
    """What answer ``a`` and guess ``g`` share, spellings of one word taken for it."""
    shared = a.known & g.known
    missing = [s for s in a.content if s not in shared]
    added = [s for s in g.content if s not in shared]
    if not (missing and added):
        return _Overlap(shared, 0, missing, added)
    remaining, near = [], 0
    for stem in missing:
        twin = next((x for x in added if _near(stem, x)), None)
        if twin is None:
            remaining.append(stem)
        else:
            added.remove(twin)
            near += 1
    return _Overlap(shared, near, remaining, added)


def _near(a: str, b: str) -> bool:
    """Whether two stems are spellings of one word, or nearly."""
    if min(len(a), len(b)) < 4 or a[0].isdigit() or b[0].isdigit():
        return False
    return fuzz.ratio(a, b) >= 80.0 and not (_denied(a, b) or _denied(b, a))


def _best(side: Side, g: Text) -> tuple[Text, float, float]:
    """The alternative nearest to the guess, the highest recall and token-set ratio of any."""
    best, top, recall, tokens = side.texts[0], -1.0, 0.0, 0.0
    size = len(g.known)
    for a in side.texts:
        shared = len(a.known & g.known)
        covered = shared / len(a.known)
        set_ratio = fuzz.token_set_ratio(a.plain, g.plain) / 100.0
        value = (
            2.0 * shared / (len(a.known) + size)
            + fuzz.ratio(a.plain, g.plain) / 100.0
            + 0.5 * (set_ratio + covered)
        )
        if value > top:
            best, top = a, value
        recall, tokens = max(recall, covered), max(tokens, set_ratio)
    return best, recall, tokens


def _holds(stems: Sequence[str], part: Sequence[str]) -> bool:
    return f" {' '.join(part)} " in f" {' '.join(stems)} "


def appended(a: Text, g: Text, over: _Overlap, question_stems: frozenset[str]) -> int:
    """How many lower-case words that name no kind follow the whole reference: iron *oxide*.

    0 where the guess is not just the reference with one or two such words behind it.
    """
    extra = len(g.stems) - len(a.stems)
    if not 0 < extra < 3 or over.missing or g.stems[: len(a.stems)] != a.stems or g.sentence:
        return 0
    tail = g.stems[len(a.stems) :]
    plain = all(
        s in g.known and s not in g.capitals and s not in question_stems and s.isalpha()
        for s in tail
    )
    return extra if plain and _GENERIC_STEMS.isdisjoint(tail) else 0


def _within(spans: Sequence[tuple[int, int]], years: frozenset[int]) -> bool:
    """Whether all years are in one of the spans."""
    return bool(years) and any(all(low <= year <= high for year in years) for low, high in spans)


def _coarser(a: Text, g: Text) -> bool:
    """Whether a date is the same as the guess, and says less: 1788, 26 January 1788."""
    if a.shape != "date" or not a.years & g.years:
        return False
    if not a.months:
        return bool(g.months) and a.known == {str(year) for year in a.years}
    return a.months == g.months and not a.days and bool(g.days)


def _swapped(a: Text, g: Text) -> bool:
    """Whether each has a number that the other has not, or has it less often: 5 ft 6, 5 ft 5."""
    remaining = Counter(w for w in a.words if w in a.numbers)
    right = Counter(w for w in g.words if w in g.numbers)
    return bool(remaining - right) and bool(right - remaining)


def _denied(a: str, b: str) -> bool:
    return len(a) > 3 and len(b) > len(a) and any(b == prefix + a for prefix in _DENIES)


def feature_vector(side: Side, g: Text, question: str | None, judged: Judgement) -> list[float]:
    """The features of a guess, in the order of :data:`FEATURES`; see :func:`features`."""
    a, best_recall, best_tokens = _best(side, g)
    question_words, kind = asked_of(question) if question else (frozenset(), "")
    over = overlap(a, g)
    hits = len(over.shared) + 0.9 * over.near
    recall, precision = hits / len(a.known), hits / len(g.known)
    missing = [s for s in over.missing if s not in question_words]
    added = [s for s in over.added if s not in question_words]
    new_hits = sum(s not in question_words for s in over.shared) + 0.9 * over.near
    missing_names = sum(s in a.capitals for s in missing)
    added_names = sum(s in g.capitals for s in added)
    p, s = a.plain, g.plain
    common, common_words = LCSseq.similarity(p, s), LCSseq.similarity(a.stems, g.stems)
    length = math.log((len(s) + 1) / (len(p) + 1))
    numbers = {n for n in g.numbers if n in a.numbers or n not in question_words}
    agree = bool(a.years & g.years)
    year_off = bool(a.years and g.years) and not agree
    month_off = bool(a.months and g.months) and a.months.isdisjoint(g.months)
    day_off = bool(a.days and g.days) and a.days.isdisjoint(g.days)
    numbers_equal = bool(numbers) and a.numbers == numbers
    inside_reference = _holds(a.stems, g.stems)
    dated = [t for t in side.texts if t.years or t.spans] if g.years or g.spans else []
    in_range = _within(a.spans, g.years) or _within(g.spans, a.years)
    several = bool(question) and _SEVERAL.search(question) is not None
    person = kind == "who" and bool(missing and added) and len(a.words) > 1 < len(g.words)
    surname = person and a.content[-1] == g.content[-1] and a.words[-1].isalpha()
    accepts = judged.verdict == "accept"
    row = [
        2.0 * precision * recall / (precision + recall) if hits else 0.0,
        precision,
        recall,
        new_hits / (new_hits + len(added)) if new_hits else 0.0,
        new_hits / (new_hits + len(missing)) if new_hits else 0.0,
        fuzz.ratio(p, s) / 100.0,
        fuzz.token_set_ratio(p, s) / 100.0,
        fuzz.token_sort_ratio(p, s) / 100.0,
        fuzz.partial_ratio(p, s) / 100.0,
        JaroWinkler.similarity(p, s),
        common / len(p),
        common / len(s),
        common_words / len(a.stems),
        common_words / len(g.stems),
        length,
        max(0.0, length),
        math.log(len(a.known)),
        math.log(len(g.known)),
        _holds(g.stems, a.stems),
        inside_reference,
        not over.missing,
        not over.added,
        not added and new_hits > 0,
        a.content[0] == g.content[0],
        a.content[-1] == g.content[-1],
        a.content[-1] in g.known,
        g.content[-1] in a.known,
        min(3, missing_names),
        min(3, len(missing) - missing_names),
        min(3, added_names),
        min(3, len(added) - added_names),
        min(3, len(over.added) - len(added)),
        min(3, len(over.missing) - len(missing)),
        max(map(len, missing), default=0) / 10.0,
        max((side.share[m] for m in missing), default=0.0),
        bool(over.missing) and _GENERIC_STEMS.issuperset(over.missing),
        bool(over.added) and _GENERIC_STEMS.issuperset(over.added),
        appended(a, g, over, question_words),
        min(2, over.near),
        over.near > 0 and not (over.shared or over.missing),
        bool(missing and added),
        numbers_equal,
        bool(a.numbers and numbers) and a.numbers.isdisjoint(numbers),
        bool(a.numbers) and not numbers,
        bool(numbers) and not a.numbers,
        not a.numbers.isdisjoint(numbers) and a.numbers != numbers,
        agree,
        year_off,
        month_off,
        day_off,
        year_off or month_off or day_off,
        agree and bool(a.months) and not g.months,
        agree and bool(g.months) and not a.months,
        in_range,
        any(_coarser(t, g) for t in dated),
        any(_within(t.spans, g.years) or _within(g.spans, t.years) for t in dated) and not in_range,
        any(lo < hi and lo <= n == m <= hi for lo, hi in a.amounts for n, m in g.amounts),
        _swapped(a, g) and not in_range,
        any(_denied(m, n) or _denied(n, m) for m in missing for n in added),
        several and a.parts > g.parts and not over.added and bool(over.missing),
        surname and same_given(a.words[0], g.words[0]),
        surname and a.words[0][0] == g.words[0][0],
        NEGATIONS.isdisjoint(a.words) != NEGATIONS.isdisjoint(g.words),
        g.sentence,
        best_recall,
        best_tokens,
        math.log(len(side.texts)),
        bool(question),
        accepts,
        1.0 - judged.score if accepts else 0.0,
        1.0 - fuzz.ratio(p, s) / 100.0 if accepts else 0.0,
        *(a.shape == shape for shape in SHAPES),
        *(g.shape == shape for shape in SHAPES),
        a.shape == g.shape,
        *(kind == k for k in _ASKED),
        kind == "when" and agree,
        kind == "who" and inside_reference,
        kind == "where" and inside_reference,
        kind == "count" and numbers_equal,
    ]
    return row


def features(
    reference_alternatives: Sequence[str],
    guess: str,
    question: str | None = None,
    judged: Judgement | None = None,
) -> list[float]:
    """The features of one pair, in the order of :data:`FEATURES` (all finite, most in [0, 1]).

    The character and word features compare the guess with the nearest alternative; words that
    stand in ``question`` do not count as added. ``judged`` is the rules' judgement, found where it
    is not given. Zeros where either side has no letter or digit.
    """
    line = line_of(reference_alternatives)
    if judged is None:
        judged = judge_by_rules(line, guess)
    side = side_of(tuple(a.text for a in line.alternatives if a.verdict == "accept"))
    ready = text_of(guess if isinstance(guess, str) else "")
    if not side.texts or not ready.plain:
        return [0.0] * len(FEATURES)
    return [float(value) for value in feature_vector(side, ready, question, judged)]
