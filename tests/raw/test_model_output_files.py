"""The authors' model outputs: guesses, the buzzes they hold, their numbers, and where they come from."""

import hashlib
import json
import re
from collections import Counter

import pandas as pd
import pytest
from calscore.core import store
from calscore.core.errors import DataError
from calscore.raw import (
    archive,
    checks,
    fetch,
    formats,
    guess_sources,
    guesses,
    model_output_files,
    parse_replies,
    release,
)
from calscore.runner import config
from support import ROOT, TEXT, run_snakemake, serving, workspace


def runs(*items):
    words = TEXT.split()
    return [
        {
            "run": " ".join(words[:n]),
            "guess": g,
            "conf": c,
            "correctness": ok,
            **({"buzzed": b} if b is not None else {}),
        }
        for n, g, c, ok, b in items
    ]


def packet(tmp_path, *documents):
    for number, document in enumerate(documents, start=1):
        (tmp_path / f"packet{number}_model_human_output.json").write_text(json.dumps(document))
    return tmp_path


def test_guesses(questions, tmp_path):
    question = {
        "tossup_index": 17,
        "question": TEXT,
        "position": [],
        "M1": runs((4, "a", -0.5, False, False), (10, "x", -0.01, True, True)),
        "M4": runs((4, "Guess: b", -0.2, False, None), (10, None, -2, False, None)),
    }
    stranger = {
        "tossup_index": 99,
        "M1": [{"run": "Not here.", "guess": "z", "conf": -1, "correctness": False}],
    }
    rows, findings = model_output_files.parse_guesses(
        packet(tmp_path, [question, stranger]), questions, "logit"
    )
    table = guesses.guess_table(rows)
    assert table["question_id"].unique().tolist() == ["p01-q01"]
    assert table["position"].tolist() == [4, 10, 4, 10]
    assert table["guess"].tolist()[:3] == ["a", "x", "b"]
    assert table["sent"].tolist()[2] == "Guess: b"
    assert table["mean_logprob"].tolist() == [-0.5, -0.01, -0.2, -2.0]
    assert table["correct_given"].tolist() == [False, True, False, False]
    assert table["buzzed"].isna().tolist() == [False, False, True, True]
    assert [f.finding for f in findings] == ["question not in the study"]
    assert set(guesses.reduced_confidences(table)["reduction"]) == {"exp_mean_logprob"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"conf": 0.3},
            r"packet1_model_human_output.json, row question 1, M1, run 1, column conf: found 0\.3, expected a natural logarithm",
        ),
        ({"conf": "high"}, "column M1/0/conf: found 'high', expected a number"),
        ({"correctness": None}, "expected true or false"),
        ({"run": TEXT + " and more words"}, "at most 10 words"),
    ],
)
def test_bad_input(questions, tmp_path, change, message):
    one = runs((4, "a", -0.5, False, None), (10, "x", -0.1, True, None))
    one[0] = one[0] | change
    folder = packet(tmp_path, [{"tossup_index": 17, "M1": one}])
    with pytest.raises(DataError, match=message):
        model_output_files.parse_guesses(folder, questions, "logit")


def test_no_files(questions, tmp_path):
    with pytest.raises(DataError, match="packetN_model_human_output.json"):
        model_output_files.parse_guesses(tmp_path, questions, "logit")


def test_the_files_that_are_listed_are_those_that_are_read(tmp_path):
    (packet(tmp_path, [{"tossup_index": 1}]) / "summary_model_human_output.json").write_text("[]")
    listed = formats.local_files([{"path": str(tmp_path), "format": "model_output"}])
    read = [name for name, *_ in model_output_files.read_documents(tmp_path)]
    assert listed == [str(tmp_path / name) for name in read] == [str(tmp_path / NAME)]


ENTRIES = [
    ("p01-q01", "H1", "human", 3, False),
    ("p01-q01", "M2", "model", 3, True),
    ("p01-q01", "H2", "human", 12, True),
]


@pytest.mark.parametrize(
    "position",
    [
        {"3": ["[H1, -]", "[M2, +]"], "12": ["[H2, +]"]},
        [{"3": "[H1, -]"}, {"3": "[M2, +]"}, {"12": "[H2, +]"}],
    ],
    ids=["marks by word", "one by one, as in the release"],
)
def test_buzzes(questions, tmp_path, position):
    one = {"tossup_index": 17, "position": position, "M1": runs((10, "a", -1, False, None))}
    rows, findings = model_output_files.parse_buzzes(packet(tmp_path, [one]), questions)
    key = ("question_id", "team", "kind", "word_index", "correct")
    assert [tuple(row[k] for k in key) for row in rows] == ENTRIES
    assert [row["source_row"] for row in rows] == [
        f"packet1_model_human_output.json#1/position/{n}" for n in (1, 2, 3)
    ]
    assert [(f.finding, f.place) for f in findings] == [
        ("buzz past the end", "p01-q01"),
        ("question without buzzes", "p01-q02"),
    ]


