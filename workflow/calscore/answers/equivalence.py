"""Whether two answers are the same: the rules where they are certain, a learned score for the rest.

A guess is right when a moderator would accept it (paper §3.2 and §4.1, g_t). The rules of
:mod:`calscore.answers` decide most guesses; what they leave open gets the probability that a human
judge would call the two answers the same: a logistic regression on features of the pair, in the
manner of PEDANT (the matcher that the paper used). It is fitted by :func:`fit` and kept, with the
provenance of the fit, in ``data/equivalence.json``: weights by name, no pickle.

Two settings differ in what an added or dropped word means. In short-answer data with the
``question`` at hand, a guess names a thing of the kind that was asked for, and "Regina Spektor"
for *Spektor* is right. A quizbowl guess comes without such a question, and "Virginia" for *West
Virginia* is another answer. So without ``question`` the score decides only about guesses that
neither add nor drop a distinguishing word, and what the rules made of the rest stands. Do not
pass a tossup as ``question``.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import Stemmer
from anyascii import anyascii
from rapidfuzz import fuzz
from rapidfuzz.distance import JaroWinkler, LCSseq

from ..clues.segment import sentences
from ..core.errors import DataError, Fault
from ..core.package import DATA
from . import match as answers
from .match import Alternative, Answerline, Judgement

MODEL_FILE = DATA / "equivalence.json"
MATCHERS = ("engine", "exact", "f1", "fuzzy")
F1_THRESHOLD = 0.5  # share of tokens, SQuAD-style
SAID = 0.85  # score of rule "said": a reader agreed with about nine in ten
FUZZY_THRESHOLD = 0.9  # CAIMIRA gives no number: "tuned against human judgments on a small dev set"

# --------------------------------------------------------------------------- words


def _list(text: str) -> list[str]:
    return text.split()


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_STOP = _words(
    "a an the and of by to from into than over under versus in on at for with as is are was"
    " were be been it its this that these those or he she they his her their him them i you"
    " we who which what when where there has have had do does did called named known one"
    " also because between about after before during"
)
_DIRECTION = _words("to from into over under versus before after")
_NEGATIONS = frozenset(("not", "no", "non", "never", "without"))
_MONTH_NAMES = _list(
    "january february march april may june july august september october november december"
)
_MONTHS = {
    form: number for number, name in enumerate(_MONTH_NAMES, 1) for form in (name, name[:3])
} | {"sept": 9}
# Words for the kind of a thing: which one it is does not hang on them once a question has asked.
_GENERIC = _words(
    "president king queen emperor pope sir lord lady dr doctor mr mrs ms general captain"
    " professor saint republic kingdom dynasty house river lake mount mountain mountains"
    " island islands city state county country province region district area sea ocean town"
    " village company film movie song album novel book play series show season episode team"
    " club university college school party station airport actor actress singer band"
    " character person people group man woman year years century day type kind name number"
    " surname tool system"
)
_COPULAS = frozenset(("is", "are", "was", "were", "by", ":"))
_CAPITAL = re.compile(r"\b[A-Z]\w*")
_RANGE = re.compile(r"\b(1\d{3}|20\d\d)\s*[-/]\s*(\d{4}|\d\d)\b")
_DECADE = re.compile(r"\d{3}0s")
_CENTURY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?[\s-]+century\b", re.I)
_ERA = re.compile(r"\d{3}0s|century|\b(?:BCE?|AD|CE)\b")
_stem_words = Stemmer.Stemmer("english").stemWords
_GENERIC_STEMS = frozenset(_stem_words(sorted(_GENERIC)))

_ASKED = {
    "when": r"\bwhen\b|\b(?:what|which) (?:year|date|month|day|decade|century)\b|\bhow (?:old|long)\b",
    "count": r"\bhow (?:many|much|far|tall|big|high|fast)\b|\bnumber of\b|\bpercent",
    "who": r"\bwho(?:m|se)?\b",
    "where": r"\bwhere\b|\b(?:what|which) (?:\w+ )?(?:country|city|state|county|island|place|town)\b",
}
_ASKED_PATTERNS = {kind: re.compile(pattern, re.I) for kind, pattern in _ASKED.items()}
SHAPES = ("date", "number", "name", "long", "common")


class _Text(NamedTuple):
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
    shape: str
    sentence: bool


@lru_cache(maxsize=1 << 15)
def _text(text: str) -> _Text:
    raw = re.sub(r"\s*\([^()]*\)?", " ", text)
    raw = raw if re.search(r"\w", raw) else text
    if not raw.isascii():
        raw = anyascii(re.sub("[‐-―−]", "-", raw))
    words = answers._norm(raw).tokens if any(map(str.isalnum, raw)) else ()
    stems = tuple(_stem_words(words))
    content = tuple(s for s, w in zip(stems, words, strict=True) if w not in _STOP) or stems
    known = frozenset(content)
    upper = [w.casefold() for w in _CAPITAL.findall(raw)]
    capitals = known.intersection((*upper, *_stem_words(upper))) if upper else frozenset()
    numbers = frozenset(w for w in words if w[0].isdigit())
    years = frozenset(int(w) for w in numbers if len(w) == 4 and w.isdigit() and w < "2101")
    months = frozenset(_MONTHS[w] for w in words if w in _MONTHS) if numbers else frozenset()
    days = frozenset(w for w in numbers if len(w) < 3) if months else frozenset()
    return _Text(
        " ".join(words), words, stems, content, known, capitals, numbers, years, months, days,
        _spans(raw) if numbers else (), _shape(raw, words, known, capitals, numbers, months, years),
        bool(_claim(raw)),
    )  # fmt: skip


def _spans(raw: str) -> tuple[tuple[int, int], ...]:
    """Spans of years that a text names: 1979-80, the 1980s, the 19th century."""
    found = []
    for match in _RANGE.finditer(raw):
        start, end = match.groups()
        end = start[: 4 - len(end)] + end
        if int(start) <= int(end):
            found.append((int(start), int(end)))
    found += [(int(d[:-1]), int(d[:-1]) + 9) for d in _DECADE.findall(raw)]
    if not re.search(r"\bBC", raw):
        found += [(int(c) * 100 - 100, int(c) * 100 - 1) for c in _CENTURY.findall(raw)]
    return tuple(found)


def _shape(raw, words, known, capitals, numbers, months, years) -> str:
    """Type of an answer as far as its form shows it: a place or a person is a ``name``."""
    if numbers and (months or _ERA.search(raw) or (years and len(words) < 3)):
        return "date"
    if numbers:
        return "number"
    if len(words) > 4:
        return "long"
    return "name" if words and known == capitals else "common"


@lru_cache(maxsize=1 << 15)
def _claim(raw: str) -> str:
    """What a sentence says, as in "She is played by *Rashida Jones*.": what stands
    behind the last copula, "by" or colon; '' for a phrase.
    """
    if raw.count(" ") < 3:
        return ""
    words = raw.replace(":", " :").split()
    if not (len(words) > 5 or (len(words) > 3 and raw.rstrip().endswith("."))):
        return ""
    last = next((i for i in range(len(words), 0, -1) if words[i - 1].casefold() in _COPULAS), 0)
    return " ".join(words[last:]).strip(" .\"'") if last else ""


@lru_cache(maxsize=1 << 12)
def _question(question: str) -> tuple[frozenset[str], str]:
    """Stems of a question and what it asks for: when, count, who, where or what."""
    asked = next((k for k, p in _ASKED_PATTERNS.items() if p.search(question)), "what")
    return frozenset(_stem_words(answers._norm(question).tokens)), asked


class _Side(NamedTuple):
    """The alternatives of one line, and in what share of them each stem occurs."""

    texts: tuple[_Text, ...]
    share: dict[str, float]


@lru_cache(maxsize=1 << 12)
def _side(texts: tuple[str, ...]) -> _Side:
    ready = tuple(t for t in map(_text, dict.fromkeys(texts)) if t.plain)
    counts = Counter(stem for t in ready for stem in t.known)
    return _Side(ready, {stem: n / len(ready) for stem, n in counts.items()})


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
    "negation_differs", "sentence", "best_recall", "best_token_set", "alternatives",
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


def _overlap(a: _Text, g: _Text) -> _Overlap:
    shared = a.known & g.known
    missing = [s for s in a.content if s not in shared]
    added = [s for s in g.content if s not in shared]
    if not (missing and added):
        return _Overlap(shared, 0, missing, added)
    left, near = [], 0
    for stem in missing:
        twin = next((x for x in added if _near(stem, x)), None)
        if twin is None:
            left.append(stem)
        else:
            added.remove(twin)
            near += 1
    return _Overlap(shared, near, left, added)


def _near(a: str, b: str) -> bool:
    """Whether two stems are spellings of one word, or nearly."""
    if min(len(a), len(b)) < 4 or a[0].isdigit() or b[0].isdigit():
        return False
    return fuzz.ratio(a, b) >= 80.0


def _best(side: _Side, g: _Text) -> tuple[_Text, float, float]:
    """The alternative nearest to the guess, the highest recall and token-set ratio of any."""
    best, top, recall, tokens = side.texts[0], -1.0, 0.0, 0.0
    size = len(g.known)
    for a in side.texts:
        shared = len(a.known & g.known)
        covered = shared / len(a.known)
        together = fuzz.token_set_ratio(a.plain, g.plain) / 100.0
        value = (
            2.0 * shared / (len(a.known) + size)
            + fuzz.ratio(a.plain, g.plain) / 100.0
            + 0.5 * (together + covered)
        )
        if value > top:
            best, top = a, value
        recall, tokens = max(recall, covered), max(tokens, together)
    return best, recall, tokens


def _holds(stems: Sequence[str], part: Sequence[str]) -> bool:
    return f" {' '.join(part)} " in f" {' '.join(stems)} "


def _appended(a: _Text, g: _Text, over: _Overlap, asked: frozenset[str]) -> int:
    """How many lower-case words that name no kind follow the whole reference: iron *oxide*.

    0 where the guess is not just the reference with one or two such words behind it.
    """
    extra = len(g.stems) - len(a.stems)
    if not 0 < extra < 3 or over.missing or g.stems[: len(a.stems)] != a.stems or g.sentence:
        return 0
    tail = g.stems[len(a.stems) :]
    plain = all(
        s in g.known and s not in g.capitals and s not in asked and s.isalpha() for s in tail
    )
    return extra if plain and _GENERIC_STEMS.isdisjoint(tail) else 0


def _vector(side: _Side, g: _Text, question: str | None, judged: Judgement) -> list[float]:
    a, best_recall, best_tokens = _best(side, g)
    asked, kind = _question(question) if question else (frozenset(), "")
    over = _overlap(a, g)
    hits = len(over.shared) + 0.9 * over.near
    recall, precision = hits / len(a.known), hits / len(g.known)
    missing = [s for s in over.missing if s not in asked]
    added = [s for s in over.added if s not in asked]
    new_hits = sum(s not in asked for s in over.shared) + 0.9 * over.near
    missing_names = sum(s in a.capitals for s in missing)
    added_names = sum(s in g.capitals for s in added)
    p, s = a.plain, g.plain
    common, common_words = LCSseq.similarity(p, s), LCSseq.similarity(a.stems, g.stems)
    length = math.log((len(s) + 1) / (len(p) + 1))
    numbers = {n for n in g.numbers if n in a.numbers or n not in asked}
    agree = bool(a.years & g.years)
    year_off = bool(a.years and g.years) and not agree
    month_off = bool(a.months and g.months) and a.months.isdisjoint(g.months)
    day_off = bool(a.days and g.days) and a.days.isdisjoint(g.days)
    numbers_equal = bool(numbers) and a.numbers == numbers
    inside_reference = _holds(a.stems, g.stems)
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
        _appended(a, g, over, asked),
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
        any(lo <= y <= hi for lo, hi in a.spans for y in g.years)
        or any(lo <= y <= hi for lo, hi in g.spans for y in a.years),
        _NEGATIONS.isdisjoint(a.words) != _NEGATIONS.isdisjoint(g.words),
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
) -> np.ndarray:
    """The features of one pair, in the order of :data:`FEATURES` (all finite, most in [0, 1]).

    The character and word features compare the guess with the nearest alternative; words that
    stand in ``question`` do not count as added. ``judged`` is the rules' judgement, found where it
    is not given. Zeros where either side has no letter or digit.
    """
    if judged is None:
        judged = answers.judge(line_of(reference_alternatives), guess)
    side = _side(tuple(reference_alternatives))
    ready = _text(guess if isinstance(guess, str) else "")
    if not side.texts or not ready.plain:
        return np.zeros(len(FEATURES))
    return np.asarray(_vector(side, ready, question, judged), float)


def feature_table(rows: Iterable[dict], with_question: bool = True) -> np.ndarray:
    """Features of rows with ``refs``, ``candidate`` and ``question``: (rows, features)."""
    rows = list(rows)
    table = np.empty((len(rows), len(FEATURES)))
    for i, row in enumerate(rows):
        question = row["question"] if with_question else None
        table[i] = features(row["refs"], row["candidate"], question)
    return table


# --------------------------------------------------------------------------- the model


@dataclass(frozen=True)
class Model:
    """Weights of the score, on standardised features, and where they come from.

    ``probability = 1 / (1 + exp(-(slope · z + offset)))`` with
    ``z = intercept + Σ weight · (feature − mean) / scale``; slope and offset calibrate.
    """

    mean: np.ndarray
    scale: np.ndarray
    weight: np.ndarray
    intercept: float
    slope: float
    offset: float
    threshold: float
    provenance: dict

    def __post_init__(self):
        raw = self.slope * self.weight / self.scale
        constant = self.slope * self.intercept + self.offset - float(raw @ self.mean)
        object.__setattr__(self, "_raw", raw)
        object.__setattr__(self, "_constant", constant)

    def probability(self, vectors) -> np.ndarray:
        """Probability in (0, 1) that the pair is the same answer; one per row of ``vectors``."""
        # einsum, not @: BLAS threads would cost more than they give
        z = np.einsum("...j,j->...", np.asarray(vectors, float), self._raw) + self._constant
        return 1.0 / (1.0 + np.exp(-np.clip(z, -30.0, 30.0)))

    def to_json(self) -> str:
        """Readable text from which :meth:`from_json` makes the same model."""
        rows = [
            {"name": name, "weight": w, "mean": m, "scale": s}
            for name, w, m, s in zip(
                FEATURES,
                self.weight.tolist(),
                self.mean.tolist(),
                self.scale.tolist(),
                strict=True,
            )
        ]
        head = {
            "formula": "1 / (1 + exp(-(slope * z + offset))), "
            "z = intercept + sum(weight * (feature - mean) / scale)",
            "intercept": self.intercept,
            "slope": self.slope,
            "offset": self.offset,
            "threshold": self.threshold,
            "provenance": self.provenance,
        }
        body = ",\n".join("    " + json.dumps(row) for row in rows)
        return json.dumps(head, indent=2)[:-2] + f',\n  "features": [\n{body}\n  ]\n}}\n'

    @classmethod
    def from_json(cls, text: str, file: str = "model") -> Model:
        """The model in ``text``; ``DataError`` where it is no JSON, or its features are others."""
        try:
            data = json.loads(text)
            names = tuple(row["name"] for row in data["features"])
            columns = [
                np.array([row[k] for row in data["features"]], float)
                for k in ("mean", "scale", "weight")
            ]
            single = [float(data[k]) for k in ("intercept", "slope", "offset", "threshold")]
            provenance = dict(data["provenance"])
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(Fault(file, "", "", str(error), "a model of to_json")) from None
        if names != FEATURES:
            odd = sorted(set(names) ^ set(FEATURES)) or ["another order"]
            raise DataError(Fault(file, "", "features", odd, "the features of this version"))
        numbers = np.concatenate([*columns, single])
        if not np.isfinite(numbers).all() or (columns[1] <= 0).any():
            raise DataError(Fault(file, "", "features", "", "finite numbers and scales above 0"))
        return cls(*columns, *single, provenance)


def _logistic(x, y, weights, penalty: float, steps: int = 100):
    """Coefficients, the constant last, of an L2-penalised logistic regression, by Newton's method.

    Minimises Σ w·loss + penalty/2·|β|² (constant free), which has one minimum; stops at machine
    precision, so that every platform gets the same numbers to about 1e-10.
    """
    x = np.column_stack([x, np.ones(len(x))])
    ridge = np.full(x.shape[1], penalty)
    ridge[-1] = 0.0
    beta = np.zeros(x.shape[1])

    def loss(b):
        z = x @ b
        return weights @ (np.logaddexp(0.0, z) - y * z) + 0.5 * ridge @ (b * b)

    for _ in range(steps):
        p = 1.0 / (1.0 + np.exp(-(x @ beta)))
        gradient = x.T @ (weights * (p - y)) + ridge * beta
        curvature = (x * (weights * p * (1.0 - p))[:, None]).T @ x + np.diag(ridge)
        step = np.linalg.solve(curvature, gradient)
        size = 1.0
        while size > 1e-6 and loss(beta - size * step) > loss(beta) + 1e-12:
            size /= 2.0
        beta = beta - size * step
        if np.abs(size * step).max() < 1e-11:
            break
    return beta


FOLDS = 10
PENALTY = 20.0  # the cross-validated figures are flat from 1 to 60


def _weights(x, y, w):
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    beta = _logistic((x - mean) / scale, y, w, PENALTY)
    return mean, scale, beta[:-1], float(beta[-1])


def folds(groups: Sequence[str], n: int, seed: int) -> np.ndarray:
    """Fold (0…n−1) of each row; rows of one group, case aside, are in one fold."""
    keys = [g.casefold() for g in groups]
    names = sorted(set(keys))
    order = np.random.default_rng(seed).permutation(len(names))
    fold = dict(zip(names, (order % n).tolist(), strict=True))
    return np.array([fold[k] for k in keys])


def _fit(x, bare, y, groups, seed: int, provenance: dict) -> Model:
    """``x``: features with the question, ``bare``: without; both kinds of use count half."""
    from threadpoolctl import threadpool_limits  # comes with scikit-learn

    with threadpool_limits(1):  # threads cost more than they give here, and change the rounding
        return _fit_both(x, bare, y, groups, seed, provenance)


def _fit_both(x, bare, y, groups, seed, provenance) -> Model:
    both, label = np.vstack([x, bare]), np.concatenate([y, y])
    half = np.full(len(label), 0.5)
    fold = np.tile(folds(groups, 5, seed), 2)
    z = np.empty(len(label))
    for k in range(5):
        out = fold == k
        if out.all() or not out.any():
            raise DataError("too few questions to calibrate the score: at least 5 are needed")
        mean, scale, weight, intercept = _weights(both[~out], label[~out], half[~out])
        z[out] = (both[out] - mean) / scale @ weight + intercept
    slope, offset = _logistic(z[:, None], label, half, 1.0)  # finite where all are told apart
    mean, scale, weight, intercept = _weights(both, label, half)
    return Model(mean, scale, weight, intercept, float(slope), float(offset), 0.5, dict(provenance))


def read_pairs(path) -> list[dict]:
    """Labelled pairs: JSON lines of source, system, question, refs, candidate, human_label (0/1).

    ``DataError`` with every line that is not so.
    """
    path = Path(path)
    rows, faults = [], []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            good = (
                all(isinstance(row[k], str) for k in ("source", "system", "question", "candidate"))
                and isinstance(row["refs"], list)
                and all(isinstance(ref, str) for ref in row["refs"])
                and row["human_label"] in (0, 1)
            )
        except (ValueError, KeyError, TypeError):
            good = False
        if good:
            rows.append(row)
        else:
            faults.append(Fault(path.name, str(number), "", line[:80], "a labelled pair"))
    if faults or not rows:
        raise DataError(faults or [Fault(path.name, "", "", "no line", "labelled pairs")])
    return rows


def refit(path, seed: int = 0) -> Model:
    """The model of a file of labelled pairs, with its provenance and cross-validated figures."""
    rows = read_pairs(path)
    known = provenance(path, rows, seed)
    known["cross_validated"] = {
        "folds": FOLDS,
        "by": "question",
        "figures": summary(cross_validate(rows, seed)).round(4).to_dict("index"),
    }
    return fit(rows, seed, known)


def provenance(path, rows: Sequence[dict], seed: int) -> dict:
    """What a fit was made from: file, SHA-256, counts, seed, penalty, versions; no date."""
    from importlib.metadata import version

    return {
        "file": Path(path).name,
        "sha256": hashlib.sha256(Path(path).read_bytes()).hexdigest(),
        "pairs": len(rows),
        "questions": len({row["question"].casefold() for row in rows}),
        "right": int(sum(row["human_label"] for row in rows)),
        "sources": dict(sorted(Counter(row["source"] for row in rows).items())),
        "seed": seed,
        "penalty": PENALTY,
        "method": "logistic regression, L2, Newton; each pair with and without its question at "
        "half weight; slope and offset from 5 folds by question",
        "versions": {
            name: version(name) for name in ("anyascii", "numpy", "PyStemmer", "rapidfuzz")
        },
    }


def fit(rows: Sequence[dict], seed: int = 0, provenance: dict | None = None) -> Model:
    """The model of labelled pairs (see :func:`read_pairs`).

    ``seed`` only deals questions into the folds of the calibration. ``DataError`` where all pairs
    have one label or fewer than 5 questions are there.
    """
    y = np.array([row["human_label"] for row in rows], float)
    if len(set(y.tolist())) < 2:
        raise DataError(Fault("pairs", "", "human_label", y[:1].tolist(), "both labels"))
    groups = [row["question"] for row in rows]
    with_question, bare = feature_table(rows), feature_table(rows, with_question=False)
    return _fit(with_question, bare, y, groups, seed, provenance or {})


@lru_cache(maxsize=1)
def default_model() -> Model:
    """The model in ``equivalence.json``."""
    return Model.from_json(MODEL_FILE.read_text(encoding="utf-8"), MODEL_FILE.name)


# --------------------------------------------------------------------------- judging


def line_of(alternatives: Sequence[str]) -> Answerline:
    """An answer line that accepts exactly these texts, taken literally (no directives read)."""
    return _line_of(tuple(alternatives))


@lru_cache(maxsize=1 << 12)
def _line_of(texts: tuple[str, ...]) -> Answerline:
    made = tuple(Alternative(t, "accept", main=not i) for i, t in enumerate(dict.fromkeys(texts)))
    return Answerline(" / ".join(texts), made)


def _standing(line: Answerline, condition: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Texts that are accepted under a condition, and those that are prompted on or rejected."""
    past = {part.strip() for part in condition.split(" | ")} if condition else ()
    accepted, others = [], []
    for a in line.alternatives:
        verdict = a.verdict
        if past and a.triggers and not past.isdisjoint(a.triggers):
            verdict = a.after
        elif verdict == "reject" and a.triggers:
            continue  # what is rejected only later is not yet
        if verdict:
            (accepted if verdict == "accept" else others).append(a.text)
    return tuple(accepted), tuple(others)


