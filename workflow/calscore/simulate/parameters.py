"""Parameters of the simulated study in the formats of GRACE: defaults, sizes, and what is possible."""

from __future__ import annotations

import copy
import difflib

import numpy as np

from ..core.errors import DataError, Fault
from .vocabulary import bank, defaults

LIVE_MODELS = ("M1", "M2", "M3")
MODELS = (*LIVE_MODELS, "M4", "M5", "M6")
ELICITATIONS = ("logit", "verbalized")

#: How large the study is. Where another size is asked for, what depends on it follows (:func:`_fit`).
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


def _fit(values: dict, overrides: dict) -> None:
    """Fit to the sizes that are given what depends on them and is not given itself."""
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


def _is(value, kind: type) -> bool:
    if kind is str or isinstance(value, bool):
        return kind is str and isinstance(value, str)
    return isinstance(value, int if kind is int else int | float) and bool(np.isfinite(value))


def merge_parameters(overrides, default, name: str, faults: list[Fault], free=()):
    """``default`` with the values of ``given``; unlike types and unknown names go to ``faults``.

    A mapping whose name is in ``free`` has names of its own: it is taken whole.
    """
    place = "simulation parameters"
    if isinstance(default, dict):
        if not isinstance(overrides, dict):
            faults.append(Fault(place, "", name, overrides, "a mapping"))
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
                expected = f"one of {', '.join(default)}{hint}"
                faults.append(Fault(place, "", path, key, expected))
        return values
    several = isinstance(default, list)
    kind = type(default[0] if several else default)
    if (not several and _is(overrides, kind)) or (
        several and isinstance(overrides, list) and all(_is(value, kind) for value in overrides)
    ):
        return overrides
    words = f"a list of {_WORDS[kind]}s" if several else f"a {_WORDS[kind]}"
    faults.append(Fault(place, "", name, overrides, words))
    return default


def _size_faults(values: dict, overrides: dict) -> list[Fault]:
    ranges = {
        "packets": (2, 99),
        "questions_per_packet": (1, len(bank())),
        "teams": (2, 99),
        "models": (1, len(MODELS)),
        "players": (1, 99),
    }
    if "exhibitions" in overrides:
        ranges["exhibitions"] = (1, values["packets"] - 1)
    return [
        Fault("simulation parameters", "", name, values[name], f"{low} to {high}")
        for name, (low, high) in ranges.items()
        if not low <= values[name] <= high
    ]


def _range_faults(values: dict) -> list[Fault]:
    faults = []

    def need(good: bool, name: str, value, expected: str) -> None:
        if not good:
            faults.append(Fault("simulation parameters", "", name, value, expected))

    for name, value in values.items():
        if name.endswith("_sd") or name.endswith("_signal"):
            need(0 <= value <= 100, name, value, "0 to 100")
        if name.endswith("_rate") or name in ("model_waver", "player_silence", "player_goes_on"):
            need(0 <= value <= 1, name, value, "a probability, 0 to 1")
    for name in ("human_slope", "model_slope"):
        need(values[name] > 0, name, values[name], "above 0")
    need(0 <= values["midpoint"] <= 1, "midpoint", values["midpoint"], "a share, 0 to 1")
    need(0 <= values["earliest_word"] <= 30, "earliest_word", values["earliest_word"], "0 to 30")
    replies = values["unparsable_replies"]
    need(0 <= replies <= 1000, "unparsable_replies", replies, "0 to 1000")
    mean = values["text_chars_mean"]
    need(400 <= mean <= 800, "text_chars_mean", mean, "400 to 800 characters")
    n_questions = values["exhibitions"] * values["questions_per_packet"]
    need(1 <= values["survey_questions"] <= n_questions, "survey_questions", values["survey_questions"], f"1 to {n_questions}, the questions of the exhibitions")  # fmt: skip
    main = values["packets"] - values["exhibitions"]
    counts = values["team_packets"]
    good = len(counts) == values["teams"] and all(1 <= count <= main for count in counts)
    need(good, "team_packets", counts, f"{values['teams']} counts, each 1 to {main}")
    rooms = values["human_model_matches"] - values["exhibitions"]
    need(
        good and main <= rooms <= sum(counts) and (sum(counts) - rooms) % 2 == 0,
        "human_model_matches",
        values["human_model_matches"],
        "a number that leaves an even number of teams to play each other in the main packets",
    )
    all_packets = set(range(1, values["packets"] + 1))
    packets = {model: values["model_packets"][model] for model in live_models(values)}
    for model, played in packets.items():
        good = len(set(played)) == len(played) and set(played) <= all_packets
        need(good, f"model_packets.{model}", played, f"different packets, 1 to {len(all_packets)}")
    silent = sorted(all_packets.difference(*packets.values()))
    need(not silent, "model_packets", silent, "a live model in every packet")
    return faults


def checked(parameters: dict | None) -> dict:
    """:data:`DEFAULTS` and :data:`SIZES` with ``parameters`` put in; ``DataError`` with every bad one."""
    faults: list[Fault] = []
    values = merge_parameters(parameters or {}, copy.deepcopy(DEFAULTS | SIZES), "", faults)
    faults = faults or _size_faults(values, parameters or {})
    if not faults:
        _fit(values, parameters or {})
        faults = _range_faults(values)
    if faults:
        raise DataError(faults)
    return values


def generators(seed: int) -> dict[str, np.random.Generator]:
    """One generator per part, so that a parameter of one part leaves the others as they were."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise DataError.at("simulation parameters", "", "seed", seed, "a whole number from 0")
    parts = ("texts", "agents", "schedule", "play", "models", "wording", "survey")
    return {part: np.random.default_rng([seed, i]) for i, part in enumerate(parts)}
