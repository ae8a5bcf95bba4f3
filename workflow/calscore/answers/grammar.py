"""What the words and marks of an answer line mean: patterns of directives and conditions, and the line cut at its marks."""

import html
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from operator import itemgetter

from ..core.errors import DataError
from .lexicon import words


def _pattern(pattern: str) -> re.Pattern[str]:
    """A pattern for capitals and small letters alike."""
    return re.compile(pattern, re.I)


ON, OFF = "\ue000", "\ue001"  # stand for the tags around a required part
MARKS = re.compile(f"[{ON}{OFF}]")
MARKED_SIGNS = re.compile(rf"{ON}([\s\[\]();,.]*){OFF}")  # <u>[</u>or …
VERB = (
    r"(?:(?P<anti>(?:anti|reverse)[-\s]?prompt(?:\s+(?:on|for))?)"
    r"|(?P<reject>(?:do\s+not|don'?t|never|be\s+careful\s+not\s+to)\s+(?:accept|prompt|take)"
    r"(?:\s+on)?(?:\s*,?\s*(?:or|nor|and)\s+(?:accept|prompt|take))?(?:\s+on)?|reject|not(?=\s*\"))"
    r"|(?P<prompt>prompt(?:\s+(?:on|for))?)|(?P<accept>(?:also\s+)?(?:accept|take)|or|also))\b"
)
LEAD = r"(?:(?:and|but|or|also|please|generously)\s+){0,5}?"
NAMELESS_VERB = re.sub(r"\?P<\w+>", "?:", VERB).replace("|or|also", "|or(?!,)|also")
DIRECTIVE = _pattern(r"[\s,;.:]*" + LEAD + VERB + r"[\s:]*")
LATER = (  # "but prompt on it afterwards"
    r"(?P<verb>(?:(?:do\s+not|don'?t)\s+)?(?:accept|prompt|reject)(?:\s+(?:or|nor)\s+prompt)?)"
    r"(?:\s+on)?(?:\s+(?:it|them|that|this))?\s+(?:after(?:wards?)?|thereafter|before)"
    r"(?:\s*(?:that|it|this)?\s*(?:is|has been)?\s*(?:read|mentioned)?)?\s*$"
)
NEXT_DIRECTIVE = _pattern(
    r"[\s,.;]\s*" + LEAD + r"(?=(?:(?:do\s+not|don'?t|be\s+careful\s+not\s+to)\s+(?:accept|prompt)"
    r"|reject|prompt\s+on|anti-?prompt|accept)\b)(?!" + LATER.replace("?P<verb>", "?:") + ")"
)
READ = r"(?:\s*(?:'s|is|are|was|were|has been|have been|been|being)?\s*(?:read|mention(?:ed|s)?|said|given))"
WHEN = r"(?:until|before|prior to|up to|after|once)"
CONDITIONS = [
    _pattern(rf"[\s,]*\b(?:only\s+)?(?P<when>{WHEN}){pattern}(?:\s+in the question)?")
    for pattern in (
        r"\s+(?:the\s+)?(?:words?\s+|phrase\s+|term\s+|mention of\s+)?"
        r"(?P<what>\"[^\"]+\"(?:,?\s+(?:or|and)\s+\"[^\"]+\")*)" + READ + "?",
        r"\s+(?:it|they|that|this|these|either|both)?" + READ + r"\b(?!\s+\w+\s+\w+\s+is)",
        r"\s+(?P<what>(?!it\b|they\b)[^\";,]{1,60}?)\s+(?:is|are|has been)\s+(?:read|mentioned|said)\b",
    )
]
# "café (until “bean” is read)"
WHEN_ASIDE = _pattern(rf"\(\s*((?:only\s+)?{WHEN}\s[^()]*)\)")
WHEN_SAID = _pattern(rf"(?<![\s,])[\s,]*\b(?:only\s+)?{WHEN}\s")
AFTERWARDS = _pattern(r"[\s,]*\b(?:but|and)?\s*" + LATER)
ASKING = _pattern(
    r"[\s,]*\b(?:(?:by\s+(?:asking|saying)|asking|with|ask)\b[^\"]{0,20}\"(?P<ask>[^\"]+)\"?"
    r"|by\s+(?:asking|saying)[\s,:]+(?P<bare>[^\"]+)$)"
)
IN_PLACE = _pattern(
    r"^(?P<new>.+?)\s+(?:in place of|instead of)\s+(?P<old>\"[^\"]+\"(?:,?\s+or\s+\"[^\"]+\")*|[\w'-]+(?: [\w'-]+){0,3}$)"
)
SYNONYMS = _pattern(
    r"^(?:other |any |reasonable )*(?:synonyms?|equivalents?) (?:for|of) (?P<old>\"[^\"]+\")"
    r",?\s+(?:like|such as)\s+(?P<new>.+)$"
)
KIND = (
    r"(?:any|all|an?|the|other|some|more|less|clear|clear-knowledge|reasonable|obvious|similar"
    r"|specific|general|descriptive|logical|correct|related|further|longer"
    r"|equivalent|alternate|more specific|just|minor)"
)
THING = (
    r"(?:answers?|anything|everything|descriptions?|responses?|equivalents?|synonyms?"
    r"|translations?|variants?|mentions?|references?|things?|forms?|names?|titles?|versions?)"
)
EQUIVALENTS = _pattern(  # says what an answer must contain, not what it may be
    rf"^(?:{KIND}\s+)*(?:equivalents?|synonyms?|translations?|variants?|variations?)\s+"
    r"(?:(?:that|which)\s+)?(?:mention|includ|contain|involv|imply|refer|convey|suggest|do(?:es)? not\b|for\b|of\b)"
)
WORD_FORMS = _pattern(
    r"[\s,]*\b(?:(?:or|and|accept)\s+)?(?:(?:any|other|all|their|its)\s+)*"
    r"(?:word|verb|noun|adjective)[\s-]forms?"
    r"(?P<of>\s+of\s+(?:any|either|these|the|those|underlined)\b.*)?\s*$"
)
FORMS_OF = _pattern(r"^(?:any |other )*word[\s-]forms?(?:\s+of|(?P<like>,?\s+(?:like|such as)))\s+")
PARTIAL = _pattern(
    r"^(?:on\s+)?(?:an?\s+|any\s+|just\s+)*(?:partial|incomplete)\b(?:\s+(?:or|and)\s+\w+)?"
    r"(?:\s+(?:answers?|titles?|names?|responses?|lists?))?(?!\s+(?!like\b|such\b|by\b|with\b|of\b|that\b|if\b)[a-z])(?P<rest>.*)$"
)
EITHER = _pattern(
    r"^(?:any|either|one|each|both)(?:(?:\s+of\s+the)?(?:\s+underlined)?\s+"
    r"(?:parts?|portions?|names?|answers?|half|ones?|words?|of them))?(?:\s+alone)?$"
)
OF_A_PART = _pattern(r"\b(?:parts?|portions?|half|underlined|words?)\b")
# "accept first or last name"
LAST_NAME = r"(?:last|family|sur)\s?names?"
FIRST_OR_LAST = _pattern(
    rf"^(?:either |just |only |the )*(?:first|given) (?:name )?(?:and/)?or {LAST_NAME}(?: alone)?$"
)
ORDER = _pattern(
    r"\b(?:names?\s+)?in (?:either|any) order\b|^(?:either|any) order$"
    r"|^(?:the )?order (?:(?:is|does) )?(?:not|(?:is|does)n[\'’]t) (?:matter|required|needed|important)$"
)
PARTS = _pattern(r",? (?:and|&) |, ")
# "both answers required, in either order", "need all three", "first and last name required"
ALL_NEEDED = _pattern(
    r"^(?:(?:(?:both|all|each|two|three|(?P<name>(?:first and last|full|whole) names?)\b)(?! if\b)(?: (?!if\b|not\b)\w+){0,5}? ?"
    r"(?:is |are |must be )?(?<!not )(?:required|needed|necessary|given))"
    r"|(?:we )?(?:must )?(?:need|give|require)s? (?:both|all)(?: \w+){0,2})"
    r"(?:,? (?:but |and )?(?:accept )?(?:(?:in )?(?:either|any) order|order (?:is|does)(?: not|n[\'’]t) (?:matter|important|required)))?$"
)
VAGUE = _pattern(
    rf"^(?:(?:{KIND}|or)\s+)*(?:{THING}|equivalent|similar|like|etc\.?|vice versa)"
    r"(?:\s+(?:answers?|forms?))?$"
)
SUCH_AS = _pattern(r"^(?P<what>.*?)[\s,]*\b(?:such as|like|including|e\.g\.,?|for example)\s*,?\s+")
GENERIC = _pattern(
    rf"\b(?:{THING}|word forms?|types?|groups?|kinds?|specific|any|other|partial|incomplete)\b"
)
ANSWERS_THAT = rf"^(?:{KIND}\s+)*{THING}\s+(?:(?:that|which)\s+)?"
ABOUT = _pattern(
    rf"{ANSWERS_THAT}(?:specifically\s+)?(?:about|mention(?:s|ing)?|indicat(?:es?|ing)|express(?:es|ing)?|describ(?:es?|ing)"
    r"|convey(?:s|ing)?|impl(?:y|ies|ying)|suggest(?:s|ing)?|refers? to"
    r"|involv(?:es?|ing)|contain(?:s|ing)?|includ(?:es?|ing)|relat(?:ed|ing) to|referring to"
    r"|talking about|equivalent to|along the lines of|to the effect of|of|for)\s+"
    r"(?:the\s+(?:ideas?|names?|words?|terms?|phrases?)\s+(?:of\s+)?)?(?:that\s+)?"
)
# Told to the moderator, and no answer unless quoted or underlined.
INSTRUCTION = re.compile(
    r"\b(?:required|needed|necessary|acceptable|lenient|generous|optional|moderators?|must|should"
    r"|needs? (?:both|all|to|only|either)|the (?:player|reader|team|host)s?|players|(?:either|any) order"
    r"|order (?:does|is|doesn)|not matter|notes? to|ask (?:for|the|if)|pronounced?|[Rr]ead|slowly|carefully)\b"
)
# Words or length of no answer.
SENTENCE = re.compile(r"\b(?:is|are|was|were|refers?|ask)\b|(?:\S+\s+){8}\S")
ONE_PART = re.compile(  # "prompt on just one", "prompt if only one is given"
    r"^(?:if |when |on |just |only |simply |any |either )*(?:(?:a single|either|only one|just one|one"
    r"|(?:the )?(?:first|last|given|family) names?|surnames?|half)(?: (?!in\b|to\b|and\b)[a-z]+)?)"
    r"(?: (?:is|are|was|of (?:the|these|those|them)|given|said|named|alone|only|by itself|two|names?"
    r"|answers?|parts?))*(?:,? (?:but )?not both)?$"
)
ANY_SUCH = re.compile(r"^(?:any(?:one|thing)?|every|all|something|whatever)\s+[a-z0-9]")
ADJECTIVE = re.compile(r"[a-z]+(?:ual|nal|ial|cal|ear|lar|ous|tive|ic|ary)$")
TRIM = _pattern(
    r"^(?:on|just|simply|either|also|both|any of)\s+(?=\S)|\s+(?:alone|by itself|at any point"
    r"|anywhere|etc\.?|in general|specifically|only)$"
)
REASON = _pattern(
    r"\s+(?:because|even (?:though|if|when)|regardless of|(?<!such )as (?:the|it|they|this|that))\s.*$"
    r"|,\s+(?:since|as long as|(?:al)?though|(?:that|which) (?:do|does) not)\s.*$"
)
GUIDE = re.compile(r"^\W*(?:\"[^\"]*\"|[\w' ]*[A-Z]{2,}-[\w-]*|[\w']+-[A-Z]{2,}[\w -]*)\W*$")
SLASH = rf"\s+/\s+|(?<={OFF})/(?={ON})|(?<=[a-z]{{3}})/(?=[a-z]{{3,}}$)"
NEUTRAL_MARK = re.compile(f'["(){ON}{OFF}]')
MARKDOWN = [
    (re.compile(pattern), tag)
    for pattern, tag in (
        (r"(?<![\w_])__(?=\S)([^_]+?)(?<=\S)__(?!_)", "u"),
        (r"(?<![\w_])_(?=\S)([^_]+?)(?<=\S)_(?!_|\w{4})", "u"),
        (r"\*\*(?=\S)([^*]+?)(?<=\S)\*\*", "b"),
    )
]

