"""The simulated study: its formats, its determinism, and that its parameters can be recovered."""

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from calscore.clues import segment
from calscore.core.errors import DataError
from calscore.raw.archive import read_members
from calscore.raw.safe_pickle import load_plain
from calscore.simulate import grace
from calscore.simulate.parameters import DEFAULTS, LIVE_MODELS, MODELS, SIZES, complete_parameters
from calscore.simulate.vocabulary import answer_bank as answers_by_category
from grace_release import ARCHIVE
from support import with_package

PICKLES = {"human_team_per_question.pkl", "human_model_team_per_question.pkl", "all_teams.pkl"}
FILES = {ARCHIVE, *PICKLES, "guesses.jsonl", "survey.csv", "truth.json"}
TEAMS = [f"H{i}" for i in range(1, 18)]
PLAYERS = [f"P{i:02d}" for i in range(1, 16)]
MARK = re.compile(r" \[([HM]\d+), ([+-])\]")


def packets_of(archive: Path) -> dict[int, list[dict]]:
    members = read_members(archive, password="buzzbuzz")
    return {int(re.search(r"packet(\d+)_", name)[1]): json.loads(b) for name, b in members.items()}


def digests(folder: Path) -> dict[str, str]:
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.iterdir()}


def logit(p):
    return np.log(p / (1 - p))


@pytest.fixture(scope="module")
def study():
    return grace.simulate_grace({}, seed=0)


@pytest.fixture(scope="module")
def folder(study, tmp_path_factory):
    path = tmp_path_factory.mktemp("demo") / "raw"
    grace.write_grace(study, path)
    return path


@pytest.fixture(scope="module")
def packets(folder):
    return packets_of(folder / ARCHIVE)


@pytest.fixture(scope="module")
def records(folder):
    return [json.loads(line) for line in (folder / "guesses.jsonl").open(encoding="utf-8")]


@pytest.fixture(scope="module")
def buzzes(packets):
    """Buzzes as the files tell them, with the number of words of the question."""
    rows = []
    for packet, questions in packets.items():
        for number, question in enumerate(questions, start=1):
            for entry in question["position"]:
                ((index, mark),) = entry.items()
                team, sign = MARK.fullmatch(" " + mark).groups()
                words = len(question["question"].split())
                rows.append((f"p{packet:02d}-q{number:02d}", packet, team, int(index), sign, words))
    table = pd.DataFrame(rows, columns=["question_id", "packet", "team", "word", "sign", "n"])
    table["human"] = table["team"].str.startswith("H")
    table["correct"] = table["sign"] == "+"
    return table


# --- Determinism ---


def test_same_seed_same_bytes_in_another_process_and_another_seed_differs(folder, tmp_path):
    code = (
        "import sys; from calscore.simulate import grace\n"
        "grace.write_grace(grace.simulate_grace({}, int(sys.argv[2])), sys.argv[1])"
    )
    env = with_package(PYTHONHASHSEED="7")
    for seed in ("0", "1"):
        command = [sys.executable, "-c", code, str(tmp_path / seed), seed]
        subprocess.run(command, env=env, check=True)
    assert digests(folder) == digests(tmp_path / "0")
    assert set(digests(folder)) == FILES
    other = digests(tmp_path / "1")
    assert set(other) == FILES
    # The list of teams is the same 20 names whatever the seed.
    same = {name for name in FILES if other[name] == digests(folder)[name]}
    assert same == {"all_teams.pkl"}


def test_defaults_are_not_changed_by_overrides():
    before = json.dumps(DEFAULTS)
    complete_parameters({"confidence": {"logit": {"M1": {"a": 9.0}}}, "team_packets": [9] * 17})
    assert json.dumps(DEFAULTS) == before


# --- Bad parameters ---


