"""The learned score: a logistic regression on the features of an answer and a guess.

It gives the probability that a human judge would call the two the same. Like PEDANT it is a linear
classifier; its features are its own. It is kept, with the provenance of the fit, in
``data/equivalence.json``: weights by name, no pickle."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

from anyascii import anyascii
from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from ..core import strict_json
from ..core.errors import DataError
from ..core.package import DATA
from .lexicon import words
from .normalise import ENGLISH, normal, within
from .rules import Judgement

_STOP = words("small words") | words("small words of the score")
_MONTHS = {form: n for n, name in enumerate(words("months", list), 1) for form in (name, name[:3])}
_MONTHS["sept"] = 9
_COPULAS = words("copulas")
_CAPITAL = re.compile(r"\b[A-Z]\w*")
_ASIDE = re.compile(r"\s*\([^()]*\)?")
_ERA = re.compile(r"\d{3}0s|century|\b(?:BCE?|AD|CE)\b")
_ASKS_FOR_PERSON = re.compile(r"\bwho(?:m|se)?\b", re.I)
_stem_words = ENGLISH.stemWords
_GENERIC_STEMS = frozenset(_stem_words(sorted(words("kinds"))))


class Text(NamedTuple):
    """An answer ready to compare: its plain text, words and stems; ``content``: stems without stop words, or
    all if none is left. Sets: ``known`` is the content, ``capitals`` its capitalised, ``numbers`` words that
    begin with a digit, ``years`` to 2100, ``months`` 1–12 (none without a number), ``days`` (text, none
    without a month). ``shape``: date, number, long (over four words), name or common."""

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
    shape: str


@lru_cache(maxsize=1 << 15)
def content_of(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """A text without parentheses and their content, its words, their stems, and the stems without stop words (all if no other)."""
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
    """A text taken apart for comparison; without a letter or digit all is empty and its ``shape`` common."""
    raw, words, stems, content = content_of(text)
    known_words = frozenset(content)
    upper = [w.casefold() for w in _CAPITAL.findall(raw)]
    capitals = known_words.intersection((*upper, *_stem_words(upper))) if upper else frozenset()
    numbers = frozenset(w for w in words if w[0].isdigit())
    years = frozenset(int(w) for w in numbers if len(w) == 4 and w.isdigit() and w < "2101")
    months = frozenset(_MONTHS[w] for w in words if w in _MONTHS) if numbers else frozenset()
    days = frozenset(w for w in numbers if len(w) < 3) if months else frozenset()
    if numbers:
        dated = months or _ERA.search(raw) or (years and len(words) < 3)
        shape = "date" if dated else "number"
    elif len(words) > 4:
        shape = "long"
    else:
        shape = "name" if words and known_words == capitals else "common"
    plain = " ".join(words)
    return Text(plain, words, stems, content, known_words, capitals, numbers, years, months, days, shape)


@lru_cache(maxsize=1 << 15)
def claim_in(raw: str) -> str:
    """What stands behind the last copula, "by" or colon of a sentence ("She is played by *Rashida Jones*.").

    '' without one, and for a phrase: fewer than four words, or fewer than six without a final stop."""
    if raw.count(" ") < 3:
        return ""
    words = raw.replace(":", " :").split()
    if len(words) < 6 and not raw.rstrip().endswith("."):
        return ""
    final = next((i for i in range(len(words), 0, -1) if words[i - 1].casefold() in _COPULAS), 0)
    return " ".join(words[final:]).strip(" .\"'") if final else ""


@lru_cache(maxsize=1 << 12)
def question_stems(question: str) -> frozenset[str]:
    """The stems of a question's words in normal form, stop words too."""
    return frozenset(_stem_words(normal(question).tokens))


@lru_cache(maxsize=1 << 12)
def side_of(texts: tuple[str, ...]) -> tuple[Text, ...]:
    """The alternatives of one line, ready to compare, each once; those without a letter or digit are left out."""
    return tuple(t for t in map(text_of, dict.fromkeys(texts)) if t.plain)


FEATURES = (
    "precision_new", "recall_new", "partial", "lcs_reference", "lcs_words_reference", "longer",
    "inside_guess", "inside_reference", "nothing_missing", "first_agrees", "reference_ends_in_guess",
    "missing_others", "added_names", "swapped", "coarser_date", "finer_date", "coarser_date_too",
    "numbers_swapped", "surname_agrees", "best_recall", "alternatives", "rule_accepts", "rule_doubt",
    "rule_despite_letters", "guess_name", "guess_long", "shapes_agree",
)  # fmt: skip
"""What a pair is measured by. With three times as many the score was no better on answers that it had not seen."""