SINGLE_QUOTES = re.compile(r"(?<!\w)‘([^‘’\"]{2,}?)’(?!\w)")
ONE_FORM = str.maketrans("“”„«»‘’{}\u00a0", '"""""\'\'[] ', "\u200b\u00ad")
PROMPTER = re.compile(r"^(?:ANSWER|Answer)\s*:\s*(?=\S)")
NOTED = _pattern(  # "MODERATOR NOTE: do not accept ..."
    r"^(?:(?:moderator|editor|ed\.?|reader)(?:'?s)?\s+)?note(?:\s+to\s+(?:the\s+)?\w+)?\s*:\s*"
)
UNOPENED = _pattern(rf";\s*(?={LEAD}{NAMELESS_VERB})")
STOP_BEFORE_QUOTE = re.compile(r"([;,.])\s*\"(?=\s|$|[\])])")
# do not accept X or prompt on Y
NOR_PROMPT = _pattern(r"(\b(?:do not|don't) accept [^;()\[\]]*?),? (?:or|nor) prompt on\b")
# [4+2] cycloaddition, [2,3]-sigmatropic, [18]annulene: brackets that belong to a name
IN_NAME = re.compile(r"\[(\w(?: ?[+,] ?\w)+(?=\])|\d{1,3}(?=\][\w-]))\]")
ASIDES = re.compile(r"\([^()]*\)")
# "kuh-MOO" at the beginning of a bracket, before its clauses
SPOKEN = re.compile(
    r"^\s*(?:(?:pronounced|read as|say|like)[\s:]+)?"
    r"(?:\"[^\"]+\"|(?:[a-z']+-)*[A-Z]{2,}(?:-[a-z']+)*(?:-[A-Za-z']+)*)\s*[;,.]\s*"
)
# "kuh-MOO", "DVOR-zhock": syllables, of which one is in capitals.
SOUND = re.compile(
    r"^\W*(?=[^A-Z]*[A-Z]{2})(?=[^a-z]*[a-z])(?=\S*-)(?:[a-z]+|[A-Z]{2,})(?:[- ](?:[a-z]+|[A-Z]{2,}))*\W*$"
)
# "accept just last names"
SURNAMES = _pattern(rf"^(?:on |just |only |the )*{LAST_NAME}(?: only| alone)?$")
# "A [or B] and C [both required]": the answer goes on behind a bracket
BEHIND = _pattern(r"^\s*,?\s*(?:and|&)\s+(?=\S)(?!(?:accept|prompt|reject|do not|don't)\b)")
# "the answers are the synoptic gospels, which is also acceptable"
ACCEPTABLE = _pattern(
    r"^(?:(?:the )?answers? (?:is|are)(?: actually)? )?(?P<what>[^,;]+?),?(?: which)? (?:is|are)(?: also)?"
    r" (?:acceptable|correct|fine|right|allowed)$"
)
FOR = re.compile(r"^(?P<new>[^;]+?)\s+for\s+(?P<old>[^;,]+)$")
# "Q for “heat” and W for “work”"
FORS = re.compile(r",?\s+and\s+(?=[^;]+?\s+for\s)|,\s+(?=[^;,]+?\s+for\s)")
# "any answer that includes the word “X”", "answers mentioning X"
PART_OF_CLAUSE = _pattern(
    rf"{ANSWERS_THAT}(?:mention(?:s|ing)?|includ(?:es?|ing)|contain(?:s|ing)?)\s+"
    r"(?:the\s+(?:words?|terms?|phrases?|names?)\s+)?(?P<what>.+)$"
)
KINDS_OF = _pattern(
    r"^(?:more )?(?:specific|particular|any|other|all)(?: (?:specific|particular))? (?:types?|kinds?|varieties|species|examples?|breeds?|sorts?|brands?|shades?|flavou?rs?|strains?)\b"
    r"|^(?:any |all |other )?(?:more )?(?:specific|particular) (?:answers?|(?P<what>\w+))"
)
LISTED = _pattern(r"[\s,]*\b(?:such as|like|including)\s+(?=\S)")
# "or equivalents", "accept synonyms", "descriptive equivalents"
EQUALS = _pattern(
    r"\b(?:equivalents?|synonyms?|(?:equivalent|similar|reasonable) (?:answers?|descriptions?)"
    r"|descriptions? (?:of|like)|answers? (?:indicating|describing|about|(?:that|which) (?:indicates?|describes?|says?|expresse?s?))|anything (?:about|like)|the like)\b"
)
# "Christ's death, and other equivalents"
AND_OTHERS = _pattern(rf",?\s+and\s+(?:{KIND}\s+)+{THING}\b[^\"]*$")
# What separates answers, in the head and in a clause.
HEAD_OR = re.compile(rf"[;,:]?\s+(?:or|OR)[,:]?\s+|{SLASH}")
HEAD_LIST = re.compile(rf"[;,:]?\s+(?:or|OR),?\s+|,\s+|{SLASH}")
SLASHES = re.compile(r"\s*/\s*")
# "(both required, prompt on one)"
BOTH_REQUIRED = _pattern(
    r"^(?:both|all|each)\b[\w ]*\b(?:required|needed|necessary)\b|[;,] (?:prompt on|accept|reject|do not) "
)
ANY_OR = re.compile(r"\s+(?:and/)?or\s+(?:on\s+)?|\s+as well as\s+|\s*/or\s+")
MARKED = re.compile(rf",\s+(?={ON})|{SLASH}")