def certain(judged: Judgement) -> bool:
    """Whether the rules decide alone: always where they prompt or a reject of the line has fired."""
    return judged.verdict == "prompt" or judged.rule in answers.CERTAIN


def _open_to_score(a: _Text, g: _Text, asked: frozenset[str], strict: bool) -> bool:
    """Whether the score may accept the guess for this alternative, which no rule has accepted.

    ``asked`` holds the stems of the question. ``strict`` lets no distinguishing word be added or
    dropped; otherwise only a lower-case word behind the whole alternative makes another thing.
    """
    if strict:
        return a.known == g.known and _same_sense(a, g)
    return not _appended(a, g, _overlap(a, g), asked)


def _same_sense(a: _Text, g: _Text) -> bool:
    """Whether two texts of the same stems are wordings of one thing.

    Not so where a word of a one-word answer has another ending (organ, organization), where an
    ending changes much of a word (sulfuric, sulfurous), where one side is negated, or where words
    stand in another order around "to", "over" and the like.
    """
    if _NEGATIONS.isdisjoint(a.words) != _NEGATIONS.isdisjoint(g.words):
        return False
    if a.stems != g.stems and not _DIRECTION.isdisjoint(a.words + g.words):
        return False
    if len(a.known) == 1:
        return a.words == g.words
    theirs = dict(zip(g.stems, g.words, strict=True))
    return all(
        fuzz.ratio(word, theirs.get(stem, word)) >= 80.0
        for stem, word in zip(a.stems, a.words, strict=True)
    )


