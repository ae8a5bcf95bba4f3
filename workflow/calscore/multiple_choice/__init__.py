"""Do answer options help or hurt calibration? (Chhikara 2025, "Mind the Confidence Gap".)

The same questions are asked twice: without options (``normal``, N) and with the right answer
among three wrong ones (``distractor``, D). Each answer has a confidence and a verdict.
"""

from typing import NamedTuple

SETTINGS = ("normal", "distractor")
"""Without and with options, in the order that everything is shown in."""

JUDGINGS = ("shared", "own")
"""One judge for all models (Table 1, figure 2), or each model its own judge (Table 3, figure 4)."""

RIGHT, WRONG, NONE = 1, 0, -1
STATES = {RIGHT: "right", WRONG: "wrong", NONE: "not attempted"}
"""Verdict as the results files write it → its name."""


def plain(text: str) -> str:
    """Text casefolded with single blanks, without quotes, full stops and blanks at its ends: equal answers come out equal."""
    return " ".join(str(text).casefold().split()).strip(" .\"'“”‘’")


class Errand(NamedTuple):
    """A file of requests that a guesser (its name) is sent: ``asked/<requests>_requests.jsonl``. ``awaits``: the guesser whose
    replies the requests are made from, None where they can be made before anything is sent."""

    guesser: str
    requests: str
    awaits: str | None = None


def errands(inputs: dict) -> list[Errand]:
    """One :class:`Errand` per file of requests and guesser, each once: options, then verdicts, then wrong answers; [] without
    any. ``inputs``: those of the configuration (option_replies, distractor_guesser)."""
    replies = inputs["option_replies"]
    planned = [Errand(entry["guesser"], "option") for entry in replies if entry["guesser"]]
    planned += [
        Errand(entry["judge"], f"{entry['model']}_{entry['judging']}_verdict", entry["guesser"])
        for entry in replies
        if entry["judge"]
    ]
    if inputs["distractor_guesser"]:
        planned.append(Errand(inputs["distractor_guesser"], "distractor"))
    return list(dict.fromkeys(planned))
