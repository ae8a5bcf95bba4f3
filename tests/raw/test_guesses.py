"""Guesses in every format, reductions, replies, and what each bad line says."""

import json
import math

import pandas as pd
import pytest
from calscore.core.errors import DataError, split_source_row
from calscore.raw import guess_sources, guesses, parse_replies
from support import QUESTIONS, TEXT


def jsonl(tmp_path, *records):
    path = tmp_path / "runs.jsonl"
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records))
    return path


GOOD = {
    "model": "m",
    "elicitation": "logit",
    "question_id": "p01-q01",
    "position": 3,
    "guess": "a",
    "mean_logprob": -0.1,
}


def without(*names):
    return {name: value for name, value in GOOD.items() if name not in names}


@pytest.mark.parametrize(
    "place",
    [
        {"question_id": "p01-q02"},
        {"packet": 1, "number": 2},
        {"question": 'other words stand here all "eight" of them'},
    ],
)
def test_a_question_is_found_three_ways(questions, tmp_path, place):
    record = without("question_id") | place
    table = guesses.guess_table(guesses.parse_jsonl(jsonl(tmp_path, record), questions))
    assert table["question_id"].tolist() == ["p01-q02"]
    assert table["source_row"].tolist() == ["runs.jsonl#1"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{not json", r"runs.jsonl, row 2, column character 2: .*expected a JSON object"),
        ("[1]", "expected a JSON object"),
        (GOOD | {"postion": 3}, "column postion"),
        (GOOD | {"position": "3"}, "column position: found '3', expected a whole number$"),
        (GOOD | {"position": True}, "column position: found True, expected a whole number$"),
        (GOOD | {"guess": 3}, "column guess: found 3, expected text or null$"),
        (GOOD | {"token_logprobs": "x"}, "column token_logprobs: found 'x', expected a list or null$"),
        (GOOD | {"mean_logprob": "x"}, "column mean_logprob: found 'x', expected a number or null$"),
        (GOOD | {"buzzed": 1}, "column buzzed: found 1, expected true, false or null$"),
        (without("guess"), "column guess: found None, expected the field to be present \\(null for no guess\\)"),
        (GOOD | {"position": 0}, "words heard, 1 to 10"),
        (GOOD | {"position": 11}, "words heard, 1 to 10"),
        (GOOD | {"question_id": "p1-q1"}, r"found 'p1-q1', expected a question of this study \(nearest: p01-q01\); all 2 are in results/<study>/prompts.jsonl"),
        (GOOD | {"question_id": "?"}, "found '\\?', expected a question of this study; all 2 are"),
        (without("question_id") | {"packet": 1, "number": 7}, r"found 'packet 1, number 7', .*nearest: p01-q02"),
        (without("question_id") | {"question": TEXT[4:]}, "nearest: p01-q01"),
        (GOOD | {"elicitation": "verbal"}, "expected logit or verbalized"),
        (GOOD | {"mean_logprob": 0.2}, r"at most 0 \(a probability\? of 0.2 the logarithm is -1.61"),
        (GOOD | {"mean_logprob": float("nan")}, "row 2, column mean_logprob: found 'NaN', expected JSON without NaN"),
        (GOOD | {"mean_logprob": -1e101}, "column mean_logprob: found -1e.101, expected a natural logarithm"),
        (GOOD | {"token_logprobs": [-1e308, -1e308]}, "column token_logprobs: .*expected a list of natural logarithms"),
        (GOOD | {"confidence": 85}, r"found 85, expected a probability from 0 to 1 \(85 % is 0.85\)"),
        (GOOD | {"confidence": "85%"}, r"found '85%', expected a probability from 0 to 1 \(85 % is 0.85\)"),
        (GOOD | {"confidence": "0.85"}, r"a number, not text: 0.85"),
        (GOOD | {"confidence": "high"}, r"found 'high', expected a probability from 0 to 1$"),
        (GOOD | {"confidence": -0.1}, r"a logarithm is mean_logprob"),
        (GOOD | {"confidence": 850}, r"expected a probability from 0 to 1$"),
        (GOOD | {"token_logprobs": [-1, 0.5]}, r"each at most 0 \(a probability\? of 0.5"),
        (GOOD | {"token_logprobs": []}, "a list of natural logarithms"),
        (without("mean_logprob"), "one of confidence, token_logprobs"),
        (without("model"), "column model: found None"),
    ],
)  # fmt: skip
def test_a_bad_line_is_one_clear_error(questions, tmp_path, line, message):
    path = jsonl(tmp_path, GOOD, line)
    with pytest.raises(DataError, match=message) as error:
        guesses.parse_jsonl(path, questions)
    assert len(error.value.faults) == 1
    assert "runs.jsonl, row 2" in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "runs.jsonl: found 'an empty file', expected JSON Lines: one object a line"),
        ("\n \n", "an empty file"),
        (json.dumps([GOOD, GOOD]), "found 'a JSON array', expected JSON Lines: one object a line"),
        (json.dumps([GOOD, GOOD], indent=1), "a JSON array"),
        (
            json.dumps(GOOD, indent=1),
            r"runs.jsonl: found 'an object over several lines', expected .*: one object a line",
        ),
        (
            json.dumps(GOOD)[:40],
            "row 1, .*the text ends in the middle of a value; is it complete\\?",
        ),
    ],
)
def test_a_file_that_is_no_json_lines_is_one_line(questions, tmp_path, text, message):
    path = tmp_path / "runs.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message) as error:
        guesses.parse_jsonl(path, questions)
    assert str(error.value).count("\n") == 0