class _Open(NamedTuple):
    """A pair that the score decides: its features, and those of its nearest rejected answer."""

    vector: list[float]
    rival: list[float] | None


# What a tossup asks for: "name this type of reaction in which …" → "type of reaction".
_ASKED_FOR = re.compile(
    r"\b(?:this|these|what|which)\s+(.*?)"
    r"(?=[,.;:?!]|\b(?:that|which|who|whose|whom|in|where|when|for|with|from|by|at|on|to|is|are|was|were)\b|$)",
    re.I,
)


def _said(line: Answerline, guess: str, condition: str, tossup: str, rule: str) -> bool:
    """Whether guess and answer differ only by words that the tossup's last sentence says itself.

    ``part``: all that the guess lacks of an accepted answer stands in that sentence. "River" does
    not distinguish the Battle of the Metaurus River in a question that ends by asking for a battle
    at a river. What the guess does say must not all stand there too.
    ``more``: behind a whole accepted answer the guess has only the noun asked for, in lower case, as
    in "SN2 reaction" where the question asks for a type of reaction.
    """
    begin, end = sentences(tossup)[-1]
    last, ready = tossup[begin:end], _text(guess)
    wholes = [_text(one) for one in _standing(line, condition)[0]]
    if rule == "part":
        asked = _text(last).known
        if ready.known <= asked:
            return False
        return any(
            ready.known < whole.known and whole.known - ready.known <= asked for whole in wholes
        )
    asked = frozenset().union(
        *(_text(phrase).known for phrase in _ASKED_FOR.findall(last) if phrase)
    )
    for whole in wholes:
        size = len(whole.stems)
        tail = ready.stems[size:]
        if size and tail and ready.stems[:size] == whole.stems and asked.issuperset(tail):
            return all(word.islower() for word in guess.split()[-len(tail) :])
    return False


