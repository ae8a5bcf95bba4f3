"""Do answer options help or hurt calibration? (Chhikara 2025, "Mind the Confidence Gap".)

The same questions are asked twice: without options (``normal``, N) and with the right answer
among three wrong ones (``distractor``, D). Each answer has a confidence and a verdict.
"""

SETTINGS = ("normal", "distractor")
"""Without and with options, in the order that everything is shown in."""

JUDGINGS = ("shared", "own")
"""One judge for all models (Table 1, figure 2), or each model its own judge (Table 3, figure 4)."""

RIGHT, WRONG, NONE = 1, 0, -1
STATES = {RIGHT: "right", WRONG: "wrong", NONE: "not attempted"}
"""Verdict as the results files write it → its name."""


def plain(text: str) -> str:
    """Text without case, repeated blanks, quotes around it and a full stop, to compare answers by."""
    return " ".join(str(text).casefold().split()).strip(" .\"'“”‘’")
