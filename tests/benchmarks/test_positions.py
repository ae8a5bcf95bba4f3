"""Files of marked buzzes are found again where marks were inserted as the account has it."""

from benchmarks import positions


def test_marks_of_the_own_file_and_matches_still_open_count():
    """H1 and M1 share a file, in which M1 met H1 and H2; H9 is elsewhere."""
    rows = [("H1", 10, True), ("M1", 20, False), ("H9", 30, True), ("H2", 40, False)]
    files, opponents = {"H1": 0, "H2": 0, "H9": 1}, {("M1", 0): ("H1", "H2")}
    assert positions.marks_before(rows, files, opponents) == [0, 0, 0, 2]
    moved = [(team, word + 4 * (team == "H2"), right) for team, word, right in rows]
    outputs = [10.0, float("nan"), 30.0, 40.0]
    assert positions.hits([(moved, outputs, 99)], files, opponents) == [[True, False, True, True]]
    assert positions.hits([(moved, outputs, 99)], files, {}) == [[True, False, True, False]]


def test_inserted_marks_are_found():
    pairs, places = positions.recovery(0)
    assert pairs > 0.95 and places > 0.95
