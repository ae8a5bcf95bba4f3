"""Figure 4 as the public script draws it: by hand, and beside the script itself where it is at hand."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
import shutil
from pathlib import Path

import grace_release
import numpy as np
import pandas as pd
import pytest
from calscore.human import figure_script

SCRIPT = os.environ.get("GRACE_FIGURE_SCRIPT")
"""analysis/cumulative_buzz_runs.py of a copy of the authors' repository."""
OUTPUTS = os.environ.get("GRACE_OUTPUTS")
"""Folder of packetN_model_human_output.json."""


def frame(rows):
    columns = ["question_id", "team", "word_index", "correct"]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(kind=np.where(table["team"].str.startswith("H"), "human", "model"))


def seen_by(*teams):
    rows = [("combined", question, team, True) for question in ("a", "b") for team in teams]
    return pd.DataFrame(rows, columns=["table", "question_id", "team", "is_team"])


GUESSES = pd.DataFrame({"model": "M1", "elicitation": "logit", "question_id": ["a", "a", "b"], "position": [5, 9, 4]})  # fmt: skip

# buzzes on question a (runs end at words 5 and 9) → right buzzes of H1 in runs 1 and 2, with the script's loop and once
CASES = [
    ([("a", "H1", 4, True)], [1, 1], [1, 1]),
    ([("a", "H1", 5, True)], [0, 1], [0, 1]),
    ([("a", "H1", 9, True)], [0, 0], [0, 0]),
    # two teams in one run: each buzz counts twice, right or wrong
    ([("a", "H1", 1, True), ("a", "H2", 3, False)], [2, 2], [1, 1]),
    ([("a", "H1", 1, True), ("a", "H2", 6, True)], [1, 1], [1, 1]),
    # a model is of another kind
    ([("a", "H1", 1, True), ("a", "M1", 2, True)], [1, 1], [1, 1]),
]


@pytest.mark.parametrize(("rows", "looped", "once"), CASES)
def test_a_buzz_counts_for_every_team_of_its_run(rows, looped, once):
    teams = ["H1", "H2", "H3", "H4", "M1"]
    table = figure_script.script_curves(GUESSES, {"release": frame(rows)}, seen_by(*teams))
    mine = table[(table["group"] == "H1") & (table["outcome"] == "correct")]
    for counted, counts in (("script", looped), ("once", once)):
        values = mine[mine["counted"] == counted].sort_values("run")["value"].tolist()
        # over runs seen: the first of a and b, then the second of a
        assert values[:2] == pytest.approx([counts[0] / 2, counts[1] / 3])


@pytest.mark.skipif(not (SCRIPT and OUTPUTS), reason="GRACE_FIGURE_SCRIPT and GRACE_OUTPUTS")
@pytest.mark.parametrize("source", ["outputs", "release"])
def test_the_transcription_is_the_script(source, tmp_path, monkeypatch):
    import matplotlib

    matplotlib.use("Agg")
    guesses, buzzes = [], []
    (tmp_path / "analysis" / "model_human_output").mkdir(parents=True)
    released = {}
    for _, raw in grace_release.questions():
        released[str(raw["tossup_index"])] = list(grace_release.buzzes(raw))
    tables = tmp_path / "data" / "questions_packets"
    tables.mkdir(parents=True)
    for name in ("all_teams.pkl", "human_model_team_per_question.pkl"):
        shutil.copy(grace_release.folder() / name, tables / name)
    with (tables / "human_model_team_per_question.pkl").open("rb") as handle:
        participation = pickle.load(handle)
    seen = []
    for path in sorted(Path(OUTPUTS).glob("packet*_model_human_output.json")):
        packet = json.loads(path.read_text(encoding="utf-8"))
        for place, question in enumerate(packet):
            key = f"{path.name}#{place}"
            seen += [("combined", key, team, team[0] in "HM") for team in participation[question["tossup_index"]]["seen"]]  # fmt: skip
            runs = question["M1"]
            guesses += [("M1", "logit", key, run["word_range"][1] + 1) for run in runs]
            if source == "release":
                mine = released[str(question["tossup_index"])]
                for run in runs:
                    low, high = run["word_range"]
                    items = {team: "+" if right else "-" for team, right, word in mine if low <= word <= high}  # fmt: skip
                    run.pop("position_items", None)
                    if items:
                        run["position_items"] = items
                buzzes += [(key, team, word, right) for team, right, word in mine]
            else:
                for run in runs:
                    for team, mark in run.get("position_items", {}).items():
                        buzzes.append((key, team, run["word_range"][0], mark == "+"))
        target = tmp_path / "analysis" / "model_human_output" / path.name
        target.write_text(json.dumps(packet), encoding="utf-8")
    monkeypatch.chdir(tmp_path / "analysis")
    script: dict = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(Path(SCRIPT).read_text(encoding="utf-8"), SCRIPT, "exec"), script)
    guesses = pd.DataFrame(guesses, columns=["model", "elicitation", "question_id", "position"])
    seen = pd.DataFrame(seen, columns=["table", "question_id", "team", "is_team"])
    table = figure_script.script_curves(guesses, {source: frame(buzzes)}, seen)
    table = table[table["counted"] == "script"]
    for outcome in ("correct", "incorrect"):
        expected = {
            f"Q{quartile + 1}": values
            for quartile, values in script[f"quartile_cumulative_{outcome}_counts"].items()
        } | script[f"model_cumulative_{outcome}_counts"]
        for group, values in expected.items():
            mine = table[(table["group"] == group) & (table["outcome"] == outcome)]
            assert mine["value"].to_numpy() == pytest.approx(values, abs=1e-12), group
    for quartile, members in script["quartile_groups"].items():
        mine = table[table["group"] == f"Q{quartile + 1}"]["teams"].iloc[0]
        assert sorted(members) == mine.split()
