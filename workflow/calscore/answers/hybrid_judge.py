"""Whether two answers are the same: the rules where they are certain, a learned score for the rest.

A guess is right when a moderator would accept it (paper §3.2 and §4.1, g_t), and the answer line tells so.
:func:`judge_by_rules` decides most guesses; nothing there is learned. :data:`calscore.answers.rules.RULES`
says what each rule has seen, :data:`calscore.answers.rules.CERTAIN` which of them a learned score must not
overrule (with a ``question`` it may overrule three). What the rules leave open gets the probability of
:mod:`calscore.answers.score` that a human judge would call the two answers the same.

In short-answer data with the ``question`` at hand, a guess names a thing of the kind that was asked for, and
"Regina Spektor" for *Spektor* is right. A quizbowl guess comes without such a question, and "Virginia" for
*West Virginia* is another answer. So without ``question`` the score decides only about guesses that neither
add nor drop a distinguishing word. Do not pass a tossup as ``question``.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import Prefix

from ..clues.sentences import last_sentence
from ..core.errors import DataError
from .answerline import Answerline
from .glosses import ASKED_FOR, match_with_gloss, names_another_thing
from .grammar import refuse_long
from .lexicon import lines, words
from .match_index import Index
from .normalise import Normal, normal, plain_words, roman_value
from .parse import line_of, parse
from .person_names import PLACES
from .rules import CERTAIN, Judgement, judgement_of
from .score import (
    FEATURES,
    Model,
    Text,
    appended,
    claim_in,
    content_of,
    default_model,
    feature_vector,
    overlap,
    question_stems,
    side_of,
    text_of,
)
from .wordings import CLASS_OF, FORMULA, guess_variants, without_speech

_SAME = frozenset(("exact", "alias", "number"))
_NO_GUESS = frozenset(lines("no guess"))
# What a guess says that it is not.
_DENIED = re.compile(r"\b(?:not|never|isn['’]?t|wasn['’]?t|n['’]t|anything but|except)\b", re.I)


@lru_cache(maxsize=1 << 15)
def _variants(guess: str) -> tuple[tuple[Normal, bool], ...]:
    """:func:`guess_variants` of a guess, each in normal form."""
    return tuple((normal(text), certain) for text, certain in guess_variants(guess))


def judge_by_rules(
    answerline: str | Answerline,
    guess: str | None,
    condition: str = "",
    tossup: str = "",
) -> Judgement:
    """Whether a moderator would accept, prompt on or reject ``guess``.

    ``tossup`` is the question's text, '' if unknown: its last sentence may say of what kind the answer is,
    and who made it. ``condition`` is a key of :func:`condition_met`; '' means that none of the line is past.
    A missing guess (None, NaN, blank, or "None" and "I don't know" unless the line has these) is rejected by
    rule ``empty``. Raises ``DataError`` where line or guess is not text, or too long to be one."""
    line = parse(answerline) if not isinstance(answerline, Answerline) else answerline
    index = _index_of(line, condition)
    if not isinstance(guess, str):
        nan = isinstance(guess, float) and guess != guess
        if guess is None or nan or type(guess).__name__ == "NAType":  # the missing value of pandas
            return Judgement("reject", 0.0, "empty")
        raise DataError.at("guess", "", "", guess, "text, or None for no guess")
    refuse_long("guess", guess)
    guess = unicodedata.normalize("NFC", guess)
    strict = plain_words(guess)
    if not strict:
        return Judgement("reject", 0.0, "empty")
    if judged := index.strict.get(strict):
        return judged
    if strict in _NO_GUESS:  # unless it names something: Na
        hits = index.grow().near.get("sorted:" + strict, ())
        return next(map(judgement_of, hits), Judgement("reject", 0.0, "empty"))
    norm = normal(guess)
    number = roman_value(strict) if guess.isupper() else None
    if number and (judged := index.strict.get(str(number))):
        return judged
    if "ad" in norm.tokens and "bc" in index.stated_words and index.stated_words.isdisjoint(("ad", "ce")):
        return Judgement("reject", 0.0, "other number")
    bare = without_speech(guess)
    if index.shares_nothing(bare, normal(bare)):
        return Judgement("reject", 0.0, "no match")
    judged = (
        index.match(norm)
        or _without_words_around(index, guess)
        or match_with_gloss(index.grow(), guess if _DENIED.search(guess) else bare)
    )
    if not judged:
        partial = index.partial and any(index.is_partial(norm) for norm, _ in _variants(guess))
        judged = Judgement("prompt", 0.5, "partial") if partial else index.rejected(norm)
    # What a guess says beside the name may mean another thing.
    doubtful = judged.verdict != "reject" and judged.rule not in _SAME
    if doubtful and names_another_thing(index, bare, tossup):
        return Judgement("reject", 0.05, "other kind")
    return judged


def _index_of(line: Answerline, condition: str) -> Index:
    index = line._indexes.get(condition)
    if index is None:
        past = frozenset(part.strip() for part in condition.split(" | ") if condition) - {""}
        index = line._indexes[condition] = Index(line, past)
    return index


def _without_words_around(index: Index, guess: str) -> Judgement | None:
    """The judgement of a guess without words that wrap it ("I think it's …", brackets); None where no form meets an alternative."""
    for variant, certain in _variants(guess)[1:]:
        judged = index.match(variant) if variant.strict else None
        if judged is None:
            continue
        if judged.verdict != "accept" or certain:
            return judged
        rule = "more" if judged.rule in CERTAIN else judged.rule
        return Judgement("accept", min(judged.score, 0.9), rule)
    return None


SAID = 0.85  # score of rule "said": a reader agreed with about nine in ten
_DIRECTION = words("direction")
# Rules that a question may overrule.
_BY_QUESTION = frozenset(("other number", "given name", "other kind"))


def standing(line: Answerline, condition: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Texts of the alternatives accepted under a condition (as in :func:`judge`), and of those rejected, prompted on or too late."""
    index = _index_of(line, condition)
    return index.accepted, index.refused