class _Overlap(NamedTuple):
    """Content stems of a pair: shared, missing from the guess, added by it; ``near`` counts pairs of spellings, in none of them."""

    shared: frozenset[str]
    near: int
    missing: list[str]
    added: list[str]


def overlap(a: Text, g: Text) -> _Overlap:
    """Stems that answer ``a`` and guess ``g`` share, and those that only one of them has; spellings of one word are neither."""
    shared = a.known & g.known
    added = [s for s in g.content if s not in shared]
    missing, near = [], 0
    for stem in (s for s in a.content if s not in shared):
        twin = next((item for item in added if _near(stem, item)), None)
        if twin is None:
            missing.append(stem)
        else:
            added.remove(twin)
            near += 1
    return _Overlap(shared, near, missing, added)


def _near(a: str, b: str) -> bool:
    """Whether two stems are spellings of one word, or nearly."""
    return min(len(a), len(b)) > 3 and not a[0].isdigit() and fuzz.ratio(a, b) >= 80.0


def _best(texts: Sequence[Text], g: Text) -> tuple[Text, float]:
    """The alternative nearest to the guess, and the highest share of its stems that the guess has, of any alternative."""
    best, top, recall = texts[0], -1.0, 0.0
    for a in texts:
        shared = len(a.known & g.known)
        covered = shared / len(a.known)
        dice = 2.0 * shared / (len(a.known) + len(g.known))
        alike = fuzz.token_set_ratio(a.plain, g.plain) / 100.0
        value = dice + fuzz.ratio(a.plain, g.plain) / 100.0 + 0.5 * (alike + covered)
        if value > top:
            best, top = a, value
        recall = max(recall, covered)
    return best, recall


def appended(a: Text, g: Text, over: _Overlap, question_stems: frozenset[str]) -> int:
    """How many lower-case words that name no kind and are not in the question follow the whole answer ``a``: iron *oxide*.

    0 where guess ``g`` is not just the answer with one or two such words behind it. ``over`` is their :func:`overlap`."""
    extra = len(g.stems) - len(a.stems)
    if not 0 < extra < 3 or over.missing or g.stems[: len(a.stems)] != a.stems:
        return 0
    tail = g.stems[len(a.stems) :]
    plain = g.known.issuperset(tail) and all(map(str.isalpha, tail))
    return extra if plain and (g.capitals | question_stems | _GENERIC_STEMS).isdisjoint(tail) else 0


def _coarser(a: Text, g: Text) -> bool:
    """Whether answer ``a`` is the date of guess ``g`` and says less: 1788, 26 January 1788."""
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


def feature_vector(texts: Sequence[Text], g: Text, question: str | None, judged: Judgement) -> list[float]:
    """The features of a guess, in the order of :data:`FEATURES`. Neither ``texts`` (accepted answers) nor the
    guess may be empty. ``judged`` is of the rules. Only precision_new, recall_new, missing_others,
    added_names, swapped and surname_agrees leave out words of ``question``."""
    a, best_recall = _best(texts, g)
    asked = question_stems(question) if question else frozenset()
    over = overlap(a, g)
    missing = [s for s in over.missing if s not in asked]
    added = [s for s in over.added if s not in asked]
    hits = sum(s not in asked for s in over.shared) + 0.9 * over.near
    p, s = a.plain, g.plain
    agree = bool(a.years & g.years)
    person = _ASKS_FOR_PERSON.search(question or "") and len(a.words) > 1 < len(g.words)
    surname = missing and added and a.content[-1] == g.content[-1] and a.words[-1].isalpha()
    accepts = judged.verdict == "accept"
    return [
        hits / (hits + len(added)) if hits else 0.0,
        hits / (hits + len(missing)) if hits else 0.0,
        fuzz.partial_ratio(p, s) / 100.0,
        LCSseq.similarity(p, s) / len(p),
        LCSseq.similarity(a.stems, g.stems) / len(a.stems),
        max(0.0, math.log((len(s) + 1) / (len(p) + 1))),
        within(a.stems, g.stems),
        within(g.stems, a.stems),
        not over.missing,
        a.content[0] == g.content[0],
        a.content[-1] in g.known,
        min(3, sum(s not in a.capitals for s in missing)),
        min(3, sum(s in g.capitals for s in added)),
        bool(missing and added),
        agree and bool(a.months) and not g.months,
        agree and bool(g.months) and not a.months,
        any(_coarser(t, g) for t in texts),
        _swapped(a, g),
        bool(person and surname and a.words[0][0] == g.words[0][0]),
        best_recall,
        math.log(len(texts)),
        accepts,
        1.0 - judged.score if accepts else 0.0,
        1.0 - fuzz.ratio(p, s) / 100.0 if accepts else 0.0,
        g.shape == "name",
        g.shape == "long",
        a.shape == g.shape,
    ]


