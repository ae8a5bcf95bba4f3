"""Invariants hold where a log leaves things open, and a changed count is found."""

import inspect

import pytest
from calscore.simulate import tournament
from calscore.tournament import checks, match_log, qbj, report, stats
from matches import buzz, csv, match, question, read

STATISTICS = {
    "standings": checks.matches_of_standings,
    "scoreboard": checks.mirrored_sides,
    "bonus_conversion": checks.points_of_bonuses,
    "buzzpoint_curves": checks.rising_curves,
    "sides": checks.scores_of_sides,
    "bonus_plays": checks.bonuses_of_right_teams,
    **dict.fromkeys(
        [
            *("quizbowl_teams", "quizbowl_players", "quizbowl_questions", "quizbowl_categories"),
            *("quizbowl_team_categories", "player_categories", "box_scores"),
        ],
        checks.sums_of_buzzes,
    ),
}
NAMES = ("games", "sides", "box_scores", "bonus_plays", "bonus_items", "plays")


def statistics(tables):
    """Tidy tables with all tables of the statistics."""
    logs = [tables[name] for name in ("plays", "heard", "rosters", "questions")]
    made = report.tables(*(tables[name] for name in NAMES), tables["questions"])
    return tables | made | stats.tables(*logs, 0.95, tables["games"])


def failures(name, tables, check=None) -> int:
    check = check or STATISTICS[name]
    parameters = inspect.signature(check).parameters
    given = {key: tables[name if key == "table" else key] for key in parameters}
    return check(**given).failures


@pytest.fixture(scope="module", params=[[], [2]], ids=["all rounds", "a round left out"])
def small(request):
    """All tables of a small simulated tournament, with bouncebacks and odd matches."""
    members = tournament.tournament(3, teams=8, rounds=4, tossups=8)
    log = qbj.read_members(members, "Cup")
    return statistics(match_log.tidy_tables(log, {}, {}, exclude=request.param))


COUNTED = {
    "standings": ["wins", "losses", "ties", "games", "superpowers", "powers", "tens", "negs"],
    "scoreboard": ["points", "opponent_points", "margin", "bonuses", "bonus_points"],
    "bonus_conversion": ["heard", "points"],
    "buzzpoint_curves": ["gets", "wrong"],
    "sides": ["tossup_points", "bonus_points"],
    "quizbowl_players": ["buzzes", "gets", "powers", "negs", "wrong_free", "points"],
    "player_categories": ["superpowers", "powers", "tens", "negs", "points"],
    "box_scores": ["superpowers", "powers", "tens", "negs", "wrong_free", "points"],
    **{
        f"quizbowl_{kind}": ["heard", "buzzes", "gets", "powers", "negs", "wrong_free", "points"]
        for kind in ("teams", "questions", "categories", "team_categories")
    },
}


@pytest.mark.parametrize("name", COUNTED)
def test_a_changed_count_is_found(small, name):
    table = small[name]
    assert len(table) and failures(name, small) == 0
    missed = []
    for column in COUNTED[name]:
        known = table.index[table[column].notna() & ~table.get("category", table[column]).eq("all")]
        if name == "bonus_conversion":
            known = table.index[(table["team"] != "all") & (table["category"] == "all")]
        changed = table.astype({column: float})
        changed.loc[changed.loc[known, column].idxmax(), column] += 1
        if not failures(name, small | {name: changed}):
            missed.append(column)
    assert missed == []


def test_invariants_hold_where_little_is_told(tmp_path):
    plain = {"tossups": [{"question": "One two three four five.", "answer": "x"}] * 2}
    played = match(question(1, [buzz("Alpha", 1, 10)]), question(2, [buzz("Beta", 2, -5)]))
    for tables, _ in (
        read(played, packet=plain),
        csv(tmp_path, "T,1,g,1,A,P,2,10\nT,1,g,2,B,Q,3,-5\n"),
    ):
        made = statistics(tables)
        found = {name: failures(name, made) for name in STATISTICS}
        found["plays"] = failures("plays", made, checks.listed_buzzers)
        found["order"] = failures("plays", made, checks.ordered_buzzes)
        assert not any(found.values()), found
