"""Statistics of buzzes against a slow count."""

import numpy as np
import pytest
from calscore.simulate import tournament
from calscore.tournament import quizbowl
from matches import buzz, match, question, read, tidied


def test_a_rebound_is_after_an_opponent_not_after_oneself():
    result, _ = read(match(
        question(1, [buzz("Alpha", 2, -5), buzz("Alpha", 4, 10)]),
        question(2, [buzz("Alpha", 2, -5), buzz("Beta", 4, 10)]), question(3, [buzz("Beta", 2, 0)]),
    ))  # fmt: skip
    by = quizbowl.quizbowl_tables(
        result["plays"], result["heard"], result["rosters"], result["questions"], 0.95
    )
    rows = by["quizbowl_teams"].set_index("team")
    assert rows["rebounds"].to_dict() == {"Alpha": 0, "Beta": 1}
    assert rows["rebound_chances"].to_dict() == {"Alpha": 1, "Beta": 2}
    assert rows["wrong_free"].to_dict() == {"Alpha": 0, "Beta": 1}


@pytest.mark.parametrize(
    ("buzzed", "rebound"),
    [
        ([("Alpha", -5), ("Alpha", 10)], None),
        ([("Alpha", -5), ("Beta", 10)], "Beta"),
        ([("Alpha", -5), ("Beta", 0), ("Alpha", 10)], "Alpha"),
        ([("Alpha", -5), ("Beta", -5), ("Beta", 10)], "Beta"),
        ([("Alpha", 10), ("Beta", -5)], None),
    ],
)
def test_a_team_rebounds_after_any_other_was_wrong_before(buzzed, rebound):
    buzzes = [buzz(team, 2 * at, value) for at, (team, value) in enumerate(buzzed, start=1)]
    # The tossup before, in which the other team was wrong, is another room.
    result, _ = read(match(question(1, [buzz("Beta", 1, -5)]), question(2, buzzes)))
    names = ("plays", "heard", "rosters", "questions")
    teams = quizbowl.quizbowl_tables(*(result[name] for name in names), 0.95)["quizbowl_teams"]
    found = dict(zip(teams["team"], teams["rebounds"], strict=True))
    assert found == {"Alpha": 0, "Beta": 0} | ({rebound: 1} if rebound else {})


