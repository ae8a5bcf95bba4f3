"""The guessers as a user runs them: a plan, a failing run, the rest of it, and nothing paid twice."""

import copy

import pandas as pd
import pytest
import yaml
from calscore.core import store
from calscore.core.errors import DataError
from calscore.runner import config
from flows.endpoints import KEY
from support import ROOT

GRACE = [yaml.safe_load((ROOT / "config" / name).read_text(encoding="utf-8")) for name in ("grace.yaml", "grace-models.yaml")]  # fmt: skip


def merged():
    """The release's configuration with the models' laid over it, as Snakemake does."""
    raw = copy.deepcopy(GRACE[0])
    raw["options"]["models"] |= GRACE[1]["options"]["models"]
    raw["studies"]["grace"]["inputs"] |= copy.deepcopy(GRACE[1]["studies"]["grace"]["inputs"])
    return raw


def test_the_baseline_is_off_by_default():
    study = config.load(copy.deepcopy(GRACE[0]))["grace"]
    assert study["inputs"]["guessers"] == []
    assert study["inputs"]["corpus"] is None
    without = config.study_features(study)
    study = config.load(merged())["grace"]
    assert config.study_features(study) == without | {"guesses", "past", "replayed"}
    assert study["inputs"]["corpus"]["path"] is None
    given = config.load(merged() | {"corpus": "c.json", "past_runs": "r.jsonl"})["grace"]["inputs"]
    assert given["corpus"]["path"] == "c.json"
    assert given["past_runs"] == [{"path": "r.jsonl", "model": "GPT-past"}]


OPENAI = {"name": "mine", "kind": "openai", "base_url": "http://x/v1", "model": "m"}


@pytest.mark.parametrize(
    ("guesser", "message"),
    [
        ({"name": "mine", "kind": "openai", "model": "m"}, "base_url"),
        ({"name": "mine", "kind": "file"}, "path"),
        (OPENAI | {"kind": "opneai"}, "did you mean 'openai'"),
        (OPENAI | {"temprature": 1}, "temprature"),
        (OPENAI | {"name": "tfidf"}, "a name that occurs once"),
        (OPENAI | {"api_key": KEY}, r"api_key: found '\(hidden\)'"),
        (OPENAI | {"key_env": KEY}, r"key_env: found '\(hidden\)'"),
        (OPENAI | {"base_url": f"https://me:{KEY}@host/v1"}, r"row .*/mine, column base_url: found '\(hidden\)'"),
        (OPENAI | {"base_url": f"https://me:{KEY}@ho st/v1"}, r"column base_url: found '\(hidden\)'"),
        (OPENAI | {"base_url": "host/v1"}, "an address that starts with https://"),
        (OPENAI | {"extra": {"api_key": KEY}}, "a key goes into key_env"),
        (OPENAI | {"extra": {"extra_headers": {"Authorization": KEY}}}, "a key goes into key_env"),
        (OPENAI | {"extra": {"extra_body": {"api_key": KEY}}}, "column .*/extra/extra_body: .*a key goes into key_env"),
        (OPENAI | {"extra": {"tools": [{"a": [{"client_secret": KEY}]}]}}, "tools/0/a/0: .*a key goes into key_env"),
        (OPENAI | {"extra": {"a": {"access_token": KEY}}}, "extra/a: .*a key goes into key_env"),
        (OPENAI | {"extra": {"messages": []}}, "a further parameter of the request"),
    ],
)  # fmt: skip
def test_a_bad_guesser_is_named_without_its_key(guesser, message):
    raw = merged()
    raw["studies"]["grace"]["inputs"]["guessers"].append(guesser)
    with pytest.raises(DataError, match=message) as error:
        config.load(raw)
    assert KEY not in str(error.value)


def test_guessers_that_retrieve_need_past_questions():
    raw = merged()
    raw["studies"]["grace"]["inputs"].pop("corpus")
    with pytest.raises(DataError, match="past questions, for the guesser tfidf"):
        config.load(raw)
    raw["studies"]["grace"]["inputs"]["guessers"] = [OPENAI | {"examples": 0}]
    assert "endpoint" in config.study_features(config.load(raw)["grace"])


def test_the_baseline_on_the_real_release(baseline):
    table1 = pd.read_csv(baseline / "tables" / "table1.csv")
    assert table1["name"].unique().tolist() == ["TF-IDF baseline"]
    for name in ("table2", "table5", "judges", "accuracy_by_share", "buzz_given", "thresholds"):
        table = pd.read_csv(baseline / "tables" / f"{name}.csv")
        assert table.astype("str").isin(["tfidf"]).any().any(), name
    for name in ("figure5", "figure6", "reliability", "calscore_by_category", "expected_wins", "matches"):  # fmt: skip
        text = (baseline / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        assert "TF-IDF baseline" in text, name
    guesses = store.read(baseline / "tidy" / "guesses.parquet")
    past = store.read(baseline / "past" / "past_questions.parquet")
    assert set(guesses["guess"]) <= set(past["title"])
    right = store.read(baseline / "judged" / "judgements.parquet").query("verdict == 'accept'")
    # Few answers of the release are among those of the past questions.
    assert 10 <= right["question_id"].nunique() <= 40


def test_real_runs_on_past_questions(baseline):
    scores = pd.read_csv(baseline / "tables" / "past_scores.csv")
    assert set(scores["reduction"]) == {
        "mean_prob",
        "exp_mean_logprob",
        "exp_sum_logprob",
        "stated",
    }
    rules = pd.read_csv(baseline / "tables" / "thresholds.csv")
    mine = rules[(rules["model"] == "GPT-past") & (rules["opponents"] == "protobowl")]
    mine = mine.set_index("rule")
    assert {"given -0.03", "given -0.05", "tuned", "trained"} <= set(mine.index)
    assert mine["questions"].eq(1152).all()
    assert mine.loc["tuned", "flat_low"] < -0.06 < mine.loc["tuned", "flat_high"]
    assert mine.loc["trained", "expected_wins"] > mine.loc["tuned", "high"]
    found = pd.read_csv(baseline / "audit" / "findings.csv")
    assert (found["finding"] == "two runs after the same word").sum() == 8