LETTERS = re.compile("[a-z]+")
PLAIN_UNLESS = words("words of an instruction")
# A line without any of this is one answer.
PLAIN_LINE = re.compile(r"[^A-Za-z\d'. -]| or| OR|prompt")

LONGEST = 10_000
"""Characters of the longest answer line and guess that are read."""


def unmark(text: str) -> str:
    """A text without the marks (``ON`` and ``OFF``) around its required parts."""
    return text.replace(ON, "").replace(OFF, "") if not text.isascii() else text


def tidy(text: str) -> str:
    """A text with single blanks, and none, nor ``,;:/``, at its ends; without quotes around the whole."""
    text = " ".join(text.split()).strip(" ,;:/\t")
    if '"' in text:
        while text[:1] == '"' and text.find('"', 1) in (-1, len(text) - 1):
            text = text.strip('"').strip(" ,;:")
    return text


def clean(line: str) -> str:
    """A line in one form without tags; underlines (else bold; Markdown too) marked by ``ON`` and ``OFF``."""
    if "Ã" in line or "â€" in line:
        with suppress(UnicodeError):
            line = line.encode("cp1252").decode("utf-8")
    line = html.unescape(line)
    plain = line.isascii()
    if not plain:
        line = MARKS.sub("", unicodedata.normalize("NFC", line))
    for pattern, tag in MARKDOWN if "_" in line or "**" in line else ():
        line = pattern.sub(rf"<{tag}>\1</{tag}>", line)
    if "<" in line:
        tag = "u" if re.search(r"<u\b", line, re.I) else "b"
        line = re.sub(rf"<{tag}\b[^<>]*>", ON, line, flags=re.I)
        line = re.sub(rf"</{tag}\s*>", OFF, line, flags=re.I)
        line = re.sub(r"</?[a-zA-Z][^<>]*>", "", line).replace(OFF + ON, "")
        line = MARKED_SIGNS.sub(itemgetter(1), line)
    if not plain or "{" in line or "}" in line:
        line = SINGLE_QUOTES.sub(r'"\1"', line).translate(ONE_FORM)
    if ";" in line and "[" not in line:  # the opening bracket is missing
        opening = UNOPENED.search(line)
        before = line[: opening.start()] if opening else ""
        if opening and before.count("(") == before.count(")"):
            line = f"{before} [{line[opening.end() :]}"
    line = IN_NAME.sub(itemgetter(1), line) if "[" in line else line
    line = STOP_BEFORE_QUOTE.sub(r'"\1', line) if '"' in line else line
    line = PROMPTER.sub("", " ".join(line.split()))
    line = NOR_PROMPT.sub(r"\1 or", line) if "r prompt on " in line else line
    wrapped = line[:1] == "(" and next(outermost(line, "()")) == (0, len(line) - 1)
    return line[1:-1] if wrapped else line


