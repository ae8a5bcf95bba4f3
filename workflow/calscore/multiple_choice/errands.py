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
    found = [Errand(one["guesser"], "option") for one in replies if one["guesser"]]
    found += [
        Errand(one["judge"], f"{one['model']}_{one['judging']}_verdict", one["guesser"])
        for one in replies
        if one["judge"]
    ]
    if inputs["distractor_guesser"]:
        found.append(Errand(inputs["distractor_guesser"], "distractor"))
    return list(dict.fromkeys(found))
