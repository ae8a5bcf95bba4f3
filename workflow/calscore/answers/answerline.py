"""What an answer line says, as a tree, and that tree as JSON in the form of ``data/answerline.schema.json``.

The form keeps its names while :data:`VERSION` stands; whatever changes in it raises the version.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, get_type_hints

from ..core.errors import DataError, Fault
from ..core.package import DATA

_INSTRUCTS = re.compile(r"[\[(](?:or|(?:also )?accept)\b", re.I)


class Alternative(NamedTuple):
    """One answer of a line and what a moderator does with it.

    ``required`` holds the underlined parts, where the line marks them: having them all is enough.
    ``until`` is the condition in words (``until "Drp1" is read``, ``before mention``, ``after …``),
    ``triggers`` the words that end it, ``after`` the verdict from then on ('' where it lapses).
    ``anti`` marks an anti-prompt (too specific rather than too vague), whose verdict is ``prompt``,
    ``literal`` words that are only taken for an answer, as nothing in the line says what they are,
    ``within`` words that an answer must hold and may add to.
    """

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
    """A parsed answer line.

    ``partial`` is None, or the directed prompt ('' without one) of ``prompt on partial answers``.
    ``notes`` list what was not understood (and kept as literal text where it could be an answer),
    ``equivalents`` says that the line takes its answers in other words, ``remarks`` the pronunciation guides and comments to the moderator.
    """

    source: str
    alternatives: tuple[Alternative, ...]
    partial: str | None = None
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    equivalents: bool = False
    _indexes: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def main(self) -> str:
        """The answer before the first bracket."""
        return next((a.text for a in self.alternatives if a.main), "")

    @property
    def conditional(self) -> bool:
        """Whether any alternative depends on what has been read."""
        return any(a.triggers for a in self.alternatives)

    @property
    def ruled(self) -> bool:
        """Whether the line underlines, prompts or instructs, and so is a moderator's and no list of references."""
        return (
            self.partial is not None
            or any(a.required or a.verdict == "prompt" for a in self.alternatives)
            or _INSTRUCTS.search(self.source) is not None
        )

    def describe(self) -> str:
        """The tree, one line per alternative, then notes and remarks."""
        lines = [self.main or "(no main answer)"]
        lines += [f"  {a}" for a in self.alternatives]
        if self.partial is not None:
            lines.append(
                "  prompt: partial answers" + f"; ask “{self.partial}”" * bool(self.partial)
            )
        if self.equivalents:
            lines.append("  accept: equivalents")
        lines += [f"  not understood: {note}" for note in self.notes]
        lines += [f"  remark: {remark}" for remark in self.remarks]
        return "\n".join(lines)

    __str__ = describe


VERSION = 1
_VERDICTS = ("accept", "prompt", "reject")
_CHOICES = {"verdict": _VERDICTS, "after": (*_VERDICTS, "")}
# Type of a field → what is expected of its value, and whether a value is that.
_KINDS: dict[Any, tuple[str, Callable[[Any], bool]]] = {
    str: ("text", lambda value: isinstance(value, str)),
    str | None: ("text or null", lambda value: value is None or isinstance(value, str)),
    bool: ("true or false", lambda value: isinstance(value, bool)),
    tuple[str, ...]: (
        "a list of texts",
        lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
    ),
}
_ALTERNATIVE = get_type_hints(Alternative)
_LINE = {
    field.name: get_type_hints(Answerline)[field.name]
    for field in fields(Answerline)
    if field.compare
}


def schema() -> dict[str, Any]:
    """The JSON schema of what :func:`to_dict` gives."""
    result: dict[str, Any] = json.loads(
        (DATA / "answerline.schema.json").read_text(encoding="utf-8")
    )
    return result


def to_dict(line: Answerline) -> dict[str, Any]:
    """A parsed line as what ``json`` writes; :func:`from_dict` gives the line back.

    Parameters
    ----------
    line : Answerline

    Returns
    -------
    dict
        In the form of :func:`schema`.

    Examples
    --------
    >>> from .parse import parse
    >>> line = parse("<u>Ovid</u>")
    >>> to_dict(line)["alternatives"][0]["required"], from_dict(to_dict(line)) == line
    (['Ovid'], True)
    """
    result: dict[str, Any] = {"version": VERSION}
    for name in _LINE:
        value = getattr(line, name)
        result[name] = list(value) if isinstance(value, tuple) else value
    result["alternatives"] = [
        {name: list(v) if isinstance(v, tuple) else v for name, v in a._asdict().items()}
        for a in line.alternatives
    ]
    return result


def from_dict(data: object) -> Answerline:
    """The parsed line that :func:`to_dict` wrote, ready to judge.

    Parameters
    ----------
    data : dict
        In the form of :func:`schema`.

    Returns
    -------
    Answerline

    Raises
    ------
    DataError
        Anything else; it names each field that is wrong.
    """
    if not isinstance(data, Mapping) or data.get("version") != VERSION:
        result = data.get("version") if isinstance(data, Mapping) else data
        raise DataError.at("answer line", "", "version", result, f"{VERSION}, as to_dict writes")
    line = {name: value for name, value in data.items() if name != "version"}
    alternatives = line.get("alternatives")
    if not isinstance(alternatives, list):
        raise DataError.at("answer line", "", "alternatives", alternatives, "a list")
    kinds = {name: kind for name, kind in _LINE.items() if name != "alternatives"}
    line["alternatives"] = ()
    faults = _faults(line, kinds, "")
    for number, item in enumerate(alternatives, 1):
        faults += _faults(item, _ALTERNATIVE, f"alternative {number}")
    if faults:
        raise DataError(faults)
    built = tuple(Alternative(**_tuples(field)) for field in alternatives)
    return Answerline(**(_tuples(line) | {"alternatives": built}))


def _tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(v) if isinstance(v, list) else v for name, v in values.items()}


def _faults(values: Any, kinds: dict[str, Any], row: str) -> list[Fault]:
    """What is wrong with the values of a line or an alternative, field by field."""
    if not isinstance(values, Mapping):
        return [Fault("answer line", row, "", values, "an object")]
    faults = [
        Fault("answer line", row, str(name), values[name], "no such field")
        for name in values
        if name not in kinds and name != "alternatives"
    ]
    for name, kind in kinds.items():
        expected, good = _KINDS[kind]
        if name not in values:
            faults.append(
                Fault("answer line", row, name, None, f"{expected}, the field is missing")
            )
        elif not good(values[name]):
            faults.append(Fault("answer line", row, name, values[name], expected))
        elif values[name] not in _CHOICES.get(name, (values[name],)):
            listed = ", ".join(repr(field) for field in _CHOICES[name])
            faults.append(Fault("answer line", row, name, values[name], f"one of {listed}"))
    return faults
