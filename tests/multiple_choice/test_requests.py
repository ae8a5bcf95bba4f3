"""Asking with and without options: stored orders, replies as models write them, verdicts, wrong answers."""

import json
import re

import pandas as pd
import pytest
import yaml
from calscore.core import store
from calscore.core.errors import DataError
from calscore.multiple_choice import option_files, option_requests
from calscore.raw.parse_replies import read_reply
from calscore.simulate import choices
from option_rows import FILES, QUESTION_FILE
from support import ROOT, run_snakemake, workspace

PROMPTS = {
    path.stem.removeprefix("options_"): path.read_text(encoding="utf-8")
    for path in (ROOT / "workflow" / "calscore" / "data" / "prompts").glob("options_*.txt")
}


@pytest.fixture(scope="module")
def raw(tmp_path_factory):
    folder = tmp_path_factory.mktemp("raw")
    sizes = {"questions": 12, "annotators": {"answers": 3}}
    choices.write_choices(choices.simulate_choices(sizes, 5), folder)
    return folder / "options" / "questions.csv"


@pytest.fixture(scope="module")
def questions(raw):
    return option_files.read_questions(raw)[0]


def test_prompts_name_their_fields_and_no_others():
    fields = {name: set(re.findall(r"\{\{(\w+)\}\}", text)) for name, text in PROMPTS.items()}
    assert fields == {
        "normal": {"question"},
        "distractor": {"question", "options"},
        "generation": {"question", "answer"},
        "judge": {"question", "answer", "predicted"},
    }


def test_a_field_may_hold_braces():
    text = option_requests.prompt("distractor", question="{{options}}", options="x")
    assert text == PROMPTS["distractor"].replace("{{options}}", "x").replace("{{question}}", "{{options}}")  # fmt: skip


def test_options_hold_the_answer_once_and_no_fault(questions):
    orders = option_requests.option_orders(questions, 1)
    for one in questions.itertuples():
        options = orders[one.row]
        assert options.count(one.answer) == 1
        assert "" not in options and len(set(options)) == len(options)
    assert {len(options) for options in orders.values()} == {3, 4}


def test_the_order_of_a_row_is_its_own(questions):
    whole, part = (option_requests.option_orders(rows, 1) for rows in (questions, questions.iloc[3:7]))
    assert all(whole[row] == options for row, options in part.items())
    assert whole != option_requests.option_orders(questions, 2)


@pytest.fixture(scope="module")
def published(folder):
    """The published questions, and an order of options for each row."""
    table, _ = option_files.read_questions(folder / QUESTION_FILE)
    return table, option_requests.option_orders(table, 0)


def test_the_answer_stands_at_every_place(published):
    table, orders = published
    places = [orders[one.row].index(one.answer.strip()) for one in table.itertuples()]
    shares = pd.Series(places).value_counts(normalize=True)
    assert len(shares) == 4
    assert shares.between(0.22, 0.28).all()
    assert "nan" not in {text for options in orders.values() for text in options}


def test_requests_store_the_order(questions):
    requests = option_requests.plan(questions, 1)
    assert len(requests) == len({one["id"] for one in requests}) == 24
    one = next(r for r in requests if r["setting"] == "distractor")
    shown = one["prompt"].split("Options: ")[-1].split("\n\nProvide")[0]
    assert [line.removeprefix("- ") for line in shown.strip().splitlines()] == one["options"]
    assert "options" not in next(r for r in requests if r["setting"] == "normal")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"answer": "Paris", "confidence_score": 91}', ("Paris", 91)),
        ('```json\n{"answer": "Paris",\n "confidence_score": "91%"}\n```', ("Paris", 91)),
        ('{"answer": 1945, "confidence_score": 80.5}', ("1945", 80.5)),
        ('{"answer": "Paris", "confidence_score": 191}', ("Paris", None)),
        ('{"answer": "Paris", "confidence_score": null}', ("Paris", None)),
        ('{"answer": "Paris", "confidence_score": true}', ("Paris", None)),
        ("Answer: Paris\nConfidence score: 91", ("Paris", 91)),
        ("Answer: Paris\nConfidence: 87%", ("Paris", 87)),
        ("The answer is: Paris\nProbability: 0.8", ("Paris", 80)),
        ("Paris", ("Paris", None)),
        ("", (None, None)),
    ],
)
def test_replies_as_models_write_them(reply, expected):
    assert option_requests.parse_answer(reply) == expected


