"""The configuration: validated with suggestions, defaults filled in, shorthands resolved."""

from __future__ import annotations

import copy
import difflib
import json
from functools import cache
from pathlib import Path

from .errors import DataError, Fault

SCHEMA = Path(__file__).resolve().parent.parent / "schemas" / "config.json"
SHORTHANDS = ("release", "guesses", "survey")
# Snakemake itself puts keys of this kind into the configuration of some runs.
_IGNORED_PREFIX = "_"


@cache
def schema() -> dict:
    """The JSON Schema of the configuration."""
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


def defaults(section: str) -> dict:
    """Default values of ``options``, ``inputs``, … as the schema declares them."""
    properties = schema()["$defs"][section]["properties"]
    return {
        name: copy.deepcopy(spec["default"])
        for name, spec in properties.items()
        if "default" in spec
    }


def nested_defaults(option: str) -> dict:
    """Default values of an option that is itself a mapping."""
    properties = schema()["$defs"]["options"]["properties"][option]["properties"]
    return {name: copy.deepcopy(spec["default"]) for name, spec in properties.items()}


def _meant(written, known) -> str:
    """What a misspelt name probably meant, empty where nothing is near."""
    near = difflib.get_close_matches(str(written), list(map(str, known)), n=1)
    return f"did you mean {near[0]!r}?" if near else ""


def _fault(error, file: str) -> list[Fault]:
    where = "/".join(str(part) for part in error.absolute_path)
    rule = error.validator_value
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        return [
            Fault(
                file,
                where,
                str(name),
                error.instance[name],
                _meant(name, known) or f"one of {', '.join(known)}",
            )
            for name in sorted(set(error.instance) - set(known))
        ]
    if error.validator == "required":
        return [Fault(file, where, error.message.split("'")[1], None, "the key to be present")]
    if error.validator == "enum":
        expected = f"one of {', '.join(map(str, rule))} {_meant(error.instance, rule)}"
    else:
        expected = f"{error.validator} {rule}: {error.schema.get('description', '')}"
    return [Fault(file, "", where, error.instance, expected.rstrip(": "))]


def load(raw: dict, file: str = "config") -> dict[str, dict]:
    """Studies by name with every option filled in.

    Each study has ``title``, ``simulate`` (or None), ``inputs``, ``options``, ``published``. Raises
    ``DataError`` with one fault per unknown key (and what it may have meant), wrong type or value.
    """
    import jsonschema

    raw = {key: value for key, value in raw.items() if not key.startswith(_IGNORED_PREFIX)}
    validator = jsonschema.Draft202012Validator(schema())
    errors = sorted(validator.iter_errors(raw), key=lambda e: list(map(str, e.absolute_path)))
    if errors:
        raise DataError([fault for error in errors for fault in _fault(error, file)])
    shared = defaults("options") | raw.get("options", {})
    studies = {}
    for name, entry in raw["studies"].items():
        study = {"title": name} | defaults("study") | copy.deepcopy(entry)
        study["options"] = shared | entry.get("options", {})
        study["options"]["irt"] = nested_defaults("irt") | study["options"]["irt"]
        study["inputs"] = (
            {"guesses": []} | defaults("inputs") | copy.deepcopy(entry.get("inputs", {}))
        )
        study.setdefault("simulate", None)
        studies[name] = study
    _resolve(raw, studies, file)
    if "only" in raw:
        if raw["only"] not in studies:
            raise DataError(Fault(file, "", "only", raw["only"], f"one of {', '.join(studies)}"))
        studies = {raw["only"]: studies[raw["only"]]}
    for name, study in studies.items():
        options = study["options"]
        if options["primary_segmentation"] not in options["segmentations"]:
            raise DataError(
                Fault(
                    file,
                    f"studies/{name}",
                    "primary_segmentation",
                    options["primary_segmentation"],
                    f"one of segmentations: {', '.join(options['segmentations'])}",
                )
            )
        needs_buzzes = "buzz" in study["analyses"] and not study["simulate"]
        if needs_buzzes and "release" not in study["inputs"]:
            raise DataError(
                Fault(
                    file,
                    f"studies/{name}/inputs",
                    "release",
                    None,
                    "the raw buzz logs (or simulate)",
                )
            )
        if study["inputs"]["agents"]:
            given = schema()["$defs"]["inputs"]["properties"]["agents"]["properties"]
            for key, spec in given.items():
                study["inputs"]["agents"].setdefault(key, copy.deepcopy(spec.get("default")))
        needs_agents = "irt" in study["analyses"] and "buzz" not in study["analyses"]
        if needs_agents and not study["simulate"] and not study["inputs"]["agents"]:
            raise DataError(
                Fault(
                    file,
                    f"studies/{name}/inputs",
                    "agents",
                    None,
                    "items and responses (or simulate, or analysis buzz)",
                )
            )
        for source in study["inputs"]["guesses"]:
            item = schema()["$defs"]["inputs"]["properties"]["guesses"]["items"]["properties"]
            for key, spec in item.items():
                source.setdefault(key, spec.get("default"))
    return studies


def _resolve(raw: dict, studies: dict, file: str) -> None:
    given = [name for name in SHORTHANDS if name in raw]
    if given and "grace" not in studies:
        raise DataError(
            Fault(
                file,
                "",
                given[0],
                raw[given[0]],
                "a configuration with the study grace (--configfile config/grace.yaml)",
            )
        )
    if "release" in raw:
        studies["grace"]["inputs"]["release_dir"] = raw["release"]
    if "survey" in raw:
        studies["grace"]["inputs"]["survey"] = raw["survey"]
    if "guesses" in raw:
        path = raw["guesses"]
        kind = {".jsonl": "jsonl", ".csv": "precursor", "": "model_output"}.get(Path(path).suffix)
        if kind is None:
            raise DataError(
                Fault(file, "", "guesses", path, "a .jsonl file, a folder, or a .csv file")
            )
        studies["grace"]["inputs"]["guesses"].append({"path": path, "format": kind})


def features(study: dict) -> set[str]:
    """What a study has, by the names that ``calscore.catalog`` uses.

    Its analyses (buzzes, options, irt), and for live buzzes: guesses, survey, published numbers,
    simulated truth.
    """
    names = {"buzz": "buzzes", "options": "options", "irt": "irt"}
    found = {names[analysis] for analysis in study["analyses"]}
    if study["simulate"]:
        found.add("simulated")
    if study["published"]:
        found.add("published")
    if "buzzes" in found:
        if study["simulate"] or study["inputs"]["guesses"]:
            found.add("guesses")
        if study["simulate"] or study["inputs"]["survey"]:
            found.add("survey")
    return found
