"""Names that may be the same, and names that may not."""

import pytest
from calscore.tournament import spellings
from matches import buzz, match, question, read


@pytest.mark.parametrize(
    ("a", "b", "close"),
    [
        ("Rohan Kher", "Rohan Her", True),
        ("Jason Qin", "Jason  Qin", True),
        ("Anna Brusilovsky", "Anna Bursilovsky", True),
        ("Missouri A", "Missouri B", False),
        ("Chicago II", "Chicago III", False),
        ("Player 11", "Player 12", False),
        ("Jon A.", "Jon B.", False),
        ("Anna", "Anne", False),
        ("Rohan Kher", "Rohan Mehr", False),
    ],
)
def test_names_are_close_by_a_letter_and_by_no_label(a, b, close):
    assert spellings.are_close(a, b) == spellings.are_close(b, a) == close


def _season(*line_ups, teams=None):
    """Findings of rounds in which Alpha has these players, and its name is that of ``teams``."""
    games = []
    for number, players in enumerate(line_ups, start=1):
        names = ((teams or {}).get(number, "Alpha"), "Beta")
        game = match(question(1), teams=names, _round=number)
        listed = [{"player": {"name": name}, "tossups_heard": 1} for name in players]
        game["match_teams"][0]["match_players"] = listed
        games.append(game)
    return read(*games)[1]


def test_a_player_who_is_misspelt_in_a_round_is_named():
    usual, slip = ["Ada Lovelace", "Alan Turing"], ["Ada Lovelce", "Alan Turing"]
    finding = _season(usual, usual, slip)["one player under two spellings?"]
    assert finding.place == "Ada Lovelce / Ada Lovelace"
    assert finding.detail == "'Ada Lovelce' of 'Alpha' is listed in 1 of the 3 matches of the two"


def test_a_spelling_that_was_replaced_at_once_is_named():
    """Moderators type a name anew: both are in the line-up, the misspelt one without a tossup heard."""
    game = match(question(1), _round=2)
    listed = [("Ada Lovelce", 0), ("Ada Lovelace", 1)]
    game["match_teams"][0]["match_players"] = [
        {"player": {"name": name}, "tossups_heard": heard} for name, heard in listed
    ]
    earlier = match(question(1, [buzz("Alpha", 3, 10, "Ada Lovelace")]))
    assert "one player under two spellings?" in read(earlier, game)[1]


@pytest.mark.parametrize(
    "line_ups",
    [
        # Two who play together, two who play as often, and one who plays often.
        [["Jan Lewis", "Jon Lewis"], ["Jan Lewis"], ["Jan Lewis"]],
        [["Jan Lewis"], ["Jon Lewis"]],
        [["Jan Lewis"]] * 3 + [["Jon Lewis"]] * 4,
    ],
)
def test_players_who_may_be_two_are_not_named(line_ups):
    assert "one player under two spellings?" not in _season(*line_ups)


@pytest.mark.parametrize(
    ("name", "named"),
    [("Alpah", True), ("Alpha Red", True), ("Alpine", False), ("Beta Red", False)],
)
def test_a_team_of_one_match_whose_name_is_a_letter_or_word_apart_is_named(name, named):
    findings = _season([], [], [], teams={3: name})
    assert ("one team under two spellings?" in findings) == named


def test_a_team_that_plays_more_or_in_the_same_round_is_another():
    assert "one team under two spellings?" not in _season([], [], [], [], teams={3: "Alpha Red", 4: "Alpha Red"})  # fmt: skip
    games = [match(question(1), _round=n) for n in (1, 2)]
    games.append(match(question(1), teams=("Alpha Red", "Gamma"), _round=2))
    assert "one team under two spellings?" not in read(*games)[1]
