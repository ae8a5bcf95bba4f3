"""What of a tossup is spoken."""

import pytest
from calscore.tournament import packets


@pytest.mark.parametrize(
    ("raw", "text", "power", "note"),
    [
        ("One <b>two</b> (*) three.", "One two three.", 2, 0),
        ("One two(*) three.", "One two three.", 2, 0),
        ('Pierre (“pee-AIR”) ("x") goes.', "Pierre goes.", None, 0),
        ("A (1914) year &amp; more", "A (1914) year & more", None, 0),
        ("<i>Note to moderator: read slowly.</i> One two.", "One two.", None, 5),
        ("[Moderator note: two words] One two.", "One two.", None, 4),
        ("Note to players: two answers required.<br>One two.", "One two.", None, 6),
        ("x < y and  two spaces ", "x < y and  two spaces ", None, 0),
    ],
)
def test_only_spoken_words_count(raw, text, power, note):
    one = packets.spoken(raw)
    assert (one.text, one.power_word, one.note_words) == (text, power, note)


def test_a_note_without_an_end_stays_and_is_found():
    packet = {"tossups": [{"question": "Note to players: all one line.", "answer": "x"}]}
    rows, findings = packets.parse(packet, "p.json", "p")
    assert rows[0]["text"].startswith("Note")
    assert "moderator note without an end" in {f.finding for f in findings}