def test_a_repeated_line_names_the_line_that_it_repeats(questions, tmp_path):
    lines = [GOOD, GOOD | {"position": 4}, GOOD | {"guess": "b"}]
    path = jsonl(tmp_path, *lines).rename(tmp_path / "a#b.jsonl")
    rows = guesses.parse_jsonl(path, questions)
    with pytest.raises(DataError, match=r"^a#b.jsonl, row 3, .*it repeats row 1 of a#b.jsonl") as error:
        guesses.guess_table(rows)
    assert len(error.value.faults) == 1
    with pytest.raises(DataError, match="^a#b.jsonl, row 1, column model"):
        guesses.check_model_keys(rows, ["m"], {}, [])
    # A run of an extract is at its line there and at its origin.
    assert split_source_row("runs.csv#2 = p1.json#1/M1/1") == ("runs.csv", "2 = p1.json#1/M1/1")


def test_a_key_of_the_study_s_own_models_is_refused_unless_said(questions, tmp_path):
    path = jsonl(tmp_path, GOOD | {"model": "M1"}, GOOD | {"model": "M4"}, GOOD)
    buzzes = pd.DataFrame({"team": ["H1", "M1"], "kind": ["human", "model"]})
    study = {"buzzes": buzzes, "printed": ["M1", "M4"], "names": {"M1": "GPT-4"}}
    source = {"path": str(path), "format": "jsonl"}
    with pytest.raises(DataError, match="M1 is GPT-4 of this study") as error:
        guess_sources.tidy_guesses(questions, [source], **study)
    assert [one.value for one in error.value.faults] == ["M1", "M4"]
    assert "row 1, column model" in str(error.value)
    assert r"same_as: [M1]" in str(error.value)
    said = guess_sources.tidy_guesses(questions, [source | {"same_as": ["M1", "M4"]}], **study)
    assert set(said["guesses"]["model"]) == {"M1", "M4", "m"}
    made = guess_sources.tidy_guesses(questions, [], made_guesses=[path], **study)
    assert set(made["guesses"]["model"]) == {"M1", "M4", "m"}


def test_a_file_on_some_questions_only_is_counted(questions, tmp_path):
    other = GOOD | {"model": "n", "question_id": "p01-q02"}
    source = {"path": str(jsonl(tmp_path, GOOD, GOOD | {"model": "n"}, other)), "format": "jsonl"}
    issues = guess_sources.tidy_guesses(questions, [source])["findings"]
    assert [(issue.finding, issue.place, issue.detail) for issue in issues] == [
        ("questions without a guess", "m logit", "it has guesses on 1 of 2 questions")
    ]