# The prompt asks for a number between 0 and 100; ranges, bounds and two numbers are none, shares are one.
STATED = {
    "80": 80, "80.5": 80.5, "85,5": 85.5, "80%": 80, "100": 100, "0": 0, "1": 1, "0.9": 0.9, ".9": 0.9,
    "9/10": 90, "80/100": 80, "80 out of 100": 80, "8.5/10": 85, "300/100": None, "150%": None, "110": None,
    "80-90": None, "80–90%": None, "80% to 90%": None, "80 or 90": None, "between 80 and 90": None,
    ">90": None, "over 90": None, "up to 90": None, "90+": None, "90 or more": None, "-5": None, "high": None,
    "80±5": None, "80 ± 5 %": None, "80% ± 5%": None, "80 (± 5)": None, "50±50": None, "80 plus or minus 5": None,
    "90, 95": None, "80 90": None, "80% and 90%": None, "85 [70, 95]": None, "80/100, 90/100": None, "80..90": None,
    "eighty to ninety": None, "1,000": None, "1,000%": None, "1,000,000": None, "1 000": None, "0,875": 0.875,
    "80/100 (80%)": 80, "80, since 2 clues fit": 80, "80. 2 clues fit": 80, "80 (high)": 80,
}  # fmt: skip


@pytest.mark.parametrize(("phrase", "confidence"), STATED.items())
def test_a_stated_confidence_is_one_number_or_none(phrase, confidence):
    for reply in (
        f"Paris\nConfidence score: {phrase}",
        json.dumps({"answer": "Paris", "confidence": phrase}),
    ):
        assert option_requests.parse_answer(reply) == ("Paris", confidence)
        raw = read_reply(reply)  # which asks for 0 to 1
        if confidence is None or "/" in phrase or "%" in phrase or "out of" in phrase:
            assert raw.probability == (confidence if confidence is None else confidence / 100)


def test_what_cannot_be_read_is_listed(questions):
    requests = option_requests.plan(questions, 1)[:4]
    texts = ['{"answer": "x", "confidence_score": 50}', "no idea", '{"answer": "", "confidence_score": 0.5}']  # fmt: skip
    replies = [{"id": of["id"], "reply": text} for of, text in zip(requests, texts, strict=False)]
    answers, found = option_requests.parse_answers(requests, replies, "m")
    assert [one["predicted_answer"] for one in answers] == ["x", ""]
    findings = ["unreadable reply", "confidence below 1", "requests without a reply"]
    assert [one.finding for one in found] == findings


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "normal/0"}', "row 1, column reply: found None, expected text"),
        ('{"id": "normal/99", "reply": "x"}', "expected an id of the requests"),
        ("[1]", "expected a JSON object"),
        ("{", "expected a JSON object"),
        ('{"id": "normal/0", "reply": "x"}\n' * 2, "expected an id that occurs once"),
    ],
)
def test_malformed_replies_are_one_clear_error(tmp_path, line, message):
    path = tmp_path / "replies.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(DataError) as error:
        option_requests.read_lines(path, "reply", {"normal/0"})
    assert len(error.value.faults) == 1
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("answer", "options", "output"),
    [
        ("Michio Sugeno", None, 1),
        ("It was Michio Sugeno.", None, 1),
        ("Geoffrey Hinton", None, 0),
        ("I do not know.", None, -1),
        ("There is no definitive record.", None, -1),
        ("", None, -1),
        ("michio sugeno.", ["Geoffrey Hinton", "Michio Sugeno"], 1),
        ("Geoffrey Hinton", ["Geoffrey Hinton", "Michio Sugeno"], 0),
        ("I'm not sure", ["Geoffrey Hinton", "Michio Sugeno"], -1),
    ],
)
def test_the_engine_judges(answer, options, output):
    question = "Who received the award in 2010?"
    assert option_requests.engine_verdict(question, "Michio Sugeno", answer, options) == output


def test_a_chosen_option_is_not_mistaken_for_one_that_resembles_it():
    day, month = "15 March 1985", "March 1985"
    assert option_requests.engine_verdict("When was it signed?", day, month, [day, month]) == 0
    assert option_requests.engine_verdict("When was it signed?", day, month) == 1


def test_the_engine_agrees_with_the_published_judge(published, folder):
    """On the 40 published answers, of which the judge's own verdicts are known."""
    _, orders = published
    agreed = []
    for setting, name in FILES.items():
        for key, one in json.loads((folder / name).read_text(encoding="utf-8")).items():
            options = orders[int(key)] if setting == "distractor" else None
            asked = (one[name] for name in ("question", "gold_answer", "predicted_answer"))
            agreed.append(option_requests.engine_verdict(*asked, options) == one["output"])
    assert len(agreed) == 40
    assert sum(agreed) >= 38


@pytest.mark.parametrize(
    ("reply", "output"),
    [
        ("CORRECT", 1),
        ("incorrect.", 0),
        ("Verdict: NOT_ATTEMPTED", -1),
        ("not attempted", -1),
        ("B", 0),
        ('{"label": "A"}', 1),
        ("CORRECT or INCORRECT", None),
        ("A good answer", None),
        ("", None),
    ],
)
def test_verdicts_of_a_judge_model(reply, output):
    assert option_requests.model_verdict(reply) == output


