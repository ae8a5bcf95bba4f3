"""The ledger: every checkable statement of a paper against a study's own tables, for papers of any kind.

A claim is a row of ``claims:`` in config/published/<study>.yaml, or made of a number that a paper
prints. Its ``predicate`` is an expression over

- quantities, computed from the study's tables, and
- ``printed``: the numbers of the paper, which are compared with but never computed from.

Where the released data leave something open (the matches of a model, say), a claim's predicate
gives one truth value for each possibility, and ``undecided`` says what would settle it: the claim
has a verdict only where all possibilities agree. ``{{expression}}`` in a note is evaluated.

The status of a claim is its truth in these data. Whether chance could have made it so is another column,
``beyond_chance``. A claim about a sample has ``margins``: differences that are above 0 where the claim holds, by
``all`` (the default), ``any`` or ``most`` of them. They are tested on resampled studies (:mod:`.margin_tests`). A claim
whose statistic has a critical value of its own has ``significant`` in their place. ``unsure`` says where a claim that
does not hold is undecided, because the source leaves unsaid what would decide. Undecided is also a claim whose deciding
difference rests on too few events, with 0 in its interval.
"""

import functools
import itertools
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd

from ..core import store
from ..core.errors import DataError, Faults
from . import expressions, verbalise
from .estimates import Quantity
from .expressions import Missing
from .margin_tests import QUANTIFIERS, MarginTest, test_margins

YES, NO, TOO_FEW = BEYOND_CHANCE = ("yes", "no", "too few")
"""Whether the truth of a claim in these data would hold in other samples of the same kind."""

REPRODUCED = "reproduced"
CONTRADICTED = "contradicted"
INCONSISTENT = "internally inconsistent"
UNPUBLISHED = "needs unpublished data"
SIMULATED = "not applicable (simulated)"
UNDECIDED = "undecided"

#: ``published``: printed numbers alone decide, so a false one means that the paper disagrees with
#: itself. ``consistency``: two statements of the paper against each other, on the study's data.
#: ``fact``: against something known outside the study. ``study`` (the default): the study's data.
KINDS = ("study", "published", "consistency", "fact")


def readings(claim: dict) -> list[dict]:
    """One claim for each of its ``readings`` (name → meaning): the name ends its id and replaces ``{reading}`` in
    all its texts; the meaning starts its note. The claim alone where it has none."""
    if "readings" not in claim:
        return [claim]
    entries = []
    for reading, meaning in claim["readings"].items():
        texts = {
            key: text.replace("{reading}", reading) for key, text in claim.items() if isinstance(text, str)
        }
        entry = {key: value for key, value in (claim | texts).items() if key != "readings"}
        entry["id"] = f"{claim['id']}.{reading}"
        entry["note"] = "; ".join(part for part in (f"read as: {meaning}", entry.get("note")) if part)
        entries.append(entry)
    return entries


def cell_claim(
    place: str, section: str, words: str, value: str, printed: object, tolerance: float | None
) -> dict:
    """The claim ``place`` (its id) that the expression ``value`` gives ``printed`` within ``tolerance``
    (None: exactly). ``words``: its statement; ``section``: where the number is printed."""
    return {
        "id": place,
        "section": section,
        "statement": words,
        "of": f"the numbers printed in {section}",
        "weight": "result",
        "form": "cell",
        "value": value,
        "published": printed,
        "tolerance": tolerance,
    }


_KEYS = {"id", "section", "statement", "predicate", "value", "published"}
_KEYS |= {"tolerance", "needs", "undecided", "kind", "note", "readings", "of", "says", "weight"}
_KEYS |= {"margins", "by", "significant", "unsure", "basis", "shown", "form", "headline"}

_EMBEDDED = re.compile(r"\{\{(.+?)\}\}(?!\})")


def _embedded(claim: dict) -> list[str]:
    """The expressions in double braces in a claim's note, sentence and headline."""
    return [
        expression
        for key in ("note", "says", "headline")
        for expression in _EMBEDDED.findall(claim.get(key) or "")
    ]


