"""Quizbowl answer lines: what a line accepts, prompts on and rejects, and until when.

The answer line tells the moderator what is right: ``Nazi party [or NSDAP; prompt on fascists; do not
accept "Falange"]``. :func:`parse` turns it into a small tree. Nothing here knows a question's text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from ..core.errors import DataError
from . import grammar
from .answerline import Alternative, Answerline
from .coordination import items_of, shared, split_coordination
from .grammar import (
    clauses_of,
    clean,
    groups,
    open_depth,
    refuse_long,
    required_parts,
    split,
    tidy,
    unmark,
)
from .normalise import normal, plain_words
from .person_names import COMMON

DEEPEST = 20
"""Brackets within brackets that are read; what lies deeper is left out."""


class _Parser:
    """State of one parse: what has been collected, and the verdict that a bare clause inherits."""

    def __init__(self, source: str):
        self.source = source
        self.found: list[Alternative] = []
        self.substitutions: list[tuple[str, list[str], dict]] = []
        self.notes: list[str] = []
        self.remarks: list[str] = []
        self.partial: str | None = None
        self.marked = ""  # the head with its marks
        self.either = False
        self.equivalents = False
        self.surnames = False
        self.needed: re.Match[str] | None = None  # says that all parts of the head are required
        self.listed: list[str] = []
        self.all_forms = False
        self.split = False  # the head itself lists alternatives
        self.parts: list[
            list[str]
        ] = []  # of an answer with brackets behind each: the ways to say them
        self.joints: list[str] = []
        self.verdict = "accept"
        self.anti = False
        self.depth = 0  # of brackets within brackets
        self.recent = 0  # where the alternatives of the clause before begin

    def parse(self) -> Answerline:
        """The answer line: brackets sorted into clauses and comments, the head read, then each
        clause in order."""
        head, clauses = [], []
        pieces = [(kind, text) for kind, text in groups(clean(self.source)) if text.strip()]
        pieces = self.joint(_uninterrupted(pieces)) if len(pieces) > 2 else pieces
        for index, (kind, text) in enumerate(pieces):
            behind = pieces[index + 1][1] if index + 1 < len(pieces) else ""
            if kind == "text":
                head.append(self.outside(text, bool(clauses), clauses))
            elif grammar.DIRECTIVE.match(text):
                clauses.append(text)
            elif (spoken := grammar.SPOKEN.match(text)) and grammar.DIRECTIVE.match(
                text[spoken.end() :]
            ):
                self.remarks.append(spoken.group().strip(" ;,."))
                clauses.append(text[spoken.end() :])
            elif grammar.QUOTED_GUIDE.match(text) or grammar.SOUND.match(text):
                self.remarks.append(text.strip())
            elif not clauses and re.sub(r"\([^()]*\)", "", behind).strip(" .,;"):
                head.append(f"({text.strip()})")  # "[French] Socialist Party": may be left out
            else:
                clauses.append(text)
        self.head(" ".join(part for part in head if part))
        for clause in clauses:
            self.bracket(clause)
        for combination in list(product(*self.parts))[1:60]:
            texts = "".join(j + part for j, part in zip(self.joints, combination, strict=True))
            self.found.append(self.alternative(texts))
        self.finish()
        distinct = len({a.text for a in self.found}) == len(self.found)
        unique = tuple(self.found if distinct else dict.fromkeys(self.found))
        return Answerline(
            self.source,
            unique,
            self.partial,
            tuple(self.notes),
            tuple(self.remarks),
            self.equivalents,
        )

    def joint(self, pieces: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The pieces of a line whose answer goes on behind a bracket ("A [or B] and C [or D]") as of one that
        has one bracket.

        What a bracket accepts stands for the part before it; all else is told of the whole.
        """
        ends = [
            i
            for i in range(2, len(pieces))
            if pieces[i][0] == "text"
            and pieces[i - 1][0] == "bracket"
            and grammar.BEHIND.match(pieces[i][1])
        ]
        if (
            not ends
            or pieces[0][0] != "text"
            or len({grammar.ON in pieces[i][1] for i in (0, *ends)}) > 1
        ):
            return pieces
        stated: list[str] = []
        joints = [""]
        for index, (kind, text) in enumerate(pieces):
            if kind == "text" and (not index or index in ends):
                match_behind = grammar.BEHIND.match(text) if index else None
                joints += [f" {match_behind.group().strip()} "] if match_behind else []
                self.parts.append([tidy(text[match_behind.end() if match_behind else 0 :])])
                continue
            for clause in split(text, grammar.SEMICOLON):
                second = grammar.DIRECTIVE.match(clause)
                guessed = clause[second.end() :] if second else ""
                if (
                    not second
                    or second.lastgroup != "accept"
                    or grammar.BOTH.search(unmark(guessed))
                    or grammar.INSTRUCTION.search(guessed)
                    or grammar.ORDER.search(guessed)
                ):
                    stated.append(clause)
                else:
                    self.parts[-1] += [tidy(item) for item in items_of(guessed) if tidy(item)]
        self.joints = joints
        full = "".join(j + part[0] for j, part in zip(joints, self.parts, strict=True))
        return [("text", full), ("bracket", "; ".join(stated))]

    def outside(self, text: str, after_bracket: bool, clauses: list[str]) -> str:
        """Text outside brackets: directives in parentheses to ``clauses``, guides to remarks."""

        def take(match: re.Match) -> str:
            content = match.group(1).strip()
            glued = match.start() > 0 and text[match.start() - 1].isalnum()
            if glued and len(content) <= 3:
                return match.group()
            instruction = grammar.DIRECTIVE.match(content) or grammar.BOTH_REQUIRED.search(content)
            if instruction and not grammar.PARTIAL.match(content):
                clauses.append(content)
            elif grammar.GUIDE.match(content) or after_bracket or len(unmark(content).split()) > 3:
                self.remarks.append(unmark(content))
            else:
                return match.group()
            return " "

        for _ in range(4):  # from the innermost out
            text = re.sub(r"\(([^()]*)(?:\)|$)", take, text) if "(" in text else text
        if after_bracket and text.strip(' .,;)("'):
            directive = grammar.DIRECTIVE.match(text)
            (clauses if directive else self.remarks).append(
                text if directive else unmark(text).strip()
            )
            return ""
        return "" if after_bracket else text

    def head(self, text: str) -> None:
        """Enters the main answer, and where the head lists several each of these."""
        text = tidy(text)
        if not unmark(text).strip(' "()'):
            return
        full = self.alternative(text, main=True)
        self.marked = text
        self.listed = split_coordination(text)
        if " or" not in text and " OR " not in text and "/" not in text:
            self.found.append(full)
            return
        listed = grammar.ON in text and re.search(r" or\b", text, re.I) and ", " in text
        pieces = [tidy(p) for p in split(text, grammar.HEAD_LIST if listed else grammar.HEAD_OR)]
        if grammar.ON in text and "/" in text:
            cut = [tidy(q) for p in pieces for q in split(p, grammar.SLASHES)]
            pieces = cut if all(grammar.ON in p for p in cut) else pieces
        usable = len(pieces) > 1 and all(normal(unmark(p)).content for p in pieces)
        if usable and (grammar.ON not in text or all(grammar.ON in p for p in pieces)):
            if (
                grammar.ON in text
            ):  # each side names its own required part, both together are not needed
                full = full._replace(required=())
            else:
                self.notes.append(f"read as alternatives: {unmark(text)}")
            self.split = True
            self.found.append(full)
            fuller = shared(pieces) if grammar.ON not in text else pieces
            self.found += [self.alternative(p, literal=grammar.ON not in text) for p in fuller]
        else:
            self.found.append(full)

    def alternative(self, marked: str, verdict: str = "accept", **more) -> Alternative:
        required = (
            required_parts(marked, 3 if verdict == "prompt" else 4) if grammar.ON in marked else ()
        )
        if "(" in marked and len(required) > 1:  # what stands in parentheses may be left out
            required = required_parts(grammar.ASIDES.sub(" ", marked)) or required
        text = tidy(unmark(marked))
        return Alternative(text=text, verdict=verdict, required=required, **more)

    def bracket(self, text: str, within: bool = False) -> None:
        """The clauses of a bracket; ``within`` another, "or" goes on with what the clause before said."""
        for piece in split(text, grammar.SEMICOLON) if ";" in text else [text]:
            inner: list[str] = []
            if "(" in piece:
                piece = self.nested(piece, inner)
            for clause in clauses_of(piece):
                if clause.strip(' .,;"()'):
                    self.clause(clause.strip(), within)
            for nested in inner if self.depth < DEEPEST else ():
                verdict = self.verdict
                self.depth += 1
                self.bracket(nested, True)
                self.depth -= 1
                self.verdict = verdict

    def nested(self, piece: str, inner: list[str]) -> str:
        """``piece`` without parentheses that hold clauses, which are appended to ``inner``."""
        retained, start, depth, final = [], 0, 0, 0
        for result in grammar.PARENTHESIS.finditer(piece):
            if result.group() == "(":
                depth += 1
                start = result.start() if depth == 1 else start
            elif depth:
                depth -= 1
                content = piece[start + 1 : result.start()]
                if depth or (start and piece[start - 1].isalnum()):
                    continue
                if grammar.DIRECTIVE.match(content) and not grammar.PARTIAL.match(content):
                    inner.append(content)
                    retained.append(piece[final:start])
                    final = result.end()
        return "".join([*retained, piece[final:]])

    def condition(self, text: str) -> tuple[str, dict]:
        """``text`` without its condition, and the fields of Alternative that hold it."""
        fields: dict = {}
        text = grammar.WHEN_ASIDE.sub(r" \1", text) if "(" in text else text
        later = grammar.AFTERWARDS.search(text)
        if later:
            text = text[: later.start()]
        inside = open_depth(text)
        said_first = grammar.WHEN_SAID.search(text)
        for pattern in grammar.CONDITIONS if said_first else ():
            guessed = pattern.finditer(text, said_first.start())
            match = next((m for m in guessed if not inside[m.start("when")]), None)
            if match is None:
                continue
            phrase = match.groupdict().get("what")
            words = re.findall(r'"([^"]+)"', phrase) or [phrase] if phrase else []
            moment = match.group("when").lower()
            named = " or ".join(f'"{w}"' for w in words)
            fields["until"] = f"{moment} {named} is read" if words else f"{moment} mention"
            fields["triggers"] = tuple(
                t for t in (" ".join(normal(w).singular) for w in words) if t
            )
            fields["reversed"] = moment in ("after", "once")
            text = (text[: match.start()] + " " + text[match.end() :]).strip()
            break
        if later and fields:
            verb = later.group("verb").lower()
            fields["other"] = verb if verb in ("accept", "prompt") else "reject"
        return text, fields

    def clause(self, clause: str, within: bool = False) -> None:
        """One clause, or what the clause before says once its condition is past: prompt on it after."""
        start = len(self.found)
        later = grammar.AFTERWARDS.fullmatch(clause) if start else None
        if not (later and any(a.triggers for a in self.found[self.recent :])):
            self.answers(clause, within)
            self.recent = start if len(self.found) > start else self.recent
            return
        verb = later.group("verb").lower()
        verdict = verb if verb in ("accept", "prompt") else "reject"
        self.found[self.recent :] = [
            a._replace(after=verdict) if a.triggers else a for a in self.found[self.recent :]
        ]

    def answers(self, clause: str, within: bool) -> None:
        """What a clause accepts, prompts on or rejects."""
        noted = grammar.NOTED.match(clause) if ":" in clause else None
        told = noted is not None and not grammar.DIRECTIVE.match(clause[noted.end() :])
        if told or ("-" in clause and grammar.SOUND.match(clause)):
            self.remarks.append(unmark(clause))
            return
        body, condition = self.condition(clause[noted.end() :] if noted else clause)
        directive = grammar.DIRECTIVE.match(body)
        if directive:
            body, literal = self.directed(directive, body[directive.end() :], within), False
        elif body.strip():
            body, literal = self.undirected(body, clause)
        if not body.strip():
            return
        guessed = grammar.LETTERS.findall(body.lower())
        if self.verdict == "accept" and grammar.EQUALS.search(body):
            self.equivalents = True
        ask = None
        result = self.verdict == "prompt" and (
            grammar.ASKING.search(body) or grammar.ASKING_BARE.search(body)
        )
        if result:
            ask = result.group("ask").strip()
            body = body[: result.start()] + " " + body[result.end() :]
        body = body.strip(" .,;")
        fields = {"verdict": self.verdict, "directed_prompt": ask, "anti": self.anti}
        fields["literal"] = literal
        if self.verdict != "accept" or not self.substitutes(body, fields, condition):
            plain = '"' not in body and grammar.PLAIN_UNLESS.isdisjoint(guessed)
            self.items(body, fields, condition, plain)

    def directed(self, directive: re.Match[str], body: str, within: bool) -> str:
        """What follows a directive, which sets the verdict."""
        word, bare = directive.lastgroup, directive.group().strip().lower() == "or"
        self.anti = word == "anti"
        if not (within and bare):
            self.verdict = "prompt" if self.anti else word
        if bare and grammar.PARTIAL.match(body):
            self.verdict = "prompt"
        return body or " "

    def undirected(self, body: str, clause: str) -> tuple[str, bool]:
        """The answers of a clause without directive, and whether they are only taken for some; '' where it has none."""
        stripped = body.strip(" .,")
        if needed := grammar.ALL_NEEDED.match(stripped):
            self.needed = needed
        elif (good := grammar.ACCEPTABLE.match(body)) and re.search(f'["{grammar.ON}]', body):
            self.verdict = "accept"
            return good.group("what"), False
        elif body.startswith("by "):
            self.remarks.append(unmark(body))
        elif (
            (not re.search(f'["{grammar.ON}]', body) and grammar.INSTRUCTION.search(body))
            or len(body.split()) > 8
            or re.search(r"\b(?:is|are|was|were|refers?|ask)\b", body)
        ):
            self.notes.append(unmark(clause))
        else:
            self.notes.append(f"no directive, read as {self.verdict}: {unmark(clause)}")
            return body, self.verdict == "accept"
        return "", False

    def substitutes(self, body: str, fields: dict, when: dict) -> bool:
        """Whether a clause accepts words in place of others, or equivalents, and so lists no answers."""
        pairs = split(body, grammar.FORS) if " for " in body else []
        swaps = [
            result
            for p in pairs
            if (result := grammar.FOR.match(p)) and self.swaps(**result.groupdict())
        ]
        if swaps and len(swaps) == len(pairs):
            for result in swaps:
                olds = [tidy(unmark(result["old"]))]
                self.substitutions.append((result["new"], olds, fields | {"when": when}))
            return True
        for pattern in (grammar.IN_PLACE, grammar.SYNONYMS):
            match = pattern.match(body)
            bare = match.group("old") if match else ""
            old = re.findall(r'"([^"]+)"', bare) or ([bare] if bare and self.in_head(bare) else [])
            if match and old:
                self.substitutions.append((match.group("new"), old, fields | {"when": when}))
                return True
        if grammar.EQUIVALENTS.match(unmark(body)):
            self.notes.append(unmark(body))
            return True
        return False

    def items(self, body: str, fields: dict, when: dict, plain: bool) -> None:
        """What one clause lists; ``plain`` where none of its words tells the moderator something."""
        if rivals := grammar.AND_OTHERS.search(body) if " and " in body else None:
            self.notes.append(unmark(rivals.group()))
            body = body[: rivals.start()]
        forms = grammar.WORD_FORMS.search(body) if "form" in body.lower() else None
        if forms:
            body = body[: forms.start()]
            if not body.strip() or forms.group("of"):
                self.all_forms = True
        if " name" in body and grammar.FIRST_OR_LAST.match(unmark(body).strip()):
            head = next((a.text.split() for a in self.found if a.main), [])
            if len(head) > 1:
                self.found += [Alternative(name, fields["verdict"]) for name in (head[0], head[-1])]
                return
        if fields["verdict"] == "prompt" and unmark(body).islower():
            body = body.replace(", and ", ", or ")
        for item in items_of(body):
            self.item(item, fields, when, bool(forms), plain)

    def item(self, item: str, fields: dict, when: dict, forms: bool, plain: bool) -> None:
        """One answer of a clause, or what is told of answers in place of one."""
        if plain or (
            grammar.PLAIN_UNLESS.isdisjoint(grammar.LETTERS.findall(item.lower()))
            and '"' not in item
        ):
            self.add(item, fields, when, forms)
            return
        item = tidy(grammar.REASON.sub("", item))
        if self.is_instruction(item, fields):
            return
        for _ in range(3):
            item = grammar.TRIM.sub("", item).strip(" ,")
        item = self.listed_behind(item, fields)
        bare = unmark(item)
        if not bare.strip(' "().') or grammar.ORDER.search(
            bare
        ):  # the order of words is free anyway
            return
        if grammar.ON not in item and (
            grammar.VAGUE.match(bare)
            or (grammar.EQUIVALENTS.match(bare) and not grammar.SUCH_AS.match(bare))
        ):
            self.notes.append(bare)
            return
        inner = grammar.PART_OF_CLAUSE.match(item)
        if inner and normal(unmark(inner.group("what"))).content:
            built = self.alternative(inner.group("what"), within=True, **fields)
            self.found.append(_conditioned(built, when))
            return
        item, formed = self.examples(item, fields)
        item = tidy(item)
        if grammar.ANY_SUCH.match(item):  # a kind of answer is described
            self.notes.append(unmark(item))
            if grammar.ON not in item:
                return
        self.add(item, fields, when, forms or formed)

    def add(self, item: str, fields: dict, when: dict, forms: bool) -> None:
        """Keep an answer, unless it has no letter."""
        item = tidy(item)
        if plain_words(unmark(item)):
            built = self.alternative(self.completed(item), word_forms=forms, **fields)
            self.found.append(_conditioned(built, when))

    def is_instruction(self, item: str, fields: dict) -> bool:
        """Whether an item says how answers are taken and names none: just one, either, surnames alone."""
        prompts, bare = fields["verdict"] == "prompt", unmark(item)
        if prompts and grammar.ONE_PART.match(item) and self.several():
            self.partial = fields["directed_prompt"] or ""
        elif grammar.SURNAMES.match(bare) and fields["verdict"] == "accept":
            self.surnames = True
        elif grammar.EITHER.match(bare):
            head = next((a for a in self.found if a.main), None)
            several = sum(a.verdict == "accept" for a in self.found) > 1
            meant = (
                not several or not head or len(head.required) > 1 or grammar.OF_A_PART.search(bare)
            )
            self.either = self.either or (fields["verdict"] == "accept" and bool(meant))
        else:
            return False
        return True

    def listed_behind(self, item: str, fields: dict) -> str:
        """The answers named behind "partial answers such as" or "specific kinds such as"; '' where none are."""
        partial = grammar.PARTIAL.match(unmark(item))
        if partial and fields["verdict"] != "accept":
            if fields["verdict"] == "prompt":
                self.partial = fields["directed_prompt"] or ""
            remainder = re.match(r"\s*,?\s*(?:like|such as)\s+", partial.group("rest"), re.I)
            return partial.group("rest")[remainder.end() :] if remainder else ""
        kinds = grammar.KINDS_OF.match(unmark(item)) if fields["verdict"] == "accept" else None
        if kinds and (not kinds["what"] or self.in_head(kinds["what"], True)):
            self.found += [a._replace(within=True, main=False) for a in self.found if a.main]
            listed = grammar.LISTED.search(item)
            return item[listed.end() :] if listed else ""
        return item

    def examples(self, item: str, fields: dict) -> tuple[str, bool]:
        """An item without "forms of" or "such as", and whether its other forms are taken."""
        formed = False
        for pattern in (grammar.FORMS_OF, grammar.SUCH_AS, grammar.ABOUT):
            match = pattern.match(item)
            if not match:
                continue
            if pattern is grammar.SUCH_AS:
                target = unmark(match.group("what"))
                kinds = re.fullmatch(r"(?:[a-z]+ ){0,2}[a-z]+s", target) and " like " not in item
                if target and not kinds and not grammar.GENERIC.search(target):
                    continue
            if pattern is grammar.FORMS_OF:
                formed = True
                if grammar.LIKE_FORMS.match(item) and fields["verdict"] == "accept":
                    self.all_forms = True  # the forms of the answer, of which one is named
            if item[: match.end()].strip().lower() not in ("such as", "like", "including"):
                self.notes.append(unmark(item))
            item = item[match.end() :]
        return item, formed

    def completed(self, item: str) -> str:
        """A noun with what the main answer requires before its own: _Doppler_ effect [or shift]."""
        before, _, noun = self.marked.rpartition(" ")
        if (
            item in COMMON
            and self.verdict == "accept"
            and grammar.OFF in before
            and noun.islower()
            and grammar.ON not in noun
        ):
            return f"{before} {item}"
        return item

    def in_head(self, words: str, whole: bool = False) -> bool:
        """Whether words stand in the main answer, and are not all of it unless they may be ``whole``."""
        head = set(next((normal(a.text).singular for a in self.found if a.main), ()))
        guessed = set(normal(unmark(words)).singular)
        return guessed < head or (whole and guessed == head)

    def swaps(self, new: str, old: str) -> bool:
        """Whether words stand for others of the main answer, and do not say it with a "for" of its own."""
        stated = '"' in old or f" for {unmark(old)}" not in unmark(self.marked)
        return stated and self.in_head(old) and not grammar.VAGUE.match(unmark(new))

    def several(self) -> bool:
        """Whether the main answer has parts that "just one" can speak of."""
        head = next((a.text for a in self.found if a.main), "")
        return len(normal(head).tokens) > 1 and "1" not in normal(head).tokens

    def finish(self) -> None:
        """What depends on the whole line: either part, word forms, substitutions."""
        head = next((a for a in self.found if a.main), None)
        if head:  # what is accepted anyway is not only accepted later
            self.found = [
                a
                for a in self.found
                if not (a.after == "accept" and a.triggers and a.text == head.text)
            ]
        if self.needed:
            self.require(head.required if head else (), head.text if head else "", self.needed)
        if self.either and head and not self.split:
            if len(head.required) > 1:  # each of them is enough, whatever of the rest is said
                self.found += [head._replace(required=(p,), main=False) for p in head.required]
            else:
                text = (*head.required, head.text)[0]
                parts = re.split(r",? and |, | ?[/&] ?", text)
                parts = [p for p in (parts if len(parts) > 1 else text.split()) if p]
                self.found += [Alternative(p, "accept") for p in parts if normal(p).content]
        if head and self.listed and not self.notes and self.partial is None:
            plain = grammar.ON not in "".join(self.listed)
            self.found += [self.alternative(p, literal=plain) for p in self.listed]
            if plain:
                self.notes.append(f"read as alternatives: {head.text}")
        if head and self.surnames:
            names = [
                p.split() for p in head.required or re.split(r"\s+and\s+", head.text, flags=re.I)
            ]
            final = tuple(words[-1] for words in names if words)
            self.found.append(Alternative(" and ".join(final), "accept", required=final))
        for new, olds, fields in self.substitutions[:20]:
            self.substitute(new, olds, fields)
        if self.all_forms:
            self.found = [
                a._replace(word_forms=True) if a.verdict == "accept" else a for a in self.found
            ]

    def require(self, marked: Sequence[str], text: str, needed: re.Match[str]) -> None:
        """Reject a part of the main answer alone, as all of it is required, unless the line prompts on it."""
        parts = marked if len(marked) > 1 else grammar.PARTS.split(text)
        parts = text.split() if needed["name"] and len(parts) == 1 else parts
        if len(parts) < 2:
            self.notes.append(needed.group())
        elif self.partial is None and not any(
            a.verdict == "prompt" and self.in_head(a.text) for a in self.found
        ):
            self.found += [
                Alternative(p, "reject") for p in dict.fromkeys(parts) if normal(p).content
            ]

    def substitute(self, new: str, olds: list[str], fields: dict) -> None:
        """Enters accepted answers with ``new`` words in place of ``olds``; where none has these
        words a note."""
        base = [a for a in self.found if a.verdict == "accept"]
        fields = dict(fields)
        condition = fields.pop("when")
        built = []
        about = grammar.ABOUT.match(new)
        words = [tidy(unmark(item)) for item in items_of(new[about.end() :] if about else new)]
        patterns = [re.compile(rf"(?<!\w){re.escape(unmark(old))}(?!\w)", re.I) for old in olds]
        for word, pattern, alternative in product(words, patterns, base[:60]):
            text = pattern.sub(lambda _, word=word: word, alternative.text)
            if text != alternative.text:
                built.append(_conditioned(Alternative(text, **fields), condition))
        if built:
            # The words may stand before any noun that the answers end in: American Indian lands.
            nouns = dict.fromkeys(a.text.split()[-1] for a in base[:60] if " " in a.text)
            retained = {a.text for a in built}
            if base[0].main and base[0].text.rpartition(" ")[2].islower():
                for word, noun in product(words, filter(str.islower, nouns)):
                    if (text := f"{word} {noun}") not in retained:
                        built.append(_conditioned(Alternative(text, **fields), condition))
            self.found += built[:200]
        else:
            self.notes.append(f"{unmark(new)} in place of {' or '.join(olds)}")


