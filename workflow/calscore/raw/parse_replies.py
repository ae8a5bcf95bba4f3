"""Guess and probability out of a model's reply (Appendix D.4)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ..core import lexicon, strict_json
from . import clean_guess

if TYPE_CHECKING:
    import pandas as pd

KINDS = ("answer", "none", "refusal", "empty")
"""What a reply is: it gives an answer, says that it has none, declines, or says nothing."""


class Reply(NamedTuple):
    """What a model's reply states. ``guess``: None unless ``kind`` is "answer"; ``probability`` (0–1): None if it states none
    or no single one; ``kind``: "answer", "none" (it says that it has none), "refusal" or "empty"."""

    guess: str | None
    probability: float | None
    kind: str

    @property
    def parsed(self) -> bool:
        """Whether it states a probability, and an answer or that it has none (``kind`` "none")."""
        return self.probability is not None and self.kind in ("answer", "none")


_UNITS = {word: n for n, word in enumerate(lexicon.words("answers", "cardinals", list))}
_TENS = {f"{word}y": 10 * n for n, word in enumerate(lexicon.words("answers", "tens", list), 2)}
_WORDS = {
    **_UNITS,
    **_TENS,
    **{f"{t}{sep}{u}": _TENS[t] + _UNITS[u] for t in _TENS for u in list(_UNITS)[1:10] for sep in "- "},
    "a hundred": 100,
    "one hundred": 100,
    "hundred": 100,
}
# Longest first, so that "ninety-five" is not read as ninety.
_WORD = "|".join(sorted(map(re.escape, _WORDS), key=len, reverse=True))
_THOUSANDS = r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?(?!\d)"
_DIGITS = rf"{_THOUSANDS}|\d+(?:[.,]\d+)?(?:e-?\d+)?|[.,]\d+"
_AMOUNT = rf"(?:(?P<digits>{_DIGITS})|(?P<word>\b(?:{_WORD})\b))"
_RATIO = rf"{_AMOUNT}\s*(?:/|\bout\s+of\b|\bin\b)\s*(?:(?P<of>{_DIGITS})|(?P<of_word>\b(?:{_WORD})\b))"
_VALUE = rf"(?<![\w.,]){_AMOUNT}(?:\s*(?P<percent>%|\bper\s?cent\b))?(?![\w%])"
# What makes a range of two numbers, and what lists two.
_JOINER = r"(?:-|–|—|±|\+/?-|\bplus\s+or\s+minus\b|\bto\b|\bor\b)"
_RANGE = re.compile(rf"[ \t]*[(\[]?[ \t]*{_JOINER}[ \t]*{_AMOUNT}", re.IGNORECASE)
_LISTED = re.compile(
    r"(?:[ \t]*(?:[,;|/&~'’:(\[…]|\.{2,}|\band\b|\bvs\b\.?))*[ \t]*(?=[.,]?\d)", re.IGNORECASE
)
_BOUND = re.compile(
    r"^\W*(?:[≥≤]|[<>]=?\s*(?=[\d.])(?![^\n]*>)|(?:over|above|under|below|at least|at most|more than|less than|up to)\b)",
    re.IGNORECASE,
)
# Words before or after a number that make it a bound.
_OPEN_BEFORE = re.compile(
    r"(?:over|above|under|below|least|\bmost|than|between|\bup\s+to|(?<!\w)[<>]|[≥≤])\s*$",
    re.IGNORECASE,
)
_OPEN_AFTER = re.compile(
    r"[ \t]*%?[ \t]*(?:\+|(?:or|and)\s+(?:more|less|higher|lower|above|below|over|under|up)\b|at\s+(?:least|most)\b)",
    re.IGNORECASE,
)
_LABEL = (
    r"(?:probability|confidence|likelihood|certainty|chances?|\bprob|\bP\s*\(\s*correct\s*\)|\bp(?=\s*[=:]))"
    r"(?:[\s_]+(?:level|score|rating|estimate))?"
    r"(?:\s[^:=\n\d]{0,60}?\b(?:is|at|of)(?=[\s*_`\"'“<\[(~≈]*(?:(?:about|around|only)\s+)?[.\d]))?"
    r"[\s*_`\"'”]*(?:is|are|of|[:=~≈(]|would\s+be)*[\s*_`\"'“<\[(~≈]*"
    r"(?:(?:about|around|approximately|roughly|maybe|probably|i(?:'|’)?d\s+say|of|at|is)\s+)*"
)
_LABELLED = re.compile(rf"(?<!\w){_LABEL}", re.IGNORECASE)
_TRAILING = re.compile(
    r"[\s,;:(\[<~≈–—-]*(?<![\w.,])(?P<digits>\d+(?:[.,]\d+)?|[.,]\d+)\s*(?P<percent>%|per\s?cent)?\s*[)\]>]?\s*\.?\s*$",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"(?:^|[\s,;.])(?:(?:and\s+)?(?:with|nearly|almost|approx|i(?:'|’)?d say|i would say|i am|i(?:'|’)m|my|the|about|a|an|there(?:'|’)?s|is|maybe|probably|around|roughly|approximately|give it)\b[\s,.]*)+$",
    re.IGNORECASE,
)
_LABEL_OF_ANSWER = (
    r"(?:(?:the|my)\s+)?(?:(?:best|most\s+likely|final|top|first)\s+)?(?:answer|guess)\b[\s*_]*"
    r"(?:(?:is|would\s+be|here\s+is)\b|(?=[:=])|$)"
)
_OPENING = r"^[\s*_#>\-\"'“]*(?:(?:so|thus|therefore|well|ok|okay|hmm)\b(?:,\s*|\s+(?=(?:the|my)\s[^:\n]*\b(?:answer|guess)\b)))?"
# Only what announces an answer is cut off: "Guess Who" and "It's a Wonderful Life" are titles.
_ANSWER = re.compile(
    _OPENING
    + r"(?:(?:i\s+(?:think|(?:would\s+)?(?:say|guess|answer))|i(?:'|’)d\s+(?:say|guess|answer)|i\s+believe(?=\s+(?:that|it)\b))"
    r"\s+(?:that\s+)?(?:it(?:'|’)s\s+|it\s+is\s+)?)?"
    rf"(?:{_LABEL_OF_ANSWER}|a\s*(?=:))?[\s*_]*[:=]?[\s*_]*",
    re.IGNORECASE,
)
_STARTS = re.compile(_OPENING + _LABEL_OF_ANSWER, re.IGNORECASE)
_NONE = re.compile(
    r"^(?:none|n/?a|null|unknown|no (?:answer|guess|idea)|unsure|not sure|i (?:do not|don(?:'|’)t) know(?: the answer)?|idk|\?+|-+)\W*$",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"^\W*(?:(?:i(?:'|’)?m|i am|we(?:'|’)?re)\s+(?:very\s+|so\s+)?sorry|sorry|i\s+apologi[sz]e|apologies|"
    r"i\s+(?:can(?:'|’)?t|can\s?not|am\s+(?:not\s+able|unable)|will\s+not|won(?:'|’)t|do\s+not\s+have|don(?:'|’)t\s+have)\b|"
    r"i(?:'|’)m\s+(?:not\s+able|unable)|unfortunately|as\s+an\s+ai\b|there\s+is\s+not\s+enough|"
    r"(?:the\s+)?(?:question|clue|fragment)s?\s+(?:is|are|does|do)\s+(?:not|incomplete))",
    re.IGNORECASE,
)
_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)
_QUOTES = " \t|\"'“”‘’<>()[]{},;:*_`-–—"


_WHOLES = (2, 3, 4, 5, 10, 20, 50, 100, 1000)
"""What people say a chance is out of."""


def _parse_amount(digits: str | None, word: str | None) -> float | None:
    """A number in digits (decimal point or comma, commas between thousands) or in words; None if both are empty."""
    if digits:
        return float(digits.replace(",", "" if re.fullmatch(_THOUSANDS, digits) else "."))
    return float(_WORDS[re.sub(r"\s+", " ", word.lower())]) if word else None


def _probability_or_none(value: float | None) -> float | None:
    """``value`` if it is within [0, 1], else None."""
    return value if value is not None and 0 <= value <= 1 else None


def _leading_probability(text: str, scale: float = 1) -> tuple[float | None, int]:
    """(probability that ``text`` begins with, None outside [0, 1]; index of its end, 0 without a number). A bare number is
    out of ``scale``."""
    even = re.match(r"(?:fifty[\s-]fifty|50[\s/-]50)\b", text, re.IGNORECASE)
    if even:
        return 0.5, even.end()
    ratio = re.match(_RATIO, text, re.IGNORECASE)
    if ratio:
        total = _parse_amount(ratio["of"], ratio["of_word"])
        part = _parse_amount(ratio["digits"], ratio["word"])
        return (_probability_or_none(part / total) if total >= 1 else None), ratio.end()
    plain = re.match(_VALUE, text, re.IGNORECASE)
    if not plain:
        return None, 0
    value = _parse_amount(plain["digits"], plain["word"])
    return _probability_or_none(value / (100 if plain["percent"] else scale)), plain.end()


def _is_single(value: float | None, text: str, end: int, scale: float = 1) -> bool:
    """Whether ``value``, which ends at ``end`` of ``text``, is no bound, and no other number goes with it on its line."""
    if _RANGE.match(text, end) or _OPEN_AFTER.match(text, end):
        return False
    gap = _LISTED.match(text, end)
    neighbour, width = _leading_probability(text[gap.end() : gap.end() + 40], scale) if gap else (None, 0)
    return not width or neighbour == value


def labelled_probability(text: str, scale: float = 1) -> tuple[float | None, int] | None:
    """(probability after a label, start of the label); None if no label is followed by one. After a range, a
    bound, a word such as "high", or nothing but a colon the probability is None. Bare confidences are out of ``scale``."""
    for match in _LABELLED.finditer(text):
        tail = text[match.end() :]
        line = tail.split("\n", 1)[0]
        opened = match[0].rstrip(" \t")
        if _BOUND.match(line) or (opened.endswith("<") and ">" not in line):
            return None, match.start()
        unit = scale if match[0].lower().startswith("confidence") else 1
        value, end = _leading_probability(tail, unit)
        if end:
            return value if _is_single(value, tail, end, unit) else None, match.start()
        if re.search("[:=]", match[0]) and not line.strip(_QUOTES + "."):
            return None, match.start()
        if re.match(r"\W*(?:very\s+)?(?:high|low|medium|moderate|unknown|none|n/?a|between)\b", tail, re.I):
            return None, match.start()
    return None


def _unlabelled_probability(text: str) -> tuple[float | None, int] | None:
    """(first probability in words that need no label, as "nine out of ten" or "80% sure"; its start); None
    without one. A bound or a range makes the probability None; ratios must be out of :data:`_WHOLES`."""
    stated = None
    for match in re.finditer(
        rf"(?<![\w.,/]){_RATIO}(?![\w/])|\b(?:fifty[\s-]fifty|50[\s/-]50)\b"
        rf"|(?<![\w.,])(?:{_DIGITS}|\b(?:{_WORD})\b)\s*(?:%|per\s?cent\b)",
        text,
        re.IGNORECASE,
    ):
        before = text[max(0, match.start() - 40) : match.start()]  # the words before are near
        is_range = re.search(rf"\d\s*%?\s*{_JOINER}\s*$", before, re.IGNORECASE)
        if is_range or _OPEN_BEFORE.search(before) or _OPEN_AFTER.match(text, match.end()):
            return None, match.start()
        value, _ = _leading_probability(match[0])
        # Titles and dates hold ratios too ("Catch-22 in 1961", "9/11").
        ratio = re.match(_RATIO, match[0], re.IGNORECASE)
        if ratio and (_parse_amount(ratio["of"], ratio["of_word"]) not in _WHOLES or before.endswith("-")):
            continue
        if not _is_single(value, text, match.end()):
            return None, match.start()
        if value is not None:
            stated = stated or (value, match.start())
    return stated


def _split_trailing(text: str) -> tuple[str, float | None]:
    """(``text`` without the bare probability that it ends in, that probability); (``text``, None) without one."""
    trailing = _TRAILING.search(text)
    # A guess may itself end in a number ("Apollo 11"), so a bare one must look like a probability.
    if trailing and (
        trailing["percent"] or re.search(r"[.,]\d", trailing["digits"]) or trailing["digits"] in "01"
    ):
        value = _parse_amount(trailing["digits"], None)
        probability = _probability_or_none(value / 100 if trailing["percent"] else value)
        before = text[: trailing.start("digits")]
        is_listed = re.search(rf"[.,]\d+[ \t]*(?:{_JOINER}|[,;|/&]|\band\b|\bvs\b\.?)?[ \t]*\Z", before[-40:])
        is_bound = _OPEN_BEFORE.search(before[-40:]) and not text.endswith(">")
        if probability is not None and not is_listed and not is_bound:
            return text[: trailing.start()], probability
    return text, None


def _first_pair(text: str) -> str:
    """Of lines that state several answers with a bare probability each, those of the first; any other ``text`` whole."""
    lines = text.splitlines()
    ends = [number for number, line in enumerate(lines, start=1) if _split_trailing(line)[1] is not None]
    for end in ends[:-1] if len(lines) in ends else ():
        pair, remainder = "\n".join(lines[:end]), "\n".join(lines[end:])
        if _split_trailing(pair)[0].strip(_QUOTES):
            second = _HEDGE.sub("", f"{_split_trailing(remainder)[0]} ").strip(_QUOTES)
            return pair if second else text
    return text


def _json_reply(text: str) -> tuple[str, float | None] | None:
    """(guess or "", probability or None) of a reply that is a JSON object; None for any other."""
    body = re.sub(r"^```\w*\s*|\s*```$", "", text.strip())
    if not body.startswith("{"):
        return None
    record = strict_json.parse_reply(body)
    if record is None:
        return None
    keys = {str(key).lower(): value for key, value in record.items()}
    guess = next((keys[k] for k in ("answer", "guess", "the answer is") if k in keys), None)
    stated = next((keys[k] for k in ("probability", "confidence", "p") if k in keys), None)
    labelled = labelled_probability(f"confidence: {stated}") if stated is not None else None
    return ("" if guess is None else str(guess)), labelled[0] if labelled else None


def _clean_answer(line: str) -> str:
    """The answer on a line, without its announcement and the quotes, brackets, dashes and full stop around it."""
    guess = _ANSWER.sub("", line, count=1).strip(_QUOTES)
    if guess.count('"') % 2:
        # A quotation at the end or the start of the guess belongs to it: James Joyce's "The Dead".
        guess = f'{guess}"' if f'{guess}"' in line else f'"{guess}'
    # A closing bracket that was opened in the guess belongs to it: "Aida (opera)".
    if guess.count("(") > guess.count(")"):
        guess += ")"
    return guess.rstrip(".") if not re.search(r"\b[A-Z]\.$", guess) else guess


# Replies are read as guesses, and once more when they are counted.
@lru_cache(1 << 16)
def read_reply(reply: str | None) -> Reply:
    """The :class:`Reply` that a model's text with answer and probability amounts to. Understands labelled
    probabilities ("Probability: 0.8", "**Confidence**: 85%", "P(correct) = .9"), ratios and words ("nine out
    of ten", "fifty-fifty"), "X (0.8)", a bare trailing number with decimals or a percent sign (or 0, 1), and
    JSON. Text between thinking tags is no part of the reply. Of two answers with a labelled probability each
    the first counts. A number outside [0, 1] without a percent sign, a range, two numbers ("0.8, 0.9") and a
    bound ("over 90%") are not one probability. The word None and refusals are no guess; of a missing reply (None)
    the kind is "empty"."""
    text = _THINKING.sub("", reply or "").replace("\\n", "\n").strip()
    if not text.strip(_QUOTES + "."):
        return Reply(None, None, "empty")
    items = [line for line in text.splitlines() if re.match(r"\s*\d[.)]\s", line)]
    if len(items) > 1 and text.startswith("1"):
        # A numbered list of answers: the first counts.
        text = re.sub(r"^\s*1[.)]\s+", "", items[0])
    full_text = text
    structured = _json_reply(text)
    if structured:
        text, probability = structured
    else:
        probability, stated = None, labelled_probability(text) or _unlabelled_probability(text)
        if stated:
            probability, start = stated
            text = text[:start]
            begins_line = text.rstrip(" \t*_`#>-").endswith("\n")
            text = re.sub(r"[\s*_`(\[,;:~≈–—-]+$", "", text)
            if not begins_line:
                text = _HEDGE.sub("", text + " ")
            if not text.strip(_QUOTES + "."):
                # The probability came first; the answer is on a line after it, unless that is another's.
                tail = full_text[start:].partition("\n")[2]
                text = "" if _unlabelled_probability(tail.lstrip().partition("\n")[0]) else tail
        else:
            text, probability = _split_trailing(_first_pair(text))
    return _make_reply(text, probability)


def read_answer(reply: str | None) -> Reply:
    """The :class:`Reply`, without probability, of a text that was to hold the answer alone: numbers belong to the answer."""
    return _make_reply(_THINKING.sub("", reply or "").replace("\\n", "\n").strip(), None)


def _make_reply(text: str, probability: float | None) -> Reply:
    """The :class:`Reply` of ``text``, a reply without thinking and without its ``probability``."""
    lines = [line.strip() for line in text.splitlines() if line.strip(_QUOTES + ".")]
    if not lines:
        return Reply(None, probability, "empty")
    start = next((i for i, line in enumerate(lines) if _STARTS.match(line)), 0)
    guess = _clean_answer(lines[start])
    if not guess and start + 1 < len(lines):
        # A label alone on its line: the answer is on the next one.
        guess = _clean_answer(lines[start + 1])
    if _NONE.match(guess):
        return Reply(None, probability, "none")
    if _REFUSAL.match(guess):
        return Reply(None, probability, "refusal")
    return Reply(guess, probability, "answer") if guess else Reply(None, probability, "empty")


FINISHES = {
    "length": "cut",
    "max_tokens": "cut",
    "content_filter": "filtered",
    "reasoning": "reasoning_only",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
}
"""Why a reply ended before its answer: ``finish_reason`` → column of tables/replies."""
UNFINISHED = list(dict.fromkeys(FINISHES.values()))
_COUNTS = ["replies", "parsed", *KINDS, "without_probability", "unparsed"]
_READ = ["guesses", "read", *clean_guess.KINDS, clean_guess.NOTHING]
_SERIES = ["model", "elicitation"]
_UNPARSED = [*_SERIES, "question_id", "position", "kind", "probability", "reply"]


def reply_statistics(
    guesses: pd.DataFrame, cleaned: Mapping[str, tuple[str, ...]] = MappingProxyType({})
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(tables/replies: counts by model and elicitation; tables/unparsed_replies: a row for each verbalized reply
    not parsed). A reply is parsed if it states a probability, and an answer or a plain None. ``cleaned``: source
    row → kinds of :mod:`.clean_guess`, where guesses are ids (default: cleaned here). Models without verbalized
    replies are counted if a reply ended before its answer; all are if any guess was cleaned or has nothing."""
    rows = guesses[guesses["raw"].notna() & (guesses["elicitation"] == "verbalized")]
    read = [read_reply(raw) for raw in rows["raw"]]
    table = rows[[*_SERIES, "question_id", "position"]].assign(
        kind=[reading.kind for reading in read],
        probability=[reading.probability for reading in read],
        reply=rows["raw"],
        parsed=[reading.parsed for reading in read],
    )
    counted = table[_SERIES].assign(
        replies=1,
        parsed=table["parsed"],
        **{kind: table["kind"] == kind for kind in KINDS},
        without_probability=table["probability"].isna(),
        unparsed=~table["parsed"],
    )
    as_sent = guesses["sent"].where(guesses["sent"].notna(), guesses["guess"])
    ends = guesses["finish_reason"].map(FINISHES)
    done = [
        cleaned[row]
        if row in cleaned
        else clean_guess.clean(guess if isinstance(guess, str) else None).changes
        for row, guess in zip(guesses["source_row"], as_sent, strict=True)
    ]
    heard = guesses[_SERIES].assign(
        **{end: ends == end for end in UNFINISHED},
        guesses=guesses["guess"].notna(),
        read=guesses["sent"].notna(),
        **{kind: [kind in kinds for kinds in done] for kind in _READ[2:]},
    )
    counts = heard.groupby(_SERIES)[UNFINISHED + _READ].sum()
    replied = counted.groupby(_SERIES)[_COUNTS].sum()
    if not any(done):
        unfinished = counts.index[counts[UNFINISHED].any(axis=1)]
        counts = counts.reindex(replied.index.union(unfinished))
    counts = replied.reindex(counts.index).join(counts).fillna(0).astype(int).reset_index()
    unparsed = table.loc[~table["parsed"], _UNPARSED].reset_index(drop=True)
    return counts, unparsed
