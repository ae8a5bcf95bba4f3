"""Misspellings and transliterations: how far one word is from another."""

import re
from functools import lru_cache
from itertools import product
from operator import itemgetter

from rapidfuzz.distance import OSA

from ..core.package import DATA
from .lexicon import lines, words
from .normalise import ENGLISH, rewrite, rules_of

_ENDINGS = words("endings")
_NAMES = frozenset().union(*map(words, ("countries", "states", "realms", "towns", "given names")))
_DOUBLE = re.compile(r"(.)\1+")
_NO_CONSONANT = re.compile("[aeiouyh]")
_SOUNDS = rules_of(  # letters that transliterations and spellers exchange
    ("wr", "^wr", "r"), ("ight", "ight", "ite"), ("eau", "eau", "o"), ("ough", "ough$", "o"), ("au", "au", "o"), ("yo", "(?<=[^aeiou])yo(?=[vmnsk])", "e"), ("zh", "zh", "z"), ("ye", "^ye", "e"), ("e", "[ei]e(?=[^aeiou]+[aiou])|ee(?=s?$)", "i"),
    ("", "^(?:[gk]h?|q)(?=ad|az)|^(?:gh?|q)(?=[au])", "g"), ("x", "^x", "z"), ("x", "x", "ks"), ("ph", "ph", "f"),
    ("o", "oo|ou", "u"), ("dh", "dh", "d"), ("sch", "^sch(?!t)", "sh"), ("h", "shch|t?sch|tch|tsh", "ch"),
    ("", "kh|ck|q", "k"), ("gh", "gh$", "h"), ("gh", "gh", "g"), ("", "tz|ts|cz", "z"),
    ("c", "c(?!h)", "k"), ("j", "j", "i"), ("w", "w", "v"), ("th", "th", "t"),
    ("y", "[ei]y|iy|y", "i"), ("iev", "iev", "ev"), ("l", "(?<=[aou])l(?=[mkf])", ""), ("oye", "oye", "oe"), ("e", "oe|ae|ue", "e"), ("ngk", "ng(?=k)", "n"),
    ("osis", "osis$", "ose"), ("z", "(?<=[aeiou])z(?=[aeiou])", "s"), ("hmet", "hmet$", "hmed"), ("h", "(?<=[aeo])h$", ""), ("eia", "ei(?=a$)", "e"), ("h", "(?<=[^aeiou][aeiou])h(?=[lmnr])", ""),
)  # fmt: skip


def _confusable(a: str, b: str) -> bool:
    """Whether two words differ just in an ending of 2–4 letters that makes another word of them: methane, methene."""
    sizes = product(range(2, 5), repeat=2)
    return any(a[:-i] == b[:-j] and a[-i:] in _ENDINGS and b[-j:] in _ENDINGS for i, j in sizes)


def single(word: str) -> str:
    """A word with each run of one letter written once."""
    return _DOUBLE.sub(itemgetter(1), word)


@lru_cache(maxsize=1 << 16)
def _sound(word: str) -> str:
    return single(rewrite(word, _SOUNDS))


_VOWELS = str.maketrans("eo", "iu")  # of scripts that do not write them apart: Hezbollah, Hizbullah
_READ_ALOUD = rules_of(
    ("g", "g(?=[eiy])", "j"), ("c", "c(?=[eiy])", "s"), ("e", "ee|ie|ea", "i"), ("oo", "oo", "u")
)  # fmt: skip
_READINGS = [  # of languages, two of English first
    [(re.compile(letters), sound) for letters, sound in (rule.split(">") for rule in rules.split())]
    for rules in (f"{line} {' '.join(lines('sounds'))}" for line in lines("readings"))
]
_VOICED = dict(zip("gkbpdt", "kgpbtd", strict=True))  # transliterations exchange them in front: gimchi, Taegu


@lru_cache(maxsize=1 << 16)
def as_heard(word: str) -> str:
    """A key of how a word sounds: the same for Genie and Jeenie."""
    return single(_sound(rewrite(word, _READ_ALOUD)).translate(_VOWELS))


@lru_cache(maxsize=1 << 16)
def _reading(word: str, language: int) -> str:
    for letters, sound in _READINGS[language]:
        word = letters.sub(sound, word)
    return word


