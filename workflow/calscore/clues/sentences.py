"""Where the sentences of a question end: one stated rule, which knows abbreviations and initials."""

import re

from ..core import lexicon

_STOP = re.compile(r"[.!?\u2026]+")
_CLOSERS = "\"'\u201d\u2019\u00bb)]\u200b"
_OPENERS = "\"'\u201c\u2018\u00ab([\u200b"
_END = re.compile(rf"(?P<stop>{_STOP.pattern})(?P<close>[{re.escape(_CLOSERS)}]*)(?=\s)")
_WORD = re.compile(r"\S+")
_TOKEN = re.compile(r"[^\s()\[\]\"'\u201c\u201d\u2018\u2019/\u2013\u2014-]*$")
_NEXT = re.compile(rf"\s*(?P<open>[{re.escape(_OPENERS)}\s]*)(?P<word>[^\W\d_]*)(?P<tail>\S?)")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_REACH = 60  # characters looked back for the word with the stop and the one before it

# A stop after these never ends a sentence: a name or an explanation follows.
_TITLES = lexicon.words("clues", "titles")
# A stop after these ends no sentence where a number follows.
_NUMBERED = lexicon.words("clues", "numbered")
# A stop after these ends a sentence only where a sentence plainly starts after it.
_ENDINGS = lexicon.words("clues", "endings")
# Names that are spelled with a mark of their own.
_MARKED = frozenset(["Yahoo", "Jeopardy", "Oklahoma", "Wham", "Panic", "Absalom"])
# A capital after these is a label, not the initial of a name: "binds to Protein A. Lab grade ...".
_LABELLED = lexicon.words("clues", "labelled")
# Function words: capitalised after an abbreviation, they start a sentence.
_STARTERS = lexicon.words("clues", "starters")
_JOINERS = frozenset(",;:.!?\u2026\u2013\u2014-/&)]")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Character spans [start, end) of the sentences of ``text``, covering all but space; [] where it is blank.

    The rule. A sentence ends at a run of ``. ! ? …`` together with the closing quotes and brackets
    that touch it, followed by white space, unless one of these holds:

    1. The place lies inside double quotes or a bracket that closes later ("How shall I know thee? Name your
       signs" is one piece; so is a pronunciation guide). Those without a partner do not count.
    2. What follows does not start a sentence: it begins with a lower-case letter (``Who's Afraid of
       Virginia Woolf? is``, ``ought to be … silent``) or with one of ``_JOINERS``. After a full stop, a
       lower-case word in quotes or one with a later capital (``mRNA``) does start one.
    3. The stop is a single ``.`` after an abbreviation:
       a. titles and explanations (Mr. Mrs. Dr. vs. e.g. i.e. ca.), and v. after a capitalised word
          or another abbreviation (Shelby v. Holder): never an end; a title in closing quotes or
          brackets (``"Mr."``) as c;
       b. No. Op. vol. p. c. est. and months before a digit: never an end;
       c. etc. Jr. St. Ph.D. and the like, several letters with stops (U.S. D.C. J.S.) and single
          capitals (W. E. B. Du Bois, John D. Rockefeller): an end only if one of the starters of
          ``data/clues``, mostly function words, follows and is no initial (``in the U.S. The``).
          No initial is a capital after a noun that takes a label (Protein A, World War I) or inside
          closing quotes (``"C, E, G."``).
    4. The stop is inside a bracket that opened in mid-sentence, ``(sounds like B.) Then``, or the
       mark belongs to a name (Yahoo!): as 3c.

    White space inside the text, line breaks too, is never an end by itself; without white space after it a stop is no end (0.5,
    ``mountains…but``). What the rule cannot tell: a title in ``?`` before a capitalised name without quotes, a regnal ``V.``
    before a capitalised noun. The paper counts 1,236 sentences over 243 questions (§3.1).
    """
    begin = len(text) - len(text.lstrip())
    stop_at = len(text.rstrip())
    if begin >= stop_at:
        return []
    brackets, quotes = _brackets(text), _quotations(text)
    enclosing = brackets + quotes
    spans = []
    for match in _END.finditer(text, begin, stop_at):
        end = match.end()
        if any(opening < end <= right for opening, right in enclosing):
            continue
        if _ends_sentence(text, begin, match, brackets):
            spans.append((begin, end))
            begin = _WORD.search(text, end).start()
    spans.append((begin, stop_at))
    return spans


def last_sentence(text: str) -> str:
    """The last sentence of a text, which in a tossup asks for the answer; IndexError for a blank one."""
    begin, end = sentence_spans(text)[-1]
    return text[begin:end]


def _ends_sentence(text: str, begin: int, match: re.Match, brackets: list[tuple[int, int]]) -> bool:
    """Whether the stop ``match`` ends the sentence that begins at ``begin`` (rules 2 to 4); ``brackets``: :func:`_brackets`."""
    following = _NEXT.match(text, match.end())
    if not _may_start_sentence(following, match["stop"]):
        return False
    needed = _required_follower(text, begin, match, following)
    # the stop of a bracket in mid-sentence usually belongs to the bracket alone (rule 4)
    aside = any(begin < opening and match.start() < right < match.end() for opening, right in brackets)
    if needed == "capital" and not aside:
        return True
    word = following["word"]
    initial = len(word) == 1 and following["tail"] == "."  # "A." as in "I. A. Richards"
    return needed != "never" and word in _STARTERS and not initial


def _may_start_sentence(following: re.Match, stop: str) -> bool:
    """Whether a sentence can start with ``following``, after the ``stop`` (rule 2)."""
    word, tail = following["word"], following["tail"]
    if not word:
        return tail not in _JOINERS
    if word[0].islower():
        quoted = any(mark in following["open"] for mark in '"\u201c\u2018\u00ab')
        return stop == "." and (quoted or word != word.lower())
    return True


def _required_follower(text: str, begin: int, match: re.Match, following: re.Match) -> str:
    """What must follow a stop for an end: "capital" (nothing more than rule 2), "starter" (rule 3c), "never"
    (rules 3a, 3b)."""
    before = text[max(begin, match.start() - _REACH) : match.start()]
    token = _TOKEN.search(before)[0]
    if match["stop"] != ".":
        return "starter" if match["stop"] == "!" and token in _MARKED else "capital"
    closed = bool(match["close"])
    digit = following["tail"].isdigit() and not following["word"]
    previous = before[: len(before) - len(token)].split()[-1:] or [""]
    if token in _TITLES:
        return "starter" if closed else "never"
    if token == "v" and (previous[0][:1].isupper() or previous[0].endswith((".", ".,"))):
        return "never"
    if token in _NUMBERED and digit:
        return "never"
    if token in _ENDINGS or (_INITIALS.fullmatch(token) and len(token) > 1):
        return "starter"
    if len(token) == 1 and token.isupper() and not closed:
        return "capital" if previous[0].lower() in _LABELLED else "starter"
    return "capital"


def _brackets(text: str) -> list[tuple[int, int]]:
    """(opening, closing) indices of round and square brackets that have a partner."""
    pairs, waiting = [], {")": [], "]": []}
    partner = {"(": ")", "[": "]"}
    for match in re.finditer(r"[()\[\]]", text):
        mark = match[0]
        if mark in partner:
            waiting[partner[mark]].append(match.start())
        elif waiting[mark]:
            pairs.append((waiting[mark].pop(), match.start()))
    return pairs


def _quotations(text: str) -> list[tuple[int, int]]:
    """(opening, closing) indices of double quotes that have a partner, straight and curly. Straight quotes alternate, but one
    with space only before it opens and one with space only after it closes. A stray quote therefore spoils one pair, not all
    after it."""
    pairs, opened = [], {}
    for match in re.finditer('["\u201c\u201d]', text):
        start, mark = match.span()[0], match[0]
        kind = "straight" if mark == '"' else "curly"
        space_before = start == 0 or text[start - 1].isspace() or text[start - 1] in "([\u2014/"
        space_after = start + 1 == len(text) or text[start + 1].isspace() or text[start + 1] in ".,;:!?)]"
        opens = mark == "\u201c" or (mark == '"' and space_before and not space_after)
        closes = mark == "\u201d" or (mark == '"' and space_after and not space_before)
        if kind in opened and not opens:
            pairs.append((opened.pop(kind), start))
        elif not closes:
            opened[kind] = start
    return pairs


def count_answer_words(answerline: str) -> int:
    """Number of space-separated words of an answer line before its first ``[`` or ``(``; 0 if none precede it."""
    return len(re.split(r"[\[(]", answerline, maxsplit=1)[0].split())
