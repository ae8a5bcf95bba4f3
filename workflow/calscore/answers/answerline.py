"""What an answer line says, as a tree, and that tree as JSON in the form of ``data/answerline.schema.json``.

The form keeps its names while :data:`VERSION` stands; whatever changes in it raises the version."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, get_type_hints

from ..core.errors import DataError, Fault
from ..core.package import DATA

_INSTRUCTS = re.compile(r"[\[(](?:or|(?:also )?accept)\b", re.I)


class Alternative(NamedTuple):
    """One answer of a line and what a moderator does with it: ``verdict`` is accept, prompt or reject.

    ``directed_prompt`` is the question to ask back, None without one. ``word_forms`` takes words of one root.
    ``required``: the underlined parts. Unless rejected, a guess that adds nothing strange needs no more.
    ``until`` is the condition (``until "Drp1" is read``) or None. Any ``triggers``, in normal form, end it;
    ``after`` is the verdict from then on ('' where it lapses). ``main`` marks the one outside brackets.
    ``anti`` marks an anti-prompt (too specific rather than too vague), whose verdict is ``prompt``.
    ``literal`` marks words that are only taken for an answer, as nothing in the line says what they are,
    ``within`` words that an answer must hold and may add to."""

    text: str
    verdict: str
    directed_prompt: str | None = None
    until: str | None = None
    word_forms: bool = False
    required: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    after: str = "reject"
    anti: bool = False
    main: bool = False
    literal: bool = False
    within: bool = False

    def __str__(self) -> str:
        parts = [f"{'anti-prompt' if self.anti else self.verdict}: {self.text}"]
        if self.required and list(self.required) != [self.text]:
            parts.append("requires " + " + ".join(self.required))
        if self.until:
            parts.append(f"{self.until}, then {self.after or 'no longer applies'}")
        if self.within:
            parts.append("with other words")
        if self.word_forms:
            parts.append("or word forms")
        if self.directed_prompt:
            parts.append(f"ask “{self.directed_prompt}”")
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Answerline:
    """A parsed answer line: ``source`` is its text as given, ``alternatives`` are in the order of the line.

    ``partial`` is None, or the directed prompt ('' without one) of ``prompt on partial answers``. ``notes``:
    what was not understood or only taken for an answer; ``remarks``: pronunciation guides and comments to the
    moderator. ``equivalents``: the line also takes its answers in other words."""

    source: str
    alternatives: tuple[Alternative, ...]
    partial: str | None = None
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    equivalents: bool = False
    _indexes: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def main(self) -> str:
        """The text of the main answer, outside directives and without markup; '' if there is none."""
        return next((a.text for a in self.alternatives if a.main), "")

    @property
    def conditional(self) -> bool:
        """Whether any alternative has ``triggers``, so that its verdict depends on what has been read."""
        return any(a.triggers for a in self.alternatives)

    @property
    def ruled(self) -> bool:
        """Whether the line underlines, prompts or has brackets that begin with "or", "accept" or "also accept"."""
        marked = any(a.required or a.verdict == "prompt" for a in self.alternatives)
        return marked or self.partial is not None or _INSTRUCTS.search(self.source) is not None

    def describe(self) -> str:
        """The tree as text: main answer, alternatives, partial answers, equivalents, notes and remarks."""
        lines = [self.main or "(no main answer)"]
        lines += [f"  {a}" for a in self.alternatives]
        if self.partial is not None:
            question = f"; ask “{self.partial}”" if self.partial else ""
            lines.append(f"  prompt: partial answers{question}")
        if self.equivalents:
            lines.append("  accept: equivalents")
        lines += [f"  not understood: {note}" for note in self.notes]
        lines += [f"  remark: {remark}" for remark in self.remarks]
        return "\n".join(lines)

    __str__ = describe


VERSION = 1
_VERDICTS = ("accept", "prompt", "reject")
_CHOICES = {"verdict": _VERDICTS, "after": (*_VERDICTS, "")}
# Type of a field → what is expected of its value.
_KINDS = {str: "text", str | None: "text or null", bool: "true or false", tuple[str, ...]: "a list of texts"}
_ALTERNATIVE = get_type_hints(Alternative)
_LINE = {
    field.name: get_type_hints(Answerline)[field.name]
    for field in fields(Answerline)
    if field.compare and field.name != "alternatives"
}


def schema() -> dict[str, Any]:
    """The JSON schema of what :func:`to_dict` gives."""
    return dict(json.loads((DATA / "answerline.schema.json").read_text(encoding="utf-8")))


def to_dict(line: Answerline) -> dict[str, Any]:
    """A parsed line in the form of :func:`schema`, as ``json`` writes it; :func:`from_dict` gives the line back.

    Keys: ``version``, ``alternatives`` (a list of dicts) and the other fields of the line.

    Examples
    --------
    >>> from .parse import parse
    >>> line = parse("<u>Ovid</u>")
    >>> to_dict(line)["alternatives"][0]["required"], from_dict(to_dict(line)) == line
    (['Ovid'], True)
    """
    values = _converted({name: getattr(line, name) for name in _LINE}, tuple, list)
    alternatives = [_converted(a._asdict(), tuple, list) for a in line.alternatives]
    return {"version": VERSION, "source": line.source, "alternatives": alternatives} | values


def from_dict(data: object) -> Answerline:
    """The parsed line that :func:`to_dict` wrote, ready to judge.

    Parameters
    ----------
    data : dict
        In the form of :func:`schema`.

    Raises
    ------
    DataError
        Anything else. It names ``version``, else ``alternatives``, else each missing, unknown or wrong field.
    """
    version = data.get("version") if isinstance(data, Mapping) else data
    if not isinstance(data, Mapping) or version is True or version != VERSION:
        raise DataError.at("answer line", "", "version", version, f"{VERSION}, as to_dict writes")
    alternatives = data.get("alternatives")
    if not isinstance(alternatives, list):
        raise DataError.at("answer line", "", "alternatives", alternatives, "a list")
    line = {name: data[name] for name in data if name not in ("version", "alternatives")}
    faults = _faults(line, _LINE, "")
    for number, item in enumerate(alternatives, 1):
        faults += _faults(item, _ALTERNATIVE, f"alternative {number}")
    if faults:
        raise DataError(faults)
    built = tuple(Alternative(**_converted(item, list, tuple)) for item in alternatives)
    return Answerline(alternatives=built, **_converted(line, list, tuple))


def _converted(values: Mapping[str, Any], old: type, new: type) -> dict[str, Any]:
    """A copy in which each value of type ``old`` is one of type ``new``: JSON has lists in place of tuples."""
    return {name: new(v) if isinstance(v, old) else v for name, v in values.items()}


def _faults(values: Any, kinds: dict[str, Any], row: str) -> list[Fault]:
    """A fault for each field of a line or alternative that is missing, unknown or of another type than in ``kinds``."""
    if not isinstance(values, Mapping):
        return [Fault("answer line", row, "", values, "an object")]
    wrong = [(str(name), values[name], "no such field") for name in values if name not in kinds]
    for name, kind in kinds.items():
        value, expected = values.get(name), _KINDS[kind]
        texts = kind == tuple[str, ...]
        if name not in values:
            wrong.append((name, None, f"{expected}, the field is missing"))
        elif not isinstance(value, list if texts else kind) or (
            texts and not all(isinstance(item, str) for item in value)
        ):
            wrong.append((name, value, expected))
        elif value not in _CHOICES.get(name, (value,)):
            wrong.append((name, value, f"one of {', '.join(map(repr, _CHOICES[name]))}"))
    return [Fault("answer line", row, *fault) for fault in wrong]