def _consider(
    line: Answerline,
    guess,
    condition: str,
    question: str | None,
    strict: bool | None = None,
    tossup: str | None = None,
) -> Judgement | _Open:
    judged = answers.judge(line, guess, condition)
    if (
        tossup
        and judged.rule in ("part", "more")
        and _said(line, guess, condition, tossup, judged.rule)
    ):
        return Judgement("accept", SAID, "said")
    strict = not question if strict is None else strict
    accepts = judged.verdict == "accept"
    if certain(judged) or (accepts and strict):
        return judged
    if not accepts and (claim := _claim(guess)):
        claimed = answers.judge(line, claim, condition)
        if claimed.verdict == "accept":
            return claimed._replace(score=min(claimed.score, 0.95), rule="sentence")
        if claimed.verdict == "prompt" or claimed.rule in ("reject", "too late"):
            return claimed
    if strict and judged.score < 0.1:
        return judged  # hardly a word in common
    accepted, others = _standing(line, condition)
    side, ready = _side(accepted), _text(guess)
    if not side.texts or not ready.plain:
        return judged
    if not accepts:
        asked = _question(question)[0] if question else frozenset()
        left = tuple(t for t in side.texts if _open_to_score(t, ready, asked, strict))
        if not left:
            return judged
        side = side._replace(texts=left)
    vector = _vector(side, ready, question, judged)
    rivals = _side(others) if others else None
    rival = _vector(rivals, ready, question, judged) if rivals and rivals.texts else None
    return _Open(vector, rival)


