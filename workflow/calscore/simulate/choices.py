"""The simulated study ``demo-options``: six models on 4,326 invented questions, with known truth.

The world. Question q has difficulty d_q = type effect + N(0, difficulty_sd²). Model m attempts it without options with
probability ``attempts`` (with options ``attempts_options``), knows the answer with p = σ(skill_m − d_q), and with options either
keeps what it knew (1 − ``distracted``), or, where it did not know, finds the answer with probability ``finds``. It states σ(a +
b·logit p + noise), rounded to ``step`` per cent, some exactly 100. A second judge, the model itself, turns verdicts at stated
rates. All texts are invented, as each question says.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.random import Generator
from scipy.special import expit

from ..multiple_choice import JUDGINGS, SETTINGS
from ..multiple_choice.option_files import ANNOTATION_COLUMNS, QUESTION_COLUMNS, VERDICTS
from .parameters import merge_parameters
from .vocabulary import word_list

_KINDS = {
    "Date": "In what year was the {thing} of {place} founded?",
    "Person": "Who opened the {thing} of {place}?",
    "Other": "What is carved above the door of the {thing} of {place}?",
    "Number": "How many steps lead up to the {thing} of {place}?",
    "Place": "In which village does the {thing} of {place} stand?",
}


def _random_word(rng: Generator, list_name: str) -> str:
    return str(rng.choice(word_list("choices", list_name)))


def _place_name(rng: Generator) -> str:
    return _random_word(rng, "first") + _random_word(rng, "last")


def _draw_options(rng: Generator, kind: str) -> list[str]:
    """The right answer to a question of ``kind`` and three wrong ones of the same kind, all different."""
    things, ends = ("heron", "plough", "comet", "key", "bell"), ("Parva", "Magna", "Vale")
    draw = {
        "Date": lambda: str(rng.integers(1500, 1990)),
        "Number": lambda: str(rng.integers(12, 900)),
        "Person": lambda: f"{_random_word(rng, 'given')} {_place_name(rng)}",
        "Place": lambda: f"{_place_name(rng)} {rng.choice(ends)}",
    }.get(kind, lambda: f"a {rng.choice(things)} of {_place_name(rng)}")
    options: list[str] = []
    while len(options) < 4:
        option = draw()
        if option not in options:
            options.append(option)
    return options


def _draw_questions(rng: Generator, values: dict) -> dict[str, object]:
    """Four lists or arrays, by question: ``type``, ``topic``, ``rows`` (text, right answer, three wrong ones), ``difficulty``."""
    n = values["questions"]
    kinds, topics = list(values["types"]), list(values["topics"])
    share = np.array([values["types"][kind][0] for kind in kinds], dtype=float)
    weight = np.array([values["topics"][topic] for topic in topics], dtype=float)
    kind = rng.choice(len(kinds), n, p=share / share.sum())
    topic = rng.choice(len(topics), n, p=weight / weight.sum())
    effect = np.array([values["types"][kind_name][1] for kind_name in kinds])
    things = word_list("choices", "things")
    rows = []
    for i in range(n):
        name = kinds[kind[i]]
        text = _KINDS.get(name, _KINDS["Other"]).format(thing=things[i % len(things)], place=_place_name(rng))
        rows.append((f"Invented question {i + 1}. {text}", *_draw_options(rng, name)))
    return {
        "type": [kinds[k] for k in kind],
        "topic": [topics[k] for k in topic],
        "rows": rows,
        "difficulty": effect[kind] + rng.normal(0, values["difficulty_sd"], n),
    }


def _stated_confidence(rng: Generator, p: np.ndarray, values: dict) -> np.ndarray:
    """Confidences (n,) in per cent, for answers right with probability ``p`` (n,): multiples of ``step``, some 100."""
    settings = values["confidence"]
    noise = rng.normal(0, settings["noise_sd"], len(p))
    latent = settings["a"] + settings["b"] * np.log(p / (1 - p)) + noise
    step = settings["step"]
    rounded = np.clip(np.round(100 * expit(latent) / step) * step, step, 100 - step)
    return np.where(rng.random(len(p)) < settings["full"], 100, rounded).astype(int)


def _draw_answers(
    rng: Generator, model: dict, difficulty: np.ndarray, values: dict
) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Setting → (verdicts 1, 0 or −1 for not attempted; confidences in per cent; true chances to be right), by question."""
    n = len(difficulty)
    p_known = expit(model["skill"] - difficulty)
    knows = rng.random(n) < p_known
    normal = np.where(rng.random(n) < model["attempts"], knows.astype(int), np.full(n, -1))
    chance = p_known * (1 - model["distracted"]) + (1 - p_known) * model["finds"]
    stays, finds = rng.random(n) >= model["distracted"], rng.random(n) < model["finds"]
    answered = np.where(knows, stays, finds).astype(int)
    attempted = rng.random(n) < values["attempts_options"]
    return {
        "normal": (normal, _stated_confidence(rng, p_known, values), p_known * model["attempts"]),
        "distractor": (
            np.where(attempted, answered, -1),
            _stated_confidence(rng, chance, values),
            chance * values["attempts_options"],
        ),
    }