def certain(judged: Judgement) -> bool:
    """Whether it is a prompt or by a rule in CERTAIN, three of which a ``question`` leaves open."""
    return judged.verdict == "prompt" or judged.rule in CERTAIN


def _open_to_score(a: Text, g: Text, question_stems: frozenset[str], strict: bool) -> bool:
    """Whether the score may accept the guess for this alternative, which no rule has accepted.

    ``strict`` lets no distinguishing word be added or dropped; otherwise a lower-case word behind the whole
    alternative makes another thing, and what :func:`_another` says."""
    if strict:
        alone_a, alone_g = (sorted(w for w in text.words if len(w) == 1) for text in (a, g))
        # The letters that stand alone: log n is not n log n.
        return a.known == g.known and alone_a == alone_g and _same_sense(a, g)
    return not (appended(a, g, overlap(a, g), question_stems) or _another(a, g))


_BEFORE = frozenset(("bc", "bce"))
_INITIALS = re.compile("[a-z]{1,2}|[b-df-hj-np-tv-xz]{3}")


def _another(a: Text, g: Text) -> bool:
    """Whether two texts are names or words of two things, however alike their letters.

    A lone word that begins as another does is taken for a form of it, for the rules know misspellings:
    architecture and architect, not Austria and Australia. 1848 is no year BC. Initials may be those of the
    other's given names, and no others: T. S. Eliot is not George Eliot."""
    if len(a.known) == len(g.known) == 1 and not (a.known & g.known or a.numbers or g.numbers):
        item, second = a.content[0], g.content[0]
        long = max(len(item), len(second))
        return long < 6 or Prefix.similarity(item, second) < long * 2 / 3
    if a.numbers and g.numbers and _BEFORE.isdisjoint(a.words) != _BEFORE.isdisjoint(g.words):
        return True
    if len(a.known) == len(a.words) == 2 == len(g.words) and a.words[1] == g.words[1]:
        initials, given_name = sorted((a.words[0], g.words[0]), key=len)
        return _INITIALS.fullmatch(initials) is not None and given_name[0] not in initials
    return False