def test_what_is_odd_in_buzzes(questions, tmp_path):
    one = {"tossup_index": 17, "position": [{"3": ["[H1, -]", "[H1, -]"]}, {"5": "[H1, +]"}]}
    none = {"tossup_index": 18, "position": {}}
    rows, findings = model_output_files.parse_buzzes(packet(tmp_path, [one, none]), questions)
    assert [row["word_index"] for row in rows] == [3, 5]
    assert [(f.finding, f.place) for f in findings] == [
        ("buzz written twice", "p01-q01"),
        ("team buzzed more than once", "p01-q01"),
        ("no human buzz", "p01-q02"),
    ]


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"3": ["[X1, -]"]}, r"column position/3: found \['\[X1, -\]'\], expected \[H<number>"),
        ({"third": ["[H1, -]"]}, "a 0-based word index"),
        ([{"3": 4}], r"expected \[H<number> or M<number>, \+ or -\]"),
        ("[H1, -]", "expected buzzes by word index"),
        ({"3": ["[H1, -]", "[H1, +]"]}, "expected one mark of H1 at word 3"),
    ],
)
def test_bad_entries(questions, tmp_path, position, message):
    folder = packet(tmp_path, [{"tossup_index": 17, "position": position}])
    with pytest.raises(DataError, match=message):
        model_output_files.parse_buzzes(folder, questions)


def test_the_two_sets_are_held_against_each_other():
    def rows(*entries):
        names = ("question_id", "team", "word_index", "correct")
        return [dict(zip(names, one, strict=True)) for one in entries]

    mine = rows(("q1", "H1", 3, True), ("q1", "H2", 4, True), ("q2", "H1", 5, True))
    theirs = rows(("q1", "H1", 3, True), ("q2", "H1", 5, False), ("q3", "H1", 1, True))
    found = model_output_files.buzz_set_difference(mine, theirs, 4, "release")
    assert found.detail == (
        "3 of 4 questions differ by a buzz or its word: 2 buzzes stand only in the outputs, 2 only in the release, 1 in both"
    )
    assert found.handling == "the release's buzzes are used (human_buzzes: release)"
    assert (
        "the outputs' buzzes" in model_output_files.buzz_set_difference(mine, theirs, 4, "outputs").handling
    )


DOCUMENT = [
    {
        "tossup_index": "exh-1",
        "M2": runs((4, "a", -0.5, False, None)),
        "M1": runs((4, "a", -1, True, None), (10, "b", -0.0, False, None)),
    }
]
# By hand: packet, index, model, run, repr(conf), mark, models in their order.
LINES = "1\texh-1\tM1\t0\t-1.0\t+\n1\texh-1\tM1\t1\t-0.0\t-\n1\texh-1\tM2\t0\t-0.5\t-\n"
DIGEST = hashlib.sha256(LINES.encode()).hexdigest()


def test_the_digest_is_of_the_numbers_alone(tmp_path):
    folder = packet(tmp_path, DOCUMENT)
    assert model_output_files.numbers_digest(model_output_files.read_documents(folder)) == DIGEST
    path = folder / "packet1_model_human_output.json"
    path.write_text(json.dumps([DOCUMENT[0] | {"answer": "other"}], indent=4))
    assert model_output_files.numbers_digest(model_output_files.read_documents(folder)) == DIGEST
    model_output_files.check_numbers(folder, DIGEST, "there")
    path.write_text(path.read_text(encoding="utf-8").replace("-0.5", "-0.4"))
    with pytest.raises(DataError, match=rf"there, .*found '[0-9a-f]{{64}}', expected {DIGEST}"):
        model_output_files.check_numbers(folder, DIGEST, "there")


def test_packets_are_taken_by_number(tmp_path):
    names = packet(tmp_path, *([one] for one in DOCUMENT * 11))
    assert [number for _, number, _ in model_output_files.read_documents(names)] == list(range(1, 12))