def test_every_bad_parameter_is_named_at_once():
    bad = {
        "human_slop": 3,
        "typo_rate": "often",
        "unparsable_replies": 1.5,
        "team_packets": [1.0],
        "confidence": {"logit": {"M9": {"a": 1.0}}, "verbalized": 3},
        "model_skill": {"M1": float("nan")},
    }
    with pytest.raises(DataError) as caught:
        grace.simulate_grace(bad, 0)
    named = {fault.column for fault in caught.value.faults}
    assert named == {*list(bad)[:3], "team_packets/0", "M9", "confidence/verbalized", "model_skill/M1"}  # fmt: skip
    assert "did you mean 'human_slope'?" in str(caught.value)


@pytest.mark.parametrize(
    "bad, named",
    [
        ({"typo_rate": 1.5}, "typo_rate"),
        ({"human_skill_sd": -1}, "human_skill_sd"),
        ({"human_slope": 0}, "human_slope"),
        ({"team_packets": [10] * 16}, "team_packets"),
        ({"team_packets": [11] * 17}, "team_packets"),
        ({"human_model_matches": 54}, "human_model_matches"),
        ({"human_model_matches": 555}, "human_model_matches"),
        ({"model_packets": {"M1": [3]}}, "model_packets"),
        ({"model_packets": {"M1": [1, 1, 2]}}, "model_packets.M1"),
        ({"text_chars_mean": 50}, "text_chars_mean"),
        ({"player_goes_on": -0.1}, "player_goes_on"),
        ({"packets": 1}, "packets"),
        ({"questions_per_packet": 21}, "questions_per_packet"),
        ({"exhibitions": 12}, "exhibitions"),
        ({"teams": 1}, "teams"),
        ({"models": 7}, "models"),
        ({"players": 0}, "players"),
        ({"survey_questions": 41}, "survey_questions"),
        ({"packets": 3, "team_packets": [3] * 17}, "team_packets"),
        *(({"seed": seed}, "seed") for seed in (-1, 1.5, True, "0")),
    ],
)
def test_parameters_and_seeds_out_of_range_are_refused(bad, named):
    parameters, seed = ({}, bad["seed"]) if "seed" in bad else (bad, 0)
    with pytest.raises(DataError) as caught:
        grace.simulate_grace(parameters, seed)
    assert named in {fault.column for fault in caught.value.faults}


# --- Questions ---


def test_bank_has_answers_for_every_category_and_no_look_alike_is_right():
    bank = answers_by_category()
    assert len(bank) == 20
    names = [answer.name for answers in bank.values() for answer in answers]
    assert len(names) >= 60
    assert len(set(names)) == len(names)
    for answers in bank.values():
        for answer in answers:
            right = {form.lower() for form in answer.right}
            others = {other.name.lower() for other in answers if other != answer}
            assert not right & ({form.lower() for form in answer.near} | others)
            assert answer.kind in "pelwt" and answer.noun.startswith("this ")
    shared = [
        set(near.lower().split()) & set(answer.name.lower().split())
        for answers in bank.values()
        for answer in answers
        for near in answer.near
    ]
    assert sum(map(bool, shared)) >= 30


def test_question_texts_are_distinct_invented_and_of_the_release_length(study):
    texts = study.questions["text"]
    assert len(texts) == texts.nunique() == 240
    opening = re.compile("invented|made-up|never happened|imaginary|fictional", re.IGNORECASE)
    for text in texts:
        spans = segment.sentence_spans(text)
        first, last = (text[slice(*spans[i])] for i in (0, -1))
        assert opening.search(first)
        assert last.startswith("For 10 points,") and "name this" in last
        assert "{" not in text and "  " not in text and "[" not in text
    chars = texts.str.len()
    assert chars.mean() == pytest.approx(613, abs=10)
    assert 0.15 < ((chars < 575) | (chars > 650)).mean() < 0.35
    assert 98 < study.questions["n_words"].mean() < 110
    assert 4.7 < np.mean([len(segment.sentence_spans(text)) for text in texts]) < 5.3
    per_question = study.guesses.groupby("question_id")["clue"].max()
    assert 7.5 < per_question.mean() < 10
    assert 11.5 < study.questions["n_words"].sum() / per_question.sum() < 14


