"""Invariants hold where a log leaves things open."""

import inspect

import pytest
from calscore.core import store
from calscore.simulate import tournament
from calscore.tournament import checks, log, qbj, report, stats
from matches import buzz, csv, match, question, read


def test_checks_hold_where_players_and_power_marks_are_not_told(tmp_path):
    plain = {"tossups": [{"question": "One two three four five.", "answer": "x"}] * 2}
    played = match(question(1, [buzz("Alpha", 1, 10)]), question(2, [buzz("Beta", 2, -5)]))
    for result, _ in (
        read(played, packet=plain),
        csv(tmp_path, "T,1,g,1,A,P,2,10\nT,1,g,2,B,Q,3,-5\n"),
    ):
        parts = [result[name] for name in ("plays", "heard", "rosters", "questions")]
        plays, heard, rosters, questions = parts
        players = stats.tables(*parts, 0.95)["quizbowl_players"]
        assert set(rosters["player"]) == set(plays["player"])
        for outcome in (
            checks.played(rosters, plays, result["games"]),
            checks.of_the_packets(result["tossups"], questions),
            checks.counts_of_players(
                players, plays, rosters, heard, result["games"], {"level": 0.95}
            ),
        ):
            assert outcome.failures == 0, outcome


STATISTICS = {
    "standings": checks.records,
    "scoreboard": checks.both_sides,
    "round_report": checks.rounds_add_up,
    "individuals": checks.points_of_individuals,
    "player_categories": checks.buzzes_by_category,
    "bonus_conversion": checks.points_of_bonuses,
}
NAMES = ("games", "sides", "box_scores", "bonus_plays", "bonus_items", "plays")


def _statistics(made, questions=None):
    return made | report.tables(*(made[name] for name in NAMES), questions)


@pytest.fixture(scope="module", params=[[], [2]], ids=["all rounds", "a round left out"])
def small(request):
    """All tables of the statistics of a small simulated tournament, with bouncebacks and odd matches."""
    members = tournament.tournament(3, teams=8, rounds=4, tossups=8)
    made = log.resolve(qbj.read_members(members, "Cup"), {}, {}, exclude=request.param)
    assert made["games"]["individual"].all() == (not request.param)
    return _statistics(made, made["questions"])


def _failures(check, tables) -> int:
    return check(**{name: tables[name] for name in inspect.signature(check).parameters}).failures


def test_a_round_that_is_left_out_and_counts_is_found(small):
    out = 0 if small["games"]["individual"].all() else 2
    for exclude, known in (([out], True), (["round 2", 3], False)):
        options = {"exclude_from_individual": exclude}
        assert (checks.individual_rounds(small["games"], options).failures == 0) == known
    parts = [small[name] for name in ("plays", "heard", "rosters", "questions")]
    given = *(small[name] for name in ("plays", "rosters", "heard", "games")), {"level": 0.95}
    for games, counted in ((small["games"], True), (None, not out)):
        players = stats.tables(*parts, 0.95, games)["quizbowl_players"]
        assert (checks.counts_of_players(players, *given).failures == 0) == counted


def test_first_buzzes_are_counted_and_not_only_added_up(small):
    table = small["player_categories"]
    rows = table[["tournament", "team", "player"]].eq(table[["tournament", "team", "player"]].iloc[-1]).all(axis=1)  # fmt: skip
    rows &= table["category"].isin(["all", table.loc[rows, "category"].iloc[0]])
    for name in ("first_buzzes", "negs"):
        changed = table.assign(**{name: table[name] + rows, "top_three": table["top_three"] + rows})
        assert _failures(checks.buzzes_by_category, small | {"player_categories": changed})


@pytest.mark.parametrize("name", STATISTICS)
def test_every_number_of_the_statistics_is_counted_again(small, name):
    table = small[name]
    assert len(table) and _failures(STATISTICS[name], small) == 0
    numbers = [
        c
        for c, spec in store.schema(name)["columns"].items()
        if spec["type"] in ("integer", "number")
    ]
    missed = []
    for column in numbers:
        known = table.index[table[column].notna()]
        if not len(known):
            continue
        other = table.astype({column: float})
        other.loc[known[len(known) // 2], column] += 1
        if not _failures(STATISTICS[name], small | {name: other}):
            missed.append(column)
    assert missed == []


def test_statistics_pass_where_little_is_told(tmp_path):
    plain = {"tossups": [{"question": "One two three four five.", "answer": "x"}] * 2}
    played = match(question(1, [buzz("Alpha", 1, 10)]), question(2, [buzz("Beta", 2, -5)]))
    lost = match(question(1, [buzz("Alpha", 1, 10)]))
    lost["match_teams"][1]["forfeit_loss"] = True
    for made in (
        read(played, packet=plain)[0],
        read(lost, packet=plain)[0],
        csv(tmp_path, "T,1,g,1,A,P,2,10\nT,1,g,2,B,Q,3,-5\n")[0],
    ):
        tables = _statistics(made, made["questions"])
        found = {name: _failures(check, tables) for name, check in STATISTICS.items()}
        assert not any(found.values()), found
