"""Every reader of files from outside, with a small file that it takes, and files that are hostile to it."""

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from calscore.answers import score
from calscore.core import store
from calscore.guessers import corpus, prompts, replystore
from calscore.irt import agents, embeddings, items, outcomes
from calscore.judging import guess_verdicts, training
from calscore.leaderboard import bonus_files, submissions
from calscore.multiple_choice import option_files as options
from calscore.multiple_choice import option_requests
from calscore.raw import (
    formats,
    guess_sources,
    guesses,
    model_output_files,
    release,
    safe_pickle,
    survey,
)
from calscore.runner import config, input_paths
from calscore.tournament import buzz_csv, match_log, qbj
from support import QUESTIONS, TEXT, configuration

GUESS = {"model": "m", "elicitation": "logit", "question_id": "p01-q01", "position": 3, "guess": "a"}  # fmt: skip
GUESSES = [
    GUESS | {"token_logprobs": [-0.1, -0.2]},
    GUESS | {"position": 4, "mean_logprob": -0.5},
    GUESS | {"position": 5, "elicitation": "verbalized", "raw": "x\nProbability: 0.8"},
    GUESS | {"position": 6, "raw": '{"answer": "x", "probability": 0.5}', "confidence": 0.5},
]
PAST = [{"qanta_id": 7, "text": TEXT, "answer": "Ten", "page": "Ten_(number)", "category": "Science"}]  # fmt: skip
RUNS = [{"qanta_id": 7, "word_end": n, "guess": "x", "token_logprobs": [-0.5, -1.0]} for n in (3, 9)]
RUN = {"guess": "x", "confidence": 0.5, "buzz": True, "run_idx": 0, "correct": True}
SUBMISSION = [{"qid": "q1", "run_outputs": [RUN | {"token_position": 2}, RUN | {"token_position": 5}]}]  # fmt: skip
BONUSES = [
    {"qid": "b1", "parts": [{"guess": "x", "confidence": 0.5, "explanation": "why", "correct": True, "decision": "keep"}]}
]  # fmt: skip
PLAYS = [{"qid": "q1", "human_buzz_positions": [[12, 10], {"position": 5, "points": -5}], "n_words": 20}]  # fmt: skip
ITEMS = [{"id": "q1_1", "text": "one two", "category": "Arts", "answer": "x"}, {"id": "q1_2", "text": "one two three"}]  # fmt: skip
AGENTS = [{"id": "a1", "kind": "ai", "type": "big"}, {"id": "h1", "kind": "human"}]
RESPONSES = [{"agent_id": "a1", "query_id": "q1_1", "score": 1}, {"agent_id": "h1", "query_id": "q1_2", "score": 0}]  # fmt: skip
PAIRS = [
    {"source": "s", "system": "m", "question": "q", "refs": ["x", "y"], "candidate": "x", "human_label": 1}
]  # fmt: skip
REPLIES = [{"id": "r1", "reply": '{"answer": "x", "confidence_score": 60}'}]
STORED = [
    {"key": "k", "model": "m", "prompt": "p", "parameters": {"seed": 1}, "reply": {"text": "x", "tokens": [["x", -0.5]]}}
]  # fmt: skip
PACKET = [
    {
        "tossup_index": 17, "category": "Science", "question": TEXT, "answer": "ten",
        "question_buzzpoints": "One two [H1, +] three four five six seven eight nine ten.",
        "position": [{"1": "[H1, +]"}],
    }
]  # fmt: skip
OUTPUT = [
    {"tossup_index": 17, "M1": [{"run": TEXT, "guess": "x", "conf": -0.5, "correctness": True, "buzzed": None}]}
]  # fmt: skip
RESULTS = {
    str(row): {"question": f"q{row}", "gold_answer": "x", "predicted_answer": "y", "confidence": 60, "output": 0}
    for row in range(2)
}  # fmt: skip
MATCH = {
    "_round": 1,
    "match_teams": [
        {"team": {"name": name, "players": [{"name": f"P{name}"}]}, "match_players": [{"player": {"name": f"P{name}"}, "tossups_heard": 1}]}
        for name in ("Alpha", "Beta")
    ],
    "match_questions": [
        {
            "question_number": 1,
            "tossup_question": {"question_number": 1, "type": "tossup", "parts": 1},
            "buzzes": [
                {"player": {"name": "PAlpha"}, "team": {"name": "Alpha"}, "buzz_position": {"word_index": 3}, "result": {"value": 10}}
            ],
        }
    ],
}  # fmt: skip
HEARD_BY = [
    {"packet": 1, "tossup_index": 17 + number, "total_human_teams": ["H1", "H2"]} for number in range(2)
]
BUZZ_CSV = "tournament,round,game,tossup,team,player,buzz_position,value\nCup,1,g1,1,Alpha,P,3,10\nCup,1,g1,2,Beta,Q,4,-5\n"
SURVEY = "player,question_id,clue,position,guess,buzz\nann,p01-q01,1,5,x,1\nann,p01-q01,2,10,,0\n"
DRAFTS = (
    "set,qid,word_end,n_words,guess,mean_logprob,final,answer,grace_packet,grace_tossup_index,n_sent_matched,n_sent\n"
    "s,1,5,10,x,-0.5,0,x,1,17,1,1\ns,1,10,10,x,-0.1,1,x,1,17,1,1\n"
)
OVERRIDES = "question_id,guess,verdict,who,reason\np01-q01,x,accept,me,so\n"
TABLE = "agent_type,qc_id,answer,prediction,score\na1,q1_1,x,x,1\nh1,q1_2,x,y,\n"
MATRIX = "agent,q1_1,q1_2\na1,1,0\nh1,,1\n"
HEARD = "player,question_id,word_index,correct\nann,q1,1,1\nbob,q1,2,0\n"
VECTORS = "id,model,e0,e1\nq1_1,m,0.5,1\nq1_2,m,0.25,-1e3\n"
FEATURES = "id,wiki\nq1_1,0.5\nq1_2,3\n"
CHOICES = "metadata,problem,answer,wrong_answer_1,wrong_answer_2,wrong_answer_3\n" + "".join(
    f"\"{{'topic': 'Art', 'answer_type': 'Person'}}\",q{row},x,a,b,c\n" for row in range(2)
)
VERDICTS = "model,setting,row,annotator,verdict\nm,normal,0,ann,CORRECT\n"
PAPER = """file: grace.yaml
models: {M1: GPT-4}
table1:
  decimals: 1
  scores: {logit: {M1: {mce: "0.5", calscore: "0.6"}}}
  ranks: {logit: {M1: {mce: 1, calscore: 1}}}
claims:
  - {id: a, section: "4", statement: s, value: "1", published: 1, readings: {one: as it says}}
"""
GRACE = configuration("grace")