def test_categories_are_stratified_as_in_the_release(packets):
    assert sorted(packets) == list(range(1, 13))
    found = Counter(q["category"] for packet in packets.values() for q in packet)
    sizes = Counter(found.values())
    assert sizes == {12: 16, 10: 3, 9: 1, 3: 1, 2: 3}
    for packet in packets.values():
        assert len(packet) == len({q["category"] for q in packet}) == 20
    indices = [q["tossup_index"] for packet in packets.values() for q in packet]
    assert len(set(indices)) == 240 and all(type(i) is int for i in indices)
    lines = " ".join(q["answer"] for packet in packets.values() for q in packet)
    for word in ("[or ", "accept ", "prompt on ", "before “", "reject "):
        assert word in lines


def test_packets_have_the_real_release_s_shape(packets, release_dir):
    real = packets_of(release_dir / ARCHIVE)
    assert sorted(real) == sorted(packets)
    mine, theirs = (
        Counter(q["category"] for packet in release.values() for q in packet) for release in (packets, real)
    )
    assert mine == theirs
    for simulated, genuine in zip(packets[3], real[3], strict=True):
        assert list(simulated) == list(genuine)
        assert list(map(type, simulated.values())) == list(map(type, genuine.values()))


# --- Buzzes ---


def test_totals_are_near_those_of_the_release(buzzes, study):
    human, model = buzzes[buzzes["human"]], buzzes[~buzzes["human"]]
    assert 1650 < len(buzzes) < 1850
    assert 1280 < len(human) < 1460
    assert 0.75 < human["correct"].mean() < 0.83
    assert 0.65 < model["correct"].mean() < 0.75
    assert 10 <= 240 - human["question_id"].nunique() <= 15
    middles = (human["word"] / (human["n"] - 1)).groupby(human["team"]).median()
    assert 0.7 < middles.median() < 0.9
    counts = human.groupby("team").size()
    assert len(counts) == 17 and counts.max() > 5 * counts.min()
    sides = study.rooms[["side_a", "side_b"]].stack()
    against = sides.str.startswith("M").sum()
    assert (len(study.rooms), against) == (93, 55)
    packets = study.rooms.melt("packet").drop_duplicates(["packet", "value"])
    played = packets.groupby("value").size()[list(TEAMS)]
    assert played.min() == 1 and played.max() <= 12
    human_sides = study.rooms.melt("packet")
    human_sides = human_sides[human_sides["value"].str.startswith("H")]
    assert not human_sides.duplicated(["packet", "value"]).any(), "one match per packet and team"


def test_rooms_follow_the_rules_of_the_game(study, buzzes):
    by_question = {key: part for key, part in buzzes.groupby("question_id")}
    ties = both = 0
    for question in study.questions.itertuples():
        part = by_question.get(question.question_id)
        if part is None:
            continue
        assert not part["team"].duplicated().any()
        assert part["word"].is_monotonic_increasing
        place = part.set_index("team")
        ties += part["word"].duplicated().any()
        for room in study.rooms[study.rooms["packet"] == question.packet].itertuples():
            sides = [s for s in (room.side_a, room.side_b) if s in place.index]
            # A model's buzz may come from another room, so the rule is read off human rooms.
            if any(side.startswith("M") for side in (room.side_a, room.side_b)):
                continue
            sides.sort(key=lambda side: place["word"][side])
            if len(sides) == 2:
                both += 1
                early, late = (place["correct"][side] for side in sides)
                same = place["word"][sides[0]] == place["word"][sides[1]]
                assert not (early and late)
                assert not early or same, "a right buzz ends the question"
    assert ties > 50 and both > 50


# --- Guesses ---


def test_right_guesses_vary_and_wrong_ones_stay_in_the_category(study):
    bank = answers_by_category()
    answers = {a.name: (category, a) for category, group in bank.items() for a in group}
    forms: dict[str, set[str]] = {}
    near = 0
    logit_guesses = study.guesses[study.guesses["elicitation"] == "logit"]
    for row in logit_guesses.itertuples():
        category, answer = answers[study.truth["questions"][row.question_id]["answer"]]
        if row.correct:
            forms.setdefault(answer.name, set()).add(row.guess)
            assert sorted(row.guess.lower()) in [sorted(f.lower()) for f in answer.right]
        else:
            near += row.guess in answer.near
            others = {other.name for other in bank[category] if other != answer}
            assert row.guess in others | set(answer.near)
    share = near / (~logit_guesses["correct"]).sum()
    assert share == pytest.approx(DEFAULTS["near_miss_rate"], abs=0.03)
    assert np.mean([len(found) for found in forms.values()]) > 3


