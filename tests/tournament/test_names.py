"""Names of people are hidden in tables and findings, and cannot be had back from their order."""

import json
import os
import stat
from itertools import combinations

import pytest
from calscore.core import store
from calscore.core.errors import DataError
from calscore.simulate import tournament
from calscore.tournament import match_log, names, qbj
from matches import buzz, match, question

KEY = b"k" * 32


def _read(seed=7):
    found = qbj.read_qbj_files(tournament.tournament_files(seed), "Cup")
    return match_log.tidy_tables(found, {}, {}), found


def test_concealed_tables_and_findings_hold_no_name():
    first, found = _read()
    hidden, findings = names.conceal(first, found, KEY)
    people = {*first["heard"]["team"], *first["rosters"]["player"]}
    text = "\n".join(
        [hidden[n].to_csv() for n in ("buzzes", "exposures", "plays", "heard", "rosters", "games")]
        + [f"{f.place} {f.detail}" for f in findings]
    )
    assert not [name for name in {*people, *first["games"]["file"]} if name in text]
    for name in ("buzzes", "plays", "heard", "rosters", "exposures"):
        assert not store.validation_errors(hidden[name], name, parents=hidden), name
        assert len(hidden[name]) == len(first[name])


def test_of_a_file_with_a_number_sign_in_its_name_no_part_is_shown():
    one = match(question(1, [buzz("Alpha", 3, 10)]))
    found = qbj.read_qbj_files({"Ann#Bob.qbj": json.dumps(one).encode()}, "Cup")
    hidden, _ = names.conceal(match_log.tidy_tables(found, {}, {}), found, KEY)
    assert hidden["plays"]["source_row"].to_list() == [f"{hidden['games']['file'].item()}#cycle 1/buzz 1"]


def test_who_knows_the_field_finds_no_more_teams_than_by_chance():
    """The attacker has the sorted names and guesses by the order of pseudonyms, sorted and as rows first show them.

    Twelve teams play a round robin; each pair buzzes on a tossup, the one that comes first in the alphabet first.
    """
    humans = [f"{letter} College" for letter in "ABCDEFGHIJKL"]
    games = [match(question(1, [buzz(a, 2, -5, f"{a} 1"), buzz(b, 4, 10, f"{b} 1")]), teams=(a, b)) for a, b in combinations(humans, 2)]  # fmt: skip
    found = qbj.read_qbj_files({f"Round 1 {one['match_teams'][0]['team']['name']} {n}.qbj": json.dumps(one).encode() for n, one in enumerate(games)}, "Cup")  # fmt: skip
    first = match_log.tidy_tables(found, {}, {})
    hits: dict[str, int] = {}
    keys = [bytes([n]) * 32 for n in range(30)]
    for key in keys:
        truth = names.pseudonyms(humans, "Team", key)
        hidden, _ = names.conceal(first, found, key)
        for name, columns in names.ORDER.items():
            if "team" in columns:
                shown = hidden[name]["team"][hidden[name]["team"].isin(set(truth.values()))]
                for order, guess in (("rows", list(dict.fromkeys(shown))), ("sorted", sorted(set(shown)))):  # fmt: skip
                    pairs = zip(humans, guess, strict=False)
                    hits[f"{name}, {order}"] = hits.get(f"{name}, {order}", 0) + sum(truth[one] == other for one, other in pairs)  # fmt: skip
    # By chance one team of the field a try.
    assert hits and all(count < 1.7 * len(keys) for count in hits.values()), hits


def test_pseudonyms_stay_when_a_team_is_added_and_change_with_the_key():
    field = [f"Team {n}" for n in range(500)]
    some, more = names.pseudonyms(field, "Team", KEY), names.pseudonyms([*field, "Aa"], "Team", KEY)
    assert some == {name: more[name] for name in field} and len(set(more.values())) == 501
    other = names.pseudonyms(field, "Team", b"x" * 32)
    assert not set(some.values()) & set(other.values())


def test_the_key_is_made_once_for_its_owner_alone(tmp_path, monkeypatch):
    path = tmp_path / "a" / "secret"
    monkeypatch.setenv(names.SECRET, str(path))
    first = names.secret_key()
    assert first == names.secret_key() and len(first) == 64
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600 and os.listdir(path.parent) == ["secret"]
    path.write_bytes(b"short")
    with pytest.raises(DataError, match="expected a key of at least 32 bytes"):
        names.secret_key()
    monkeypatch.setenv(names.SECRET, str(path / "under a file"))
    with pytest.raises(DataError, match="CALSCORE_SECRET names another one"):
        names.secret_key()
