"""What a guess says: as a reader takes it, where it was sent with something around the answer.

Models asked for a title alone also send whole sentences ("The answer is: X"), JSON, an explanation below the answer, or
characters as escapes written out (``Rh\\xf4ne``). A guess that holds nothing of the kind is never changed.
"""

import json
import re
from functools import lru_cache
from typing import NamedTuple

from ..core import strict_json

KINDS = ("escapes", "json", "wrapper", "quotes", "rest")
"""What was done: escapes decoded; taken out of JSON, of a wrapper, of quotes within these; what followed the answer cut off."""
NOTHING = "nothing"
"""Only a wrapper, an excuse or JSON without a guess was sent, perhaps cut off: the guess stays as it is."""


class CleanedGuess(NamedTuple):
    """The answer in a guess, and ``changes``: those of ``KINDS`` made to get it; (``NOTHING``,) or () if ``guess`` is as sent."""

    guess: str | None
    changes: tuple[str, ...]


_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
# A small letter after \n begins a name: \nabla, \nu.
_BREAK = re.compile(r"\\n(?![a-z])")
_CUT_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3}|x[0-9a-fA-F]?)?\Z")

_JSON = re.compile(r"\s*(?:```\w*\s*)?\{\s*\"")
_JSON_GUESS = re.compile(r'[{,]\s*"(?:guess|answer|the answer is)"\s*:\s*"((?:[^"\\]|\\.)*)', re.I)

_CAN_BE = r"(?:is|are|would\s+be|could\s+be|might\s+be|may\s+be)"
_AFFIRMATION = r"(?:sure(?:!|,|\.)|certainly!|okay,|ok,|so,|well,)\s+"
_HEDGE = (
    r"(?:presumably,?|i\s+(?:think|believe)(?:\s+that)?|"
    r"(?:i['’]m|i\s+am)\s+not\s+(?:\w+\s+)?sure,?\s+but)\s+"
)
_OF_WHAT = r"(?:\s+to\s+(?:your|the|this)\s+(?:last\s+)?question)?"
_ANSWER = (
    r"(?:(?:the|my|your|a|an|one|here['’]s\s+my)\s+)?"
    rf"(?:(?:best|most\s+likely|final|possible|likely|correct)\s+){{0,2}}(?:answer|guess)\b{_OF_WHAT}"
)
_PAGE = r"(?:wikipedia\s+(?:page|article))"
# Without a colon after it, "The Answer Is …" may be a title; not so where somebody says what they think.
_WRAPPERS = [
    re.compile(rf"[\s*_#>]*(?:{_AFFIRMATION})?(?:{start}", re.IGNORECASE)
    for start in (
        rf"{_HEDGE})?{_ANSWER}(?:\s+{_CAN_BE})?[\s*_]*:(?:[*_]+(?=\s))?\s*",
        r"i(?:['’]m\s+going\s+to|['’]ll|\s+will)\s+(?:take\s+a\s+|make\s+a\s+)?guess)\s*:\s*",
        rf"{_HEDGE}){_ANSWER}\s+{_CAN_BE}\s+",
        rf"my\s+(?:best\s+)?(?:answer|guess){_OF_WHAT}\s+{_CAN_BE})\s+",
        r"(?:the\s+)?title\s+of\s+(?:the|this)\s+[^:\n]{1,100}):\s*",
        rf"(?:the\s+)?title\s+of\s+the\s+{_PAGE}\b[^:\n]*?(?<!that\s)(?<!which\s)\b{_CAN_BE})\s+",
        rf"(?:the\s+)?{_PAGE}(?:\s+(?:that|which|for\s+the\s+answer)\b[^:\n]*)?(?:\s+{_CAN_BE})?)\s*:\s*",
        rf"(?:the\s+)?{_PAGE}\s+(?:that|which)\b[^:\n]*?(?<!that\s)(?<!which\s)\b{_CAN_BE})\s+",
        rf"(?:the\s+)?{_PAGE}\s+(?:for|on|about|titled|called))\s+(?!the\s+answer\b)",
        r"wikipedia)\s*:\s*",
        # The question said again: "The growth of these structures is: X".
        rf"(?!your\s+question\b)(?=[^:\n]*\b(?:this|these|your)\b)(?:\w[^\s:]*\s+){{3,}}{_CAN_BE})\s*:\s+",
    )
]
_END = re.compile(
    r"(?:\s*[-–—|#]\s*wikipedia(?:,?\s+the\s+free\s+encyclopedia)?|\s+wikipedia\s+(?:page|article))\W*\Z",
    re.IGNORECASE,
)
# Where a remark was put beside an answer; two spaces are what its brackets left.
_REMARKS = [
    re.compile(r"\s{2,}[-–—]\s.*"),
    re.compile(
        r"\s{2,}(?:However\b|(?:is|are|was|would|could|might|may|can)\b(?!\s+not\b)|if\b|depending\b).*"
    ),
    re.compile(r"\s*,\s+(?:but|as)\s+it(?:['’]s|\s+(?:is|was|can|could|may|might|refers|seems))\b.*"),
    re.compile(r"(?<=\S)[\s,;.(]+(?:confidence|probability)\s*(?::|=|is)\s*[\d.].*", re.IGNORECASE),
]
_TWICE = re.compile(r"(?P<answer>.{4,}?)\s+[-–—]\s+(?P=answer)\s+(?:is|was|are|were)\b.*")
_QUOTES = (("“", "”"), ("‘", "’"), ("«", "»"), ("**", "**"), *((c, c) for c in "\"'`*"))
_LAST_STOP = re.compile(r"(?<![\s.][A-Z])(?<!^[A-Z])(?<!\bJr)(?<!\bSr)(?<!\bInc)(?<!\bCo)\s*[.,]\Z")
_EXCUSE = re.compile(
    rf"(?:{_AFFIRMATION})?(?:i\s+can\s+help\b|"
    r"(?:i['’]m|i\s+am)\s+(?:not\s+sure\s+(?:what|which|who|if|how|about)\b|not\s+sure,|sorry,)|"
    r"i\s+(?:don['’]t|do\s+not)\s+have\s+enough\b|"
    r"(?:it\s+seems\s+(?:like|that)\s+|i\s+think\s+)?the\s+question\s+(?:is|seems|appears)\s+(?:to\s+be\s+)?(?:incomplete|unclear)|"
    rf"your\s+question\b|(?:the\s+)?title\s+of\s+the\s+{_PAGE}|(?:the\s+)?{_PAGE}\s+(?:that|which|for\s+the\s+answer)\b|"
    r"the\s+answer\s+to\s+your\s+question\b)",
    re.IGNORECASE,
)
# Below a line that announced an answer, these begin no answer, wherever they were cut.
_BEGUN = (
    "the answer is",
    "the title of the wikipedia page",
    "title of the wikipedia page",
    "your question",
    "question:",
    "answer:",
)


