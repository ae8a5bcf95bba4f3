"""Invariants hold where a log leaves things open."""

from calscore.tournament import checks, stats
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
            checks.counts_of_players(players, plays, rosters, heard, {"level": 0.95}),
        ):
            assert outcome.failures == 0, outcome