def test_live_models_buzz_where_their_written_guesses_say(records, buzzes):
    bound = DEFAULTS["buzz_threshold"]
    first = {}
    for r in records:
        live = r["elicitation"] == "logit" and r["model"] in bound
        if live and np.mean(r["token_logprobs"]) > bound[r["model"]]:
            first.setdefault((r["question_id"], r["model"]), r["position"])
    live = buzzes[~buzzes["human"]]
    assert len(live) > 300
    for buzz in live.itertuples():
        assert first[buzz.question_id, buzz.team] - 1 == buzz.word


# --- The survey ---


def test_survey_rows_are_complete(folder, study):
    raw = pd.read_csv(folder / "survey.csv", keep_default_na=False)
    assert list(raw) == ["player", "question_id", "clue", "position", "guess", "buzz"]
    asked = raw[["player", "question_id"]].drop_duplicates()
    assert asked.groupby("player").size().tolist() == [37] * 15
    assert asked["question_id"].nunique() == 37
    clue = study.guesses.drop_duplicates(["question_id", "clue"])
    expected = clue.set_index(["question_id", "clue"])["position"]
    keys = pd.MultiIndex.from_frame(raw[["question_id", "clue"]])
    assert (expected[keys].to_numpy() == raw["position"].to_numpy()).all()
    assert len(raw) == 15 * expected.index.get_level_values(0).isin(asked["question_id"]).sum()
    assert set(raw["buzz"]) == {0, 1}
    assert 0.2 < (raw["guess"] == "").mean() < 0.6
    goes_on = raw["player"].map({p: one["goes_on"] for p, one in study.truth["players"].items()})
    again = raw.groupby(["player", "question_id"])["buzz"].cumsum() > 1
    assert set(again[~goes_on]) == {False} and again[goes_on].any()
    earlier = raw.groupby(["player", "question_id"])["buzz"].cummax() > raw["buzz"]
    assert (raw.loc[earlier, "guess"] == "").all() and earlier.any()


def test_survey_players_buzz_when_right_more_than_when_wrong_and_skill_shows(study):
    survey = study.survey.merge(
        study.questions[["question_id", "n_words"]], on="question_id", validate="many_to_one"
    )
    before = survey.groupby(["player", "question_id"])["buzz"].cumsum() - survey["buzz"] == 0
    written = survey[before & (survey["guess"] != "")]
    right, wrong = written[written["correct"]], written[~written["correct"]]
    assert right["buzz"].mean() > 0.5 > 0.2 > wrong["buzz"].mean()
    first = survey[survey["buzz"] == 1].drop_duplicates(["player", "question_id"])
    score = first.groupby("player")["correct"].sum().reindex(PLAYERS)
    skill = pd.Series({p: one["skill"] for p, one in study.truth["players"].items()})
    assert skill.corr(score, method="pearson") > 0.8
    slips = survey.assign(now=survey["correct"] & before)
    known = slips.groupby(["player", "question_id"])["now"].cummax()
    contradictions = known & ~survey["correct"] & (survey["guess"] != "")
    assert 3 < contradictions.sum() < 100


# --- The world ---


def test_team_skill_is_recovered_from_correct_buzzes_per_question_heard(folder, packets, buzzes):
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    heard = Counter(
        team
        for row in load_plain(folder / "human_team_per_question.pkl")
        for team in row["total_human_teams"]
    )
    right = buzzes[buzzes["correct"]].groupby("team").size()
    rate = pd.Series({team: right.get(team, 0) / heard[team] for team in TEAMS})
    skill = pd.Series({team: truth["teams"][team]["skill"] for team in TEAMS})
    assert rate.rank().corr(skill.rank()) > 0.8


