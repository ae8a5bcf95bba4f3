"""Names of people are hidden in tables and findings."""

from calscore.core import store
from calscore.simulate import tournament
from calscore.tournament import match_log, names, qbj


def test_concealed_writtenand_findings_hold_no_name():
    found = qbj.read_members(tournament.tournament(7), "Cup")
    first = match_log.tidy_tables(found, {}, {})
    hidden, findings = names.conceal(first, found, "pseudonymise", 1)
    people = {*first["heard"]["team"], *first["rosters"]["player"]}
    text = "\n".join(
        [hidden[n].to_csv() for n in ("buzzes", "exposures", "plays", "heard", "rosters", "games")]
        + [f"{f.place} {f.detail}" for f in findings]
    )
    assert not [name for name in {*people, *first["games"]["file"]} if name in text]
    for name in ("buzzes", "plays", "heard", "rosters", "exposures"):
        assert not store.validation_errors(hidden[name], name, parents=hidden), name
        assert len(hidden[name]) == len(first[name])