def test_a_name_that_pages_show_is_no_key_of_another_model(questions, tmp_path):
    path = jsonl(tmp_path, GOOD | {"model": "Own"}, GOOD | {"model": "GPT-4"})
    source, names = {"path": str(path), "format": "jsonl"}, {"M1": "GPT-4", "Own": "Own"}
    with pytest.raises(DataError, match="row 2, column model: found 'GPT-4', .*the name of M1"):
        guess_sources.tidy_guesses(questions, [source], names=names)


def test_a_study_without_texts_has_no_prompts_to_point_to(questions, tmp_path):
    path = jsonl(tmp_path, GOOD | {"question_id": "p1-q1"})
    with pytest.raises(DataError, match=r"nearest: p01-q01\); its 2 are p01-q01 to p01-q02$"):
        guesses.parse_jsonl(path, questions.assign(text=None))


def test_a_threshold_on_log_probabilities_is_not_for_guesses_with_confidences(questions, tmp_path):
    stated = without("mean_logprob") | {"confidence": 0.5}
    path = jsonl(tmp_path, GOOD, stated | {"model": "s"})
    found = guess_sources.tidy_guesses(
        questions, [], made_guesses=[path], thresholds={"m": -0.03, "s": -0.03, "absent": -0.03}
    )
    assert [(one.finding, one.place) for one in found["findings"]] == [
        ("threshold that nothing reaches", "s")
    ]


def test_guesses_are_read_in_every_format_and_what_was_sent_is_kept(questions, tmp_path):
    lines = [
        GOOD | {"guess": r"Rh\xf4ne"},
        GOOD | {"guess": "The answer is: Bear", "position": 4},
        GOOD | {"guess": "Bear", "position": 5},
        GOOD | {"guess": None, "position": 6},
        without("guess", "mean_logprob")
        | {"elicitation": "verbalized", "raw": "The answer is: Rh\\xf4ne\nProbability: 0.7"},
    ]
    table = guesses.guess_table(guesses.parse_jsonl(jsonl(tmp_path, *lines), questions))
    assert table["guess"].fillna("").tolist() == ["Rhône", "Bear", "Bear", "", "Rhône"]
    sent = [r"Rh\xf4ne", "The answer is: Bear", "", "", r"Rh\xf4ne"]
    assert table["sent"].fillna("").tolist() == sent

    counts, _ = parse_replies.reply_statistics(table)
    ended = dict.fromkeys(parse_replies.UNFINISHED, 0)
    assert counts.to_dict("records") == [
        {"model": "m", "elicitation": "logit", "replies": 0, "parsed": 0, "answer": 0, "none": 0}
        | {"refusal": 0, "empty": 0, "without_probability": 0, "unparsed": 0, "guesses": 3, **ended}
        | {"read": 2, "escapes": 1, "json": 0, "wrapper": 1, "quotes": 0, "rest": 0, "nothing": 0},
        {"model": "m", "elicitation": "verbalized", "replies": 1, "parsed": 1, "answer": 1}
        | {"none": 0, "refusal": 0, "empty": 0, "without_probability": 0, "unparsed": 0}
        | {"guesses": 1, "read": 1, "escapes": 1, "json": 0, "wrapper": 0, "quotes": 0, **ended}
        | {"rest": 0, "nothing": 0},
    ]
    # Where nothing was read, models without replies are not listed.
    assert parse_replies.reply_statistics(table[2:4])[0].empty