class Reader(NamedTuple):
    """``file``: a name; ``good``: what it takes; ``read``: of a path, tables by name, or anything else."""

    file: str
    good: bytes
    read: Callable


def lines(records) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in records).encode()


def document(content) -> bytes:
    return json.dumps(content).encode()


def _guesses(path):
    return {"guesses": guesses.guess_table(guess_sources.READERS[formats.format_of_path(path) or "jsonl"](path, QUESTIONS, {"model": "m", "alignment": "exact"}).rows)}  # fmt: skip


def _packet(path):
    parsed = release.parse_packets({Path(path).name: Path(path).read_bytes()}, {}, {})
    buzzes = store.frame(parsed.buzzes, "buzzes")
    return {"questions": pd.DataFrame(parsed.questions), "buzzes": buzzes}


def _outputs(path):
    rows, _ = model_output_files.parse_guesses(Path(path).parent, QUESTIONS, "logit")
    model_output_files.numbers_digest(model_output_files.read_documents(Path(path).parent))
    return {"guesses": guesses.guess_table(rows)}


def _choices(path):
    return {"option_questions": options.read_questions(path)[0]}


def _results(path):
    asked = pd.DataFrame({"row": [0, 1], "question": ["q0", "q1"], "answer": ["x", "x"]})
    return {"option_results": options.read_results(path, asked, "m", "shared", "normal")[0]}


def _annotations(path):
    given = pd.DataFrame({"model": ["m"], "setting": ["normal"], "row": [0]})
    return options.read_annotations(given, path)


def _replies(path):
    rows = option_requests.read_lines(path, "reply")
    asked = [{"id": one["id"], "setting": "normal", "row": 0} for one in rows]
    option_requests.lines(option_requests.parse_answers(asked, rows, "m")[0]).encode()


def _runs(path):
    rows, _ = corpus.parse_past_runs(path, pd.DataFrame({"question_id": ["past-7"], "n_words": [10]}), "m")  # fmt: skip
    return {"guesses": guesses.guess_table(rows)}


def _stored(path):
    with replystore.open_store(path) as kept:
        json.dumps(kept.replies, ensure_ascii=False).encode()
    replystore.stored_replies(path)


def _tournament(path, read):
    texts = {"tossups": [{"question": TEXT, "answer": "x", "metadata": "Arts"}] * 2}
    (Path(path).parent / "Packet 01.json").write_bytes(document(texts))
    return match_log.tidy_tables(read(path), {}, {})