def _same_sense(a: Text, g: Text) -> bool:
    """Whether two texts of the same set of content stems are wordings of one thing.

    Not so where a word of a one-word answer has another ending (organ, organization), where an ending changes
    much of a word (sulfuric, sulfurous), or where words stand in another order around "to" and the like."""
    if a.stems != g.stems and not _DIRECTION.isdisjoint(a.words + g.words):
        return False
    if len(a.known) == 1:
        return a.words == g.words
    words_of_guess = dict(zip(g.stems, g.words, strict=True))
    return all(
        fuzz.ratio(word, words_of_guess.get(stem, word)) >= 80.0
        for stem, word in zip(a.stems, a.words, strict=True)
    )


class Undecided(NamedTuple):
    """A pair that the score decides: its features, as in ``FEATURES``, and those of its nearest answer that is not accepted (None: no such)."""

    vector: list[float]
    rival: list[float] | None


def _said_of_part(accepted: Iterable[str], guess: str, tossup: str) -> bool:
    """Whether the tossup's last sentence says all that a guess lacks of an accepted answer, and not all of the guess.

    "River" does not distinguish the Battle of the Metaurus River in a question that ends by asking for a
    battle at a river. Nor does Haitian in one that names Haiti."""
    question_words, guess_stems = text_of(last_sentence(tossup)).known, text_of(guess).known
    begun = [stem for stem in question_words if len(stem) > 3]
    if guess_stems <= question_words or not any(map(str.isalpha, guess_stems)):
        return False
    if plain_words(guess) in PLACES:  # Kansas is not Kansas City
        return False

    def derived(word: str) -> bool:
        return any(word.startswith(stem) and len(word) - len(stem) < 4 for stem in begun)

    return any(
        guess_stems < full.known
        and all(w in question_words or (w in full.capitals and derived(w)) for w in full.known - guess_stems)
        for full in map(text_of, accepted)
    )


def _said_of_more(accepted: Iterable[str], guess: str, tossup: str) -> bool:
    """Whether a guess adds to an accepted answer only the noun asked for by the tossup's last sentence, in lower case: "SN2
    reaction". A class may stand before "of" where it is what is asked for first: "Battle of Lepanto"."""
    phrases = ASKED_FOR.findall(last_sentence(tossup))
    question_words = frozenset().union(*(text_of(phrase).known for phrase in phrases if phrase))
    stems = text_of(guess).stems
    for full in map(text_of, accepted):
        size, extra = len(full.stems), len(stems) - len(full.stems)
        if not size or extra < 1:
            continue
        if stems[:size] == full.stems and question_words.issuperset(stems[size:]):
            return all(map(str.islower, guess.split()[-extra:]))
        if stems[extra:] == full.stems and question_words.issuperset(stems[:extra]):
            noun = text_of(phrases[0].partition(" of ")[0]).words[-1:]
            of_class = CLASS_OF.match(guess) is not None and text_of(guess).words[:extra] == noun
            return of_class or guess[: -len(full.plain)].islower()
    return False


def rule_verdict_or_features(
    line: Answerline,
    guess: str | None,
    condition: str,
    question: str | None,
    strict: bool | None = None,
    tossup: str | None = None,
) -> Judgement | Undecided:
    """The judgement of the rules where nothing is left to the score, else what that needs to decide.

    Parameters are those of :func:`judge`. None for ``strict``: without a question, or of a ``ruled`` line."""
    question, tossup = (text if text and text.strip() else None for text in (question, tossup))
    if question and line.ruled:  # the line itself says how it is to be judged, not the question
        question, tossup = None, tossup or question
    judged = judge_by_rules(line, guess, condition, tossup or "")
    settles = {"part": _said_of_part, "more": _said_of_more}.get(judged.rule)
    if settles and tossup and guess and settles(standing(line, condition)[0], guess, tossup):
        return Judgement("accept", SAID, "said")
    strict = not question if strict is None else strict
    accepts = judged.verdict == "accept"
    stated = certain(judged) and not (question and judged.rule in _BY_QUESTION)
    if not guess or stated or (accepts and strict):
        return judged
    if not accepts and (claim := claim_in(guess)) and not _DENIED.search(guess):
        claimed = judge_by_rules(line, claim, condition, tossup or "")
        if claimed.verdict == "accept":
            return claimed._replace(score=min(claimed.score, 0.95), rule="sentence")
    if strict and (judged.score < 0.1 or FORMULA.search(guess)):
        return judged  # hardly a word in common, or signs that count
    accepted, rejected_texts = standing(line, condition)
    if strict and not accepts:  # it must have the very words of an answer
        content = set(content_of(guess)[3])
        accepted = tuple(text for text in accepted if content == set(content_of(text)[3]))
    if not accepted:
        return judged
    texts, ready = side_of(accepted), text_of(guess)
    if not accepts:
        question_words = question_stems(question) if question else frozenset()
        texts = tuple(t for t in texts if _open_to_score(t, ready, question_words, strict))
    if not texts or not ready.plain:
        return judged
    rivals = side_of(rejected_texts)
    vector = feature_vector(texts, ready, question, judged)
    rival = feature_vector(rivals, ready, question, judged) if rivals else None
    return Undecided(vector, rival)