def _decided(probability: float, rival: float, threshold: float) -> Judgement:
    """The verdict of the score: accepted above the threshold, unless a rejected answer is nearer.

    The score of the judgement is the probability, moved to its side of .5 where the threshold is
    another or a rejected answer is nearer.
    """
    if probability >= threshold and probability > rival:
        return Judgement("accept", round(max(0.5, probability), 4), "score")
    return Judgement("reject", round(min(0.4999, probability), 4), "score")


def judge(
    answerline: str | Answerline,
    guess: str,
    condition: str = "",
    question: str | None = None,
    model: Model | None = None,
    strict: bool | None = None,
    tossup: str | None = None,
) -> Judgement:
    """Whether ``guess`` is right: by the rules where they are certain, else by the score.

    Arguments and errors as :func:`calscore.answers.judge`; ``question`` is the short-answer
    question that was asked (never a tossup), None where there is none. Rules of its own: ``score``,
    whose score is the calibrated probability, and ``sentence``, where the rules accept what a
    sentence says. ``strict`` keeps the score from accepting a guess that adds or drops a
    distinguishing word; left out, it holds where no question is given. ``tossup`` is the text of a
    quizbowl question: rule ``said`` accepts a part of an answer whose other words the question's
    last sentence says itself, and an answer followed by the noun that the question asks for.
    """
    line = answers.parse(answerline) if not isinstance(answerline, Answerline) else answerline
    found = _consider(line, guess, condition, question, strict, tossup)
    if isinstance(found, Judgement):
        return found
    model = model or default_model()
    probability = float(model.probability(found.vector))
    rival = float(model.probability(found.rival)) if found.rival else 0.0
    return _decided(probability, rival, model.threshold)


