"""Characters that nobody sees, made visible: controls of a terminal, and those that turn the direction of text."""

import re

_SIGNS: dict[int, int | str] = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n\r"}
_SIGNS |= {0x7F: 0x2421} | dict.fromkeys(range(0x80, 0xA0), 0xFFFD)
# What turns the direction of text would show one name as another.
_SIGNS |= {
    code: f"⟨U+{code:04X}⟩" for code in (0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
}
_UNSEEN = re.compile(f"[{''.join(map(chr, _SIGNS))}]")


def escape_control_chars(text):
    """``text`` with control characters and marks of text direction made visible (``␀``, ``⟨U+202E⟩``, ``�``).

    Tab, newline and carriage return stay. A value that is no text is returned as it is."""
    return text.translate(_SIGNS) if isinstance(text, str) and _UNSEEN.search(text) else text
