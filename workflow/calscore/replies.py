"""Guess and probability out of a model's verbalized reply (Appendix D.4)."""

from __future__ import annotations

import re

_NUMBER = r"(?<![\d.])(?P<number>\d+(?:\.\d+)?|\.\d+)\s*(?P<percent>%|percent)?"
_LABELLED = re.compile(
    rf"(?:probability|confidence|likelihood)\b(?:\s+(?:of|that)\b[^:=\n]*?)?\s*(?:is|of|[:=~≈]|\()?\s*(?:about|around|approximately)?\s*{_NUMBER}",
    re.IGNORECASE,
)
_TRAILING = re.compile(rf"[\s,;:(\[–—-]*{_NUMBER}\s*[)\]]?\s*\.?\s*$", re.IGNORECASE)
_ANSWER = re.compile(r"(?:the\s+)?(?:best\s+)?(?:answer|guess)(?:\s+is)?\s*[:=]?\s*", re.IGNORECASE)


def _probability(match: re.Match) -> float | None:
    value = float(match["number"])
    if match["percent"]:
        value /= 100
    return value if 0 <= value <= 1 else None


def parse_reply(reply: str) -> tuple[str | None, float | None]:
    """(guess, probability) of a reply; None for a part that is not there.

    Understands "The answer is: X / Probability: 0.8", percentages, "X (0.8)", a bare trailing
    number. A number outside [0, 1] without a percent sign is no probability.
    """
    text = (reply or "").strip()
    labelled = _LABELLED.search(text)
    probability = None
    if labelled:
        probability = _probability(labelled)
        text = re.sub(r"\b(?:the|with|my|a)\s*$", "", text[: labelled.start()], flags=re.IGNORECASE)
    else:
        trailing = _TRAILING.search(text)
        # A guess may itself end in a number ("Apollo 11"), so a bare one must look like a probability.
        if trailing and (
            trailing["percent"] or "." in trailing["number"] or trailing["number"] in "01"
        ):
            probability = _probability(trailing)
            if probability is not None:
                text = text[: trailing.start()]
    lines = [line.strip() for line in text.splitlines() if line.strip(" \t()[],;:-–—")]
    if not lines:
        return None, probability
    answered = next((line for line in lines if _ANSWER.match(line)), lines[0])
    guess = _ANSWER.sub("", answered, count=1).strip(" \t\"'“”‘’<>()[],;:*-–—")
    guess = guess.rstrip(".") if not re.search(r"\b[A-Z]\.$", guess) else guess
    return (guess or None), probability