@pytest.mark.parametrize(
    ("answer", "wrong", "fault"),
    [
        ("Paris", ["Lyon", "Nice", "Brest"], None),
        ("1945", ["1943", "1944", "1946"], None),
        ("Paris", ["Lyon", "Nice"], "not three"),
        ("Paris", "Lyon", "not three"),
        ("Paris", ["Lyon", "Nice", " "], "empty"),
        ("Paris", ["Lyon", "Nice", None], "empty"),
        ("Paris", ["Lyon", "paris.", "Brest"], "equal to the answer"),
        ("Paris", ["Lyon", "lyon", "Brest"], "repeat"),
        ("Henry VIII", ["Henry the Eighth", "Henry VII", "Henry IX"], "in other words"),
        ("1945", ["1943", "last year", "1946"], "no digits"),
    ],
)
def test_wrong_answers_are_validated(answer, wrong, fault):
    found = option_requests.distractor_faults(answer, wrong)
    assert (found == []) if fault is None else (len(found) == 1 and fault in found[0])


def test_wrong_answers_become_a_question_file(questions, tmp_path):
    wrong = {row: [f"{row} x", f"{row} y", f"{row} z"] for row in questions["row"][:-2]}
    replies = [
        {"id": str(row), "reply": json.dumps({"wrong_answers": texts})} for row, texts in wrong.items()
    ]
    replies.append({"id": str(questions["row"].iloc[-2]), "reply": "sorry"})
    bare = questions["row"] < 1
    questions = questions.assign(
        topic=questions["topic"].mask(bare), answer_type=questions["answer_type"].mask(bare)
    )
    table, found = option_requests.read_distractors(questions, replies)
    assert [one.detail.split(":")[0] for one in found] == ["not three wrong answers", "no reply"]
    path = tmp_path / "questions.csv"
    store.write_csv(option_requests.as_published(table), path)
    again, _ = option_files.read_questions(path)
    columns = ["question", "answer", "topic", "answer_type", "wrong_1", "wrong_3"]
    first, second = (one[columns].astype(object).fillna("") for one in (again, table))
    assert first.equals(second)


def test_from_requests_to_results(raw, questions, tmp_path):
    """Plan, reply as a model that is right on even rows, judge by the engine and by a model."""
    work = workspace(tmp_path / "ask")
    replies, verdicts = work / "replies.jsonl", work / "verdicts.jsonl"
    entry = {"model": "mine", "path": str(replies)}
    inputs = {
        "option_questions": {"name": raw.name},
        "results_dir": str(raw.parent),
        "option_replies": [entry, entry | {"judging": "own", "verdicts": str(verdicts)}],
    }
    study = {"analyses": ["options"], "inputs": inputs}
    (work / "ask.yaml").write_text(yaml.safe_dump({"studies": {"ask": study}}))

    def run(*targets):
        paths = [f"results/ask/{target}" for target in targets]
        run_snakemake(*paths, "--configfile", "ask.yaml", cwd=work)

    run("asked/option_requests.jsonl")
    asked = work / "results" / "ask" / "asked"
    requests = option_requests.read_lines(asked / "option_requests.jsonl", "prompt")
    answers = questions["answer"].where(questions["row"] % 2 == 0, "I do not know.")
    given = [
        {"id": one["id"], "reply": json.dumps({"answer": answers[one["row"]], "confidence_score": 60})}
        for one in requests
    ]  # fmt: skip
    replies.write_text(option_requests.lines(given))
    run("asked/mine_own_verdict_requests.jsonl")
    planned = option_requests.read_lines(asked / "mine_own_verdict_requests.jsonl", "prompt")
    assert len(planned) == 24
    assert "Gold target: " in planned[0]["prompt"]
    judged = [{"id": one["id"], "reply": "CORRECT"} for one in planned]
    verdicts.write_text(option_requests.lines(judged))
    run("tidy/option_results.parquet", "audit/findings/options.csv")
    results = store.read(work / "results" / "ask" / "tidy" / "option_results.parquet")
    outputs = results.groupby(["judging", "setting"])["output"].value_counts().to_dict()
    assert outputs == {
        (judging, setting, output): n
        for setting in ("normal", "distractor")
        for judging, output, n in (("shared", 1, 6), ("shared", -1, 6), ("own", 1, 12))
    }
    document = json.loads((asked / "mine_shared_distractors_results.json").read_text())
    orders = {str(one["row"]): one["options"] for one in requests if "options" in one}
    assert {key: entry["options"] for key, entry in document.items()} == orders
