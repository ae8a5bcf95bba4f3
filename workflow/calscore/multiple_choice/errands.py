"""Which guessers a study of answer options sends requests to."""

from __future__ import annotations

from typing import NamedTuple


class Errand(NamedTuple):
    """A file of requests that a guesser is sent: ``asked/<requests>_requests.jsonl``.

    ``awaits``: the guesser whose replies the requests are made from, None where they can be made
    before anything is sent.
    """

    guesser: str
    requests: str
    awaits: str | None = None


def errands(inputs: dict) -> list[Errand]:
    """What the guessers of a study of answer options are sent, each file and guesser once."""
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