def predicate_of(claim: dict) -> str | None:
    """The claim's predicate, else that ``value`` is ``published`` within tolerance; None where one lacks or it ``needs``."""
    if claim.get("predicate") or claim.get("needs"):
        return claim.get("predicate")
    if claim.get("value") is None or claim.get("published") is None:
        return None
    if claim.get("tolerance") is None:
        return f"{claim['value']} == {claim['published']}"
    # a value that lies on the edge of the tolerance in decimal is within it
    return f"abs({claim['value']} - {claim['published']}) <= {claim['tolerance']:g} + 1e-9"


def _faults(claims: list[dict], quantities: dict[str, str]) -> Faults:
    """Faults of the claims themselves, before anything is evaluated; ``quantities``: names that they may use."""
    faults, ids = Faults("claims"), set()
    names = {*quantities, "printed", *expressions.LOCAL}
    for claim in claims:
        place = str(claim.get("id", ""))
        for key in ("id", "section", "statement"):
            if not claim.get(key):
                faults.add(place, key, None, "a value")
        for key in set(claim) - _KEYS:
            faults.add(place, key, key, f"one of {', '.join(sorted(_KEYS))}")
        if place in ids:
            faults.add(place, "id", place, "an id that occurs once")
        ids.add(place)
        for key, allowed in (
            ("kind", KINDS),
            ("weight", (*verbalise.WEIGHTS, verbalise.CHECK)),
            ("by", QUANTIFIERS),
        ):
            if claim.get(key, allowed[0]) not in allowed:
                faults.add(place, key, claim[key], f"one of {', '.join(allowed)}")
        predicate = predicate_of(claim)
        if bool(predicate) == bool(claim.get("needs")):
            words = "either a predicate (or value and published) or needs"
            faults.add(place, "predicate", predicate, words)
        tested = ((key, claim.get(key)) for key in ("value", "margins", "significant", "unsure"))
        embedded = (("note", expression) for expression in _embedded(claim))
        for key, expression in (("predicate", predicate), *tested, *embedded):
            try:
                used = expressions.names_in(expression) if expression else set()
            except SyntaxError:
                faults.add(place, key, expression, "an expression")
                continue
            for name in sorted(used - names):
                faults.add(place, key, name, "a quantity of this kind of study")
            outside = ", ".join(sorted(used & set(quantities)))
            if claim.get("kind") in ("published", "fact") and outside and key != "note":
                words = f"printed values only, as kind is {claim['kind']}"
                faults.add(place, key, outside, words)
    return faults


def _text(value: object) -> str:
    """A recomputed value as text: numbers at full precision, lists and dicts as JSON, None as ''."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    return json.dumps(value, ensure_ascii=False, default=list)


def _short(value: object) -> str:
    """A value as text in a note: floats to four digits, items joined by commas, ``none`` for an empty list."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {_short(item)}" for key, item in value.items())
    if isinstance(value, (list, tuple, set)):
        return ", ".join(map(_short, value)) or "none"
    if isinstance(value, float):
        return f"{value:.4g}"
    return _text(value)


def interval_text(value: float, low: float, high: float, method: str) -> str:
    """``0.750 [0.700, 0.800] (method)``, three decimals, as the ledger writes intervals."""
    return f"{value:.3f} [{low:.3f}, {high:.3f}] ({method})"


def _by_file(places: list[str]) -> str:
    """Evidence as one text with each file named once: ``file: rows | rows; file: rows``."""
    files = {}
    for place in "; ".join(places).split("; ") if places else ():
        file, _, rows = place.partition(": ")
        files.setdefault(file, {})[rows] = None
    return "; ".join(f"{file}: {' | '.join(rows)}" for file, rows in files.items())


class Paper(NamedTuple):
    """What a published file says.

    ``claims``: before :func:`readings`; ``facts``: what ``printed`` gives; ``file``: where that stands, under
    ``keys`` (name → key) or ``facts``. ``models``: keys of models → their names, for sentences."""

    claims: list[dict]
    facts: dict
    file: str
    models: Mapping[str, str] = MappingProxyType({})
    keys: Mapping[str, str] = MappingProxyType({})