_PAIR_COLUMNS = ("question_id", "guess", "condition", "answerline")
_OUT_COLUMNS = ["question_id", "guess", "condition", "verdict", "score", "rule", "source"]


def _distinct(pairs) -> dict[tuple[str, str, str], tuple[str, str | None, str | None]]:
    """(question_id, guess, condition) → (answer line, question, tossup), by first appearance."""
    missing = [c for c in _PAIR_COLUMNS if c not in pairs]
    if missing:
        raise DataError([Fault("pairs", "", c, None, "the column to be present") for c in missing])
    rows: dict[tuple, tuple] = {}
    lines: dict[object, str] = {}
    faults: list[Fault] = []
    columns = [pairs[c].tolist() for c in _PAIR_COLUMNS]
    asked = pairs["question"].tolist() if "question" in pairs else [None] * len(pairs)
    read = pairs["tossup"].tolist() if "tossup" in pairs else [None] * len(pairs)
    for key, guess, condition, line, question, tossup in zip(*columns, asked, read, strict=True):
        known = lines.setdefault(key, line)
        if not isinstance(line, str):
            faults.append(Fault("pairs", str(key), "answerline", line, "text"))
        elif known != line:
            faults.append(Fault("pairs", str(key), "answerline", line, f"the same as {known!r}"))
        else:
            guess = guess if isinstance(guess, str) else ""
            condition = condition if isinstance(condition, str) else ""
            question = question if isinstance(question, str) and question.strip() else None
            tossup = tossup if isinstance(tossup, str) and tossup.strip() else None
            rows.setdefault((key, guess, condition), (line, question, tossup))
    if faults:
        raise DataError(faults)
    return rows


