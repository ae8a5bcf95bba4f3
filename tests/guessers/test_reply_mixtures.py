"""Every mixture of replies that a model may give is scored, or refused with its file and line; no check fails."""

import json
import multiprocessing
import os
import random
import shutil
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pandas as pd
import pytest
from calscore.audit import explain, manifest, rebuild
from calscore.core.results_folder import Study
from support import ROOT


def stated(guess, probability):
    return {"raw": f"The answer is: {guess}\nProbability: {probability}"}


def logit(guess, *logprobs):
    return {"elicitation": "logit", "guess": guess, "token_logprobs": [*logprobs]}


REPLIES = {
    "empty": lambda right, any_of, chance: {"raw": ""},
    "blank": lambda right, any_of, chance: {"raw": " \n"},
    "cut": lambda right, any_of, chance: {"raw": f"The answer is: {right}\nProbab", "finish_reason": "length"},
    "filtered": lambda right, any_of, chance: {"raw": "", "finish_reason": "content_filter"},
    "refused": lambda right, any_of, chance: {"raw": "I'm sorry, but I can't help with that."},
    "cannot": lambda right, any_of, chance: {"raw": "I cannot determine the answer.\nProbability: 0.0"},
    "NA": lambda right, any_of, chance: {"raw": "NA"},
    "zero": lambda right, any_of, chance: stated(any_of, "0.0"),
    "one": lambda right, any_of, chance: stated(any_of, 1),
    "one, right": lambda right, any_of, chance: stated(right, 1),
    "constant": lambda right, any_of, chance: stated(any_of, 0.5),
    "tied": lambda right, any_of, chance: stated(any_of, chance.choice([0.1, 0.3, 0.7])),
    "any": lambda right, any_of, chance: stated(any_of, round(chance.random(), 3)),
    "all right": lambda right, any_of, chance: stated(right, 0.9),
    "all wrong": lambda right, any_of, chance: stated("Zanzibar", 0.4),
    "none": lambda right, any_of, chance: stated("None", 0.0),
    "rambling": lambda right, any_of, chance: stated(f"{right} " * 3000, 0.4),
    "odd": lambda right, any_of, chance: {"raw": "=1+1, \u202e\x1b[31m|\"q\"`*<b>\nProbability: 0.2"},
    "certain": lambda right, any_of, chance: logit(any_of, 0.0),
    "impossible": lambda right, any_of, chance: logit(any_of, -3.4e38),
    "tokens": lambda right, any_of, chance: logit(any_of, -chance.random(), -1.0),
    "no token": lambda right, any_of, chance: {"elicitation": "logit", "guess": None, "confidence": 0.0},
}  # fmt: skip
COVERS = ["all", "all", "last", "first", "few", "one"]


def mixture(seed: int) -> list[tuple[list[str], list[int], str]]:
    """Of each of some models the kinds of reply, their weights, and the clues that it answers."""
    chance = random.Random(seed)
    models = []
    for _ in range(chance.choice([1, 1, 2, 4])):
        kinds = chance.sample(sorted(REPLIES), chance.choice([1, 2, 3, 5]))
        models.append((kinds, [chance.choice([1, 5, 50]) for _ in kinds], chance.choice(COVERS)))
    return models


def lines(models, places, answers, seed: int):
    """Lines of guesses: ``places`` is question → positions, ``answers`` question → right answer."""
    chance = random.Random(seed)
    every = [(question, at) for question, positions in places.items() for at in positions]
    ends = {"last": -1, "first": 0}
    for number, (kinds, weights, cover) in enumerate(models):
        rows = [(question, at[ends[cover]]) for question, at in places.items()] if cover in ends else every
        size = {"few": 4, "one": 1}.get(cover, len(rows))
        for question, position in sorted(chance.sample(rows, size)):
            kind = chance.choices(kinds, weights)[0]
            any_of = chance.choice([answers[question], "Zanzibar"])
            line = {
                "model": f"m{number}",
                "elicitation": "verbalized",
                "question_id": question,
                "position": position,
            }
            yield line | REPLIES[kind](answers[question], any_of, chance)  # fmt: skip


def rules_after(record: dict, path: str) -> list[str]:
    """Rules that rest on a file, in order, and the one that checks what they made."""
    made, rules = {path}, []
    for name in record["order"]:
        entry = record["rules"][name]
        inputs = {path for paths in entry["input"].values() for path in paths}
        if made & inputs:
            made |= set(entry["output"])
            rules.append(name)
    return [*rules, "check_tables"]


