"""Each hazard of the simulated tournament occurs, and is found as often as it does."""

import json
import re

import pytest
from calscore.core import store
from calscore.core.errors import DataError
from calscore.simulate import tournament
from calscore.tournament import match_log, qbj


@pytest.mark.parametrize("seed", range(3))
def test_a_small_simulated_folder_has_every_hazard_too(seed, tmp_path):
    sizes = {"teams": 8, "rounds": 9, "tossups": 8, "bonuses": 5}
    tournament.write_tournament(tmp_path / "truth.json", seed, sizes)
    members = {
        path.relative_to(tmp_path / "tournament").as_posix(): path.read_bytes()
        for path in sorted((tmp_path / "tournament").rglob("*.*"))
    }
    found = qbj.read_qbj_files(members, "Cup")
    games = match_log.tidy_tables(found, {}, {})["games"]
    assert set(tournament.HAZARDS) <= {f.finding for f in found.findings}
    assert len(games) == 4 * 9
    assert json.loads((tmp_path / "truth.json").read_text())["parameters"] == sizes
    bonuses = (tmp_path / "submissions" / "bonuses-alone.jsonl").read_text().splitlines()
    assert len(bonuses) == 5


@pytest.mark.parametrize("bad", [{"teams": 10}, {"rounds": 8}, {"tossups": 100}, {"round": 14}])
def test_sizes_that_leave_no_room_for_a_hazard_are_refused(bad, tmp_path):
    with pytest.raises(DataError, match=next(iter(bad))):
        tournament.write_tournament(tmp_path / "truth.json", 0, bad)


def hazards_counted(members):
    """How often each hazard stands in the files, by a plain look at their JSON."""
    packs, matches, dangling = {}, [], 0
    for name, content in members.items():
        document = json.loads(content)
        if name.startswith("packets/"):
            packs[int(name[-7:-5])] = document["tossups"]
        elif "objects" in document:
            ids = {one["id"]: one for one in document["objects"] if "id" in one}
            (title,) = (one for one in document["objects"] if one["type"] == "Tournament")
            (only,) = (r["name"] for phase in title["phases"] for r in phase["rounds"])
            for one in document["objects"]:
                if one["type"] == "Match":
                    dangling += one["location"]["$ref"] not in ids
                    matches.append((int(re.sub(r"\D", "", only)), one))
        else:
            matches.append((document["_round"], document))
    counts = dict.fromkeys(tournament.HAZARDS, 0) | {"reference that leads nowhere": dangling}
    for number, match in matches:
        counts["packet missing"] += number not in packs
        asked, other = match["match_questions"], "replacement_tossup_question"
        told = [(q.get(other) or q["tossup_question"])["question_number"] for q in asked]
        counts["tossup replaced"] += sum(other in q for q in asked)
        counts["cycle is not the tossup number"] += told != list(range(1, len(told) + 1))
        doubled = {n for n in told if told.count(n) > 1}
        counts["two tossups with one number"] += len(doubled)
        short = number in packs and len(told) < len(packs[number])
        counts["tossups_read shorter than the packet"] += short
        for question, tossup in zip(asked, told, strict=True):
            for buzz in question["buzzes"]:
                counts["wrong without penalty"] += buzz["result"]["value"] == 0
                if number in packs and tossup not in doubled:
                    raw = packs[number][tossup - 1]["question"]
                    spoken = re.sub(r'\s*\("[^"]*"\)|\s*\(\*\)|<[^>]*>', "", raw)
                    past = buzz["buzz_position"]["word_index"] - len(spoken.split())
                    counts["buzz past the end"] += past > 0
                    counts["buzz at the END mark"] += past == 0
    for text in (tossup["question"] for tossups in packs.values() for tossup in tossups):
        counts["moderator note before the text"] += "Note to mod" in text
        counts["pronunciation guides"] += text.count('("')
    return counts | {"mirrors of one set": 1, "one team under two spellings?": 1}


@pytest.mark.parametrize("seed", [7, 8])
def test_each_hazard_is_found_as_often_as_it_occurs(seed):
    members = tournament.tournament_files(seed)
    reading = qbj.read_qbj_files(members, "Cup")
    tables = match_log.tidy_tables(reading, {}, {})
    for name, table in tables.items():
        assert not store.validation_errors(table, name, parents=tables), name
    # Some findings are one row an occurrence; others are one row that says how many.
    number = {
        "packet missing": lambda f: int(f.detail.rpartition(": ")[2]),
        "wrong without penalty": lambda f: int(f.place.split()[0]),
        "buzz at the END mark": lambda f: int(f.place.split()[0]),
        "pronunciation guides": lambda f: int(f.detail.split()[0]),
        "tossups_read shorter than the packet": lambda f: int(f.detail.split()[0]),
        "reference that leads nowhere": lambda f: int(f.detail.split("occurs ")[1].split()[0]),
    }
    found = dict.fromkeys(tournament.HAZARDS, 0)
    for finding in reading.findings:
        if finding.finding in found:
            found[finding.finding] += number.get(finding.finding, lambda f: 1)(finding)
    assert found == hazards_counted(members)
    assert min(found.values()) > 0
    (pair,) = (f.place for f in reading.findings if f.finding == "one team under two spellings?")
    one, other = pair.split(" / ")
    assert one != other and re.sub(r"\W", "", one.lower()) == re.sub(r"\W", "", other.lower())
