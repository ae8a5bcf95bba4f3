"""Quizbowl answer lines: what a line accepts, prompts on and rejects, and until when.

The answer line tells the moderator what is right: ``Nazi party [or NSDAP; prompt on fascists; do not
accept "Falange"]``. :func:`parse` turns it into a small tree. Nothing here knows a question's text.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice, pairwise, product

from ..core.errors import DataError
from . import grammar
from .answerline import Alternative, Answerline
from .coordination import items_of, shared, split_coordination
from .grammar import ON, required_parts, split, tidy, unmark
from .normalise import normal, plain_words
from .person_names import COMMON

DEEPEST = 20
"""Brackets within brackets that are read; what lies deeper is left out."""

Pieces = list[tuple[str, str]]  # of a line: 'text' or 'bracket', and what it holds


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
        self.needed: re.Match[str] | None = None  # says that all parts of the head are required
        self.listed: list[str] = []  # answers of the head with only a stroke or comma between
        self.split = False  # the head itself lists alternatives
        self.either = self.equivalents = self.surnames = self.all_forms = False
        self.verdict = "accept"
        self.anti = False
        self.told: dict = {}  # what the clause at hand says of each of its answers
        self.depth = 0  # of brackets within brackets

    @property
    def main(self) -> Alternative | None:
        """The answer before the first bracket; None where there is none."""
        return next((a for a in self.found if a.main), None)

    def parse(self) -> Answerline:
        """The answer line: brackets sorted into clauses and comments, the head read, then each clause in order."""
        head: list[str] = []
        clauses: list[str] = []
        pieces = [(kind, text) for kind, text in grammar.groups(grammar.clean(self.source)) if text.strip()]
        pieces, wordings = _joint(_uninterrupted(pieces)) if len(pieces) > 2 else (pieces, [])
        for (kind, text), (_, behind) in pairwise([*pieces, ("text", "")]):
            if kind == "text":
                head.append(self.outside(text, clauses))
            elif grammar.DIRECTIVE.match(text):
                clauses.append(text)
            elif (spoken := grammar.SPOKEN.match(text)) and grammar.DIRECTIVE.match(text, spoken.end()):
                self.remarks.append(spoken.group().strip(" ;,."))
                clauses.append(text[spoken.end() :])
            elif grammar.SOUND.match(text):
                self.remarks.append(text.strip())
            elif not clauses and grammar.ASIDES.sub("", behind).strip(" .,;"):
                head.append(f"({text.strip()})")  # "[French] Socialist Party": may be left out
            else:
                clauses.append(text)
        self.head(" ".join(part for part in head if part))
        for clause in clauses:
            self.bracket(clause)
        self.found += map(_alternative, wordings)
        self.finish()
        alternatives, notes, remarks = map(tuple, (dict.fromkeys(self.found), self.notes, self.remarks))
        return Answerline(self.source, alternatives, self.partial, notes, remarks, self.equivalents)

    def outside(self, text: str, clauses: list[str]) -> str:
        """A text outside brackets without its directives, which are added to ``clauses``, and comments, which are added to ``remarks``."""
        after_bracket = bool(clauses)

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

        text = re.sub(r"\(([^()]*)(?:\)|$)", take, text) if "(" in text else text
        if not after_bracket:
            return text
        if grammar.DIRECTIVE.match(text):
            clauses.append(text)
        elif text.strip(' .,;)("'):
            self.remarks.append(unmark(text).strip())
        return ""

    def head(self, text: str) -> None:
        """Add the main answer to ``found``, and where the head lists several each of these."""
        text, marked = tidy(text), ON in text
        if not unmark(text).strip(' "()'):
            return
        full = _alternative(text, main=True)
        self.marked, self.listed = text, split_coordination(text)
        listed = marked and ", " in text and re.search(r" or\b", text, re.I)
        pieces = [tidy(p) for p in split(text, grammar.HEAD_LIST if listed else grammar.HEAD_OR)]
        if marked and "/" in text:
            cut = [tidy(q) for p in pieces for q in split(p, grammar.SLASHES)]
            pieces = cut if all(ON in p for p in cut) else pieces
        named = all(normal(unmark(p)).content and (ON in p or not marked) for p in pieces)
        self.split = len(pieces) > 1 and named
        if not self.split:
            self.found.append(full)
        elif marked:  # each side names its own required part, both together are not needed
            self.found += [full._replace(required=()), *map(_alternative, pieces)]
        else:
            self.notes.append(f"read as alternatives: {text}")
            self.found += [full, *(_alternative(p, literal=True) for p in shared(pieces))]

    def bracket(self, text: str, within: bool = False) -> None:
        """Read the clauses of a bracket; ``within`` another, "or" goes on with what the clause before said."""
        for piece in split(text, ";") if ";" in text else (text,):
            piece, inner = _without_clauses(piece) if "(" in piece else (piece, [])
            for clause in grammar.clauses_of(piece):
                if clause.strip(' .,;"()'):
                    self.clause(clause.strip(), within)
            for nested in inner if self.depth < DEEPEST else ():
                verdict = self.verdict
                self.depth += 1
                self.bracket(nested, True)
                self.depth -= 1
                self.verdict = verdict

    def clause(self, clause: str, within: bool) -> None:
        """Read what a clause accepts, prompts on or rejects into ``found``, ``notes`` and ``remarks``."""
        noted = grammar.NOTED.match(clause) if ":" in clause else None
        body = clause[noted.end() :] if noted else clause
        if (noted and not grammar.DIRECTIVE.match(body)) or grammar.SOUND.match(clause):
            self.remarks.append(unmark(clause))
            return
        body, when = _condition(body)
        literal = False
        if directive := grammar.DIRECTIVE.match(body):
            body = body[directive.end() :]
            bare = directive.group().strip().lower() == "or"
            self.anti = directive.lastgroup == "anti"
            if self.anti or (bare and grammar.PARTIAL.match(body)):
                self.verdict = "prompt"
            elif not (within and bare):
                self.verdict = directive.lastgroup or ""
        elif body.strip():
            body, literal = self.undirected(body, clause)
        if not body.strip():
            return
        self.equivalents |= self.verdict == "accept" and bool(grammar.EQUALS.search(body))
        plain = grammar.PLAIN_UNLESS.isdisjoint(grammar.LETTERS.findall(body.lower()))
        question = self.verdict == "prompt" and grammar.ASKING.search(body)
        if question:
            body = f"{body[: question.start()]} {body[question.end() :]}"
        body = body.strip(" .,;")
        asked = question[question.lastgroup].strip() if question else None
        self.told = {"verdict": self.verdict, "directed_prompt": asked, "anti": self.anti}
        self.told |= {"literal": literal, "when": when}
        if self.verdict != "accept" or not self.substitutes(body):
            self.items(body, plain and '"' not in body)

    def undirected(self, body: str, clause: str) -> tuple[str, bool]:
        """The answers of a clause without directive ('' where it has none), and whether they are only taken for some."""
        quoted = re.search(f'["{ON}]', body)
        if needed := grammar.ALL_NEEDED.match(body.strip(" .,")):
            self.needed = needed
        elif quoted and (good := grammar.ACCEPTABLE.match(body)):
            self.verdict = "accept"
            return good["what"], False
        elif body.startswith("by "):
            self.remarks.append(unmark(body))
        elif grammar.SENTENCE.search(body) or (not quoted and grammar.INSTRUCTION.search(body)):
            self.notes.append(unmark(clause))
        else:
            self.notes.append(f"no directive, read as {self.verdict}: {unmark(clause)}")
            return body, self.verdict == "accept"
        return "", False

    def substitutes(self, body: str) -> bool:
        """Whether a clause accepts words in place of others, or equivalents, and so lists no answers."""
        pairs = split(body, grammar.FORS) if " for " in body else []
        swaps = [m for pair in pairs if (m := grammar.FOR.match(pair)) and self.swaps(*m.groups())]
        if swaps and len(swaps) == len(pairs):
            self.substitutions += [(m["new"], [tidy(unmark(m["old"]))], self.told) for m in swaps]
            return True
        for match in filter(None, (p.match(body) for p in (grammar.IN_PLACE, grammar.SYNONYMS))):
            bare = match["old"]
            if old := re.findall(r'"([^"]+)"', bare) or [bare] * self.in_head(bare):
                self.substitutions.append((match["new"], old, self.told))
                return True
        if grammar.EQUIVALENTS.match(unmark(body)):
            self.notes.append(unmark(body))
            return True
        return False

    def items(self, body: str, plain: bool) -> None:
        """Read what one clause lists; ``plain``: none of its words tells the moderator something."""
        if rivals := grammar.AND_OTHERS.search(body) if " and " in body else None:
            self.notes.append(unmark(rivals.group()))
            body = body[: rivals.start()]
        forms = grammar.WORD_FORMS.search(body) if "form" in body.lower() else None
        if forms:
            body = body[: forms.start()]
            self.all_forms |= not body.strip() or bool(forms["of"])
        if " name" in body and grammar.FIRST_OR_LAST.match(unmark(body).strip()):
            names = self.main.text.split() if self.main else []
            if len(names) > 1:
                self.found += [Alternative(name, self.verdict) for name in (names[0], names[-1])]
                return
        if self.verdict == "prompt" and unmark(body).islower():
            body = body.replace(", and ", ", or ")
        for item in items_of(body):
            self.item(item, bool(forms), plain)

    def item(self, item: str, forms: bool, plain: bool) -> None:
        """Read one answer of a clause (with its word ``forms``), or what is told of answers in place of one."""
        letters = grammar.LETTERS.findall(item.lower())
        if plain or ('"' not in item and grammar.PLAIN_UNLESS.isdisjoint(letters)):
            self.add(item, forms)
            return
        item = tidy(grammar.REASON.sub("", item))
        if self.is_instruction(item):
            return
        item = self.listed_behind(grammar.TRIM.sub("", item).strip(" ,"))
        bare, marked = unmark(item), ON in item
        if not bare.strip(' "().') or grammar.ORDER.search(bare):  # the order is free anyway
            return
        described = grammar.EQUIVALENTS.match(bare) and not grammar.SUCH_AS.match(bare)
        if not marked and (described or grammar.VAGUE.match(bare)):
            self.notes.append(bare)
            return
        inner = grammar.PART_OF_CLAUSE.match(item)
        if inner and normal(unmark(inner["what"])).content:
            self.found.append(_alternative(inner["what"], within=True, **self.told))
            return
        item, formed = self.examples(item)
        item = tidy(item)
        if grammar.ANY_SUCH.match(item):  # a kind of answer is described
            self.notes.append(unmark(item))
            if ON not in item:
                return
        self.add(item, forms or formed)

    def add(self, item: str, forms: bool) -> None:
        """Keep an answer, unless it has no letter; a noun with what the main answer requires before its own."""
        item = tidy(item)
        if not plain_words(unmark(item)):
            return
        before, _, noun = self.marked.rpartition(" ")
        required = grammar.OFF in before and noun.islower() and ON not in noun
        if required and item in COMMON and self.verdict == "accept":
            item = f"{before} {item}"  # _Doppler_ effect [or shift]
        self.found.append(_alternative(item, word_forms=forms, **self.told))

    def is_instruction(self, item: str) -> bool:
        """Whether an item says how answers are taken, which is kept: just one, either, surnames alone."""
        bare, accepts, main = unmark(item), self.verdict == "accept", self.main
        tokens = normal(main.text).tokens if main else ()
        several = len(tokens) > 1 and "1" not in tokens
        if several and self.verdict == "prompt" and grammar.ONE_PART.match(item):
            self.partial = self.told["directed_prompt"] or ""
        elif accepts and grammar.SURNAMES.match(bare):
            self.surnames = True
        elif grammar.EITHER.match(bare):
            single = not main or sum(a.verdict == "accept" for a in self.found) < 2
            parts = single or len(main.required) > 1 or grammar.OF_A_PART.search(bare)
            self.either |= accepts and bool(parts)
        else:
            return False
        return True

    def listed_behind(self, item: str) -> str:
        """The answers named behind "partial answers such as" or "specific kinds such as"; '' where none are."""
        bare = unmark(item)
        if self.verdict != "accept":
            partial = grammar.PARTIAL.match(bare)
            if partial and self.verdict == "prompt":
                self.partial = self.told["directed_prompt"] or ""
            listed = partial and re.match(r"\s*,?\s*(?:like|such as)\s+", partial["rest"], re.I)
            return partial["rest"][listed.end() :] if listed else "" if partial else item
        kinds = grammar.KINDS_OF.match(bare)
        if kinds and (not kinds["what"] or self.in_head(kinds["what"], True)):
            self.found += [a._replace(within=True, main=False) for a in self.found if a.main]
            listed = grammar.LISTED.search(item)
            return item[listed.end() :] if listed else ""
        return item

    def examples(self, item: str) -> tuple[str, bool]:
        """An item without "forms of" or "such as", and whether its other forms are taken."""
        formed = False
        for pattern in (grammar.FORMS_OF, grammar.SUCH_AS, grammar.ABOUT):
            match = pattern.match(item)
            if not match:
                continue
            if pattern is grammar.SUCH_AS:
                target = unmark(match["what"])
                kinds = re.fullmatch(r"(?:[a-z]+ ){0,2}[a-z]+s", target) and " like " not in item
                if target and not kinds and not grammar.GENERIC.search(target):
                    continue
            if pattern is grammar.FORMS_OF:
                formed = True
                if match["like"] and self.verdict == "accept":
                    self.all_forms = True  # the forms of the answer, of which one is named
            if item[: match.end()].strip().lower() not in ("such as", "like", "including"):
                self.notes.append(unmark(item))
            item = item[match.end() :]
        return item, formed

    def in_head(self, words: str, whole: bool = False) -> bool:
        """Whether words stand in the main answer, and are not all of it unless they may be ``whole``."""
        head = set(normal(self.main.text).singular) if self.main else set()
        guessed = set(normal(unmark(words)).singular)
        return guessed < head or (whole and guessed == head)

    def swaps(self, new: str, old: str) -> bool:
        """Whether words stand for others of the main answer, and do not say it with a "for" of its own."""
        stated = '"' in old or f" for {unmark(old)}" not in unmark(self.marked)
        return stated and self.in_head(old) and not grammar.VAGUE.match(unmark(new))

    def finish(self) -> None:
        """Add to ``found`` what depends on the whole line: either part, surnames, word forms, substitutions."""
        head = self.main
        if head:  # what is accepted anyway is not only accepted later
            later = [a for a in self.found if a.after == "accept" and a.triggers and a.text == head.text]
            self.found = [a for a in self.found if a not in later]
        if self.needed:
            self.require(self.needed)
        if head and self.either and not self.split:
            if len(head.required) > 1:  # each of them is enough, whatever of the rest is said
                self.found += [head._replace(required=(p,), main=False) for p in head.required]
            else:
                text = (*head.required, head.text)[0]
                parts = re.split(r",? and |, | ?[/&] ?", text)
                parts = parts if len(parts) > 1 else text.split()
                self.found += [Alternative(p, "accept") for p in parts if normal(p).content]
        if head and self.listed and not self.notes and self.partial is None:
            plain = ON not in "".join(self.listed)
            self.found += [_alternative(p, literal=plain) for p in self.listed]
            if plain:
                self.notes.append(f"read as alternatives: {head.text}")
        if head and self.surnames:
            names = head.required or re.split(r"\s+and\s+", head.text, flags=re.I)
            final = tuple(words[-1] for words in map(str.split, names) if words)
            self.found.append(Alternative(" and ".join(final), "accept", required=final))
        for new, olds, told in self.substitutions[:20]:
            self.substitute(new, olds, told)
        if self.all_forms:
            self.found = [a._replace(word_forms=True) if a.verdict == "accept" else a for a in self.found]

    def require(self, needed: re.Match[str]) -> None:
        """Reject each part of the main answer alone, where the line says that all are required.

        ``needed``: match of ``grammar.ALL_NEEDED``; with its group ``name`` (full names) words may be parts.
        No part is rejected if the line prompts on any; a note where the answer has no parts."""
        text, marked = (self.main.text, self.main.required) if self.main else ("", ())
        parts = marked if len(marked) > 1 else grammar.PARTS.split(text)
        parts = text.split() if needed["name"] and len(parts) == 1 else parts
        if len(parts) < 2:
            self.notes.append(needed.group())
        elif self.partial is None and not any(
            a.verdict == "prompt" and self.in_head(a.text) for a in self.found
        ):
            self.found += [Alternative(p, "reject") for p in dict.fromkeys(parts) if normal(p).content]

    def substitute(self, new: str, olds: list[str], told: dict) -> None:
        """Add accepted answers with ``new`` words in place of ``olds``; where none has these words a note."""
        texts = [a.text for a in self.found if a.verdict == "accept"][:60]
        about = grammar.ABOUT.match(new)
        words = [tidy(unmark(item)) for item in items_of(new[about.end() if about else 0 :])]
        patterns = [re.compile(rf"(?<!\w){re.escape(unmark(old))}(?!\w)", re.I) for old in olds]
        built = [
            swapped
            for word, pattern, text in product(words, patterns, texts)
            if (swapped := pattern.sub(lambda _, word=word: word, text)) != text
        ]
        if not built:
            self.notes.append(f"{unmark(new)} in place of {' or '.join(olds)}")
        elif self.main and self.main.text.rpartition(" ")[2].islower():
            # The words may stand before any noun that the answers end in: American Indian lands.
            nouns = dict.fromkeys(text.split()[-1] for text in texts if " " in text)
            built += [f"{w} {noun}" for w, noun in product(words, filter(str.islower, nouns))]
        self.found += [_alternative(text, **told) for text in dict.fromkeys(built)][:200]


def _uninterrupted(pieces: Pieces) -> Pieces:
    """The pieces of a line, where a bracket before the marked words ("Leo [or Lev] _Tolstoy_") comes behind them."""
    (_, before), (_, bracket), (kind, behind), *others = pieces
    directive = grammar.DIRECTIVE.match(bracket)
    accepts = directive and directive.lastgroup == "accept" and ON not in before + bracket
    if kind != "text" or not accepts or ON not in behind:
        return pieces
    ways = []
    for item in items_of(bracket[directive.end() :]):
        kept = before.split()[: -len(item.split())]
        ways.append(" ".join(("or", *kept, item, behind.strip())))
    return [("text", f"{before} {behind}"), ("bracket", "; ".join(ways)), *others]


def _joint(pieces: Pieces) -> tuple[Pieces, list[str]]:
    """The pieces of a line whose answer goes on behind a bracket ("A [or B] and C [or D]") as of one that
    has one bracket, and the other ways to say its answer.

    What a bracket accepts stands for the part before it; all else is told of the whole."""
    parts_at = {0} | {
        i for i, (kind, text) in enumerate(pieces) if i > 1 and kind == "text" and grammar.BEHIND.match(text)
    }
    if len(parts_at) == 1 or pieces[0][0] != "text":
        return pieces, []
    stated: list[str] = []
    parts: list[list[str]] = []  # for each the ways to say it, with the joint before
    for index, (_, text) in enumerate(pieces):
        if index in parts_at:
            match = grammar.BEHIND.match(text) if index else None
            joint = f" {match.group().strip()} " if match else ""
            parts.append([joint + tidy(text[match.end() if match else 0 :])])
            continue
        for clause in split(text, ";"):
            directive = grammar.DIRECTIVE.match(clause)
            if directive and directive.lastgroup == "accept":
                items = map(tidy, items_of(clause[directive.end() :]))
                parts[-1] += [joint + item for item in items if item]
            else:
                stated.append(clause)
    full, *wordings = map("".join, islice(product(*parts), 60))
    return [("text", full), ("bracket", "; ".join(stated))], wordings


def _without_clauses(piece: str) -> tuple[str, list[str]]:
    """A piece without the parentheses that hold clauses, and the contents of these."""
    retained, clauses, final = "", [], 0
    for start, end in grammar.outermost(piece, "()"):
        content = piece[start + 1 : end]
        glued = start and piece[start - 1].isalnum()
        if end == len(piece) or glued or grammar.PARTIAL.match(content):
            continue
        if grammar.DIRECTIVE.match(content):
            clauses.append(content)
            retained += piece[final:start]
            final = end + 1
    return retained + piece[final:], clauses


def _condition(text: str) -> tuple[str, dict]:
    """``text`` without its condition, and what that says ({} without one).

    Keys: ``until`` (words), ``triggers`` (normal form), ``reversed`` (from then on, not until), perhaps ``other`` (verdict afterwards).
    """
    text = grammar.WHEN_ASIDE.sub(r" \1", text) if "(" in text else text
    if later := grammar.AFTERWARDS.search(text):
        text = text[: later.start()]
    moment_said = grammar.WHEN_SAID.search(text)
    if not moment_said:
        return text, {}
    inside = grammar.open_depth(text)
    matches = (m for pattern in grammar.CONDITIONS for m in pattern.finditer(text, moment_said.start()))
    match = next((m for m in matches if not inside[m.start("when")]), None)
    if not match:
        return text, {}
    phrase = match.groupdict().get("what")
    words = re.findall(r'"([^"]+)"', phrase) or [phrase] if phrase else []
    moment = match["when"].lower()
    named = " or ".join(f'"{w}"' for w in words)
    when = {
        "until": f"{moment} {named} is read" if words else f"{moment} mention",
        "triggers": tuple(t for t in (" ".join(normal(w).singular) for w in words) if t),
        "reversed": moment in ("after", "once"),
    }
    if later:
        verb = later["verb"].lower()
        when["other"] = verb if verb in ("accept", "prompt") else "reject"
    return f"{text[: match.start()]} {text[match.end() :]}".strip(), when


def _alternative(marked: str, verdict: str = "accept", when: dict | None = None, **more) -> Alternative:
    """An answer with its marks as an alternative; ``when`` says from or until when it has another verdict."""
    required = required_parts(marked) if ON in marked else ()
    if "(" in marked and len(required) > 1:  # what stands in parentheses may be left out
        required = required_parts(grammar.ASIDES.sub(" ", marked)) or required
    built = Alternative(tidy(unmark(marked)), verdict, required=required, **more)
    if not when:
        return built
    singulars = dict.fromkeys(" ".join(normal(p).singular) for p in (*required, built.text))
    triggers = when["triggers"] or tuple(filter(None, singulars))
    second = when.get("other", "" if verdict == "reject" else "reject")
    if when["reversed"]:  # "accept X after Y": until then it is not accepted
        until, verdict, second = f"until {when['until']}", second or "reject", verdict
    else:
        until = when["until"]
    return built._replace(until=until, triggers=triggers, verdict=verdict, after=second)


def parse(answerline: str) -> Answerline:
    """The tree of an answer line; every text that is not too long gives one, whatever is wrong with it.

    Parameters
    ----------
    answerline : str
        As a packet prints it. The text outside directives and comments is the main accepted answer.

    Returns
    -------
    Answerline
        ``notes`` reports clauses not understood; those that could be an answer are kept as literal text.

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
    grammar.refuse_long("answer line", answerline)
    return _parsed(answerline)


# Small, as a full garbage collection visits every cached tree and would be felt as a pause.
@lru_cache(maxsize=1 << 11)
def _parsed(answerline: str) -> Answerline:
    text = " ".join(answerline.split())
    if text and not grammar.PLAIN_LINE.search(text):
        return Answerline(answerline, (Alternative(text, "accept", main=True),))
    return _Parser(answerline).parse()


def line_of(alternatives: Sequence[str]) -> Answerline:
    """A line of these texts, the first main; one with "[accept" or "(prompt" is read, main answer and all."""
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
    # Not through the cache, which texts that grow word by word would fill.
    heard = f" {' '.join(normal.__wrapped__(text_read or '').singular)} "
    triggers = {t for a in line.alternatives for t in a.triggers}
    return " | ".join(sorted(t for t in triggers if f" {t} " in heard))