def _folder(path):
    files = sorted(Path(path).parent.rglob("*"))
    return qbj.read_qbj_files(
        {file.name: file.read_bytes() for file in files if file.suffix in (".qbj", ".json")}, "Cup"
    )


def _responses(path, format_name):
    rows = agents.read_responses(path, format_name)
    listed = _items(None)["item_list"], _agents(None)["agents"]
    table, _ = agents.validate_responses(rows, *listed)
    return {"agent_responses": table.assign(undecided=False)}


def _items(path):
    if path:
        return {"item_list": items.read_items(path)[0]}
    texts = {one["id"]: one["text"] for one in ITEMS}
    return {"item_list": pd.DataFrame({"item_id": list(texts), "question_id": "q1", "clue": [1, 2], "end_word": [2, 3], "text": list(texts.values())})}  # fmt: skip


def _agents(path):
    if path:
        agents.read_agents(path)
        return {}
    return {"agents": pd.DataFrame({"agent": ["a1", "h1"], "kind": ["ai", "human"], "agent_type": ["big", "human"]})}  # fmt: skip


def _buzzes(path):
    found = agents.read_buzzes(path)
    listed = _items(None)["item_list"]
    agents.check_buzzes(found, listed, "heard.csv")
    made, _ = outcomes.question_outcomes(listed, found)
    return {
        "agent_responses": outcomes.responses_under_reading(listed, made, "censored").assign(undecided=False)
    }


def _bonuses(path):
    return {"bonus_parts": bonus_files.read_bonus_parts(path, "m")}


def _submitted(path):
    table = submissions.match_questions(submissions.read_runs(path, "m"), ASKED, [])
    return {"runs": submissions.tidy_runs(table, ASKED, [], submissions.judge_runs)}


ASKED = pd.DataFrame({"question_id": ["q1"], "source_id": ["s"], "n_words": pd.array([10], "Int64"), "text": [TEXT], "answerline": ["x"]})  # fmt: skip


def _published(path):
    loaded = config.load(copy.deepcopy(GRACE))["grace"] | {"published": str(path)}
    input_paths.check_paths({"grace": loaded})


def _pickle(path):
    tables = {"per_packet": safe_pickle.load_plain(path)}
    rows, _ = release.parse_participation(tables, QUESTIONS, None, {"per_packet": Path(path).name})
    return {"participation": store.frame(rows, "participation")}


READERS = {
    "guesses": Reader("runs.jsonl", lines(GUESSES), _guesses),
    "drafts": Reader("drafts.csv", DRAFTS.encode(), _guesses),
    "packet": Reader("packet1.json", document(PACKET), _packet),
    "outputs": Reader("packet1_model_human_output.json", document(OUTPUT), _outputs),
    "participation": Reader("teams.pkl", safe_pickle.dump_plain(HEARD_BY), _pickle),
    "survey": Reader("survey.csv", SURVEY.encode(), lambda path: survey.parse_survey(path, QUESTIONS)),
    "overrides": Reader("overrides.csv", OVERRIDES.encode(), lambda path: guess_verdicts.read_overrides(path, QUESTIONS)),
    "pairs": Reader("pairs.jsonl", lines(PAIRS), training.read_pairs),
    "score": Reader("score.json", score.MODEL_FILE.read_bytes(), score.read_model),
    "corpus": Reader("past.json", document({"questions": PAST}), lambda path: {"past_questions": corpus.parse_past_questions(path)}),
    "past runs": Reader("past.jsonl", lines(RUNS), _runs),
    "template": Reader("logit.txt", (prompts.TEMPLATES / "logit.txt").read_bytes(), prompts.read_template),
    "stored replies": Reader("mine.jsonl", lines(STORED), _stored),
    "submission": Reader("m.jsonl", lines(SUBMISSION), _submitted),
    "bonuses": Reader("b.jsonl", lines(BONUSES), _bonuses),
    "plays": Reader("plays.jsonl", lines(PLAYS), lambda path: {"human_plays": submissions.read_human_plays(path)[0]}),
    "items": Reader("queries.jsonl", lines(ITEMS), _items),
    "agents": Reader("agents.jsonl", lines(AGENTS), _agents),
    "responses": Reader("responses.jsonl", lines(RESPONSES), lambda path: _responses(path, "jsonl")),
    "response table": Reader("responses.csv", TABLE.encode(), lambda path: _responses(path, "table")),
    "response matrix": Reader("matrix.csv", MATRIX.encode(), lambda path: _responses(path, "matrix")),
    "heard": Reader("heard.csv", HEARD.encode(), _buzzes),
    "embeddings": Reader("vectors.csv", VECTORS.encode(), lambda path: embeddings.read_vectors(path, _items(None)["item_list"]) is None or {}),
    "features": Reader("features.csv", FEATURES.encode(), lambda path: items.read_features(path, _items(None)["item_list"], ["wiki"])),
    "options": Reader("questions.csv", CHOICES.encode(), _choices),
    "results": Reader("results.json", document(RESULTS), _results),
    "annotations": Reader("annotations.csv", VERDICTS.encode(), _annotations),
    "replies": Reader("replies.jsonl", lines(REPLIES), _replies),
    "match": Reader("match.qbj", document(MATCH), lambda path: _tournament(path, _folder)),
    "buzzes": Reader("buzzes.csv", BUZZ_CSV.encode(), lambda path: _tournament(path, buzz_csv.read_buzz_csv)),
    "published": Reader("grace.yaml", PAPER.encode(), _published),
}  # fmt: skip