def _reads_alike(word: str, guess: str) -> bool:
    """Whether a guess, read in English, sounds as the word does in one of the languages: chello, Monay."""
    readings = {_reading(word, language) for language in range(len(_READINGS))}
    return not readings.isdisjoint((_reading(guess, 0), _reading(guess, 1)))


def _edits(a: str, b: str, limit: float) -> float:
    """Edits between two words, one of a consonant counting 1.5; infinity above ``limit``."""
    far = OSA.distance(a, b, score_cutoff=int(limit))
    if far <= limit:
        far += 0.5 * OSA.distance(_NO_CONSONANT.sub("", a), _NO_CONSONANT.sub("", b))
    return far if far <= limit else float("inf")


@lru_cache(maxsize=1)
def _english_words() -> frozenset[str]:
    rows = (DATA / "english_words.txt").read_text(encoding="ascii").splitlines()
    return frozenset(word for row in rows if row[0] != "#" for word in row.split())


_INFLECTED = re.compile("(?<=...)(?:s|es|ed|d|ing|ly|ers?)$")
_CREED = re.compile("(?<=...)(?:ists?|isms?)$")


def _bare(word: str) -> str:
    return ENGLISH.stemWord(_CREED.sub("", word))


def is_word(word: str) -> bool:
    """Whether a word, or what it inflects, is in ``english_words.txt``."""
    base = _INFLECTED.sub("", word)
    return not _english_words().isdisjoint((word, base, base + "e", word.removesuffix("s")))


def is_another_word(guess: str, word: str) -> bool:
    """Whether a guess (or what it inflects) is in ``english_words.txt`` and neither sounds like ``word`` nor has its root."""
    return is_word(guess) and _sound(guess) != _sound(word) and _bare(guess) != _bare(word)


LONG = 5  # letters of the shortest word that may be misspelled
_HEARD = 4  # of the shortest name that may be written as it sounds


@lru_cache(maxsize=1 << 16)
def spelling_distance(word: str, guess: str, name: bool) -> float:
    """Edits between two words, at least 0.5, where ``guess`` may be a misspelling of ``word``, else infinity.
    One edit per six letters is forgiven (1.5 in long unknown words), none of the first, and none under five
    letters. That of a consonant counts 1.5, a doubled letter nothing. In a ``name`` what sounds alike is 0.5
    or 1 apart."""
    far = float("inf")
    short, long = sorted((len(word), len(guess)))
    length = long if short > 5 else 5
    if short < LONG or long - short > 4 or not (word + guess).isalpha():
        heard = name and short >= _HEARD and long - short < 2 and (word + guess).isalpha()
        alike = heard and (_sound(word) == _sound(guess) or word.rstrip("e") == guess.rstrip("e"))
        return 0.5 if alike else far  # Mead, Meade
    if _confusable(word, guess):
        return far
    best = far
    if word[0] == guess[0]:
        begun = word.startswith(guess) or guess.startswith(word)  # William, Williams
        unknown = short > 6 and not begun and not (guess in _NAMES or guess in _english_words())
        best = _edits(single(word), single(guess), max(length / 6, 1.5 * unknown))
        if best > 2 and length > 7 and word[-1] == guess[-1] and sorted(word) == sorted(guess):
            best = 1.5  # the same letters in another order
    borrowed = word[-1] in "iu" and guess[-1] in "iue"
    if (name or borrowed) and best > 0.5:
        heard, guessed = _sound(word), _sound(guess)
        if heard == guessed or (borrowed and _VOICED.get(heard[0], "") + heard[1:] == guessed):
            best = 0.5
        elif name and length > 5 and heard.translate(_VOWELS) == guessed.translate(_VOWELS):
            best = min(best, 1.0)
        elif name and heard[0] == guessed[0] and length > 5:
            best = min(best, 0.5 + _edits(heard, guessed, length / 6 - 0.5))
    if best > 1 and OSA.distance(word, guess, score_cutoff=5) <= short // 2:
        another = guess in _NAMES or guess in _english_words()
        best = 1.0 if not another and _reads_alike(word, guess) else best
    return max(best, 0.5)
