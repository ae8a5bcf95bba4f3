"""What a guess says once the words around the answer are taken off: a table of rewrites that one loop reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .lexicon import words
from .normalise import singular_form
from .person_names import OFFICES, PLACES, TITLES
from .word_forms import FORMULA

_KINDS = "|".join(sorted(words("kinds before") | words("persons")))
_KIND_BEFORE = (
    rf"^(?:(?:the|an?) )?(?:[A-Z][a-z]+ )?(?:[a-z-]+(?:ist|ic|al|ern|ary|ive|ous) )?(?:{_KINDS})"
    r" (?:called |named )?(?=[\"“A-Z\d])"
    rf"|^the (?:[a-z-]+ )?(?:{'|'.join(sorted(words('kinds before')))}) (?=[a-z][a-z-]*$)"
    r"|^(?:[Tt]he )?(?:[A-Z][a-z]+ )?(?:Titan(?:ess)?|Gorgon|Prophet|Apostle|Muse|Valkyrie) (?=[A-Z])"
)
_APPOSITION = (
    r"^(?!.* or )(\w(?:[^,]|,(?=\d{3}))*), "
    r"(?:(?:which|that|who|whose|where|an?|the|also called|also known as|aka) \w"
    r"|the [A-Z][a-z]+(?: [A-Z][a-z]+)?$"
    rf"|(?:the )?(?:\d+(?:st|nd|rd|th) )?(?:{'|'.join(sorted(o.title() for o in OFFICES))}) (?:of )?[A-Z]"
    rf"|(?:the |an? )?(?:[A-Z][\w-]+ ){{0,2}}(?:[a-z-]+ ){{0,2}}(?:{_KINDS}|{'|'.join(sorted(TITLES))})s?\b)"
    r".*$"
)
_PART = (  # "a piece of glass", "one of the Muses", "just Gretel", "playing chess"
    rf"^(?:(?:(?:an?|the|one|some|two|three|any) )?(?:{'|'.join(sorted(words('measures')))}) of"
    r"|(?:one|any|some|all|two|three|both|members?) of|some|just|only|simply|certain|various"
    rf"|{'|'.join(sorted(words('light verbs')))}|drinking|smoking"
    r"|(?:he|she|they|it|someone|somebody|people)(?= [a-z])) (?:(?:the|an?|some) )?(?=[\w\"“])"
)
_KIND_OF = (
    r"^(?:[Tt]he )?(?:process|act|practice|concept|idea|phenomenon|theory|system|method|technique|game|sport|dance"
    r"|dish|genre|ruins?|site|key|force|(?:[\w-]+ ){0,3}(?:city|town|country|village|province|region|state|island|nation|planet"
    r"|element|kingdom|republic|commonwealth)) of (?=\w)"
)
_SEVERAL = {"china", "congo", "korea"}  # names of more than one state
_STATES = "|".join(sorted(PLACES - _SEVERAL))
_BODY = "|".join(
    sorted({form for word in words("parts of a body") for form in (word, singular_form(word))})
)


class Rewrite(NamedTuple):
    """Words that a guess may have around an answer. ``sure``: they say nothing that could be wrong."""

    name: str
    pattern: re.Pattern[str]
    to: str
    example: str
    counterexample: str
    sure: bool = False


def _rewrite(name: str, pattern: str, to: str, *examples: str, **options: bool) -> Rewrite:
    flags = re.I if options.pop("any_case", False) else 0
    return Rewrite(name, re.compile(pattern, flags), to, *examples, **options)


REWRITES = (
    _rewrite(
        "the answer is",
        r"^[\s*_]*(?:the\s+)?(?:correct\s+)?(?:final\s+)?(?:answer|guess)(?:\s+is|\s*:)[\s:*_]*",
        "", "The answer is Silas Marner", "Answering the door", any_case=True, sure=True,
    ),
    _rewrite(
        "spoken",
        r"^(?:(?:um+|uh+|well|so|oh|maybe|perhaps|probably"
        r"|i(?:['’]ll| will| would|['’]d)? (?:think|believe|guess|say|go with)|i['’]m going with"
        r"|(?:it|that|this)(?:['’]s| is| was| would be)|(?:is|was|could) (?:it|that|this)(?: be)?),? )+(?=[\w\"“'])",
        "", "I think it's Peru", "Peru, I think", any_case=True, sure=True,
    ),
    _rewrite(
        "bracket", r"\s*(?<!\w)\([^()]*\)?|(?<=\w)\((?![IVX]+\))[^()]*\)?", " ",
        "Hamlet (play)", "iron(III) oxide",
    ),
    _rewrite("gospel", r"^((?:[Tt]he )?Gospel) [Aa]ccording to (?=[A-Z])", r"\1 of ", "the Gospel according to Mark", "the gospel truth"),
    _rewrite("year in a place", r"^(\d{4}s?) in (?:the )?[A-Z].*$", r"\1", "1920s in Iraq", "12 in Iraq"),
    _rewrite("kind of", _KIND_OF, "", "the city of Constantinople", "the Battle of Hastings"),
    _rewrite("kind before", _KIND_BEFORE, "", "the film Rashomon", "Film Noir"),
    _rewrite("part of", _PART, "", "a piece of glass", "Pieces of Eight"),
    _rewrite(
        "part of a body", rf"^(?:(?:the|an?) )?(?:human|animal|mammalian) (?=(?:\w+ )*(?i:{_BODY})s?$)", "",
        "the human heart", "The Human Comedy",
    ),
    _rewrite("being", r"^(?:being|getting) (?=[a-z]+ed$)", "", "being disabled", "Being There"),
    _rewrite(
        "era", r"^(?:(?:AD|A\.D\.) )?(\d{1,4}|(?:[Tt]he )?[\w-]+ century)(?: (?:AD|A\.D\.|CE|C\.E\.))?$", r"\1",
        "AD 1848", "44 BC",
    ),
    _rewrite(
        "state's style",
        r"^(?:[Tt]he )?(?:(?!Islamic State)(?:[A-Z][\w'’-]+ ){0,3}(?:Republic|Kingdom|Commonwealth|Sultanate"
        rf"|Federation|Principality|Duchy|Emirate)|State) of (?:the )?(?:Union of )?((?i:{_STATES}))$",
        r"\1", "Democratic Socialist Republic of Sri Lanka", "Republic of China",
    ),
    _rewrite("apposition", _APPOSITION, r"\1", "Suleiman the Magnificent, Ottoman sultan", "Paris, Texas"),
    _rewrite(
        "author", r"^(.+?),?\s+(?:(?:written|composed|painted|directed|sung) )?by\s+\w.*$", r"\1",
        "Hamlet by Shakespeare", "Stand By Me",
    ),
)  # fmt: skip
_MOST = 16  # variants of one guess


def without_speech(guess: str) -> str:
    """The guess without what is said before an answer, and nothing of it lost."""
    for rule in REWRITES:
        if rule.sure:
            guess = rule.pattern.sub(rule.to, guess)
    return guess.rstrip(" .")


def guess_variants(guess: str) -> Iterator[tuple[str, bool]]:
    """The guess as it stands, then without what is said around an answer; and whether nothing was lost."""
    queue, variants_met = [(guess, True)], {guess}
    for text, is_certain in queue:
        yield text, is_certain
        variants = []
        for rule in REWRITES:
            if not rule.pattern.search(text) or (rule.name == "bracket" and FORMULA.search(text)):
                continue
            written = " ".join(rule.pattern.sub(rule.to, text).split())
            if written and written != text:
                variants.append((written, is_certain and rule.sure))
        for written, retained in variants:
            if written not in variants_met and len(queue) < _MOST:
                variants_met.add(written)
                queue.append((written, retained))
