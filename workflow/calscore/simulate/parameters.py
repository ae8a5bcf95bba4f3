"""Parameters of simulated studies: defaults and bounds, and what is possible in the formats of GRACE."""

import copy
import fnmatch

import numpy as np

from ..core.errors import DataError, Faults, raise_faults
from ..core.schema import schema_faults
from .vocabulary import defaults

LIVE_MODELS = ("M1", "M2", "M3")
MODELS = (*LIVE_MODELS, "M4", "M5", "M6")
ELICITATIONS = ("logit", "verbalized")

#: How large the study is. Where another size is asked for, what depends on it follows (:func:`_fit_to_sizes`).
SIZES = defaults()["grace_sizes"]

#: Every other parameter; ``simulate`` takes a dict of those that differ, sizes among them.
DEFAULTS = defaults()["grace"]


def agent_names(values: dict) -> dict[str, list[str]]:
    """Names of human teams (``human``), survey players (``player``), models (``model``) and those that play (``live``)."""
    return {
        "human": [f"H{i}" for i in range(1, values["teams"] + 1)],
        "player": [f"P{i:02d}" for i in range(1, values["players"] + 1)],
        "model": list(MODELS[: values["models"]]),
        "live": list(LIVE_MODELS[: values["models"]]),
    }


def _fit_to_sizes(values: dict, overrides: dict) -> None:
    """Where ``overrides`` has a size, change in ``values`` what depends on sizes and is not in ``overrides`` itself."""
    if not SIZES.keys() & overrides.keys():
        return
    packets, count = values["packets"], values["teams"]
    fitted: dict = {"exhibitions": max(1, packets // 6)}
    exhibitions = overrides.get("exhibitions", fitted["exhibitions"])
    main, usual = packets - exhibitions, DEFAULTS["team_packets"]
    n_questions = exhibitions * values["questions_per_packet"]
    fitted["survey_questions"] = min(SIZES["survey_questions"], n_questions)
    # The same spread of diligence, in proportion.
    most = SIZES["packets"] - SIZES["exhibitions"]
    picked = (usual[i * len(usual) // count] for i in range(count))
    fitted["team_packets"] = [max(1, round(count * main / most)) for count in picked]
    heard = sum(overrides.get("team_packets", fitted["team_packets"]))
    share = (DEFAULTS["human_model_matches"] - SIZES["exhibitions"]) / sum(usual)
    against = max(main, round(share * heard))
    fitted["human_model_matches"] = exhibitions + against + (heard - against) % 2
    if packets != SIZES["packets"] or values["models"] < len(LIVE_MODELS):
        all_packets = list(range(1, packets + 1))
        fitted["model_packets"] = dict.fromkeys(LIVE_MODELS, all_packets)
    values |= {name: value for name, value in fitted.items() if name not in overrides}


PLACE = "simulation parameters"
"""What errors call the parameters."""


def _schema(default: object) -> dict:
    """JSON Schema of values of the type of ``default``; a mapping has its keys, a list values like its first."""
    if isinstance(default, dict):
        properties = {name: _schema(value) for name, value in default.items()}
        return {"type": "object", "properties": properties, "additionalProperties": False}
    if isinstance(default, list):
        return {"type": "array", "items": _schema(default[0])}
    return {"type": {int: "integer", float: "number", str: "string"}[type(default)]}


def _overlay(default: dict, overrides: dict, free: set[str]) -> dict:
    """``default`` with ``overrides`` put in, nested mappings too; those named in ``free`` are replaced whole."""
    values = {
        name: _overlay(default[name], value, free) if isinstance(value, dict) and name not in free else value
        for name, value in overrides.items()
    }
    return default | values


def merge_parameters(overrides: dict | None, simulator: str) -> dict:
    """Defaults of ``simulator``, a section of data/simulate/parameters.yaml (grace: and sizes), with ``overrides`` put in.

    ``DataError`` names each of an unknown name, another type or out of bounds. Mappings merge, but those of free names.
    """
    default = defaults()[simulator] | (SIZES if simulator == "grace" else {})
    schema, free = _schema(default), set()
    for pattern, rules in defaults()["bounds"][simulator].items():
        for name in fnmatch.filter(default, pattern):
            schema["properties"][name] |= rules
            free |= {name} if "additionalProperties" in rules else set()
    raise_faults(schema_faults(overrides or {}, schema, PLACE))
    return _overlay(copy.deepcopy(default), overrides or {}, free)


def _check_fit(values: dict) -> None:
    """``DataError`` with each parameter that does not fit another one."""
    faults = Faults(PLACE)

    def need(holds: bool, name: str, expected: str, value=None) -> None:
        if not holds:
            faults.add("", name, values.get(name) if value is None else value, expected)

    main, counts = values["packets"] - values["exhibitions"], values["team_packets"]
    need(main > 0, "exhibitions", f"1 to {values['packets'] - 1}")
    n_questions = values["exhibitions"] * values["questions_per_packet"]
    words = f"1 to {n_questions}, the questions of the exhibitions"
    need(values["survey_questions"] <= n_questions, "survey_questions", words)
    fits = len(counts) == values["teams"] and all(1 <= count <= main for count in counts)
    need(fits, "team_packets", f"{values['teams']} counts, each 1 to {main}")
    rooms = values["human_model_matches"] - values["exhibitions"]
    need(
        fits and main <= rooms <= sum(counts) and (sum(counts) - rooms) % 2 == 0,
        "human_model_matches",
        "a number that leaves an even number of teams to play each other in the main packets",
    )
    all_packets = set(range(1, values["packets"] + 1))
    packets = {model: values["model_packets"][model] for model in agent_names(values)["live"]}
    for model, played in packets.items():
        differ = len(set(played)) == len(played) and set(played) <= all_packets
        words = f"different packets, 1 to {len(all_packets)}"
        need(differ, f"model_packets.{model}", words, played)
    silent = sorted(all_packets.difference(*packets.values()))
    need(not silent, "model_packets", "a live model in every packet", silent)
    faults.refuse()


def complete_parameters(parameters: dict | None) -> dict:
    """:data:`DEFAULTS` and :data:`SIZES` with ``parameters`` put in, others fitted to sizes; ``DataError`` for bad ones."""
    values = merge_parameters(parameters, "grace")
    _fit_to_sizes(values, parameters or {})
    _check_fit(values)
    return values


def generators(seed: int) -> dict[str, np.random.Generator]:
    """Part of the study → its own generator, so that a part is drawn alike when others change; ``DataError`` for a bad seed."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise DataError.at(PLACE, "", "seed", seed, "a whole number from 0")
    parts = ("texts", "agents", "schedule", "play", "models", "wording", "survey")
    return {part: np.random.default_rng([seed, i]) for i, part in enumerate(parts)}
