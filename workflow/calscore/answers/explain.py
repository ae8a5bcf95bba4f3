"""Why a guess is judged as it is: the alternative that decided, its clause, what a moderator asks back."""

import re
from typing import Any, NamedTuple

from .answerline import Alternative, Answerline
from .hybrid_judge import certain, judge, judge_by_rules
from .parse import parse
from .rules import RULES, Judgement

_MEANING = RULES | {
    "score": "left open by the rules: the probability that a human judge calls both the same",
    "said": "differs only by words that the question's last sentence says itself",
    "sentence": "the answer that a sentence gives",
}


class Explanation(NamedTuple):
    """A judgement (``verdict``, ``score`` and ``rule`` as in :class:`Judgement`) and where it comes from.

    ``certain``: no score may overrule it (:func:`stands`). ``alternative``: one that alone gives it, None if
    none does, a part is prompted on or nothing matches. ``clause``: its words in the line ('' if none).
    ``ask``: the question of a prompt, else ''. ``tried``: each alternative, judged alone by rules."""

    verdict: str
    score: float
    rule: str
    certain: bool
    alternative: Alternative | None
    clause: str
    ask: str
    tried: tuple[tuple[Alternative, Judgement], ...]

    def to_dict(self) -> dict[str, Any]:
        """The fields but ``tried`` for JSON; of ``alternative`` text, verdict, required, until, directed_prompt, main, or None."""
        result = self._asdict()
        del result["tried"]
        if self.alternative:
            result["alternative"] = {
                name: getattr(self.alternative, name)
                for name in ("text", "verdict", "required", "until", "directed_prompt", "main")
            }
        return result


def explain(
    answerline: str | Answerline,
    guess: str | None,
    condition: str = "",
    question: str | None = None,
    tossup: str | None = None,
) -> Explanation:
    """The judgement of a guess and what it rests on.

    Parameters
    ----------
    answerline, guess, condition, question, tossup
        As in :func:`judge`.

    Raises
    ------
    DataError
        As :func:`judge`.

    Examples
    --------
    >>> why = explain('<u>electron</u>s [accept <u>beta</u> particles until "beta" is read]', "beta")
    >>> why.verdict, why.rule, why.clause
    ('accept', 'alias', 'accept beta particles until "beta" is read')
    """
    line = parse(answerline) if not isinstance(answerline, Answerline) else answerline
    judged = judge(line, guess, condition, question, tossup=tossup)
    tried = tuple(
        (a, judge_by_rules(Answerline(line.source, (a,)), guess, condition)) for a in line.alternatives
    )
    met = [
        (item.rule != judged.rule, -abs(item.score - 0.5), number)
        for number, (_, item) in enumerate(tried)
        if item.verdict == judged.verdict
        and (item.verdict != "reject" or item.rule in ("reject", "too late"))
    ]
    partial = judged.rule == "partial"
    deciding = tried[min(met)[-1]][0] if met and not partial else None
    ask = line.partial if partial else deciding and deciding.directed_prompt
    clause = clause_of(line, deciding) if deciding else ""
    ask = (ask or "") if judged.verdict == "prompt" else ""
    return Explanation(*judged, stands(line, judged), deciding, clause, ask, tried)


def stands(line: Answerline, judged: Judgement) -> bool:
    """Whether a judgement is :func:`certain`; where ``line.notes`` tell of clauses not understood, no default reject is."""
    by_the_line = judged.verdict != "reject" or judged.rule in ("reject", "too late", "empty")
    return certain(judged) and (by_the_line or not line.notes)


def clause_of(line: Answerline, alternative: Alternative) -> str:
    """The words of the line, between brackets and semicolons, that hold an alternative's text; '' where none do."""
    source = re.sub(r"<[^<>]*>|\*\*|__", "", line.source)
    clauses = [c.strip() for c in re.split(r"[\[\];]", source) if c.strip()]
    guessed = [c for c in clauses if alternative.text.casefold() in c.casefold()]
    if not guessed:  # made of two places, as by "in place of"
        return ""
    if alternative.main:
        return guessed[0]
    stated = [c for c in guessed if re.search(rf"\b{alternative.verdict}\b", c, re.I)]
    return (stated or guessed[1:] or guessed)[0]


def describe(line: Answerline, guess: str | None, explanation: Explanation) -> str:
    """The parsed line, the judgement of each alternative alone, and the explanation, as text of several rows."""
    out = [line.describe(), "", f"guess: {guess}"]
    for a, attempt in explanation.tried:
        out.append(f"  {attempt.verdict} ({attempt.rule}, {attempt.score:g}) by {a.text}")
    certainty = "certain" if explanation.certain else "not certain"
    out += ["", f"{explanation.verdict}, {certainty}, score {explanation.score:g}"]
    out.append(f"  rule: {explanation.rule}, {_MEANING[explanation.rule]}")
    for name in ("alternative", "clause", "ask"):
        if value := getattr(explanation, name):
            out.append(f"  {name}: {value}")
    return "\n".join(out)