@dataclass
class _Scope:
    """What the expressions of a ledger's claims can use, and the ``log`` of places that they have looked at."""

    names: dict
    quantities: dict[str, Quantity]
    paper: Paper
    log: set
    inputs_of: dict[str, str]
    intervals: dict[tuple, str]
    level: float
    min_n: int

    @functools.cached_property
    def resampled(self) -> list[dict]:
        """[quantity → its replicates, quantity → its events], as expressions see them; only of those with estimates."""
        return [
            {
                name: expressions.wrap_traced(getattr(quantity, field), (name,), set())
                for name, quantity in self.quantities.items()
                if getattr(quantity, field) is not None
            }
            for field in ("replicates", "events")
        ]

    def evaluate_unlogged(self, expression: str, names: dict) -> object:
        """The value of an expression, without adding to the log: what it looks at is no evidence."""
        looked = set(self.log)
        try:
            return expressions.evaluate(expression, names)
        finally:
            self.log.intersection_update(looked)

    def margin_tests(self, claim: dict, names: dict) -> list[MarginTest]:
        """Tests of a claim's margins, one for each possibility that the data leave; [] if it has no margins, or one of them
        cannot be computed or has no replicates. ``names``: name → value for its expressions."""
        if not claim.get("margins") or not self.resampled[0]:
            return []
        try:
            margins, replicates, events = (
                self.evaluate_unlogged(claim["margins"], {**names, **extra})
                for extra in ({}, *self.resampled)
            )
        except Missing:
            return []
        if isinstance(margins, dict):
            margins, replicates, events = [margins], [replicates], [events]
        if not all(getattr(drawn, "ndim", 0) for draws in replicates for drawn in draws.values()):
            return []
        tests: list[MarginTest] = []
        possibilities = zip(margins, replicates, events, strict=True)
        for _, alike in itertools.groupby(possibilities, key=lambda each: list(each[0])):
            *pair, events = zip(*alike, strict=True)
            tests += test_margins(*pair, claim.get("by", "all"), self.level, events, self.min_n)
        return tests

    def beyond_chance(self, claim: dict, names: dict, verdict: bool, tests: list[MarginTest]) -> str:
        """``yes``, ``no`` or ``too few``: whether the verdict holds beyond chance, in all ``tests`` or by the
        claim's ``significant``; "" where it has neither."""
        if claim.get("significant"):
            return YES if self.evaluate_unlogged(claim["significant"], names) else NO
        if not tests:
            return ""
        if all(test.verdict is verdict for test in tests):
            return YES
        scarce = any(test.too_few for test in tests if test.verdict is not verdict)
        return TOO_FEW if scarce else NO

    def cited_intervals(self, written: list[str]) -> str:
        """``place: interval; …`` of the parts that the expressions, just evaluated, looked at.

        All of a branch where it was looked at as a whole, and of a quantity that is named without a part;
        that of a list where one of its items was."""
        texts = {}
        for name in sorted(expressions.all_names(*written) & {place[0] for place in self.intervals}):
            places = [place for place in self.intervals if place[0] == name]
            for leaf in expressions.leaves_below(self.log, name) or [()]:
                for place in places:
                    depth = min(len(place) - 1, len(leaf))
                    if place[1 : depth + 1] == leaf[:depth]:
                        texts[".".join(map(str, place))] = self.intervals[place]
        return "; ".join(f"{place}: {text}" for place, text in texts.items())

    def evidence(self, written: list[str]) -> str:
        """Files and rows, as one text, that the expressions, just evaluated, have used."""
        used, places = expressions.all_names(*written), []
        for name in sorted(used & set(self.quantities)):
            places += expressions.evidence(self.quantities[name], expressions.leaves_below(self.log, name))
        places += expressions.printed_evidence(
            expressions.leaves_below(self.log, "printed"), self.paper.file, self.paper.keys
        )
        places += [place for name, place in expressions.COMPUTED_BY.items() if name in used]
        return _by_file(places)


