"""Statistics of a simulated tournament against counts from raw rows."""

import inspect

import pytest
from calscore.core.results_folder import Study
from calscore.simulate import tournament
from calscore.tournament import match_log, qbj, quizbowl, report
from matches import buzz, csv, match, question, read
from oracles import tournament as oracle

STATISTICS = {
    "standings": oracle.matches_of_standings,
    "scoreboard": oracle.mirrored_sides,
    "bonus_conversion": oracle.points_of_bonuses,
    "buzzpoint_curves": oracle.rising_curves,
    "sides": oracle.scores_of_sides,
    **dict.fromkeys(
        [
            *("quizbowl_teams", "quizbowl_players", "quizbowl_questions", "quizbowl_categories"),
            *("quizbowl_team_categories", "player_categories", "box_scores"),
        ],
        oracle.sums_of_buzzes,
    ),
}
NAMES = ("games", "sides", "box_scores", "bonus_plays", "plays")


def statistics(tables):
    """Tidy tables with all tables of the statistics."""
    logs = [tables[name] for name in ("plays", "heard", "rosters", "questions")]
    made = report.report_tables(*(tables[name] for name in NAMES), tables["questions"])
    return tables | made | quizbowl.quizbowl_tables(*logs, 0.95, tables["games"])


def failures(name, tables) -> int:
    check = STATISTICS[name]
    parameters = inspect.signature(check).parameters
    given = {key: tables[name if key == "table" else key] for key in parameters}
    return check(**given).failures


@pytest.fixture(scope="module", params=[[], [2]], ids=["all rounds", "a round left out"])
def small(request):
    """All tables of a small simulated tournament, with bouncebacks and odd matches."""
    members = tournament.tournament_files(3, teams=8, rounds=4, tossups=8)
    log = qbj.read_qbj_files(members, "Cup")
    return statistics(match_log.tidy_tables(log, {}, {}, exclude=request.param))


@pytest.mark.parametrize("name", STATISTICS)
def test_statistics_are_those_counted_another_way(small, name):
    assert len(small[name]) and failures(name, small) == 0


@pytest.mark.full
@pytest.mark.parametrize("name", STATISTICS)
def test_the_tables_of_a_study_are_those_counted_another_way(played, name):
    assert failures(name, Study(played)) == 0


def test_a_wrong_count_is_found(small):
    """So that agreement above says something."""
    wrong = {"quizbowl_teams": "gets", "standings": "wins", "sides": "bonus_points"}
    for name, column in wrong.items():
        changed = small[name].astype({column: float})
        changed.loc[changed[column].idxmax(), column] += 1
        assert failures(name, small | {name: changed}) > 0


def test_statistics_agree_where_little_is_told(tmp_path):
    plain = {"tossups": [{"question": "One two three four five.", "answer": "x"}] * 2}
    played = match(question(1, [buzz("Alpha", 1, 10)]), question(2, [buzz("Beta", 2, -5)]))
    for tables, _ in (
        read(played, packet=plain),
        csv(tmp_path, "T,1,g,1,A,P,2,10\nT,1,g,2,B,Q,3,-5\n"),
    ):
        made = statistics(tables)
        assert not any(failures(name, made) for name in STATISTICS)
