"""What an answer line says, as a tree."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

_INSTRUCTS = re.compile(r"[\[(](?:or|(?:also )?accept)\b", re.I)


class Alternative(NamedTuple):
    """One answer of a line and what a moderator does with it.

    ``required`` holds the underlined parts, where the line marks them: having them all is enough.
    ``until`` is the condition in words (``until "Drp1" is read``, ``before mention``, ``after …``),
    ``triggers`` the words that end it, ``after`` the verdict from then on ('' where it lapses).
    ``anti`` marks an anti-prompt (too specific rather than too vague), whose verdict is ``prompt``,
    ``literal`` words that are only taken for an answer, as nothing in the line says what they are,
    ``within`` words that an answer must hold and may add to.
    """

    text: str
    verdict: str
    directed_prompt: str | None = None
    until: str | None = None
    word_forms: bool = False
    required: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    after: str = "reject"
    anti: bool = False
    main: bool = False
    literal: bool = False
    within: bool = False

    def __str__(self) -> str:
        parts = [f"{'anti-prompt' if self.anti else self.verdict}: {self.text}"]
        if self.required and list(self.required) != [self.text]:
            parts.append("requires " + " + ".join(self.required))
        if self.until:
            parts.append(f"{self.until}, then {self.after or 'no longer applies'}")
        if self.within:
            parts.append("with other words")
        if self.word_forms:
            parts.append("or word forms")
        if self.directed_prompt:
            parts.append(f"ask “{self.directed_prompt}”")
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Answerline:
    """A parsed answer line.

    ``partial`` is None, or the directed prompt ('' without one) of ``prompt on partial answers``.
    ``notes`` list what was not understood (and kept as literal text where it could be an answer),
    ``equivalents`` says that the line takes its answers in other words, ``remarks`` the pronunciation guides and comments to the moderator.
    """

    source: str
    alternatives: tuple[Alternative, ...]
    partial: str | None = None
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    equivalents: bool = False
    _indexes: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def main(self) -> str:
        """The answer before the first bracket."""
        return next((a.text for a in self.alternatives if a.main), "")

    @property
    def conditional(self) -> bool:
        """Whether any alternative depends on what has been read."""
        return any(a.triggers for a in self.alternatives)

    @property
    def ruled(self) -> bool:
        """Whether the line underlines, prompts or instructs, and so is a moderator's and no list of references."""
        return (
            self.partial is not None
            or any(a.required or a.verdict == "prompt" for a in self.alternatives)
            or _INSTRUCTS.search(self.source) is not None
        )

    def describe(self) -> str:
        """The tree, one line per alternative, then notes and remarks."""
        lines = [self.main or "(no main answer)"]
        lines += [f"  {a}" for a in self.alternatives]
        if self.partial is not None:
            lines.append(
                "  prompt: partial answers" + f"; ask “{self.partial}”" * bool(self.partial)
            )
        if self.equivalents:
            lines.append("  accept: equivalents")
        lines += [f"  not understood: {note}" for note in self.notes]
        lines += [f"  remark: {remark}" for remark in self.remarks]
        return "\n".join(lines)

    __str__ = describe