def _fill_in(text: str | None, names: dict, short: Callable[[object], str]) -> str:
    """``text`` with the value of each expression in double braces, worded by ``short``, or ``unknown here`` where it
    cannot be evaluated."""
    from simpleeval import InvalidExpression

    def fill(match: re.Match) -> str:
        try:
            return short(expressions.evaluate(match[1], names))
        except (Missing, InvalidExpression, ArithmeticError, LookupError, TypeError, ValueError):
            return "unknown here"

    return _EMBEDDED.sub(fill, text or "")


def _verdict(result: Any, claim: dict) -> bool | None:
    """The truth of a predicate's ``result``. Of a claim with ``undecided`` the result has one truth for each possibility: None if
    they differ or there is none."""
    if not claim.get("undecided"):
        return bool(result)
    truths = {bool(item) for item in result}
    return truths.pop() if len(truths) == 1 else None


def _status(claim: dict, lacking: str | None, unsure: bool, verdict: bool | None) -> str:
    """Status of a claim: ``lacking`` (words for what it needs) comes before ``unsure``, and that before the verdict."""
    if lacking:
        return UNPUBLISHED
    if unsure:
        return UNDECIDED
    if verdict:
        return REPRODUCED
    return INCONSISTENT if claim.get("kind") in ("published", "consistency") else CONTRADICTED


def _row(claim: dict, scope: _Scope, simulated: bool) -> dict:
    """The ledger's row of a claim, with the columns of table claims and ``form``. Raises ``DataError`` for an
    expression that no study could evaluate."""
    from simpleeval import InvalidExpression

    predicate, value = predicate_of(claim), claim.get("value")
    written = [expression for expression in (predicate, value) if expression]
    study = sorted(expressions.names_in(*written) & set(scope.inputs_of))
    sources = ", ".join(dict.fromkeys(scope.inputs_of[name] for name in study))
    local = {
        "published": expressions.wrap_traced(claim.get("published"), ("published",), set()),
        "tolerance": claim.get("tolerance"),
    }
    scope.log.clear()
    names = {**scope.names, **local}
    recomputed, verdict, unsure, lacking = None, None, False, claim.get("needs")
    least: MarginTest | None = None
    beyond = ""
    absent = [name for name in study if name not in names]
    if absent and not lacking:
        lacking = ", ".join(dict.fromkeys(scope.inputs_of[name] for name in absent))
    elif not lacking:
        try:
            if value:
                result = expressions.evaluate(value, names)
                recomputed = expressions.wrap_traced(result, ("value",), set())
            names_with_value = {**names, "value": recomputed}
            verdict = _verdict(expressions.evaluate(predicate, names_with_value), claim)
            lacking = claim["undecided"] if verdict is None else None
            if verdict is not None:
                tests = scope.margin_tests(claim, names_with_value)
                beyond = scope.beyond_chance(claim, names_with_value, verdict, tests)
                least = min(tests, key=lambda test: (test.verdict is verdict, test.stays), default=None)
                unsure = beyond == TOO_FEW and least.low <= 0 <= least.high
            if claim.get("unsure") and not verdict:
                unsure |= bool(expressions.evaluate(claim["unsure"], names_with_value))
            recomputed = verdict if value is None else recomputed
        except Missing as missing:
            lacking = f"{sources} ({missing})"
        except (ArithmeticError, LookupError, TypeError, ValueError, InvalidExpression) as error:
            problem = f"{type(error).__name__}: {error}"
            if not study or isinstance(error, DataError | InvalidExpression):
                expected = f"an expression that can be evaluated ({problem})"
                place = "claims", claim["id"], "predicate"
                raise DataError.at(*place, predicate, expected) from None
            # a small study can leave nothing to divide by or to take the highest of
            lacking = f"more of {sources} ({problem})"
    of_study = bool(study or claim.get("needs"))
    status = SIMULATED if simulated and of_study else _status(claim, lacking, unsure, verdict)
    evidence = scope.evidence(written)
    # what was not evaluated has looked at nothing, which is not the whole
    cited = "" if recomputed is None else scope.cited_intervals(written)
    names["value"] = recomputed
    note, models = _fill_in(claim.get("note"), names, _short), scope.paper.models

    def sentence(key: str, digits: int = verbalise.DIGITS) -> str:
        """A sentence of the claim; "" where nothing was recomputed or the study lacks a part of it."""
        show = functools.partial(verbalise.value_words, names=models, digits=digits)
        text = "" if recomputed is None else _fill_in(claim.get(key), names, show)
        return "" if "unknown here" in text else text

    says = sentence("says", verbalise.digits_of(claim.get("published")))
    headline, is_simulated = sentence("headline"), status == SIMULATED
    if not says:
        says = verbalise.default_sentence(claim, recomputed, models, note, lacking, is_simulated)
    if is_simulated and says and recomputed is not None and ", simulated " not in says:
        # Names of models in a sentence are the source's.
        says = f"Simulated: {says}"
    # without a verdict, the note's numbers are all that there is
    evidence = evidence if written else scope.evidence(_embedded(claim))
    return {
        "id": claim["id"],
        "section": claim["section"],
        "statement": claim["statement"],
        "of": verbalise.parent_statement(claim),
        "weight": claim.get("weight", "description"),
        "shown": bool(claim.get("shown")),
        "basis": claim.get("basis") or verbalise.basis(evidence),
        "says": says,
        "headline": headline or None,
        "predicate": predicate or "",
        "published": _text(claim.get("published")),
        "recomputed": _text(recomputed),
        "tolerance": _text(claim.get("tolerance")),
        "status": status,
        "beyond_chance": None if is_simulated else beyond or None,
        "decides": verbalise.substitute_model_names(least.part, models) if least else "",
        **{key: getattr(least, key, None) for key in ("difference", "low", "high", "stays")},
        "form": claim.get("form", "reading"),
        "evidence": evidence,
        "intervals": cited,
        "note": "; ".join(part for part in (note, f"needs: {lacking}" if lacking else "") if part),
    }