def test_confidence_parameters_are_recovered(study):
    usable = study.guesses[study.guesses["parsable"]]
    for (model, elicitation), part in usable.groupby(["model", "elicitation"]):
        true = study.truth["parameters"]["confidence"][elicitation][model]
        b, a = np.polyfit(logit(part["posterior"]), logit(part["confidence"]), 1)
        assert b == pytest.approx(true["b"], abs=0.03)
        assert a == pytest.approx(true["a"], abs=0.06)


def test_the_posterior_behind_the_confidence_is_calibrated(study):
    usable = study.guesses[study.guesses["parsable"]]
    bins = pd.cut(usable["posterior"], np.linspace(0, 1, 11), labels=False)
    means = usable.groupby(bins)[["posterior", "correct"]].mean()
    assert (means["posterior"] - means["correct"]).abs().max() < 0.05
    prior = usable.groupby(pd.cut(usable["p"], np.linspace(0, 1, 11), labels=False))
    gap = prior["p"].mean() - prior["correct"].mean()
    assert gap.abs().max() < 0.06


def test_truth_holds_every_parameter_and_what_was_meant(folder, study):
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    assert truth["simulated"] is True and truth["seed"] == 0
    assert truth["parameters"] == DEFAULTS
    assert set(truth["teams"]) == set(TEAMS)
    assert set(truth["models"]) == set(MODELS)
    assert set(truth["players"]) == set(PLAYERS)
    assert len(truth["questions"]) == 240
    spread = np.std([one["difficulty"] for one in truth["questions"].values()])
    assert spread == pytest.approx(1.0, abs=0.02)
    meant = truth["correct"]["logit"]["M2"]
    part = study.guesses.query("elicitation == 'logit' and model == 'M2'")
    assert "".join(meant.values()) == "".join(part["correct"].astype(int).astype(str))
    assert truth["packets_played"] == {
        team: sorted({r.packet for r in study.rooms.itertuples() if team in (r.side_a, r.side_b)})
        for team in TEAMS
    }


# --- Sizes ---

SMALL = {"packets": 2, "questions_per_packet": 3}


@pytest.mark.parametrize(
    "sizes",
    [
        SMALL,
        SMALL | {"questions_per_packet": 1, "teams": 2, "models": 1, "players": 1},
        SMALL | {"teams": 5, "models": 2, "players": 4, "survey_questions": 2},
        {"packets": 5, "exhibitions": 3, "teams": 6},
        {"packets": 14, "questions_per_packet": 2, "teams": 21},
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_a_study_of_any_size_follows_the_rules_of_the_usual_one(sizes, seed, tmp_path):
    small = grace.simulate_grace(sizes, seed)
    values = SIZES | sizes
    count = values["packets"] * values["questions_per_packet"]
    assert len(small.questions) == small.questions["text"].nunique() == count
    categories = small.questions.groupby("packet")["category"].nunique()
    assert set(categories) == {values["questions_per_packet"]}
    assert set(small.guesses["question_id"]) == set(small.questions["question_id"])
    assert small.guesses["model"].nunique() == values["models"]
    assert small.survey["player"].nunique() == values["players"]
    assert len(small.truth["teams"]) == values["teams"]
    sides = small.rooms.melt("packet")
    assert set(small.rooms["packet"]) == set(range(1, values["packets"] + 1))
    human = sides[sides["value"].str.startswith("H")]
    assert not human.duplicated(["packet", "value"]).any()
    known = {*small.truth["teams"], *LIVE_MODELS[: values["models"]]}
    assert set(small.buzzes["team"]) <= set(sides["value"]) <= known
    grace.write_grace(small, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == FILES
    asked = {name: size for name, size in sizes.items() if size != SIZES[name]}
    assert asked.items() <= small.truth["parameters"].items()


def test_the_usual_sizes_change_nothing_when_they_are_asked_for():
    assert complete_parameters(dict(SIZES)) == complete_parameters({}) == DEFAULTS | SIZES
