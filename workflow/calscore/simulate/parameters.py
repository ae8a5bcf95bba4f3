"""Parameters of the simulated study in the formats of GRACE: defaults, sizes, and what is possible."""

from __future__ import annotations

import copy
import difflib

import numpy as np

from ..core.errors import DataError, Fault
from .bank import bank

LIVE_MODELS = ("M1", "M2", "M3")
MODELS = (*LIVE_MODELS, "M4", "M5", "M6")
ELICITATIONS = ("logit", "verbalized")

#: How large the study is. Where another size is asked for, what depends on it follows (:func:`_fit`).
SIZES = {
    "packets": 12,
    "questions_per_packet": 20,  # of different categories
    "exhibitions": 2,  # the first packets, which next to no team heard; the survey is about them
    "teams": 17,
    "models": 6,  # the first three play live
    "players": 15,  # of the survey
    "survey_questions": 37,
}

#: Every parameter; ``simulate`` takes a dict of those that differ, sizes among them. Standard deviations end in
#: ``_sd``; skills, difficulties, ``a`` and human thresholds are in logits.
DEFAULTS: dict = {
    "question_difficulty_sd": 1.0,
    "specialism_sd": 0.35,
    "human_slope": 8.0,  # logits from no text to the whole of it
    "model_slope": 4.0,  # humans gain more from the last clues (paper §5.1)
    "midpoint": 0.70,  # share of words at which skill equal to difficulty means one half
    "human_skill_mean": -1.15,
    "human_skill_sd": 1.1,
    "human_signal": 2.0,  # δ
    "human_threshold_mean": 0.6,
    "human_threshold_sd": 0.4,
    "human_last_threshold": -1.6,  # at the last word nothing is lost by waiting
    "earliest_word": 6,  # 0-based index before which nobody buzzes
    # Main packets heard by each team, in random order; the most skilled also
    # plays the two exhibitions.
    "team_packets": [10, 10, 10, 10, 10, 10, 9, 9, 9, 8, 8, 7, 7, 5, 4, 2, 1],
    "human_model_matches": 55,
    "model_packets": {
        "M1": [1, 2, 3, 4, 5, 6, 7, 8, 9, 11],
        "M2": [3, 4, 5, 6, 7, 8, 9, 10, 12],
        "M3": [3, 5, 6, 7, 9, 10, 11, 12],
    },
    "model_skill": {"M1": 0.0, "M2": 0.3, "M3": -0.8, "M4": -1.2, "M5": -0.6, "M6": 0.1},
    "model_signal": 1.8,  # δ
    "model_waver": 0.15,  # chance to drop a known answer, falling to 0 at the last word
    "confidence": {
        "logit": {
            "M1": {"a": 4.3, "b": 0.75},
            "M2": {"a": 3.2, "b": 0.8},
            "M3": {"a": 3.1, "b": 0.45},
            "M4": {"a": 4.2, "b": 0.35},
            "M5": {"a": 1.0, "b": 0.35},
            "M6": {"a": 1.6, "b": 0.6},
        },
        "verbalized": {
            "M1": {"a": 1.0, "b": 0.5},
            "M2": {"a": 0.8, "b": 0.55},
            "M3": {"a": 2.2, "b": 0.2},
            "M4": {"a": 1.6, "b": 0.3},
            "M5": {"a": 1.9, "b": 0.3},
            "M6": {"a": 1.3, "b": 0.4},
        },
    },
    "confidence_noise_sd": 0.3,
    "token_spread_sd": 0.5,
    # A live model buzzes at the first clue whose mean token log-probability exceeds this (E.3).
    "buzz_threshold": {"M1": -0.03, "M2": -0.03, "M3": -0.05},
    "unparsable_replies": 24,
    "typo_rate": 0.02,
    "near_miss_rate": 0.35,  # wrong guesses that come from the answer's own list of look-alikes
    "change_rate": 0.2,  # chance per clue that a guess is worded or chosen anew
    "marked": 0,  # 1: guesses come with a mark of right and wrong
    "player_skill_mean": -0.9,
    "player_skill_sd": 0.8,
    "player_threshold_mean": 0.3,
    "player_threshold_sd": 0.5,
    "player_silence": 0.6,  # chance to write nothing at a clue while wrong, times 1 − p'
    "player_goes_on": 0.5,  # share of players who go on writing after they would buzz
    "player_slip_rate": 0.01,  # chance to write a wrong guess after the right one
    "text_chars_mean": 613.0,
    "text_chars_sd": 32.0,
}


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