def evaluate_claims(
    paper: Paper,
    quantities: dict[str, Quantity],
    inputs_of: dict[str, str],
    simulated: bool,
    intervals: dict[tuple, str],
    level: float = 0.95,
    min_n: int = 0,
) -> pd.DataFrame:
    """The ledger: one row per claim or, where it has :func:`readings`, for each, in the paper's order, with
    ``form``: reading or cell. ``inputs_of``: every quantity that a claim may name → the input that it needs;
    ``quantities``: those that this study has. Their replicates say whether a verdict is beyond chance, at
    this ``level``; a margin with fewer than ``min_n`` events decides nothing. ``intervals``: place in a
    quantity → the text of its interval, cited where a claim looks there.

    ``status``: ``reproduced``; ``contradicted`` by the study's data or a known fact; ``internally
    inconsistent`` where the paper contradicts itself; ``needs unpublished data`` where a quantity could not
    be computed, or where what was not released decides (``undecided``); ``undecided`` where the source leaves
    unsaid what would decide (``unsure``), or too few events leave both answers possible. In a ``simulated``
    study a claim that needs study data is ``not applicable (simulated)``, with recomputed filled all the
    same. Raises ``DataError`` that names every claim with a fault of its own (an unknown key or quantity, a
    double id, not just one of predicate and needs, …), or the first whose expression no study could
    evaluate."""
    claims = [item for claim in paper.claims for item in readings(claim)]
    _faults(claims, inputs_of).refuse()
    log = set()
    names = {name: expressions.wrap_traced(item.value, (name,), log) for name, item in quantities.items()}
    names["printed"] = expressions.wrap_traced(paper.facts, ("printed",), log)
    scope = _Scope(names, quantities, paper, log, inputs_of, intervals, level, min_n)
    return pd.DataFrame(
        [_row(claim, scope, simulated) for claim in claims],
        columns=[*store.columns("claims"), "form"],
    )