def _frame(rows, judgements: Iterable[Judgement]):
    import pandas as pd

    table = pd.DataFrame(
        [(*key, *judged, "engine") for key, judged in zip(rows, judgements, strict=True)],
        columns=_OUT_COLUMNS,
    )
    return table.astype({"score": float})


def judge_pairs(pairs, model: Model | None = None, strict: bool | None = None):
    """Judge a table of guesses; the score is computed for all open pairs at once.

    ``pairs`` has question_id, guess (nullable), condition (nullable), answerline and optionally
    question (a short-answer question) or tossup (the whole text of one), both nullable. The result has one row per distinct question_id, guess and condition, in
    order of first appearance, as in the table ``judgements``. Errors as
    :func:`calscore.answers.judge_pairs`.
    """
    rows = _distinct(pairs)
    found = [
        _consider(answers.parse(line), guess, condition, question, strict, tossup)
        for (_, guess, condition), (line, question, tossup) in rows.items()
    ]
    return _frame(rows, _judgements(found, model))


def _judgements(found: Sequence[Judgement | _Open], model: Model | None) -> list[Judgement]:
    """The judgements of what :func:`_consider` found, in the same order."""
    waiting = [i for i, one in enumerate(found) if isinstance(one, _Open)]
    out = list(found)
    if not waiting:
        return out
    model = model or default_model()
    probability = model.probability([found[i].vector for i in waiting])
    against = np.zeros(len(waiting))
    rivals = [k for k, i in enumerate(waiting) if found[i].rival]
    if rivals:
        against[rivals] = model.probability([found[waiting[k]].rival for k in rivals])
    for i, p, r in zip(waiting, probability.tolist(), against.tolist(), strict=True):
        out[i] = _decided(p, r, model.threshold)
    return out


# --------------------------------------------------------------------------- other matchers


@lru_cache(maxsize=1 << 15)
def squad_normal(text: str) -> str:
    """Lower case, no punctuation, no articles, single spaces, as SQuAD's scorer does it."""
    text = re.sub(r"[^\w\s]|_", "", text.lower().replace("-", " "))
    return " ".join(re.sub(r"\b(?:a|an|the)\b", " ", text).split())


def exact_match(alternatives: Iterable[str], guess: str) -> float:
    """1 where the guess in normal form is an alternative, else 0."""
    normal = squad_normal(guess)
    return float(any(normal == squad_normal(a) for a in alternatives))


def token_f1(alternatives: Iterable[str], guess: str) -> float:
    """Highest token F1 (0–1) of the guess with an alternative."""
    tokens = squad_normal(guess).split()
    count, best = Counter(tokens), 0.0
    for a in alternatives:
        other = squad_normal(a).split()
        shared = sum((count & Counter(other)).values())
        best = max(best, 2.0 * shared / (len(tokens) + len(other)) if shared else 0.0)
    return best


def character_ratio(alternatives: Iterable[str], guess: str) -> float:
    """Highest character matching rate (0–1, RapidFuzz ``ratio``) with an alternative.

    CAIMIRA's fuzzy match with answer aliases (its Appendix, Answer Match Evaluation).
    """
    normal = squad_normal(guess)
    return max((fuzz.ratio(squad_normal(a), normal) / 100.0 for a in alternatives), default=0.0)


_MEASURES = {
    "exact": (exact_match, 1.0),
    "f1": (token_f1, F1_THRESHOLD),
    "fuzzy": (character_ratio, FUZZY_THRESHOLD),
}


def match(
    answerline: str | Answerline,
    guess: str,
    condition: str = "",
    matcher: str = "engine",
    question: str | None = None,
    threshold: float | None = None,
) -> Judgement:
    """One guess by a matcher of :data:`MATCHERS`.

    All but ``engine`` compare with what the line accepts under ``condition`` and know neither
    prompts nor rejects; the rule is the matcher's name and the score its measure (0–1), accepted
    from ``threshold``. ``DataError`` for another matcher.
    """
    if matcher == "engine":
        return judge(answerline, guess, condition, question)
    if matcher not in _MEASURES:
        raise DataError(Fault("judging", "", "matcher", matcher, f"one of {', '.join(MATCHERS)}"))
    line = answers.parse(answerline) if not isinstance(answerline, Answerline) else answerline
    measure, usual = _MEASURES[matcher]
    if not isinstance(guess, str) or not squad_normal(guess):
        return Judgement("reject", 0.0, "empty")
    value = measure(_standing(line, condition)[0], guess)
    good = value >= (usual if threshold is None else threshold)
    return Judgement("accept" if good else "reject", round(value, 4), matcher)