def outermost(text: str, pair: str) -> Iterator[tuple[int, int]]:
    """Index at which each outermost bracket of a ``pair`` such as ``()`` opens and closes, ``len(text)`` where it stays open."""
    depth = start = 0
    for match in re.finditer(f"[{re.escape(pair)}]", text):
        if match.group() == pair[0]:
            start = start if depth else match.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield start, match.start()
    if depth:
        yield start, len(text)


def required_parts(marked: str) -> tuple[str, ...]:
    """The parts between the marks ``ON`` and ``OFF``, each once, in their order; ``()`` where a mark lacks its other half."""
    if marked.count(ON) != marked.count(OFF):
        return ()
    parts = (part.strip(" \"'") for part in re.findall(f"{ON}([^{ON}{OFF}]*){OFF}", marked))
    return tuple(dict.fromkeys(filter(None, parts)))


def open_depth(text: str) -> list[bool]:
    """For each character, whether it lies inside quotation marks, parentheses or an underline; a mark that
    opens does, one that closes not. A kind of mark that does not balance protects nothing: one missing mark
    cannot swallow a line."""
    balanced = {'"': text.count('"') % 2 == 0}
    for begin, end in ("()", ON + OFF):
        balanced[begin] = balanced[end] = text.count(begin) == text.count(end)
    inside: list[bool] = []
    quoted, depth, marked = False, 0, 0
    for match in NEUTRAL_MARK.finditer(text):
        inside += [quoted or depth > 0 or marked > 0] * (match.start() - len(inside))
        sign = match.group() if balanced[match.group()] else ""
        quoted ^= sign == '"'
        depth = max(0, depth + (sign == "(") - (sign == ")"))
        marked = max(0, marked + (sign == ON) - (sign == OFF))
        inside.append(quoted or depth > 0 or marked > 0)
    return inside + [quoted or depth > 0 or marked > 0] * (len(text) - len(inside))


