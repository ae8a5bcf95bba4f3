"""What the reader of real files prints of invented ones: counts, and no name."""

import json

import pytest
from matches import PACKET, buzz, match, question
from tournament.test_sqlite import database  # noqa: F401

from benchmarks import corpus

RUNS = [{"qid": "q1", "run_outputs": [{"guess": "x", "confidence": 0.5, "buzz": True, "correct": True, "token_position": 3}]}, {"qid": "q2", "run_outputs": []}]  # fmt: skip
PARTS = [{"qid": "b1", "part_outputs": [{"guess": "x", "confidence": 0.5, "correct": True}] * 3}]


def written(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def test_a_folder_of_matches_is_counted_with_declared_totals(tmp_path, capsys):
    first = question(1, [buzz("Alpha", 1, 10, "Ann")])
    parts = [{"controlled_points": 10}] * 3
    first["bonus"] = {"question": {"question_number": 1}, "parts": parts}
    told = match(first, question(2, [buzz("Beta", 60, -5, "Bo")]))
    for side, points in zip(told["match_teams"], (40, 0), strict=True):
        side["points"] = points
    (tmp_path / "Round_1.qbj").write_text(json.dumps(told), encoding="utf-8")
    (tmp_path / "Packet 1.json").write_text(json.dumps(PACKET), encoding="utf-8")
    corpus.read(tmp_path)
    said = capsys.readouterr().out
    assert "2 files; 1 games, 2 plays, 3 bonus_plays" in said
    # Beta declares 0 and has -5.
    assert "2 scores and 0 sums of bonuses declared by 2 sides, 1 matches differ" in said
    assert "1 × buzz past the end" in said
    told = said.replace(str(tmp_path), "")
    assert not [name for name in ("Alpha", "Beta", "Ann", "Bo ") if name in told]


def test_a_database_is_counted(database, capsys):  # noqa: F811
    corpus.read(database.parent)
    said = capsys.readouterr().out
    assert "2 games, 4 plays, 6 bonus_plays; 0 scores" in said and "points are not declared" in said


@pytest.mark.parametrize("bad", [False, True])
def test_submissions_are_counted_and_a_refused_file_names_the_field(tmp_path, capsys, bad):
    written(tmp_path / "team one.jsonl", RUNS)
    written(tmp_path / "team two.jsonl", PARTS)
    if bad:
        run = RUNS[0]["run_outputs"][0] | {"guess": "Secret Person", "confidence": 7}
        written(tmp_path / "team three.jsonl", [{"qid": "q1", "run_outputs": [run]}])
    corpus.read(tmp_path)
    said = capsys.readouterr().out
    assert "3 × parts, 2 × runs, 1 × tossup files, 1 × questions without outputs, 1 × bonus files" in said  # fmt: skip
    refused = "1 × confidence, expected a probability from 0 to 1" if bad else "no findings"
    assert said.rstrip().endswith(f"refused: {refused}") and "Secret" not in said


def test_a_broken_match_is_refused_by_field(tmp_path, capsys):
    broken = match(question(1, [buzz("Alpha", 1, "ten")]))
    (tmp_path / "one.qbj").write_text(json.dumps(broken), encoding="utf-8")
    corpus.read(tmp_path)
    said = capsys.readouterr().out
    assert "refused, 1 faults; first: match_questions/0/buzzes/0/result/value" in said
    assert "Alpha" not in said