MODEL_FILE = DATA / "equivalence.json"
_FORMULA = "1 / (1 + exp(-(slope * z + offset))), z = intercept + sum(weight * (feature - mean) / scale)"
_NUMBERS = ("intercept", "slope", "offset", "threshold")  # of a model, beside those of each feature


@dataclass(frozen=True)
class Model:
    """Weights of the score, on standardised features, and where they come from.

    ``probability = 1 / (1 + exp(-(slope · z + offset)))`` with
    ``z = intercept + Σ weight · (feature − mean) / scale``; slope and offset calibrate. The tuples are in the order of
    :data:`FEATURES`. From the probability ``threshold`` on, a pair counts as the same."""

    mean: tuple[float, ...]
    scale: tuple[float, ...]
    weight: tuple[float, ...]
    intercept: float
    slope: float
    offset: float
    threshold: float
    provenance: dict[str, Any]

    @cached_property
    def _linear(self) -> tuple[tuple[float, ...], float]:
        """Weights of the features as they are measured, and the constant."""
        raw = tuple(self.slope * w / s for w, s in zip(self.weight, self.scale, strict=True))
        return raw, self.slope * self.intercept + self.offset - math.fsum(map(mul, raw, self.mean))

    def probability(self, vector: Sequence[float]) -> float:
        """Probability (never 0 or 1) that a pair with these features, as in FEATURES, is the same answer."""
        raw, constant = self._linear
        z = math.fsum(map(mul, vector, raw)) + constant
        return 1.0 / (1.0 + math.exp(-min(max(z, -30.0), 30.0)))

    def to_json(self) -> str:
        """Readable text from which :meth:`from_json` makes the same model."""
        features = zip(FEATURES, self.weight, self.mean, self.scale, strict=True)
        rows = [{"name": name, "weight": w, "mean": m, "scale": s} for name, w, m, s in features]
        numbers = {name: getattr(self, name) for name in _NUMBERS}
        head = {"formula": _FORMULA} | numbers | {"provenance": self.provenance}
        body = ",\n".join("    " + json.dumps(row) for row in rows)
        return json.dumps(head, indent=2)[:-2] + f',\n  "features": [\n{body}\n  ]\n}}\n'

    @classmethod
    def from_json(cls, text: str, file: str = "model") -> Model:
        """The model in ``text``. ``DataError`` names ``file`` where it is no JSON, or has other features or numbers out of range."""
        try:
            data = strict_json.load(text, file)
            rows = data["features"]
            names = tuple(str(row["name"]) for row in rows)
            mean, scale, weight = (tuple(float(row[k]) for row in rows) for k in ("mean", "scale", "weight"))
            numbers = {name: float(data[name]) for name in _NUMBERS}
            provenance = dict(data["provenance"])
        except DataError:
            raise
        except (ValueError, KeyError, TypeError) as error:
            raise DataError.at(file, "", "", str(error), "a model of to_json") from None
        if names != FEATURES:
            odd = sorted(set(names) ^ set(FEATURES)) or ["another order"]
            raise DataError.at(file, "", "features", odd, "the features of this version")
        if not all(abs(n) < 1e9 for n in (*mean, *scale, *weight, *numbers.values())) or min(scale) < 1e-9:
            raise DataError.at(file, "", "features", "", "finite numbers and scales above 0")
        return cls(mean, scale, weight, provenance=provenance, **numbers)


def read_model(path: Path | None) -> Model:
    """The model in a file that :meth:`Model.to_json` wrote; for None the package's own."""
    if path is None:
        return default_model()
    return Model.from_json(strict_json.decode_utf8(path.read_bytes(), path.name), path.name)


@lru_cache(maxsize=1)
def default_model() -> Model:
    """The model that comes with the package."""
    return read_model(MODEL_FILE)