def _fit(values: dict, given: dict) -> None:
    """Fit to the sizes that are given what depends on them and is not given itself."""
    if not SIZES.keys() & given.keys():
        return
    packets, count = values["packets"], values["teams"]
    fitted: dict = {"exhibitions": max(1, packets // 6)}
    exhibitions = given.get("exhibitions", fitted["exhibitions"])
    main, usual = packets - exhibitions, DEFAULTS["team_packets"]
    asked = exhibitions * values["questions_per_packet"]
    fitted["survey_questions"] = min(SIZES["survey_questions"], asked)
    # The same spread of diligence, in proportion.
    most = SIZES["packets"] - SIZES["exhibitions"]
    picked = (usual[i * len(usual) // count] for i in range(count))
    fitted["team_packets"] = [max(1, round(one * main / most)) for one in picked]
    heard = sum(given.get("team_packets", fitted["team_packets"]))
    share = (DEFAULTS["human_model_matches"] - SIZES["exhibitions"]) / sum(usual)
    against = max(main, round(share * heard))
    fitted["human_model_matches"] = exhibitions + against + (heard - against) % 2
    if packets != SIZES["packets"] or values["models"] < len(LIVE_MODELS):
        every = list(range(1, packets + 1))
        fitted["model_packets"] = dict.fromkeys(LIVE_MODELS, every)
    values |= {name: value for name, value in fitted.items() if name not in given}


def merged(given, default, name: str, faults: list[Fault]):
    """``default`` with the values of ``given``; unlike types and unknown names go to ``faults``."""
    where = "simulation parameters"
    if isinstance(default, dict):
        if not isinstance(given, dict):
            faults.append(Fault(where, "", name, given, "a mapping"))
            return default
        values = dict(default)
        for key, value in given.items():
            path = f"{name}.{key}" if name else str(key)
            if key in default:
                values[key] = merged(value, default[key], path, faults)
            else:
                close = difflib.get_close_matches(str(key), default, 1)
                hint = f" (did you mean {close[0]}?)" if close else ""
                known = f"one of {', '.join(default)}{hint}"
                faults.append(Fault(where, "", path, key, known))
        return values
    if isinstance(default, list):
        whole = isinstance(given, list) and all(type(one) is int for one in given)
        if not whole:
            faults.append(Fault(where, "", name, given, "a list of whole numbers"))
        return list(given) if whole else default
    kinds = (int,) if isinstance(default, int) else (int, float)
    if isinstance(given, bool) or not isinstance(given, kinds) or not np.isfinite(given):
        words = "a whole number" if kinds == (int,) else "a number"
        faults.append(Fault(where, "", name, given, words))
        return default
    return given


def _size_faults(values: dict, given: dict) -> list[Fault]:
    ranges = {
        "packets": (2, 99),
        "questions_per_packet": (1, len(bank())),
        "teams": (2, 99),
        "models": (1, len(MODELS)),
        "players": (1, 99),
    }
    if "exhibitions" in given:
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
    asked = values["exhibitions"] * values["questions_per_packet"]
    need(1 <= values["survey_questions"] <= asked, "survey_questions", values["survey_questions"], f"1 to {asked}, the questions of the exhibitions")  # fmt: skip
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
    every = set(range(1, values["packets"] + 1))
    packets = {model: values["model_packets"][model] for model in live_models(values)}
    for model, played in packets.items():
        good = len(set(played)) == len(played) and set(played) <= every
        need(good, f"model_packets.{model}", played, f"different packets, 1 to {len(every)}")
    silent = sorted(every.difference(*packets.values()))
    need(not silent, "model_packets", silent, "a live model in every packet")
    return faults


def checked(parameters: dict | None) -> dict:
    """:data:`DEFAULTS` and :data:`SIZES` with ``parameters`` put in; ``DataError`` with every bad one."""
    faults: list[Fault] = []
    values = merged(parameters or {}, copy.deepcopy(DEFAULTS | SIZES), "", faults)
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
