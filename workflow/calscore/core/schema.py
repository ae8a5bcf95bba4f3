"""The JSON Schema of the configuration: its defaults, and the faults of a document that does not fit."""

import copy
import difflib
import json
import math
import re
from functools import cache

from . import catalog, strict_json
from .errors import Fault
from .package import FOLDER

SCHEMA = FOLDER / "core" / "config.json"
# A key that was typed into the configuration is not repeated in an error.
_SECRET = re.compile(r"key|token$|secret|credential|authorization", re.IGNORECASE)


@cache
def schema() -> dict:
    """The JSON Schema of the configuration, with the metrics that can be compared filled in."""
    document = json.loads(SCHEMA.read_text(encoding="utf-8"))
    options = document["$defs"]["options"]["properties"]
    options["declared_metrics"]["items"]["enum"] = catalog.metric_names("comparisons")
    return document


def defaults(section: str, option: str | None = None) -> dict:
    """Key → default value (a copy) of the keys of ``section`` (options, inputs, …) that have one;
    ``KeyError`` for no section.

    ``option``: a key of the section that is itself a mapping; then the defaults are those of its keys."""
    properties = schema()["$defs"][section]["properties"]
    properties = properties[option]["properties"] if option else properties
    return {name: copy.deepcopy(spec["default"]) for name, spec in properties.items() if "default" in spec}


def suggestion(written: object, names: list[str] | dict) -> str:
    """ "did you mean …?" with the one of ``names`` nearest to ``written``; "" where none is near."""
    near = difflib.get_close_matches(str(written), list(map(str, names)), n=1)
    return f"did you mean {near[0]!r}?" if near else ""


def _redacted(name: object, value: object) -> object:
    """``value``, but "(hidden)" where ``name`` says that it may be a secret; None stays None."""
    return "(hidden)" if value is not None and _SECRET.search(str(name)) else value


def _error_faults(error, file: str) -> list[Fault]:
    """Faults for one error of jsonschema: one for each unknown key, else a single one."""
    place = "/".join(str(part) for part in error.absolute_path)
    rule = error.validator_value
    if error.validator == "additionalProperties":
        names = list(error.schema.get("properties", {}))
        faults = []
        for name in sorted(set(error.instance) - set(names)):
            meant = suggestion(name, names)
            expected = f"a known key: {meant}" if meant else f"one of {', '.join(names)}"
            faults.append(Fault(file, place, str(name), _redacted(name, error.instance[name]), expected))
        return faults
    if error.validator == "required":
        return [Fault(file, place, error.message.split("'")[1], None, "the key to be present")]
    if error.validator == "enum":
        expected = f"one of {', '.join(map(str, rule))} {suggestion(error.instance, rule)}"
    else:
        expected = f"{error.validator} {rule}: {error.schema.get('description', '')}"
    key = place.rsplit("/", 1)[-1]
    return [Fault(file, "", place, _redacted(key, error.instance), expected.rstrip(": "))]


def _whole(_, value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _finite(_, value) -> bool:
    return _whole(_, value) or (isinstance(value, float) and math.isfinite(value))


def unfit_values(value: object, place: str, file: str) -> list[Fault]:
    """Faults of a YAML document, at ``place`` in ``file``: values that :func:`strict_json.unfit` names, and
    texts with NUL.

    Keys must be text: YAML takes no, 1 and 2024-01-01 for other things. [] if nothing is wrong."""
    if isinstance(value, list):
        value = dict(zip(map(str, range(len(value))), value, strict=True))
    if not isinstance(value, dict):
        wrong = strict_json.unfit(value, False)
        if not wrong and isinstance(value, str) and "\0" in value:
            wrong = value, "text without NUL"
        return [Fault(file, "", place, *wrong)] if wrong else []
    odd = [name for name in value if not isinstance(name, str)]
    faults = [Fault(file, place, "", name, "text: a key in quotes") for name in odd]
    for name, item in value.items():
        faults += unfit_values(name, place, file) if isinstance(name, str) else []
        faults += unfit_values(item, f"{place}/{name}".lstrip("/"), file)
    return faults


def schema_faults(document: object, declared: dict, file: str) -> list[Fault]:
    """Faults of a document against the JSON Schema ``declared`` (2020-12), sorted by their place as text; []
    for none. Stricter than the standard: 1.0 is no integer, and NaN and infinity are no numbers."""
    import jsonschema

    plain = jsonschema.Draft202012Validator
    # 1.0 is no whole number to what takes a seed, and "not a number" lies within every bound.
    types = plain.TYPE_CHECKER.redefine_many({"integer": _whole, "number": _finite})
    validator = jsonschema.validators.extend(plain, type_checker=types)(declared)
    errors = sorted(validator.iter_errors(document), key=lambda e: list(map(str, e.absolute_path)))
    return [fault for error in errors for fault in _error_faults(error, file)]