def _judge_own_answers(rng: Generator, output: np.ndarray, rates: dict[str, float]) -> np.ndarray:
    """The verdicts ``output`` as the model itself would give them, some turned at the ``rates`` of own_judge."""
    turn = rng.random(len(output))
    out = output.copy()
    out[(output == -1) & (turn < rates["none_wrong"])] = 0
    out[(output == 0) & (turn < rates["wrong_right"])] = 1
    out[(output == 1) & (turn < rates["right_wrong"])] = 0
    return out


def _answer_words(rng: Generator, row: list[tuple], output: np.ndarray) -> list[str]:
    """The answer behind each verdict of ``output`` on the questions ``row``; "I do not know." if not attempted."""
    wrong = 2 + rng.integers(0, 3, len(output))
    return [
        question[1] if verdict == 1 else question[w] if verdict == 0 else "I do not know."
        for question, verdict, w in zip(row, output.tolist(), wrong.tolist(), strict=True)
    ]


def _true_ece(chance: np.ndarray, confidence: np.ndarray) -> float:
    """ECE with the true chances in place of the verdicts, ten equal bins of ``confidence`` (per cent)."""
    index = np.minimum(confidence // 10, 9)
    gap = np.bincount(index, weights=chance - confidence / 100, minlength=10)
    return float(np.abs(gap).sum() / len(chance))


def simulate_choices(parameters: dict | None = None, seed: int = 0) -> dict[str, object]:
    """One simulated study: ``questions`` (:func:`_draw_questions`, some spoilt), ``results``, CSV rows ``annotations``, ``truth``.

    ``results``: (model, judging, setting) → (words, confidences in per cent, verdicts), by question. ``truth``: parameters, and
    by model and setting the expected share right and the ECE without sampling noise. ``DataError`` names bad parameters.
    """
    values = merge_parameters(parameters, "choices")
    rng = np.random.default_rng(seed)
    questions = _draw_questions(rng, values)
    rows, difficulty = questions["rows"], questions["difficulty"]
    results, truth = {}, {}
    for name, model in values["models"].items():
        answered = _draw_answers(rng, model, difficulty, values)
        truth[name] = {}
        for setting, (output, confidence, chance) in answered.items():
            words = _answer_words(rng, rows, output)
            own = _judge_own_answers(rng, output, values["own_judge"])
            for judging, verdicts in zip(JUDGINGS, (output, own), strict=True):
                results[name, judging, setting] = (words, confidence, verdicts)
            truth[name][setting] = {
                "right": float(chance.mean()),
                "ece_as_wrong": _true_ece(chance, confidence),
            }
    _plant_faults(rng, rows, values)
    return {
        "questions": questions,
        "results": results,
        "annotations": _draw_annotations(rng, results, values),
        "truth": {"simulated": True, "seed": seed, "parameters": values, "models": truth},
    }


def _plant_faults(rng: Generator, rows: list[tuple], values: dict) -> None:
    """Put faults of the real question file into ``rows``: empty wrong answers, and ones equal to the right answer."""
    faulty = values["empty_distractors"] + values["equal_distractors"]
    rows_hit = rng.choice(len(rows), min(faulty, len(rows)), replace=False)
    for k, i in enumerate(rows_hit.tolist()):
        question, answer, _, second, third = rows[i]
        wrong_1 = "" if k < values["empty_distractors"] else answer
        rows[i] = (question, answer, wrong_1, second, third)


def _draw_annotations(rng: Generator, results: dict, values: dict) -> list[tuple]:
    """Rows (model, setting, row, annotator, verdict) of people who mostly agree with the shared judge."""
    names = {output: verdict for verdict, output in VERDICTS.items()}
    models, settings = list(values["models"]), values["annotators"]
    cells = [(m, s, r) for m in models for s in SETTINGS for r in range(values["questions"])]
    chosen = rng.choice(len(cells), min(settings["answers"], len(cells)), replace=False)
    out = []
    for model, setting, row in (cells[k] for k in sorted(chosen.tolist())):
        verdict = int(results[model, "shared", setting][2][row])
        for annotator in settings["names"]:
            label = verdict
            if rng.random() < settings["slip"]:
                label = int(rng.choice([v for v in (1, 0, -1) if v != verdict]))
            out.append((model, setting, row, annotator, names[label]))
    return out


def result_file_name(model: str, judging: str, setting: str) -> str:
    """Name of a results file as published: <model>_normal_results.json (no options, shared judge), and alike."""
    suffix = "" if judging == "shared" else "_own_judge"
    kind = "normal" if setting == "normal" else "distractors"
    return f"{model}_{kind}{suffix}_results.json"


def raw_files(parameters: dict | None) -> dict[str, dict]:
    """Files that :func:`write_choices` puts in options/: role (``questions``, model/judging/setting) → {"name": file}."""
    cells = [
        (model, judging, setting)
        for model in merge_parameters(parameters, "choices")["models"]
        for judging in JUDGINGS
        for setting in SETTINGS
    ]
    named = {"/".join(cell): {"name": result_file_name(*cell)} for cell in cells}
    return {"questions": {"name": "questions.csv"}} | named


def result_text(questions: list[tuple], words: list[str], confidence: np.ndarray, output: np.ndarray) -> str:
    """Text of a results file: JSON in the published schema, a line for each of ``questions`` (rows)."""
    names = ("question", "gold_answer", "predicted_answer", "confidence", "output")
    texts, answers = list(zip(*questions, strict=True))[:2]
    columns = (texts, answers, words, confidence.tolist(), output.tolist())
    lines = [
        f'  "{i}": {json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False)}'
        for i, row in enumerate(zip(*columns, strict=True))
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write_choices(study: dict, folder: str | Path) -> None:
    """Write a study of :func:`simulate_choices`: options/ (questions, results), annotations.csv and truth.json."""
    above = Path(folder)
    folder = above / "options"
    folder.mkdir(parents=True, exist_ok=True)
    questions = study["questions"]
    about = zip(questions["rows"], questions["type"], questions["topic"], strict=True)
    rows = [(repr({"topic": topic, "answer_type": kind, "urls": []}), *row) for row, kind, topic in about]
    tables = {folder / "questions.csv": (QUESTION_COLUMNS, rows)}
    tables[above / "annotations.csv"] = ANNOTATION_COLUMNS, study["annotations"]
    for path, (columns, rows) in tables.items():
        pd.DataFrame(rows, columns=columns).to_csv(path, index=False, lineterminator="\n")
    for (model, judging, setting), rows in study["results"].items():
        text = result_text(questions["rows"], *rows)
        (folder / result_file_name(model, judging, setting)).write_text(text, encoding="utf-8")
    text = json.dumps(study["truth"], indent=2, ensure_ascii=False) + "\n"
    (above / "truth.json").write_text(text, encoding="utf-8")


def write_options_study(truth: Path, seed: int, parameters: dict | None) -> None:
    """Simulate a study and write its files beside ``truth``, the path of truth.json."""
    write_choices(simulate_choices(parameters, seed), truth.parent)