def _uninterrupted(pieces: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pieces of a line, where a bracket before the marked words ("Leo [or Lev] _Tolstoy_") comes behind them."""
    (_, before), (_, bracket), (kind, behind), *others = pieces
    directive = grammar.DIRECTIVE.match(bracket)
    accepts = directive and directive.lastgroup == "accept" and grammar.ON not in before + bracket
    if kind != "text" or not accepts or grammar.ON not in behind:
        return pieces
    ways = []
    for item in items_of(bracket[directive.end() :]):
        kept = before.split()[: -len(item.split())]
        ways.append(" ".join(("or", *kept, item, behind.strip())))
    return [("text", f"{before} {behind}"), ("bracket", "; ".join(ways)), *others]


def _conditioned(made: Alternative, when: dict) -> Alternative:
    """An alternative with its condition: the words read from which, or until which, it has another
    verdict."""
    if not when:
        return made
    triggers = when["triggers"] or tuple(
        t
        for t in dict.fromkeys(" ".join(normal(p).singular) for p in (*made.required, made.text))
        if t
    )
    default = "" if made.verdict == "reject" else "reject"
    second = when.get("other", default)
    if when["reversed"]:  # "accept X after Y": until then it is not accepted
        return made._replace(
            until=f"until {when['until']}", triggers=triggers, verdict=second or "reject",
            after=made.verdict,
        )  # fmt: skip
    return made._replace(until=when["until"], triggers=triggers, after=second)


def parse(answerline: str) -> Answerline:
    """The tree of an answer line; every string gives one, whatever is wrong with it.

    Parameters
    ----------
    answerline : str
        As a packet prints it. The text before the first bracket is the main accepted answer.

    Returns
    -------
    Answerline
        Clauses that are not understood are kept as literal text and reported in ``notes``.

    Raises
    ------
    DataError
        Anything but text, or more than :data:`~calscore.answers.grammar.LONGEST` characters.

    Examples
    --------
    >>> print(parse("<u>electron</u>s [prompt on leptons by asking “which one?”]"))
    electrons
      accept: electrons; requires electron
      prompt: leptons; ask “which one?”
    """
    if not isinstance(answerline, str):
        raise DataError.at("answer line", "", "answerline", answerline, "text")
    refuse_long("answer line", answerline)
    return _parsed(answerline)


# Small, as a full garbage collection visits every cached tree and would be felt as a pause.
@lru_cache(maxsize=1 << 11)
def _parsed(answerline: str) -> Answerline:
    text = " ".join(answerline.split())
    if text and not grammar.PLAIN_LINE.search(text):
        return Answerline(answerline, (Alternative(text, "accept", main=True),))
    return _Parser(answerline).parse()


def line_of(alternatives: Sequence[str]) -> Answerline:
    """An answer line that accepts these texts, taken literally but for what is told in brackets."""
    return _line_of(tuple(alternatives))


_TOLD = re.compile(r"[\[(](?:also )?(?:accept|prompt|do not accept)\b", re.I)


@lru_cache(maxsize=1 << 12)
def _line_of(texts: tuple[str, ...]) -> Answerline:
    built: list[Alternative] = []
    for text in dict.fromkeys(texts):
        if _TOLD.search(text):
            built += parse(text).alternatives
        else:
            built.append(Alternative(text, "accept", main=not built))
    return Answerline(" / ".join(texts), tuple(built))


def condition_met(answerline: str | Answerline, text_read: str) -> str:
    """Key of the line's conditions that are past once ``text_read`` has been heard.

    Parameters
    ----------
    answerline : str or Answerline
    text_read : str
        The question as far as it has been read.

    Returns
    -------
    str
        The triggers found in the text, in normal form, sorted and joined by ``" | "``; '' where none is past.
        :func:`judge` takes it as ``condition``.

    Examples
    --------
    >>> line = '<u>electron</u>s [accept <u>beta</u> particles until "beta" is read]'
    >>> condition_met(line, "These particles"), condition_met(line, "These particles in beta decay")
    ('', 'beta')
    """
    line = parse(answerline) if not isinstance(answerline, Answerline) else answerline
    if not line.conditional:
        return ""
    heard = f" {' '.join(_words_heard(text_read or ''))} "
    triggers = {t for a in line.alternatives for t in a.triggers}
    return " | ".join(sorted(t for t in triggers if f" {t} " in heard))


@lru_cache(maxsize=1 << 12)
def _words_heard(text: str) -> tuple[str, ...]:
    return normal.__wrapped__(text).singular