def decide(result: Judgement | Undecided, model: Model | None) -> Judgement:
    """The judgement of what :func:`rule_verdict_or_features` gives; a model (None: the package's) decides what is open.

    It accepts from the threshold on, unless that of ``rival`` is as high or higher. The rule is then
    ``score``, the score the probability to four decimals: at least .5 if accepted, at most .4999 if not."""
    if isinstance(result, Judgement):
        return result
    model = model or default_model()
    probability = model.probability(result.vector)
    rival = model.probability(result.rival) if result.rival else 0.0
    if probability >= model.threshold and probability > rival:
        return Judgement("accept", round(max(0.5, probability), 4), "score")
    return Judgement("reject", round(min(0.4999, probability), 4), "score")


def judge(
    answerline: str | Answerline,
    guess: str | None,
    condition: str = "",
    question: str | None = None,
    model: Model | None = None,
    strict: bool | None = None,
    tossup: str | None = None,
) -> Judgement:
    """Whether a moderator would accept, prompt on or reject a guess: by rules, else by a fitted score.

    Parameters
    ----------
    answerline : str or Answerline
        The answer line as a packet prints it, underlining as ``<u>`` or ``_…_``; or what :func:`parse` made of it.
    guess : str or None
        What was said. None, NaN, blanks, and "None" or "I don't know" unless the line has it, give rule ``empty``.
    condition : str
        Which conditions of the line are past, as :func:`condition_met` says; '' for none.
    question : str, optional
        The short-answer question that was asked, no tossup (for which a ``ruled`` line takes it without one).
    model : Model, optional
        The fitted score; by default the one that comes with the package.
    strict : bool, optional
        Keeps the score from accepting a guess that adds or drops a distinguishing word. By default where no
        ``question`` is given or the line is ``ruled``.
    tossup : str, optional
        A quizbowl question. Where its last sentence says what a guess lacks of an answer, or the noun that it
        adds, it is accepted (rule ``said``). What means another thing is rejected (``other kind``).

    Returns
    -------
    Judgement
        Verdict (``accept``, ``prompt`` or ``reject``), score in [0, 1] and the rule that decided.

    Raises
    ------
    DataError
        An answer line or a guess that is not text, or too long to be one.

    Examples
    --------
    >>> line = "George <u>Orwell</u> [accept Eric Arthur <u>Blair</u>; prompt on author of Animal Farm]"
    >>> judge(line, "blair")
    Judgement(verdict='accept', score=1.0, rule='alias')
    >>> judge(line, "Author of Animal Farm").verdict, judge(line, "Tony Blair").verdict
    ('prompt', 'reject')
    """
    line = parse(answerline) if not isinstance(answerline, Answerline) else answerline
    result = rule_verdict_or_features(line, guess, condition, question, strict, tossup)
    return decide(result, model)


def features(reference_alternatives: Sequence[str], guess: str, question: str | None = None) -> list[float]:
    """The features of one pair, in the order of :data:`~calscore.answers.score.FEATURES` (all finite, most in
    [0, 1]). The character and word features compare the guess with the nearest answer that :func:`.line_of`
    accepts. Of words of ``question`` see :func:`feature_vector`. Zeros where a side has no letter or
    digit."""
    line = line_of(reference_alternatives)
    texts, ready = side_of(standing(line, "")[0]), text_of(guess)
    if not texts or not ready.plain:
        return [0.0] * len(FEATURES)
    return [float(v) for v in feature_vector(texts, ready, question, judge_by_rules(line, guess))]