@pytest.mark.parametrize(
    ("ends", "finding", "refused"),
    [
        ({"stop": 99, "length": 1}, None, False),
        ({"stop": 97, "length": 2, None: 1}, "2 of 100 replies (2 cut)", False),
        ({"stop": 5, "length": 3, "content_filter": 1, "reasoning": 1}, "5 of 10 replies (3 cut, 1 filtered, 1 reasoning only)", False),
        ({"stop": 4, "max_tokens": 4, "tool_calls": 2}, "6 of 10 replies (4 cut, 2 tool calls)", True),
    ],
)  # fmt: skip
def test_unfinished_replies_are_counted_and_most_of_them_refused(ends, finding, refused):
    reasons = [reason for reason, n in ends.items() for _ in range(n)]
    rows = [GOOD | {"position": n, "finish_reason": end} for n, end in enumerate(reasons, start=1)]
    table = guesses.guess_table(
        [guesses.guess_row("p01-q01", row, f"runs.jsonl#{row['position']}") for row in rows]
    )
    found = [one.detail for one in guesses.unfinished_findings(table, "score")]
    assert found == ([finding] if finding else [])
    if finding:
        counts = parse_replies.reply_statistics(table)[0][parse_replies.UNFINISHED]
        assert f"{counts.sum(axis=1).item()} of {len(rows)}" in finding
    if refused:
        with pytest.raises(DataError, match=r"runs.jsonl, row 5, column finish_reason.*max_tokens"):
            guesses.unfinished_findings(table, "refuse")
    else:
        assert guesses.unfinished_findings(table, "refuse") == guesses.unfinished_findings(table, "score")


def test_guesses_without_any_confidence_are_refused(questions, tmp_path):
    line = {name: GOOD[name] for name in ("model", "question_id", "position")}
    line |= {"elicitation": "verbalized", "raw": ""}
    with pytest.raises(DataError, match="runs.jsonl, row 1, column raw: found '', expected a confidence"):
        guess_sources.tidy_guesses(questions, [], made_guesses=[jsonl(tmp_path, line)])


def test_reductions(questions, tmp_path):
    spoken = without("guess", "mean_logprob") | {"elicitation": "verbalized"}
    records = [
        GOOD | {"mean_logprob": None, "token_logprobs": [-0.1, -0.7]},
        GOOD | {"position": 4, "mean_logprob": -0.5},
        spoken | {"position": 5, "raw": "The answer is: a\nProbability: 0.25"},
        spoken | {"position": 6, "raw": "No idea."},
    ]
    table = guesses.guess_table(guesses.parse_jsonl(jsonl(tmp_path, *records), questions))
    found = {(r.row, r.reduction): r.confidence for r in guesses.reduced_confidences(table).itertuples()}
    expected = {
        (0, "mean_prob"): (math.exp(-0.1) + math.exp(-0.7)) / 2,
        (0, "exp_sum_logprob"): math.exp(-0.8),
        (0, "exp_mean_logprob"): math.exp(-0.4),
        (1, "exp_mean_logprob"): math.exp(-0.5),
        (2, "stated"): 0.25,
        (3, "stated"): math.nan,
    }
    assert found == pytest.approx(expected, nan_ok=True)
    unparsed = guesses.reply_findings(table)
    assert [f.finding for f in unparsed] == ["reply could not be parsed", "replies not parsed"]
    assert unparsed[0].place == "runs.jsonl#4"


def test_drafts_are_used_where_they_are_questions_of_the_release():
    columns = ["qid", "n_words", "grace_packet", "grace_tossup_index", "n_sent_matched", "n_sent"]
    rows = [("d1", 10, 1, "17", 2, 2), ("d2", 9, 1, "18", 2, 2), ("d3", 10, 1, "17", 1, 2)]
    drafts = pd.DataFrame([*rows, ("d4", 10, None, "", 2, 2)], columns=columns)
    drafts = drafts.assign(set="s", word_end=1, guess="g", mean_logprob=-1, final=0, answer="x")
    table = guesses.align_precursor(drafts, QUESTIONS, "sentences")
    # The second draft is a word longer than its question, the last names none.
    assert table["alignment"].to_list() == ["exact", "sentences", "partial", "none"]
    assert table["used"].to_list() == [True, True, False, False]
