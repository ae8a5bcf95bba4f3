"""Which conditions of an answer line ("until X is read") are past."""

from __future__ import annotations

from functools import lru_cache

from .answerline import Answerline
from .normalise import normal
from .parse import parse


def condition_met(answerline: str | Answerline, text_read: str) -> str:
    """Key of the line's conditions that are past once ``text_read`` has been heard.

    Parameters
    ----------
    answerline : str or Answerline
    text_read : str
        The question as far as it has been read.

    Returns
    -------
    str
        The triggers found in the text, in normal form, sorted and joined by ``" | "``; '' where none is past.
        :func:`judge` takes it as ``condition``.

    Examples
    --------
    >>> line = '<u>electron</u>s [accept <u>beta</u> particles until "beta" is read]'
    >>> condition_met(line, "These particles"), condition_met(line, "These particles in beta decay")
    ('', 'beta')
    """
    line = parse(answerline) if not isinstance(answerline, Answerline) else answerline
    if not line.conditional:
        return ""
    heard = f" {' '.join(_words_heard(text_read or ''))} "
    triggers = {t for a in line.alternatives for t in a.triggers}
    return " | ".join(sorted(t for t in triggers if f" {t} " in heard))


@lru_cache(maxsize=1 << 12)
def _words_heard(text: str) -> tuple[str, ...]:
    return normal.__wrapped__(text).singular