@pytest.fixture
def served(tmp_path):
    """A folder with the outputs of one packet, and the address that it answers at."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    packet(folder, DOCUMENT)
    with serving(folder) as address:
        yield folder, address


def source(*addresses, **more):
    one = {"format": "model_output", "elicitation": "logit", "addresses": list(addresses)}
    return one | {"path": None, "numbers_sha256": DIGEST} | more


NAME = "packet1_model_human_output.json"


def test_outputs_are_fetched_and_listed(served, tmp_path):
    folder, address = served
    sources = [{"path": "mine.jsonl", "format": "jsonl"}, source(f"{address}/{NAME}")]
    manifest = fetch.collect_outputs(tmp_path / "raw", sources)["manifest"]
    got = tmp_path / "raw" / "source2" / NAME
    assert got.read_bytes() == (folder / NAME).read_bytes()
    assert manifest.to_dict("records") == [
        {
            "role": "source2",
            "file": NAME,
            "source": f"{address}/{NAME}",
            "bytes": got.stat().st_size,
        }
        | {"sha256": hashlib.sha256(got.read_bytes()).hexdigest(), "checked": False}
    ]
    placed = formats.resolve_source_paths(sources, tmp_path / "raw")
    assert [one["path"] for one in placed] == ["mine.jsonl", str(got.parent)]
    assert formats.local_files(sources) == ["mine.jsonl"]


def test_a_folder_at_hand_is_checked_as_well(served, tmp_path):
    folder, _ = served
    one = source(f"http://127.0.0.1:9/{NAME}", path=str(folder))
    fetch.collect_outputs(tmp_path / "raw", [one])
    (folder / NAME).write_text((folder / NAME).read_text().replace("true", "false"))
    with pytest.raises(DataError, match=rf"theirs, column SHA-256 of .*expected {DIGEST}"):
        fetch.collect_outputs(tmp_path / "again", [one])


def test_other_numbers_from_an_address_are_refused(served, tmp_path):
    folder, address = served
    (folder / NAME).write_text((folder / NAME).read_text().replace("-0.5", "-0.4"))
    with pytest.raises(DataError) as error:
        fetch.collect_outputs(tmp_path / "raw", [source(f"{address}/{NAME}")])
    assert str(error.value).startswith(f"{address}, column SHA-256")
    assert str(error.value).count("\n") == 0


@pytest.mark.parametrize(("port", "came"), [(True, "404"), (False, "ConnectError")])
def test_an_address_without_an_answer_says_how_to_give_a_folder(served, tmp_path, port, came):
    address = served[1] if port else "http://127.0.0.1:9"
    name = "packet2_model_human_output.json"
    with pytest.raises(DataError) as error:
        fetch.collect_outputs(tmp_path / "raw", [source(f"{address}/{name}")])
    text = str(error.value)
    assert text.startswith(f"{address}/{name}") and came in text
    assert "--config outputs=<folder>" in text and "make grace OUTPUTS=<folder>" in text


def study(**changes):
    guesses = {"format": "model_output", "addresses": [f"https://example.org/{NAME}"]}
    files = {"archive": {"name": "a.zip"}, "password": "x"}
    inputs = {"release": files, "guesses": [guesses | changes.pop("guesses", {})]}
    return {"studies": {"grace": {"inputs": inputs}}} | changes


def test_configuration_of_addresses():
    loaded = config.load(study(outputs="there"))["grace"]
    assert loaded["inputs"]["guesses"][0]["path"] == "there"
    assert "outputs" in config.study_features(loaded)
    assert config.load(study())["grace"]["options"]["human_buzzes"] == "release"


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (
            study(guesses={"addresses": []}),
            "column path: found None, expected path, or public addr",
        ),
        (
            study(guesses={"addresses": ["https://a.org/x.json"]}),
            "a file of the format model_output",
        ),
        (
            study(guesses={"addresses": [f"https://a.org/{NAME}", f"https://b.org/{NAME}"]}),
            "names of their own",
        ),
        (
            study(guesses={"addresses": [], "path": "x", "numbers_sha256": "0" * 64}),
            "expected addresses, and format model_output",
        ),
        (study(guesses={"addresses": [], "path": "x"}, outputs="y"), "grace-outputs.yaml"),
        (
            study(
                guesses={"format": "jsonl", "addresses": ["https://a.org/x.jsonl"]},
                options={"human_buzzes": "outputs"},
            ),
            "column human_buzzes: found 'outputs', expected release, or a study",
        ),
        (study(options={"human_buzzes": "authors"}), "expected one of release, outputs"),
    ],
)
def test_bad_configuration(raw, message):
    with pytest.raises(DataError, match=message):
        config.load(raw)


def test_the_guesses_of_addresses_come_from_what_was_fetched(questions, tmp_path):
    folder = tmp_path / "raw" / "source1"
    folder.mkdir(parents=True)
    packet(folder, [{"tossup_index": 17, "M1": runs((10, "a", -1, False, None))}])
    found = guess_sources.tidy_guesses(questions, [source(f"https://a.org/{NAME}")], fetched=tmp_path / "raw")
    assert found["guesses"]["guess"].tolist() == ["a"]
    assert found["findings"][0].finding == "outputs checked"


@pytest.fixture
def released(release_dir):
    members = archive.read_members(release_dir / "[public]ALL_final_buzzpoints_enc.zip", "buzzbuzz")
    return release.parse_packets(members, {}, {})


LAID = [str(ROOT / "config" / name) for name in ("grace.yaml", "grace-outputs.yaml")]
PARSED = ("--until", "parse_outputs", "parse_guesses", "--configfile", *LAID)


def test_either_set_is_the_human_side(model_outputs, release_dir, tmp_path):
    """Through the rules: collected, checked, parsed, and used as the configuration says."""
    folder = workspace(tmp_path)
    (folder / "theirs.yaml").write_text(
        "studies: {grace: {options: {human_buzzes: outputs}}}\n", encoding="utf-8"
    )
    given = ("--config", f"release={release_dir}", f"outputs={model_outputs}")
    results = folder / "results" / "grace"

    run_snakemake(*PARSED, *given, cwd=folder)
    buzzes, mine = (store.read(results / "tidy" / f"{n}.parquet") for n in ("buzzes", "output_buzzes"))
    counts = store.load(results / "tables" / "replies.csv", "replies")
    assert (len(buzzes), len(mine)) == (1749, 1121)
    questions = store.read(results / "tidy" / "questions.parquet")
    assert checks.buzzes_fit_questions(mine, questions).failures == 0
    other = mine.assign(kind="human")
    assert checks.buzzes_fit_questions(other, questions).failures == int((mine["kind"] == "model").sum())
    said = store.read(results / "tidy" / "guesses.parquet")
    unparsed = store.load(results / "audit" / "unparsed_replies.csv", "unparsed_replies")
    assert checks.replies_add_up(counts, said, unparsed).failures == 0
    assert checks.replies_add_up(counts.assign(read=counts["read"] + 1), said, unparsed).failures

    run_snakemake(*PARSED, "theirs.yaml", *given, cwd=folder)
    buzzes = store.read(results / "tidy" / "buzzes.parquet")
    pd.testing.assert_frame_equal(buzzes, mine)
    heard = store.read(results / "tidy" / "exposures.parquet")
    assert checks.buzzing_teams_are_exposed(heard, questions, buzzes).failures == 0
    findings = pd.read_csv(results / "audit" / "findings" / "outputs.csv").set_index("finding")
    assert "the outputs' buzzes are used" in findings.loc["two sets of buzzes", "handling"]
    assert "no human buzz" not in pd.read_csv(results / "audit" / "findings" / "release.csv")["finding"].tolist()  # fmt: skip


def test_the_document_has_these_numbers(model_outputs, released):
    questions = pd.DataFrame(released.questions)
    rows, findings = model_output_files.parse_guesses(model_outputs, questions, "logit")
    table = guesses.guess_table(rows)
    assert (len(table), table["question_id"].nunique(), findings) == (11274, 240, [])
    counts, _ = parse_replies.reply_statistics(table)
    text = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
    llama = counts.set_index("model").loc["M4"]
    assert 0.22 < llama["read"] / llama["guesses"] < 0.25
    assert "Nearly every fourth guess of Llama-2-70b-Chat" in " ".join(text.split())
    assert counts[["json", "quotes"]].sum().sum() == 0
    assert f"{len(rows):,} runs" in text
    mine, _ = model_output_files.parse_buzzes(model_outputs, questions)
    columns = ["question_id", "team", "correct", "word_index"]
    outputs, release = (pd.DataFrame(rows)[columns] for rows in (mine, released.buzzes))
    counts = [
        (Counter(outputs[key].itertuples(index=False, name=None)),
         Counter(release[key].itertuples(index=False, name=None)))
        for key in (columns[:3], columns)
    ]  # fmt: skip
    (a, b), (of_word, and_word) = counts
    both = [(a & b).total(), (b - a).total(), (a - b).total(), (a & b).total()]
    section = " ".join(text.split("## Two sets of buzzes")[1].split())
    numbers = [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*\b", section)]
    assert numbers[:5] == [*both, (of_word & and_word).total()]
