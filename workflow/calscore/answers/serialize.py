"""A parsed answer line as JSON, in the form of ``data/answerline.schema.json``.

The form keeps its names while :data:`VERSION` stands; whatever changes in it raises the version.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, get_type_hints

from ..core.errors import DataError, Fault
from ..core.package import DATA
from .answerline import Alternative, Answerline

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
        lambda value: isinstance(value, list) and all(isinstance(field, str) for field in value),
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
    for number, field in enumerate(alternatives, 1):
        faults += _faults(field, _ALTERNATIVE, f"alternative {number}")
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