def _decode_escapes(text: str) -> str:
    """``text`` with printable ``\\x`` and ``\\u`` escapes and ``\\n`` (not before a small letter) decoded; one cut off goes."""
    text = _PAIR.sub(lambda m: json.loads(f'"{m[0]}"'), text)

    def character(match):
        char = chr(int(match[1] or match[2], 16))
        return char if char.isprintable() else match[0]

    return _CUT_ESCAPE.sub("", _BREAK.sub("\n", _ESCAPE.sub(character, text)))


def _json_guess(text: str) -> str | None:
    """The guess in a JSON object, which may be cut off; None if it is missing, empty or no text."""
    match = _JSON_GUESS.search(text)
    value = _CUT_ESCAPE.sub("", match[1]) if match else ""
    try:
        decoded = json.loads(f'"{value}"', strict=False)
        return strict_json.join_surrogates(decoded).strip() or None
    except json.JSONDecodeError:
        return value or None


def _strip_wrappers(text: str) -> tuple[str, bool]:
    """(a line without the wrappers at its begin and end, whether it had any)."""
    had = False
    while match := next((m for pattern in _WRAPPERS if (m := pattern.match(text))), None):
        text, had = text[match.end() :].strip(), True
    if (end := _END.search(text)) and end.start():
        text, had = text[: end.start()].strip(), True
    return text, had


def _strip_quotes(text: str) -> str:
    """``text`` without the quotation marks, asterisks or backticks around it, unless such marks occur inside too."""
    for opening, closing in _QUOTES:
        inner = text[len(opening) : -len(closing)]
        is_quoted = text.startswith(opening) and text.endswith(closing) and inner.strip()
        if is_quoted and opening not in inner and closing not in inner:
            return inner.strip()
    return text


def _strip_remarks(line: str) -> str:
    """An answer without remarks beside it; of one that is repeated, the first."""
    twice = _TWICE.match(line)
    short = twice["answer"] if twice else line
    for pattern in _REMARKS:
        short = pattern.sub("", short) or short
    return short


@lru_cache(maxsize=65536)
def clean(sent: str | None) -> CleanedGuess:
    """The answer in a guess as sent, and the kinds of changes made. Lines below it go, remarks beside it if of a known form;
    alternatives ("X or Y") stay. White space, quotation marks around the whole and a last stop go only with another change (the
    stop not with escapes alone). A guess that is None or blank stays with no change, one without an answer with ``NOTHING``."""
    if sent is None or not sent.strip():
        return CleanedGuess(sent, ())
    done, text = set(), sent
    if _JSON.match(text):
        text = _json_guess(text)
        if text is None:
            return CleanedGuess(sent, (NOTHING,))
        done.add("json")
    decoded = _decode_escapes(text)
    if decoded != text:
        done.add("escapes")
    lines = [line.strip() for line in decoded.splitlines() if line.strip()]
    announced = False
    while lines:
        line, had = _strip_wrappers(lines[0])
        if had:
            done.add("wrapper")
        if line and not (line.endswith(":") and (had or "\n" in decoded)):
            break
        # Only a wrapper stands on this line.
        done.add("wrapper")
        announced = True
        lines.pop(0)
    if not lines:
        return CleanedGuess(sent, (NOTHING,))
    if len(lines) > 1:
        done.add("rest")
    low = line.lower()
    if _EXCUSE.match(line) or (
        announced and any(phrase.startswith(low) or low.startswith(phrase) for phrase in _BEGUN)
    ):
        return CleanedGuess(sent, (NOTHING,))
    short = _strip_remarks(line)
    if short != line:
        done.add("rest")
    bare = _LAST_STOP.sub("", short) if done - {"escapes"} else short
    if not done:
        return CleanedGuess(sent, ())
    inner = _strip_quotes(bare)
    if inner != bare:
        done.add("quotes")
        bare = _LAST_STOP.sub("", inner)
    return CleanedGuess(bare, tuple(kind for kind in KINDS if kind in done))