JSON = {name: one for name, one in READERS.items() if one.file.rsplit(".")[-1] in ("json", "jsonl", "qbj")}  # fmt: skip

LITERALS = [
    "1" + "0" * 400, "-" + "9" * 5000, "1e400", "-1e400", "-1e308", "1e308", "NaN", "-Infinity", '"\\ud800"', '"x\\udc00y"',
    "[" * 100_000 + "]" * 100_000, '{"a":' * 3000 + "1" + "}" * 3000, "9223372036854775808", "null", "true", '""', '" "',
    "[]", "{}", "-1", "0.5", '"\\u0000"', '"\\u2028"', '"' + "x" * 100_000 + '"', '"<b>&amp;"',
    '"{\\"answer\\": \\"\\\\ud800\\", \\"probability\\": 0.5}"', '"{\\"answer\\": ' + "[" * 5000 + '"',
    '"{\\"answer\\": ' + "9" * 5000 + ', \\"confidence\\": 1e999}"',
]  # fmt: skip
"""JSON values that stand in place of one that is as it should be."""


def _places(content, path=()):
    """Paths to the values of a document that hold no others."""
    pairs = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()  # fmt: skip
    found = [place for name, value in pairs for place in _places(value, (*path, name))]
    return found or [path]


def replaced(content: bytes, whole: bool, chance: random.Random, literal: str) -> bytes:
    """A JSON document (``whole``) or JSON Lines with one value replaced by ``literal``."""
    records = [json.loads(content)] if whole else [json.loads(one) for one in content.splitlines()]
    record = chance.randrange(len(records))
    path = chance.choice(_places(records[record]))
    if not path:
        records[record] = "@"
    else:
        parent = records[record]
        for name in path[:-1]:
            parent = parent[name]
        parent[path[-1]] = "@"
    text = "".join(json.dumps(one) + "\n" for one in records)
    return text.replace('"@"', literal, 1).encode()


def _latin(content: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + "é".encode("latin-1") + content[at:]


def _cut(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content))]


def _damaged(content: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + chance.randbytes(3) + content[at + chance.randint(0, 3) :]


def _cell(content: bytes, chance: random.Random) -> bytes:
    """A word of a table replaced by what no one expects there."""
    words = content.replace(b"\n", b",\n,").split(b",")
    odd = [b"9" * 400, b"-1e308", b"nan", b"inf", b"-inf", b"", b'"', b"\x00", b"=1+1", "٣".encode(), b"1_0", b"0x1", b" ", b"True", b"1e400", "²".encode()]  # fmt: skip
    words[chance.randrange(len(words))] = chance.choice(odd)
    return b",".join(words).replace(b",\n,", b"\n")


BYTES: list[Callable] = [
    lambda content, chance: content.decode("utf-8", "replace").encode("utf-16"),
    lambda content, chance: content.decode("utf-8", "replace").encode("utf-16-le"),
    lambda content, chance: b"\xef\xbb\xbf" + content,
    lambda content, chance: content.replace(b"\n", b"\r\n"),
    lambda content, chance: content + content,
    lambda content, chance: b"",
    lambda content, chance: b"\x00" * 50,
    lambda content, chance: b"\x1f\x8b" + content,
    lambda content, chance: b"[" * 100_000,
    _latin,
    _cut,
    _damaged,
    _cell,
]
"""What may have happened to a file on its way."""


def hostile(seed: int, name: str) -> bytes:
    """A file that is hostile to the reader ``name``."""
    chance, reader = random.Random(f"{seed} {name}"), READERS[name]
    if name in JSON and chance.random() < 0.7:
        whole = not reader.file.endswith("jsonl")
        return replaced(reader.good, whole, chance, chance.choice(LITERALS))
    return chance.choice(BYTES)(reader.good, chance)
