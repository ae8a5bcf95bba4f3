"""Tournaments and leaderboards as a user runs them, through the workflow."""

import json
import os

import pandas as pd
import pytest
import yaml
from calscore.audit import manifest
from calscore.core import catalog, store
from calscore.core.errors import DataError
from calscore.runner import config
from calscore.simulate import tournament
from flows.test_flows import FLOWS
from support import ROOT, failing, run_snakemake, workspace

FEATURES = FLOWS["tiny_tournament"]


def write_study(folder, name, **study):
    (folder / "mine.yaml").write_text(yaml.safe_dump({"studies": {name: study}}))


def test_everything_is_made_valid_and_every_hazard_found(played):
    assert (
        config.study_features(
            config.load(yaml.safe_load((ROOT / "config" / "tournament.yaml").read_text(encoding="utf-8")))[
                "tournament"
            ]
        )
        == FEATURES
    )
    assert [p for p in catalog.available_files(FEATURES) if not (played / p).exists()] == []
    findings = pd.read_csv(played / "audit" / "findings.csv")
    assert set(tournament.HAZARDS) <= set(findings["finding"])
    assert {"ERROR in place of a guess", "bonus metric without its records"} <= set(findings["finding"])
    board = pd.read_csv(played / "tables" / "leaderboard.csv")
    assert board.loc[board["submission"] == "stopped", "early_stopped"].all()
    assert "SIMULATED DATA" in (played / "leaderboard.html").read_text(encoding="utf-8")


def test_grace_is_a_leaderboard_of_three_live_models_and_17_teams(grace):
    board = pd.read_csv(grace / "tables" / "leaderboard.csv")
    assert set(board["submission"]) == {"M1", "M2", "M3"}
    assert board.loc[board["metric"] == "calscore", "note"].eq("no confidences").all()
    pairs = pd.read_csv(grace / "tables" / "leaderboard_pairs.csv")
    # One team never heard a question that M2 or M3 heard.
    assert pairs.loc[pairs["b_kind"] == "human team", "b"].nunique() == 17
    # The same from the buzzes themselves.
    buzzes = store.read(grace / "tidy" / "buzzes.parquet")
    heard = store.read(grace / "tidy" / "exposures.parquet")
    mine = buzzes[buzzes["team"] == "M2"].sort_values("word_index").drop_duplicates("question_id")
    count = (heard["team"] == "M2").sum()
    value = board[(board["submission"] == "M2") & (board["metric"] == "buzz_precision")].set_index("reading")[
        "value"
    ]
    assert value["manual"] == pytest.approx(mine["correct"].mean())
    assert value["code"] == pytest.approx(mine["correct"].sum() / count)


def test_a_leaderboard_without_buzz_logs(tmp_path):
    folder = workspace(tmp_path / "alone")
    runs = [
        {
            "guess": "x",
            "confidence": 0.8,
            "buzz": True,
            "run_idx": 0,
            "correct": True,
            "token_position": 9,
        }
    ]
    records = [{"qid": i, "run_outputs": runs} for i in (0, 1, 2, 3, 3)]
    records[4] = records[4] | {"run_outputs": [runs[0] | {"token_position": 10}]}
    (folder / "mine.jsonl").write_text("\n".join(map(json.dumps, records)))
    plays = [{"qid": i, "human_buzz_positions": [[5 + 3 * i, 10]]} for i in range(4)]
    (folder / "plays.jsonl").write_text("\n".join(map(json.dumps, plays)))
    inputs = {"human_plays": "plays.jsonl", "submissions": [{"path": "mine.jsonl"}]}
    write_study(folder, "alone", analyses=["leaderboard"], inputs=inputs)
    run_snakemake("--configfile", "mine.yaml", cwd=folder)
    board = pd.read_csv(folder / "results" / "alone" / "tables" / "leaderboard.csv").set_index(
        ["metric", "reading"]
    )
    # Humans at 5 and 8 are earlier than the buzz at 9, those at 11 and 14 are not.
    assert board.loc[("expected_score", "manual"), "value"] == 0.5
    assert board.loc[("win_rate", "code_strict"), "value"] == 0.5
    odd = pd.read_csv(folder / "results" / "alone" / "audit" / "findings.csv")
    assert odd["finding"].to_list() == ["question twice in a submission"]
    # An older file takes the place of one: Snakemake sees nothing new, and the results would be those of before.
    (folder / "older.jsonl").write_text("\n".join(map(json.dumps, records[:3])))
    os.utime(folder / "older.jsonl", (1e9, 1e9))
    os.replace(folder / "older.jsonl", folder / "mine.jsonl")
    said = run_snakemake("--configfile", "mine.yaml", cwd=folder).stderr
    assert "mine.jsonl was changed after parse_submissions read it: it is read again" in said
    runs = store.read(folder / "results" / "alone" / "tidy" / "runs.parquet")
    assert set(runs["question_id"]) == {"0", "1", "2"}
    assert manifest.verify(folder / "results" / "alone") == []
    (folder / "mine.jsonl").write_text('{"qid": 1, "run_outputs": [{"buzz": true}]}')
    assert "mine.jsonl, row 1, run 1, column token_position" in failing(folder, "--configfile", "mine.yaml")


def test_bad_match_files_are_one_clear_error_and_leave_nothing(tmp_path):
    folder = workspace(tmp_path / "bad")
    (folder / "cup").mkdir()
    (folder / "cup" / "m.qbj").write_text('{"match_teams": [{"team": {}}], "match_questions": []}')
    write_study(folder, "bad", inputs={"qbj_dir": "cup"})
    output = failing(folder, "--configfile", "mine.yaml")
    assert "m.qbj, column match_teams/0/team/name: found None, expected the field to be present" in output
    assert not (folder / "results" / "bad" / "tidy" / "questions.parquet").exists()


def test_names_are_hidden_where_the_study_says_so(played, tmp_path):
    folder = workspace(tmp_path / "hidden")
    raw = yaml.safe_load((ROOT / "config" / "tournament.yaml").read_text(encoding="utf-8"))
    raw["studies"] = {
        "tournament": {
            "inputs": {"qbj_dir": str(played / "simulated" / "tournament")},
            "options": {"names": "pseudonymise"},
        }
    }
    (folder / "mine.yaml").write_text(yaml.safe_dump(raw, sort_keys=False))
    path = "results/tournament/tidy/plays.parquet"
    run_snakemake(path, "--configfile", "mine.yaml", cwd=folder)
    plays = store.read(folder / path)
    assert plays["player"].str.fullmatch(r"Player [0-9a-f]{8}").all()
    assert plays["team"].str.fullmatch(r"Team [0-9a-f]{8}").all()
    assert len(plays) == len(store.read(played / "tidy" / "plays.parquet"))


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({}, "one of release, extract, qbj_dir, buzz_csv"),
        ({"qbj_dir": "a", "buzz_csv": "b"}, "found 'qbj_dir, buzz_csv'"),
        (
            {"qbj_dir": "a", "submissions": [{"path": "x/s.jsonl"}, {"path": "y/s.jsonl"}]},
            "found 's', expected a name that occurs once",
        ),
    ],
)
def test_configurations_that_cannot_be_are_named(inputs, message):
    with pytest.raises(DataError, match=message):
        config.load({"studies": {"mine": {"inputs": inputs}}})
    with pytest.raises(DataError, match="human_plays"):
        config.load({"studies": {"mine": {"analyses": ["leaderboard"]}}})