def split(text: str, pattern: str | re.Pattern[str]) -> list[str]:
    """``text`` cut where ``pattern`` matches outside quotation marks, parentheses and underlines; the matches are left out."""
    result = list(re.finditer(pattern, text))
    if not result:
        return [text]
    inside = open_depth(text)
    pieces, final = [], 0
    for match in result:
        if match.end() > match.start() and not inside[match.start()]:
            pieces.append(text[final : match.start()])
            final = match.end()
    return [*pieces, text[final:]]


def groups(line: str) -> Iterator[tuple[str, str]]:
    """Pieces of a line in order: ('text' | 'bracket', content), texts perhaps ''; brackets in brackets become
    round. The line's end closes an open square bracket."""
    final = 0
    for start, end in outermost(line, "[]"):
        yield "text", line[final:start]
        yield "bracket", line[start + 1 : end].replace("[", "(").replace("]", ")")
        final = end + 1
    yield "text", line[final:].replace("]", " ")


def clauses_of(text: str) -> Iterator[str]:
    """The clauses of ``text``, cut before each further directive ("accept A but reject B") outside marks and parentheses."""
    start = 0
    head = DIRECTIVE.match(text)
    position = head.end() if head else 0
    inside: list[bool] = []
    while match := NEXT_DIRECTIVE.search(text, position):
        inside = inside or open_depth(text)
        if inside[match.start()]:
            position = match.start() + 1
            continue
        yield text[start : match.start()]
        start = match.end()
        directive = DIRECTIVE.match(text, start)  # may itself hold "accept or prompt on"
        position = directive.end() if directive else start + 1
    yield text[start:]


def refuse_long(name: str, text: str) -> None:
    """Raise ``DataError`` for a text of more than :data:`LONGEST` characters, which it calls ``name``."""
    if len(text) > LONGEST:
        expected = f"at most {LONGEST:,} characters, not {len(text):,}"
        raise DataError.at(name, "", "", f"{text[:40]}…", expected)
