"""Runs on past questions judged and scored."""

import json

import numpy as np
import pytest
from calscore.core import store
from calscore.core.errors import DataError
from calscore.guessers import corpus, past_runs
from past_questions import RUN, entries, written


def test_past_runs_are_judged_and_scored(tmp_path):
    table = corpus.parse_past_questions(written(tmp_path, entries()))
    lines = [
        RUN,
        RUN | {"word_end": 10, "guess": "Pooh", "token_logprobs": [0.0]},
        {"qanta_id": 3, "word_end": 9, "guess": "beer", "token_logprobs": [-1.0, -1.0]},
    ]
    table.loc[2, "answerline"] = "wine [prompt on beer]"
    path = tmp_path / "runs.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    runs, findings = past_runs.collect_past_runs(table, [(path, "m")], [])
    assert findings[0].detail == "3 guesses of m on 2 of 3 past questions"
    runs = past_runs.judge_past_runs(runs, table, "engine", None)
    assert list(runs) == store.columns("past_runs")
    assert runs["correct"].tolist() == [True, True, False]
    scored = past_runs.score_past_runs(runs, table, {"m": "Mine"}, 100, 1, 0.95)
    scored = scored[(scored["definition"] == "paper") & (scored["reduction"] == "exp_sum_logprob")]
    value = scored.set_index("metric")["value"]
    c = np.exp([-0.6, 0.0, -2.0])
    assert value["accuracy"] == pytest.approx(2 / 3)
    assert value["brier"] == pytest.approx(np.mean((c - [1, 1, 0]) ** 2))
    assert set(value.index) == {"accuracy", "brier", "ece", "mce"}
    with pytest.raises(DataError, match="one source of guesses per model"):
        other = tmp_path / "other.jsonl"
        other.write_text(json.dumps(RUN | {"qanta_id": 2}))
        past_runs.collect_past_runs(table, [(path, "m"), (other, "m")], [])
