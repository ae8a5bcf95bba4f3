"""What the answers of a line stand for: everything needed to judge guesses under one condition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from functools import cached_property
from operator import itemgetter

from rapidfuzz import fuzz, process

from . import normalise, person_names, wordings
from .answerline import Alternative, Answerline
from .grammar import ADJECTIVE
from .lexicon import words
from .normalise import STOP, Normal, normal, plain_words, raw_words, root, singular_form, stem, word_key
from .person_names import OFFICES, PARTICLES, PLACES, TITLES, Person, holds_office_of, is_given, same_given
from .rules import ACCEPT, PROMPT, REJECT, WHOLE, Hit, Judgement, judgement_of, rank_of
from .typos import spelling_distance
from .wordings import MONTHS, Form, acronyms, meaning, other_decade, other_names, tokens_of, variants

_CHARGES = frozenset("+-−⁺⁻")
_DRAWN = frozenset(map(singular_form, words("theories and graphs")))
_KINDS = frozenset(t for w in words("kinds behind a common name") for t in normal(w).singular)
_LIVING = frozenset(map(singular_form, words("kinds of living things")))
_ANIMALS = words("classes of animals")
_LATIN = re.compile(r"[A-Z][a-z]+(?:a|[aeiouy]s|um|[iay]x|on)(?: [a-z]{3,})?")
_TITLED = meaning(TITLES | words("people in general"))
_PLACES = PLACES | {" ".join(normal(place).singular) for place in PLACES}
_FORMED = words("general nouns") | words("nouns behind word forms")
_NAME_WORDS = person_names.GIVEN | PARTICLES
_OFFICIAL = TITLES - wordings.HUSBANDS
_OF_SURNAMES = PARTICLES - {"of", "ben"}
_SURNAMELESS = words("known by one name")
_WHICH_ONE = frozenset(("junior", "senior", *map(str, range(1, 50))))
_NAMED = frozenset(("name", "surname", "last name", "typo"))
_LOOK_DERIVED = words("words that look derived")
# What is told by other words: "ist movement", 3/4, 60s, and a sentence about somebody.
_OTHER_WORDS = re.compile(
    r"ist movement$|\d[/-]\d|\d['’]?s\b|time$|^(?:he|she|they|it|someone|somebody|people) |^(?:the )?"
    r"(?:process|act|practice|concept|idea|phenomenon|city|town|country) of ",
    re.I,
)
_ACRONYM = re.compile(r"(?:[A-Z]\.?){3,6}")
_SHORT = 9  # letters of the shortest guess that is too long for initials
# per cent of the letters that a word and a form of it, perhaps with the same first letter, have in common at least
_ALIKE, _ALIKE_BEGUN = 56, 50
_TAGS = re.compile(r"<[^<>]*>|[*_]")
_BY = re.compile(
    r"\bby ((?:(?:[A-ZÀ-Þ][\w.'’-]*|v[ao]n|d[aeiu]|der|l[ae]) ?)+)"
    r"|\(([A-ZÀ-Þ][\w.]+(?: [A-ZÀ-Þ][\w.]+)*)\)$"  # The Kiss (Rodin)
    r"|^(?!An? |The )((?:[A-ZÀ-Þ][\w.-]* ){0,3}[A-ZÀ-Þ][\w-]*)['’]s "  # Beethoven's Seventh Symphony
)


class Index:
    """Everything needed to judge guesses on one line once the triggers ``past`` are read.

    ``strict`` maps the words of each alternative, as they stand, to what they decide. The rest is made when a
    guess needs it: :meth:`whole` tells whether it is an alternative in another form, ``near`` (:meth:`grow`)
    maps the keys of derived wordings to what they suggest. In methods ``norm`` is a guess, ``guess`` (a set)
    its singular tokens with underlined beginnings, ``surplus`` those of them that the ``form`` lacks."""

    def __init__(self, line: Answerline, past: frozenset[str]):
        self.partial = line.partial is not None
        self.equivalents = line.equivalents
        self.source = line.source
        self.alternatives = line.alternatives
        self.grown = False
        ranks = ((rank_of(a, past), a) for a in line.alternatives)
        self.ranked = sorted(((r, a) for r, a in ranks if r is not None), key=itemgetter(0))
        self.accepted = tuple(a.text for r, a in self.ranked if r == ACCEPT)
        self.refused = tuple(a.text for r, a in self.ranked if r != ACCEPT)
        stated = {plain_words(a.text) for r, a in self.ranked if r in (REJECT, PROMPT)}
        self.wordings: list[tuple[Alternative, int, str, str, tuple[str, ...]]] = []
        self.strict: dict[str, Judgement] = {}
        for rank, a in self.ranked:
            rule = "exact" if a.main else "literal" if a.literal and rank != PROMPT else "alias"
            if rank == PROMPT:
                rule = "anti-prompt" if a.anti else "prompt"
            core = " ".join(a.required) if rank != REJECT else ""  # all of it is wrong, not a part
            forms = variants(a.text)
            denied = ("", *stated) if rank == ACCEPT else ("",)
            if core and core != a.text and plain_words(core) not in denied:
                forms.append(core)  # unless the line prompts on it
            texts = tuple(dict.fromkeys(forms) if len(forms) > 1 else forms)
            self.wordings.append((a, rank, rule, core, texts))
            judged = judgement_of(Hit(1.0, rank, rule))
            for text in texts:
                strict = plain_words(text)
                self.strict.setdefault(strict, judged)
                if strict[-1:] == "s" and strict[:-1].isdecimal():
                    # the year that begins a decade is taken for it, a decade not for a year
                    year = judgement_of(Hit(0.9, rank, "number"))
                    self.strict.setdefault(strict[:-1], year)

    @cached_property
    def authors(self) -> set[str]:
        """The words of the names of those whose works the line says its answers are, and each name solid."""
        accepted = (a.text for a in self.alternatives if a.verdict == "accept")
        texts = (_TAGS.sub("", self.source), *accepted)
        written = [next(filter(None, named)) for text in texts for named in _BY.findall(text)]
        # Sophie's Choice is by somebody else.
        names = [normal(name).tokens for name in written if not is_given(plain_words(name))]
        return {word for tokens in names for word in (*tokens, "".join(tokens))}

    @cached_property
    def keyed(self) -> dict[str, Judgement]:
        """Each key of the normal form of a wording → what that decides."""
        result: dict[str, Judgement] = {}
        for _, rank, rule, _, texts in self.wordings:
            for norm in map(self.norms.__getitem__, texts):
                numbered = rule in ("exact", "alias") and any(t[0].isdigit() for t in norm.tokens)
                judged = judgement_of(Hit(1.0, rank, "number" if numbered else rule))
                for key in norm.keys:
                    result.setdefault(key, judged)
        return result

    @cached_property
    def norms(self) -> dict[str, Normal]:
        """Each text of ``wordings`` → its normal form."""
        return {text: normal(text) for *_, texts in self.wordings for text in texts}

    @cached_property
    def stated_words(self) -> set[str]:
        """The words of the alternatives, as they stand and in normal form."""
        result: set[str] = set()
        for item in self.norms.values():
            result.update(item.strict.split(), item.tokens, item.singular)
        return result

    @cached_property
    def likened(self) -> tuple[tuple[str, ...], tuple[str, ...], str, frozenset[str]]:
        """The words that a misspelled guess may be, the texts written solid, first letters of what initials shorten,
        and the roots of what may have other forms."""
        solid = {"".join(item.tokens) for item in self.norms.values()} - {""}
        other_forms = {
            word
            for item in self.norms.values()
            for name in (*other_names(item), ":" + other_decade("".join(item.tokens)))
            for word in name.partition(":")[2].split()
        }
        longer = (n.strict.split() for n in self.norms.values() if n.strict.count(" ") > 1)
        initials = {word[0] for several in longer for word in several}
        rooted = frozenset(
            root(t)
            for a, rank, *_, texts in self.wordings
            if rank == PROMPT or a.word_forms or a.within
            for text in texts
            for t in self.norms[text].tokens
        )
        likely = sorted((self.stated_words | other_forms | solid) - STOP)
        return tuple(likely), tuple(solid), "".join(initials), rooted

    @cached_property
    def told_by_others(self) -> bool:
        """Whether an alternative may be said without a word of its own: per cent, initials."""
        return any("percent" in n.tokens or _ACRONYM.fullmatch(t) for t, n in self.norms.items())

    def shares_nothing(self, guess: str, norm: Normal) -> bool:
        """Whether a guess and the line share nothing, as most do, as far as can be told without growing it."""
        if not norm.content or not self.stated_words.isdisjoint((*norm.tokens, *norm.singular)):
            return False
        letters = "".join(norm.tokens)
        words_, solid, initials, rooted = self.likened
        if (
            self.equivalents
            or self.told_by_others
            or (len(letters) < _SHORT and letters[0] in initials)
            or _OTHER_WORDS.search(guess)
            or any(piece in letters for piece in solid)
            or (rooted and not rooted.isdisjoint(map(root, norm.tokens)))
        ):
            return False
        return not any(
            score >= _ALIKE or word[0] == guessed[0]
            for guessed in {*norm.tokens, letters} - STOP
            for word, score, _ in process.extract(
                guessed, words_, scorer=fuzz.ratio, limit=None, score_cutoff=_ALIKE_BEGUN
            )
        )

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The texts of alternatives that have not lapsed, each once, by rank."""
        return tuple(dict.fromkeys(a.text for _, a in self.ranked))

    @cached_property
    def spelled_out(self) -> set[str]:
        """The initials of the alternatives: what they stand for is said."""
        return {initials for text in self.texts for initials in acronyms(plain_words(text))}

    @cached_property
    def fuller_names(self) -> person_names.ByLast:
        """:func:`.person_names.by_last_word` of ``texts``."""
        return person_names.by_last_word(self.texts)

    @cached_property
    def persons(self) -> dict[str, Person]:
        """The people that alternatives name, by their text."""
        named = ((t, person_names.person_in(v, self.fuller_names)) for t in self.texts for v in variants(t))
        return {text: person for text, person in named if person}

    @cached_property
    def surnames(self) -> set[str]:
        """Surnames of sure ``persons``, and capitalised last parts that are underlined behind a given name."""
        ends = ((a.text, a.required[-1]) for _, a in self.ranked if a.required)
        behind = (
            (text, end) for text, end in ends if text != end and text.endswith(end) and end[0].isupper()
        )
        marked = {plain_words(end) for text, end in behind if is_given(raw_words(text)[0].casefold())}
        return marked | {p.surname for p in self.persons.values() if p.sure}

    def grow(self) -> Index:
        """The index with all that the alternatives stand for."""
        if not self.grown:  # several threads may be here: none sees a part of it
            grown = copy(self)
            grown.fill()
            grown.grown = True
            self.__dict__.update(grown.__dict__)
        return self

    def fill(self) -> None:
        """Work out what the alternatives stand for."""
        self.near: dict[str, list[Hit]] = {}
        self.stems: dict[str, list[tuple[tuple[str, ...], Hit]]] = {}  # of what is in lower case
        self.forms: list[Form] = []
        self.shortened: list[Form] = []  # without class or place
        self.people: list[tuple[Person, int, frozenset[str]]] = []
        self.needed: frozenset[str] = frozenset()  # words that the alternative at hand requires
        self.single: dict[str, int] = {}
        self.vocabulary: set[str] = set()
        self.fragments: dict[str, str] = {}  # words of which only the beginning is marked
        self.prompts: set[str] = set()
        self.within: list[tuple[frozenset[str], int, str]] = []  # roots, rank, what it is a kind of
        for a, rank, _, core, texts in self.wordings:
            required = tokens_of(core, a.text) if core else ()
            several = core and len(a.required) > 1
            parts = tuple(tokens_of(part, a.text) for part in a.required) if several else ()
            ordered = "per" in normal(a.text).tokens
            for text in texts:
                norm = self.norms[text]
                name = not self.surnames.isdisjoint(norm.tokens)
                proper = text.lstrip('"')[:1].isupper()
                form = Form(norm, rank, name, proper, required, ordered, parts)
                self.add(form, text, a, core)
        self.accepted_words = {t for f in self.forms if f.rank == ACCEPT for t in f.norm.singular}
        self.accept_tokens = [frozenset(f.norm.singular) for f in self.forms if f.rank == ACCEPT]
        self.core()
        self.own = {stem(token): token for token in sorted(self.vocabulary)}
        alone = [f for f in self.forms if len(f.norm.tokens) == 1]
        self.countries = {f.norm.tokens[0] for f in alone} & person_names.COUNTRIES
        self.prompted_roots = {root(f.norm.tokens[0]) for f in alone if f.rank == PROMPT}
        self.firsts = {name for p, *_ in self.people if p.sure for name in p.given[:1]}
        self.formed = _FORMED | self.vocabulary  # nouns that a word form may stand before
        self.charged = any(text[-1:] in _CHARGES for text in self.accepted)
        prompted = (normal(a.text).singular for rank, a in self.ranked if rank == PROMPT)
        living = any(map(_LATIN.fullmatch, self.accepted)) or not all(map(_ANIMALS.isdisjoint, prompted))
        self.living = living and any(a.main and a.text.islower() for _, a in self.ranked)
        self.numbered = any(t[0].isdigit() for tokens in self.accept_tokens for t in tokens)
        self.kinds = {key.partition(":")[0] for key in self.near}
        self.linked = [f for f in self.forms if f.norm.links]
        joined = {f.norm.tokens for f in self.linked}  # "Cain and Abel" are two
        phrases = [f.norm.tokens for f in self.forms if f.norm.tokens not in joined]
        longer = {t for tokens in phrases for t in tokens[:-1]}
        longer |= {tokens[-1] for tokens in phrases if not TITLES.issuperset(tokens[:-1])}
        self.single = {t: rank for t, rank in self.single.items() if t not in longer}

    def core(self) -> None:
        """Let the noun that all accepted phrases (four or more, none in capitals) end in stand for them."""
        phrases = [f for f in self.forms if f.rank == ACCEPT and len(f.norm.tokens) > 1]
        ends = {f.norm.singular[-1] for f in phrases}
        kinds = {f.norm.singular for f in phrases}
        if len(kinds) > 3 and len(ends) == 1 and not any(f.proper or f.name for f in phrases):
            self.hint("singular:" + ends.pop(), ACCEPT, "class word", 0.7)

    def add(self, form: Form, text: str, a: Alternative, core: str) -> None:
        """Enters a wording of an alternative under all that may name it: other names, word forms,
        parts, what is required."""
        norm, rank = form.norm, form.rank
        self.forms.append(form)
        if rank != REJECT and core in ("", text, a.text):
            for name in other_names(norm):
                self.hint(name, rank, "other name", 0.9)
                self.hint(name.replace("sorted:", "singular:"), rank, "other name", 0.9)
        self.inflected(form, a.word_forms, text)
        if text == core and (surname := wordings.surname_without_particles(core, a.text)):
            self.hint(normal(surname).keys[0], rank, "surname", 0.9)
        if a.within and norm.content:
            kind = any(alternative.main and alternative.text == a.text for _, alternative in self.ranked)
            contained = frozenset(map(root, form.required or norm.tokens))
            self.within.append((contained, rank, root(norm.tokens[-1]) if kind else ""))
        if rank in (ACCEPT, PROMPT):
            self.vocabulary.update(norm.singular)
        if rank == PROMPT:
            self.prompts.update(norm.singular)
        guessed = normal(a.text).singular
        if len(form.required) == 1 and form.required[0] not in guessed:
            begun = (t for t in guessed if t.startswith(form.required[0]))
            self.fragments.update(dict.fromkeys(begun, form.required[0]))
        strict = frozenset(form.required if rank != PROMPT else ())
        # All is marked in one piece, as if nothing were: what a plain line lets drop may drop.
        complete = len(a.required) == 1 + a.text.count(" and ") and strict.issuperset(guessed)
        self.needed = frozenset() if complete else strict
        person = self.persons.get(a.text)
        turned = person_names.family_first(text)
        if turned and (text != core or text == a.text):
            long = len("".join(turned.given)) > 3  # Mao Zedong is called Mao, Du Fu is not Du
            self.people.append((turned, rank, self.needed if long else strict))
            person = person and person._replace(sure=False, likely=False)
        if person and self.partial and is_given(person.surname):
            person = person._replace(sure=False, likely=False)  # Maria Theresa
        if person and (text != core or text == a.text):
            self.people.append((person, rank, self.needed if person.sure else strict))
            self.suggest(" ".join((*person.given, person.surname)), rank, "name", 0.95)
            if person.likely and len(names := raw_words(text)) > 3:
                self.suggest(" ".join(names[-2:]), rank, "name", 0.8)  # Aung San Suu Kyi
        if rank != REJECT:  # what is wrong with a word may be right without it
            self.derive(form, text)

    def inflected(self, form: Form, word_forms: bool, text: str) -> None:
        """Enters what a form is called in other word forms, as a decade, or shortened to initials."""
        norm = form.norm
        lower = not any(map(str.isupper, text[1:])) and not form.name
        if lower and norm.content:
            hit = Hit(0.9, form.rank, "word form")
            self.stems.setdefault(word_key(map(stem, norm.tokens)), []).append((norm.tokens, hit))
        creed = len(norm.tokens) == 1 and text.istitle()
        if form.rank == PROMPT and (text.islower() or creed) and len(norm.tokens) < 3:
            self.hint("asked:" + word_key(map(root, norm.tokens)), form.rank, "word form", 0.7)
        if word_forms and norm.content:
            self.hint("root:" + word_key(map(root, norm.tokens)), form.rank, "word form", 0.9)
        if len(norm.tokens) == 1 and (decade := other_decade(norm.tokens[0])):
            self.hint(f"sorted:{decade}", form.rank, "number", 0.85)
        if form.proper and len(norm.tokens) > 2:
            short = [t for t in norm.tokens if t not in STOP]
            for i in range(2, len(short) if len(short) < 9 else 0):  # NY Yankees
                shorter = normal(" ".join([wordings.initials_of(short[:i]), *short[i:]]))
                if len(shorter.tokens) > len(short) - i:  # unless the initials are an article
                    self.hint(shorter.keys[0], form.rank, "acronym", 0.92)
        for initials in acronyms(norm.strict):
            self.hint("initials:" + initials, form.rank, "acronym", 0.9)
        short = text.isupper() and _ACRONYM.fullmatch(text.strip())
        if short and norm.strict not in self.spelled_out:
            self.hint("words:" + norm.strict.replace(" ", ""), form.rank, "acronym", 0.85)

    def hint(self, key: str, rank: int, rule: str, score: float) -> None:
        """Add a hit under ``key`` to ``near``."""
        self.near.setdefault(key, []).append(Hit(score, rank, rule))

    def suggest(self, text: str, rank: int, rule: str, score: float) -> None:
        """Let ``text`` stand for an alternative, unless it is stop words, short or lacks a required word."""
        norm = normal(text)
        needed = self.needed - wordings.FOREIGN_ARTICLES - wordings.COURTESIES
        complete = all(any(t.startswith(word) for t in norm.singular) for word in needed)
        for key in norm.keys if norm.content and len(norm.strict) > 2 and complete else ():
            if not key.startswith("singular"):
                self.hint(key, rank, rule, score)
        if complete and rule in ("class word", "place"):  # Tordesilas
            self.shortened.append(Form(norm, rank, False, text[:1].isupper(), ()))

    def derive(self, form: Form, text: str) -> None:
        """What moderators take for the whole, and the titles and surnames that a guess may begin otherwise."""
        rank, tokens, words = form.rank, form.norm.tokens, raw_words(text)
        if not words:
            return
        head = plain_words(words[0])
        for wording, rule, score in wordings.short_forms(text, self.fuller_names, self.texts):
            self.suggest(wording, rank, rule, score)
        if len(words) == 1 and words[0][0].isupper() and len(words[0]) > 3 and len(tokens) == 1:
            self.single[tokens[0]] = rank
        if len(tokens) == 2 and tokens[1] == "percent" and tokens[0].isdigit():
            self.hint(normal(f"{int(tokens[0]) / 100:g}").keys[0], rank, "number", 0.9)
        if len(words) == 2 and words[0].istitle() and words[1].islower() and head[0] != "a":
            short = normal(f"{words[0][0]}. {words[1]}").keys[0]  # E. coli
            self.hint(short, rank, "acronym", 0.9)
        if self.equivalents and (plainer := wordings.RANKED.sub("", text)) != text:
            self.forms.append(form._replace(norm=normal(plainer), required=(), parts=()))
        if rank == ACCEPT and 5 < len(tokens) < 50:
            for i in range(1, len(tokens) - 1):
                if tokens[i] in text and tokens[i] not in STOP and tokens[i].isalpha():
                    remainder = word_key(tokens[:i] + tokens[i + 1 :])
                    self.hint("sorted:" + remainder, rank, "nearly whole", 0.75)

    def accepts(self, text: str) -> bool:
        """Whether a part of a guess is an answer by one of the rules :data:`WHOLE`."""
        judged = self.match(normal(text))
        return judged is not None and judged.verdict == "accept" and judged.rule in WHOLE

    def whole(self, norm: Normal) -> Judgement | None:
        """The judgement of a guess that is an alternative by a key of its normal form, else None."""
        return next((self.keyed[key] for key in norm.keys if key in self.keyed), None)

    def match(self, norm: Normal) -> Judgement | None:
        """The judgement of a guess in normal form; None where nothing matches."""
        if result := self.strict.get(norm.strict) or self.whole(norm):
            return result
        if not norm.content:
            return None
        near = self.grow().near
        head, behind = norm.tokens[0], norm.strict.partition(" ")[2]
        stated = self.strict.get(behind) if behind and head in TITLES else None
        if stated and norm.keys[0] not in near:  # President Bush where Bush prompts
            names = (a.text for rank, a in self.ranked if rank == PROMPT and a.text[:1].isupper())
            prompts = stated.verdict == "prompt" and behind in map(plain_words, names)
            if prompts or stated.verdict == "reject":
                return stated
        hits = list(self.suggestions(norm))
        top = max((hit.score for hit in hits), default=0.0)
        if {hit.rank for hit in hits if hit.score == top} >= {REJECT, ACCEPT}:
            if stated and stated.verdict == "accept" and head in _OFFICIAL and len(norm.tokens) > 2:
                return Judgement("accept", 0.9, "title")  # President John Adams
            return Judgement("prompt", 0.5, "ambiguous")
        if all(hit.rule == "typo" for hit in hits):
            hits += self.misspelled(norm)
        if not hits and head in _OFFICIAL and len(norm.tokens) > 1:
            result = self.match(normal(behind))
            if result and result.rule in _NAMED:  # Daw Suu Kyi
                return result
        if not hits:
            return self.in_own_words(norm)
        best = min(hits, key=lambda hit: (-hit.score, hit.rank))
        if best.rank == PROMPT and best.rule == "title" and other_names(norm):
            return None  # the name of something else: Republic of Korea
        if best.rank == PROMPT:  # the whole in other words, which holds what is prompted on
            best = next((hit for hit in hits if hit.rule == "equivalent"), best)
        return judgement_of(best._replace(score=round(max(0.51, best.score), 4)))

    def in_own_words(self, norm: Normal) -> Judgement | None:
        """The judgement once the line's own words stand for their inflections."""
        if len(norm.tokens) < 2:
            return None
        if self.prompted_roots.issuperset(map(root, norm.tokens)):  # radioactive decay
            return judgement_of(Hit(0.7, PROMPT, "word form"))
        pairs = zip(norm.tokens, norm.singular, strict=True)
        own = " ".join(t if self.vocabulary & {t, s} else self.own.get(stem(t), t) for t, s in pairs)
        return self.match(normal(own)) if own != " ".join(norm.tokens) else None

    def suggestions(self, norm: Normal) -> Iterator[Hit]:
        """Hits of the weaker ways to name an answer: near keys, word forms, people, what a clause
        says, fuller guesses, surnames."""
        for key in (*norm.keys, *self.weak_keys(norm)):
            yield from self.near.get(key, ())
        tokens = norm.tokens
        for form_tokens, hit in self.stems.get(word_key(map(stem, tokens)), ()):
            if wordings.same_inflected(form_tokens, tokens):
                yield hit
        guess = set(norm.singular)
        guess |= {self.fragments[t] for t in norm.singular if t in self.fragments}
        yield from self.named_people(norm, guess)
        yield from self.told_otherwise(norm)
        for form in self.forms:
            needed = form.required or form.norm.singular
            if guess.issuperset(needed):
                yield from self.fuller(form, norm, guess)
        yield from self.named_by_surname(norm)

    def named_people(self, norm: Normal, guess: set[str]) -> Iterator[Hit]:
        """Hits of the people of the line whom a guess may name."""
        tokens = norm.tokens
        office = holds_office_of(norm.strict) and not any(holds_office_of(f.norm.strict) for f in self.forms)
        office = office or (not OFFICES.isdisjoint(tokens) and any(p.place for p, *_ in self.people))
        joined = " and " in norm.strict and not any(" and " in f.norm.strict for f in self.forms)
        for person, rank, needed in () if office or joined else self.people:
            result = person_names.same_person(person, tokens)
            known_words = needed <= guess | {w for w in person.given if w[0] in tokens} or (
                len(person_names.parts_of_name(tokens)[0]) >= len(person.given)
                and _WHICH_ONE.isdisjoint(needed - guess)
            )
            if result and not known_words and tokens[-1] == person.surname:  # DuBois
                known_words = all(word in person.surname for word in needed)
            stated = self.strict.get(person.surname) if len(tokens) == 1 and rank == REJECT else None
            named = known_words or person_names.untitled(tokens) == person.given[:1]
            if result and named and not (stated and stated.verdict == "accept"):
                yield Hit(result[0], rank, result[1])

    def told_otherwise(self, norm: Normal) -> Iterator[Hit]:
        """Hits of words of the same meaning, where the line takes those, and of words that it asks for."""
        tokens = norm.tokens
        if self.equivalents and not any(t[0].isdigit() for t in tokens):
            guessed = meaning(tokens)
            for form in self.forms:
                contained = meaning(form.norm.tokens)
                if form.rank == ACCEPT and contained and contained <= guessed <= contained | _TITLED:
                    yield Hit(0.8, form.rank, "equivalent")
        for contained, rank, kind in self.within:
            if contained.issubset(map(root, tokens)) and (not kind or wordings.is_kind(norm, kind)):
                yield Hit(0.85, rank, "within")

    def named_by_surname(self, norm: Normal) -> Iterator[Hit]:
        """Hits of pairs of names, and of an answer of one word behind a given name or particle."""
        tokens = norm.tokens
        alike = bool(self.linked) and len(tokens) > 1 and min(map(len, tokens)) > 1
        alike = alike and not any(t[0].isdigit() for t in tokens)
        surnames = person_names.surnames_joined(norm.strict) if " and " in norm.strict else []
        for form in self.linked:
            own = form.norm.tokens
            pair = form.proper and " and " in form.norm.strict and person_names.COMMON.isdisjoint(own)
            if (form.parts or pair) and sorted(own) == surnames:
                yield Hit(0.85, form.rank, "name")  # Paul Simon and Art Garfunkel
            if alike and len(own) == len(tokens) and all(map(same_given, own, tokens)):
                yield Hit(0.85, form.rank, "name")  # Dom and Vince
        # A particle makes a name of any first word: Ludwig van Beethoven, Simone de Beauvoir.
        while len(tokens) > 2 and tokens[0] in _OFFICIAL:
            tokens = tokens[1:]
        head = 1 < len(tokens) < 5 and (
            is_given(tokens[0]) or len(tokens[0]) == 1 or (len(tokens) > 2 and tokens[-2] in _OF_SURNAMES)
        )
        named = head and tokens[-1] in self.single and " of " not in norm.strict
        named = named and not (tokens[-1] in PLACES or tokens[-1] in _SURNAMELESS)  # Moses: no Robert Moses
        if named and is_given(tokens[0]) and self.firsts:  # the line says whose surname it is
            named = any(same_given(tokens[0], name) for name in self.firsts)
        if named and all(is_given(t) or t in PARTICLES or len(t) <= 2 for t in tokens[1:-1]):
            yield Hit(0.75, self.single[tokens[-1]], "name")

    def weak_keys(self, norm: Normal) -> Iterator[str]:
        """Keys under which only a weaker hit is entered: roots of words, initials, acronyms."""
        if "root" in self.kinds and not any(
            f != norm.singular[0] and f.startswith(norm.singular[0]) for f in self.fragments.values()
        ):  # colon is less than what is marked of colonialism
            tokens = norm.tokens
            if self.vocabulary >= _LOOK_DERIVED & set(norm.singular):
                yield "root:" + word_key(map(root, tokens))
            if len(tokens) > 1 and norm.singular[-1] in self.formed:
                yield "root:" + word_key(map(root, tokens[:-1]))
        if "asked" in self.kinds:
            yield "asked:" + word_key(map(root, norm.tokens))
        if len(norm.strict) <= 8:
            yield "initials:" + norm.strict.replace(" ", "")
        if "words" in self.kinds:
            for initials in acronyms(norm.strict):
                yield "words:" + initials

    def fuller(self, form: Form, norm: Normal, guess: set[str]) -> Iterator[Hit]:
        """Hits of a guess that says more than a form but nothing else."""
        tokens = form.norm.tokens
        extra = guess.difference(form.norm.singular)
        if extra and wordings.other_unit(form, norm):
            return
        if not extra and sum(map(str.isdigit, norm.tokens)) > sum(map(str.isdigit, tokens)) > 0:
            return  # H2O2 has the words of H2O
        family = form.norm.tokens != form.norm.singular and not set(norm.tokens) & set(form.norm.tokens)
        if family and any(map(is_given, extra)):
            return  # Marie Curie is not the Curies
        if form.required and self.says_enough(form, norm, guess, extra):
            if wordings.in_order(form, norm) and not self.misnamed(norm.tokens):
                yield Hit(0.95, form.rank, "required")
            return
        if form.rank == ACCEPT and wordings.completes_date(tokens, extra, self.vocabulary):
            yield Hit(0.8, ACCEPT, "more")
        long = len(tokens) > 2 or form.norm.strict.count(" ") > 2
        same_ends = norm.tokens[:1] + norm.tokens[-1:] == tokens[:1] + tokens[-1:]
        either = " or " in norm.strict and " or " not in form.norm.strict
        if long and same_ends and 0 < len(extra) < 4 and not either and normalise.follow(tokens, norm.tokens):
            yield Hit(0.75, form.rank, "nearly whole")
        if norm.links > form.norm.links or (not extra and form.required):
            return
        if self.kind_of(form, norm, extra):
            yield Hit(0.8, form.rank, "class word")
        if not norm.links and 0 < len(norm.tokens) - len(tokens) <= 3:
            yield from self.titled_or_placed(form, norm, extra)

    def names_office(self, form: Form, norm: Normal, surplus: set[str]) -> bool:
        """Whether a guess names who rules a place, or puts a title before it."""
        office = holds_office_of(norm.strict) and not holds_office_of(form.norm.strict)
        return office or (is_place(form) and not OFFICES.isdisjoint(surplus))

    def says_enough(self, form: Form, norm: Normal, guess: set[str], surplus: set[str]) -> bool:
        """Whether a guess with the required words adds only what the line says, perhaps misspelled, or titles."""
        tokens = form.norm.tokens
        untitled_too = form.rank == ACCEPT and not self.names_office(form, norm, surplus)
        untitled_too = untitled_too and not TITLES.issuperset(norm.tokens)  # prime minister
        guessed = guess - TITLES - PARTICLES if untitled_too else guess
        if self.called_by_kind(form, norm):
            guessed.add(norm.singular[-1])
        complete = form.rank == PROMPT and len(tokens) <= len(form.required)
        part = not self.people and any(guess < tokens for tokens in self.accept_tokens)
        known_words = self.prompts if complete and not part else self.vocabulary
        unmarked = set(tokens).difference(form.required)  # Pheobe Bridgers: these may be misspelled
        guessed = {
            word
            for word in guessed.difference(known_words, form.norm.singular)
            if not any(spelling_distance(token, word, True) <= 1.5 for token in unmarked)
        }
        reworded = form.rank == ACCEPT and not form.ordered and " and " not in norm.strict
        return not guessed or (reworded and meaning(guessed) <= meaning(self.accepted_words))

    def titled_or_placed(self, form: Form, norm: Normal, surplus: set[str]) -> Iterator[Hit]:
        """Hits of a title, a last I, a first US, or given names beside a form."""
        tokens, office = form.norm.tokens, self.names_office(form, norm, surplus)
        titled = wordings.titled(norm, form) and not (office or self.called_by_kind(form, norm))
        head = surplus - TITLES == {"1"} and norm.tokens[-1] == "1" and not self.numbered
        if head and any({*p.given, p.surname} == set(tokens) for p, *_ in self.people):
            yield Hit(0.85, form.rank, "name")  # Haile Selassie I
        elif form.proper and (titled or (surplus == {"us"} and norm.tokens[0] == "us")):
            yield Hit(0.9, form.rank, "title")
        elif (
            len(tokens) > 1
            and surplus <= _NAME_WORDS  # not Augustus, where the line has Julius
            and (surplus <= self.vocabulary or self.vocabulary.difference(tokens).isdisjoint(_NAME_WORDS))
            and not (len(tokens) == 2 and tokens[1].isdigit())  # Louis Philippe I is not Louis I
            and set(form.norm.singular).issubset(norm.singular)
            and not (form.name or is_place(form))
        ):
            yield Hit(0.85, form.rank, "name")  # "Ludwig van" before "Beethoven Symphony"

    def called_by_kind(self, form: Form, norm: Normal) -> bool:
        """Whether a person's name has the word for another kind behind it: the Zhou dynasty is not Zhou Enlai."""
        final = norm.singular[-1]
        return bool(self.people) and final not in form.norm.singular and final in wordings.KINDS_BEHIND

    def misnamed(self, tokens: tuple[str, ...]) -> bool:
        """Whether a surname stands behind the given name of somebody else in the line: James Crick."""
        if len(tokens) != 2 or tokens[0] not in self.firsts or not is_given(tokens[0]):
            return False
        own = [p for p, *_ in self.people if p.sure and p.surname == tokens[1]]
        stated = any(normalise.within(tokens, form.norm.tokens) for form in self.forms)
        return bool(own) and not stated and not any(same_given(tokens[0], g) for p in own for g in p.given)

    def kind_of(self, form: Form, norm: Normal, surplus: set[str]) -> bool:
        """Whether a guess adds to a common name what says no more, or which kind of a living thing it is."""
        size, tokens = len(form.norm.tokens), form.norm.singular
        extra = len(norm.tokens) - size
        joined = form.norm.links and sorted(norm.singular[:size]) == sorted(tokens)
        if (norm.singular[:size] == tokens or joined) and extra == 1:
            final = norm.singular[-1]
            if form.proper and form.rank == ACCEPT and (form.name or size == 1):
                return False
            if len(tokens) == 1 and ADJECTIVE.search(tokens[0]):
                return False  # linear molecule
            living = final in _LIVING and self.living and form.rank == ACCEPT
            ion = final in ("ion", "anion") and (self.charged or tokens[-1].endswith(("ate", "ite", "ide")))
            return final in _KINDS or living or ion or (final in _DRAWN and size > 1)
        if norm.singular[-size:] != tokens or form.proper or not 0 < extra < 3:
            return False
        marked = len(form.required) > 1 and form.rank == ACCEPT and not form.name
        if marked and norm.links == form.norm.links and not any(t[0].isdigit() for t in surplus):
            return True  # the common fruit fly
        return self.living and form.rank == ACCEPT and surplus <= _LIVING

    def misspelled(self, norm: Normal) -> Iterator[Hit]:
        """Hits, of rule ``typo``, of forms that a guess misspells."""
        wrong = {t for f in self.forms if f.rank == REJECT for t in f.norm.singular}
        wrong = {
            word
            for word in wrong.intersection(norm.singular)
            if not any(spelling_distance(t, word, True) <= 0.5 for t in self.accepted_words)
        }  # Brueghel is Bruegel, and Jan Brueghel another
        for form in (*self.forms, *self.shortened):
            score = wordings.misspelling(form, norm)
            if score and (form.rank == REJECT or wrong <= set(form.norm.singular)):
                yield Hit(score, form.rank, "typo")

    def rejected(self, norm: Normal) -> Judgement:
        """Why nothing matches; score: 0.49 times the highest word overlap (Dice) with an accepted wording."""
        guess = frozenset(norm.singular)
        best, rule = 0.0, "no match"
        for tokens in self.accept_tokens:
            shared = tokens & guess
            if not shared:
                continue
            best = max(best, 2.0 * len(shared) / (len(tokens) + len(guess)))
            if guess < tokens:
                rule = "part"
            elif guess > tokens and rule == "no match":
                rule = "more"
            elif rule == "no match" and not any(t.isalpha() and t not in MONTHS for t in tokens ^ guess):
                rule = "other number"
        if not norm.content:
            rule = "stop words"
        elif any(set(norm.tokens) <= set(p.given) for p, *_ in self.people if p.sure):
            rule = "given name"
        return Judgement("reject", round(0.49 * best, 4), rule)

    def says(self, tokens: tuple[str, ...]) -> bool:
        """Whether one accepted wording has all these tokens, in any order."""
        return any(set(tokens) <= set(f.norm.tokens) for f in self.forms if f.rank == ACCEPT)

    def is_partial(self, norm: Normal) -> bool:
        """Whether a guess is only a part of an accepted wording, titles, classes and a given name aside."""
        guess = frozenset(norm.singular)
        bare = guess - wordings.CLASS_TAIL - TITLES  # the River Euphrates, Dr. Watson
        roots = frozenset(map(root, guess))
        return norm.content and any(
            guess < tokens
            or (bare and bare < tokens)
            or (len(norm.tokens) == 2 and is_given(norm.tokens[0]) and norm.tokens[1] in tokens)
            or roots < frozenset(map(root, tokens))
            for tokens in self.accept_tokens
        )


def is_place(form: Form) -> bool:
    """Whether what an alternative requires, or all of it if nothing is marked, is in the lists of places."""
    return " ".join(form.required or form.norm.singular) in _PLACES