def match_pairs(
    pairs, matcher: str = "engine", threshold: float | None = None, model: Model | None = None
):
    """:func:`judge_pairs` by any matcher; the same table, whoever decides."""
    if matcher == "engine":
        return judge_pairs(pairs, model)
    rows = _distinct(pairs)
    return _frame(
        rows,
        (
            match(line, guess, condition, matcher, threshold=threshold)
            for (_, guess, condition), (line, *_) in rows.items()
        ),
    )


# --------------------------------------------------------------------------- how good it is


def cross_validate(
    rows: Sequence[dict],
    seed: int = 0,
    n: int = FOLDS,
    with_question: bool = True,
    strict: bool | None = None,
):
    """Judge every labelled pair by a model that has not seen its question.

    Returns a frame with one row per pair, in the order of ``rows``: source, system, label (0/1),
    fold, exact (normalised match), rule, accepted, score (of the judgement), probability (of the
    model alone). ``with_question=False`` hides the questions from the judge, not from the folds;
    ``strict`` as in :func:`judge`.
    """
    import pandas as pd

    y = np.array([row["human_label"] for row in rows], float)
    groups = [row["question"] for row in rows]
    fold = folds(groups, n, seed)
    x, bare = feature_table(rows), feature_table(rows, with_question=False)
    seen = x if with_question else bare
    found = [
        _consider(
            line_of(row["refs"]),
            row["candidate"],
            "",
            row["question"] if with_question else None,
            strict,
        )
        for row in rows
    ]
    probability = np.empty(len(rows))
    judged: list[Judgement] = [None] * len(rows)
    for k in range(n):
        out = fold == k
        if not out.any():
            continue
        names = [g for g, o in zip(groups, out, strict=True) if not o]
        model = _fit(x[~out], bare[~out], y[~out], names, seed, {})
        probability[out] = model.probability(seen[out])
        where = np.flatnonzero(out)
        for i, one in zip(where, _judgements([found[i] for i in where], model), strict=True):
            judged[i] = one
    return pd.DataFrame(
        {
            "source": [row["source"] for row in rows],
            "system": [row["system"] for row in rows],
            "label": y.astype(int),
            "fold": fold,
            "exact": [exact_match(row["refs"], row["candidate"]) > 0 for row in rows],
            "rule": [j.rule for j in judged],
            "accepted": [j.verdict == "accept" for j in judged],
            "score": [j.score for j in judged],
            "probability": probability,
        }
    )


def summary(judged):
    """Figures of :func:`cross_validate`, one row per ``source`` and ``source / system fid``.

    Columns: pairs, accuracy, exact_accuracy (of exact match), balanced_not_exact (balanced
    accuracy on the pairs that exact match does not accept), brier and ece (of the judgement's
    score; ECE over 10 bins of equal width).
    """
    import pandas as pd

    rows = {}
    for source, part in judged.groupby("source", sort=True):
        for name, some in ((source, part), (f"{source} / fid", part[part["system"] == "fid"])):
            if not len(some):
                continue
            open_ = some[~some["exact"]]
            table = reliability(some["score"], some["label"])
            rows[name] = {
                "pairs": len(some),
                "accuracy": (some["accepted"] == some["label"]).mean(),
                "exact_accuracy": (some["exact"] == some["label"]).mean(),
                "balanced_not_exact": balanced_accuracy(open_["accepted"], open_["label"]),
                "brier": ((some["score"] - some["label"]) ** 2).mean(),
                "ece": ((table["score"] - table["right"]).abs() * table["pairs"]).sum() / len(some),
            }
    return pd.DataFrame.from_dict(rows, orient="index")


def reliability(score, label, bins: int = 10):
    """Pairs, mean score and share right in each bin of equal width that holds a pair."""
    import pandas as pd

    frame = pd.DataFrame({"score": np.asarray(score, float), "right": np.asarray(label, float)})
    which = np.minimum((frame["score"] * bins + 1e-9).astype(int), bins - 1)
    table = frame.groupby(which).agg(
        pairs=("score", "size"), score=("score", "mean"), right=("right", "mean")
    )
    table.index = pd.Index(table.index / bins, name="from")
    return table


def balanced_accuracy(accepted, label) -> float:
    """Mean of the shares of right and of wrong pairs judged so; NaN where one kind is missing."""
    accepted, label = np.asarray(accepted, bool), np.asarray(label, bool)
    if label.all() or not label.any():
        return math.nan
    return float((accepted[label].mean() + (~accepted[~label]).mean()) / 2.0)


def mcnemar(first_right, second_right) -> tuple[int, int, float]:
    """Pairs that only the first judged right, only the second, and the exact two-sided p-value."""
    first, second = np.asarray(first_right, bool), np.asarray(second_right, bool)
    b, c = int((first & ~second).sum()), int((~first & second).sum())
    n, k = b + c, min(b, c)
    tail = sum(math.comb(n, i) for i in range(k + 1))
    return b, c, min(1.0, 2 * tail / 2**n)