def replayed(results: Path, folder: Path, models, seed: int) -> str:
    """Score a mixture in a copy of a study, in the place of its model; why that failed, if it did."""
    shutil.copytree(results.parent.parent, folder, symlinks=True)
    os.chdir(folder)
    at = Path("results") / results.name
    record = json.loads((at / "audit/provenance.json").read_text(encoding="utf-8"))
    guesses = pd.read_parquet(at / "tidy/guesses.parquet")
    questions = pd.read_parquet(at / "tidy/questions.parquet").set_index("question_id")
    answers = questions["answerline"].str.split(r" ?\[", regex=True).str[0].to_dict()
    positions = (
        guesses.groupby("question_id")["position"].unique().map(lambda at: sorted(at.tolist())).to_dict()
    )
    file = f"{at}/guess/mine.jsonl"
    new = [json.dumps(line) + "\n" for line in lines(models, positions, answers, seed)]
    Path(file).write_text("".join(new), encoding="utf-8")
    entries = record["rules"] | record["desk"]
    # The baseline of the study is left out: a model may be alone.
    entries["parse_guesses"]["input"]["made"] = [file]
    for rule in rules_after(record, file):
        scripts = ROOT / "workflow" / "scripts"
        try:
            rebuild.run_rule(rule, entries[rule], scripts, str, str)
        except SystemExit:
            said = Path(entries[rule]["log"][0]).read_text(encoding="utf-8")
            return "" if rule == "parse_guesses" and "mine.jsonl, row" in said else said
        except Exception as error:
            return f"{rule}: {type(error).__name__}: {error}"
    checks = pd.read_csv(at / "audit/checks.csv")
    failed = checks[(checks["result"] == "fail") & (checks["severity"] == "error")]
    return "\n".join(f"{row.table}: {row.check}: {row.detail}" for row in failed.itertuples())


def faults(results: Path, folder: Path, models, seed: int) -> str:
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        return pool.submit(replayed, results, folder / "study", models, seed).result()


def test_models_of_every_kind_of_reply_are_scored_together(tiny_endpoint, tmp_path):
    kinds = sorted(REPLIES)
    alone = [([kind], [1], COVERS[number % len(COVERS)]) for number, kind in enumerate(kinds)]
    mixed = [(["zero", "empty", "cannot", "any"], [5, 5, 5, 1], "all")]
    assert faults(tiny_endpoint, tmp_path, [*mixed, *alone], 1) == ""


@pytest.mark.full
@pytest.mark.parametrize("seed", range(16))
def test_every_mixture_is_scored_or_refused(tiny_endpoint, tmp_path, seed):
    assert faults(tiny_endpoint, tmp_path, mixture(seed), seed) == ""


def test_a_number_is_explained_down_to_the_paid_reply(tiny_endpoint):
    row = {"definition": "paper", "elicitation": "verbalized", "model": "mine"}
    found = explain.explain(Study(tiny_endpoint), "table1", row, "calscore")
    assert found.recomputed == pytest.approx(found.value, abs=1e-12)
    step = found.steps[-1]
    assert step.title == "Replies"
    store = (tiny_endpoint.parent.parent / "replies/mine.jsonl").read_text(encoding="utf-8").splitlines()
    for reply in step.rows.itertuples():
        said = json.loads(store[int(reply.reply_row.split("#")[1]) - 1])["reply"]
        assert (reply.reply, reply.finish_reason) == (said["text"], said["finish_reason"])
    assert set(found.steps[-3].rows["source_row"]) == set(step.rows["source_row"])
    assert "mine.jsonl#" in explain.render(found)


def test_a_reply_that_was_changed_is_named_by_verify(tiny_endpoint, tmp_path):
    results = shutil.copytree(tiny_endpoint.parent.parent, tmp_path / "study") / "results/tiny_endpoint"
    store = results.parent.parent / "replies/mine.jsonl"
    paid = store.read_text(encoding="utf-8")
    for text, state in (
        (paid, None),
        (paid + "more", None),
        (paid[1:], "changed"),
        (None, "missing"),
    ):
        store.unlink() if text is None else store.write_text(text, encoding="utf-8")
        lines = [line for line in manifest.verify(results) if "replies" in line]
        expected = f"{store.relative_to(results.parent.parent)}: {state}, with replies that make_guesses used"
        assert lines == ([expected] if state else [])