def slow(plays, heard, questions, whose, rooms_only=True, said=None):
    """Statistics of one group by loops; BPA by adding up a staircase of 10,000 steps.

    ``whose``: column → value. Tossups heard are rooms, team × room for teams, for a player
    ``said``: game → tossups.
    """
    words = dict(zip(questions["question_id"], questions["n_words"], strict=True))
    category = dict(zip(questions["question_id"], questions["category"], strict=True))

    def ours(row, buzz):
        for column, value in whose.items():
            if column == "category":
                if category.get(row.question_id, "Unknown") != value:
                    return False
            elif column == "player":
                if buzz and row.player != value:
                    return False
            elif getattr(row, column) != value:
                return False
        return True

    rooms, everybody = {}, {}
    for row in heard.itertuples():
        room = (row.game, row.cycle, row.tossup)
        everybody.setdefault(room, set()).add(row.team)
        if ours(row, False):
            rooms[room if rooms_only else (*room, row.team)] = row.question_id
    counts = dict.fromkeys(["buzzes", *quizbowl.MEASURES, "wrong", "points"], 0)
    shares, positions, first_wrong, done = [], [], {}, set()
    earlier_by = {}
    for row in plays.sort_values(["game", "cycle", "tossup", "order"]).itertuples():
        room = (row.game, row.cycle, row.tossup)
        earlier = earlier_by.setdefault(room, [])
        if ours(row, True):
            counts["buzzes"] += 1
            counts["points"] += row.value
            counts["gets"] += row.correct
            counts["wrong"] += not row.correct
            counts["powers"] += row.correct and 10 < row.value <= 15
            counts["superpowers"] += row.correct and row.value > 15
            counts["negs"] += row.value < 0
            counts["wrong_free"] += row.value == 0
            counts["rebounds"] += row.correct and any(team != row.team for team in earlier)
            if row.correct and isinstance(row.question_id, str):
                of = words[row.question_id]
                shares.append(min(1.0, (row.word_index + 1) / of))
                positions.append(min(row.word_index + 1, of))
        if row.correct:
            done.add(room)
        else:
            earlier.append(row.team)
            if room not in done:
                first_wrong.setdefault(room, row.team)
    chances = 0
    for room, team in first_wrong.items():
        for other in everybody[room] - {team}:
            whole = room if rooms_only else (*room, other)
            chances += whole in rooms and whose.get("team", other) == other
    known = sum(isinstance(q, str) for q in rooms.values())
    count = len(rooms)
    if said is not None:
        # The player heard as large a share of the known texts of a game as the team did.
        of = {game: [isinstance(q, str) for room, q in rooms.items() if room[0] == game] for game in said}
        known = sum(n * sum(of[game]) / len(of[game]) for game, n in said.items() if of[game])
        count = sum(said.values())
    grid = (np.arange(10_000) + 0.5) / 10_000
    gets = np.zeros(len(grid))
    for share in shares:
        gets += grid > share

    def over(top, bottom):
        return top / bottom if bottom else np.nan

    found = counts | {
        "heard": count, "bpa": over(100 * gets.mean(), known),
        "first_correct": min(shares, default=np.nan), "first_correct_word": min(positions, default=np.nan),
        "average_correct": over(sum(shares), len(shares)), "average_correct_word": over(sum(positions), len(shares)),
        "conversion": over(counts["gets"], count), "power_rate": over(counts["powers"], count),
        "neg_rate": over(counts["negs"], count), "precision": over(counts["gets"], counts["buzzes"]),
        "points_per_20": over(20 * counts["points"], count),
    }  # fmt: skip
    if "player" in whose:
        return found
    found |= {"rebound_chances": chances, "rebound_rate": over(counts["rebounds"], chances)}
    if rooms_only:
        dead = max(0, count - counts["gets"])
        found |= {"dead": dead, "dead_rate": over(dead, count)}
    if "question_id" in whose:
        found["difficulty"] = 1 - found["conversion"]
    return found


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_statistics_agree_with_a_slow_count(seed):
    result, _ = tidied(tournament.tournament_files(seed, teams=8, rounds=4, tossups=8))
    plays, heard, rosters = result["plays"], result["heard"], result["rosters"]
    by = quizbowl.quizbowl_tables(plays, heard, rosters, result["questions"], 0.95)
    keys = {"quizbowl_teams": ["team"], "quizbowl_players": ["team", "player"],
            "quizbowl_categories": ["category"], "quizbowl_team_categories": ["team", "category"],
            "quizbowl_questions": ["question_id"]}  # fmt: skip
    for name, key in keys.items():
        table = by[name]
        for row in table.to_dict("records"):
            whose = {column: row[column] for column in key}
            said = None
            if name == "quizbowl_players":
                mine = rosters[(rosters["team"] == row["team"]) & (rosters["player"] == row["player"])]
                said = dict(zip(mine["game"], mine["tossups_heard"], strict=True))
            expected = slow(plays, heard, result["questions"], whose, "team" not in whose, said)
            for column, value in expected.items():
                assert row[column] == pytest.approx(
                    value, abs=0.011 if column == "bpa" else 1e-12, nan_ok=True
                ), (name, whose, column)
        # Nothing that stands in the table goes unchecked but names, intervals and ranks.
        unchecked = set(table) - set(expected) - set(key)
        assert unchecked <= {"kind", "games", "conversion_low", "conversion_high", "category",
                             "answerline", "n_words", "difficulty_rank"}, name  # fmt: skip
    assert by["quizbowl_teams"]["rebound_chances"].sum() > 0
    games = heard.groupby("team")["game"].nunique()
    assert by["quizbowl_teams"].set_index("team")["games"].to_dict() == games.to_dict()
    order = by["quizbowl_questions"].sort_values("conversion")["difficulty_rank"]
    assert order.is_monotonic_increasing and order.iloc[0] == 1


def test_curves_end_at_the_counts_and_bpa_is_the_area_under_them():
    result, _ = tidied(tournament.tournament_files(11, teams=8, rounds=3, tossups=8))
    made = quizbowl.quizbowl_tables(
        result["plays"], result["heard"], result["rosters"], result["questions"], 0.95
    )
    curves, by = made["buzzpoint_curves"], made["quizbowl_questions"]
    last = curves[(curves["level"] == "question") & (curves["x"] == 1)].set_index("item")
    assert last["gets"].reindex(by["question_id"]).to_list() == by["gets"].to_list()
    mean = curves[curves["level"] == "question"].groupby("item")["gets_per_heard"].mean()
    # The curve counts a buzz from the hundredth at or above it, so its mean is at most that much off.
    assert (mean.reindex(by["question_id"]).to_numpy() * 100 - by["bpa"].to_numpy()).__abs__().max() < 2
