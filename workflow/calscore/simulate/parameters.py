"""Parameters of the simulated study in the formats of GRACE: defaults, sizes, and what is possible."""

from __future__ import annotations

import copy
import difflib

import numpy as np

from ..core.errors import DataError, Faults
from .vocabulary import answer_bank, defaults

LIVE_MODELS = ("M1", "M2", "M3")
MODELS = (*LIVE_MODELS, "M4", "M5", "M6")
ELICITATIONS = ("logit", "verbalized")

#: How large the study is. Where another size is asked for, what depends on it follows (:func:`_fit_to_sizes`).
SIZES = defaults()["grace_sizes"]

#: Every other parameter; ``simulate`` takes a dict of those that differ, sizes among them.
DEFAULTS = defaults()["grace"]


def teams(values: dict) -> list[str]:
    """Keys of the human teams."""
    return [f"H{i}" for i in range(1, values["teams"] + 1)]


def models(values: dict) -> list[str]:
    """Keys of the models."""
    return list(MODELS[: values["models"]])


def live_models(values: dict) -> list[str]:
    """Keys of the models that play."""
    return list(LIVE_MODELS[: values["models"]])


def players(values: dict) -> list[str]:
    """Keys of the players of the survey."""
    return [f"P{i:02d}" for i in range(1, values["players"] + 1)]


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


_WORDS = {int: "whole number", float: "number", str: "text"}


def _has_type(value, kind: type) -> bool:
    """Whether ``value`` is text, a whole number or a finite number (``kind`` str, int, float); truth values are none."""
    if kind is str or isinstance(value, bool):
        return kind is str and isinstance(value, str)
    return isinstance(value, int if kind is int else int | float) and bool(np.isfinite(value))


PLACE = "simulation parameters"
"""What errors call the parameters."""


def merge_parameters(overrides, default, name: str, faults: Faults, free=()):
    """``default`` with the values of ``overrides``; unlike types and unknown names go to ``faults``.

    ``name``: dotted path of the value, for faults. A mapping whose path is in ``free`` is taken whole.
    """
    if isinstance(default, dict):
        if not isinstance(overrides, dict):
            faults.add("", name, overrides, "a mapping")
            return default
        if name in free:
            return overrides
        values = dict(default)
        for key, value in overrides.items():
            path = f"{name}.{key}" if name else str(key)
            if key in default:
                values[key] = merge_parameters(value, default[key], path, faults, free)
            else:
                close = difflib.get_close_matches(str(key), default, 1)
                hint = f" (did you mean {close[0]}?)" if close else ""
                faults.add("", path, key, f"one of {', '.join(default)}{hint}")
        return values
    several = isinstance(default, list)
    kind = type(default[0] if several else default)
    if (not several and _has_type(overrides, kind)) or (
        several
        and isinstance(overrides, list)
        and all(_has_type(value, kind) for value in overrides)
    ):
        return overrides
    words = f"a list of {_WORDS[kind]}s" if several else f"a {_WORDS[kind]}"
    faults.add("", name, overrides, words)
    return default


def _check_sizes(values: dict, overrides: dict, faults: Faults) -> None:
    """Adds a fault for each number of packets, questions, teams, models, players or exhibitions out
    of range."""
    ranges = {
        "packets": (2, 99),
        "questions_per_packet": (1, len(answer_bank())),
        "teams": (2, 99),
        "models": (1, len(MODELS)),
        "players": (1, 99),
    }
    if "exhibitions" in overrides:
        ranges["exhibitions"] = (1, values["packets"] - 1)
    for name, (low, high) in ranges.items():
        if not low <= values[name] <= high:
            faults.add("", name, values[name], f"{low} to {high}")


_RANGES = {
    "midpoint": (0, 1, "a share, 0 to 1"),
    "earliest_word": (0, 30, "0 to 30"),
    "unparsable_replies": (0, 1000, "0 to 1000"),
    "text_chars_mean": (400, 800, "400 to 800 characters"),
}
"""Parameter → the least and the largest that it may be, and these in words."""


def _check_ranges(values: dict, faults: Faults) -> None:
    """Adds a fault for each parameter that is out of its range, or does not fit another one."""

    def need(good: bool, name: str, expected: str, value=None) -> None:
        if not good:
            faults.add("", name, values.get(name) if value is None else value, expected)

    ranges = dict(_RANGES)
    for name in values:
        if name.endswith(("_sd", "_signal")):
            ranges[name] = 0, 100, "0 to 100"
        if name.endswith("_rate") or name in ("model_waver", "player_silence", "player_goes_on"):
            ranges[name] = 0, 1, "a probability, 0 to 1"
    n_questions = values["exhibitions"] * values["questions_per_packet"]
    words = f"1 to {n_questions}, the questions of the exhibitions"
    ranges["survey_questions"] = 1, n_questions, words
    for name, (low, high, words) in ranges.items():
        need(low <= values[name] <= high, name, words)
    for name in ("human_slope", "model_slope"):
        need(values[name] > 0, name, "above 0")
    main, counts = values["packets"] - values["exhibitions"], values["team_packets"]
    fits = len(counts) == values["teams"] and all(1 <= count <= main for count in counts)
    need(fits, "team_packets", f"{values['teams']} counts, each 1 to {main}")
    rooms = values["human_model_matches"] - values["exhibitions"]
    need(
        fits and main <= rooms <= sum(counts) and (sum(counts) - rooms) % 2 == 0,
        "human_model_matches",
        "a number that leaves an even number of teams to play each other in the main packets",
    )
    all_packets = set(range(1, values["packets"] + 1))
    packets = {model: values["model_packets"][model] for model in live_models(values)}
    for model, played in packets.items():
        differ = len(set(played)) == len(played) and set(played) <= all_packets
        words = f"different packets, 1 to {len(all_packets)}"
        need(differ, f"model_packets.{model}", words, played)
    silent = sorted(all_packets.difference(*packets.values()))
    need(not silent, "model_packets", "a live model in every packet", silent)


def complete_parameters(parameters: dict | None) -> dict:
    """:data:`DEFAULTS` and :data:`SIZES` with ``parameters`` put in; ``DataError`` with every bad one."""
    faults = Faults(PLACE)
    values = merge_parameters(parameters or {}, copy.deepcopy(DEFAULTS | SIZES), "", faults)
    if not faults:
        _check_sizes(values, parameters or {}, faults)
    faults.refuse()
    _fit_to_sizes(values, parameters or {})
    _check_ranges(values, faults)
    faults.refuse()
    return values


def generators(seed: int) -> dict[str, np.random.Generator]:
    """One generator for each part of the study, so that a parameter of one part leaves the others as they were."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise DataError.at(PLACE, "", "seed", seed, "a whole number from 0")
    parts = ("texts", "agents", "schedule", "play", "models", "wording", "survey")
    return {part: np.random.default_rng([seed, i]) for i, part in enumerate(parts)}
