"""Simulated agents and items of known parameters."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.random import Generator
from scipy.special import softmax

from ..irt.sparse import sigmoid
from .parameters import merge_parameters
from .vocabulary import word_list

#: Categories of the simulated questions, and the aspect that each is mostly about (0-based).
TOPICS = {"Literature": 0, "Mythology": 0, "History": 1, "Geography": 3, "Science": 2, "Arts": 4}
SYSTEMS = {
    "retriever": [-1.6, -1.3, -1.0],
    "base model": [-1.2, -0.8],
    "instruction-tuned model": [-0.2, 0.1, 0.4],
    "large model": [0.9, 1.2],
}


def _word(rng: Generator, syllables: int = 3) -> str:
    """An invented word of random syllables."""
    return "".join(rng.choice(word_list("irt", "syllables"), syllables))


def _clue_words(rng: Generator, count: int, vocabulary: np.ndarray, direct: bool) -> list[str]:
    """``count`` words of a clue, about half of them of its ``vocabulary``; a ``direct`` clue has invented names too."""
    words = []
    for _ in range(count):
        draw = rng.random()
        if draw < 0.5:
            words.append(str(rng.choice(vocabulary)))
        elif draw < 0.62 and direct:
            words.append(_word(rng).capitalize())
        else:
            words.append(str(rng.choice(word_list("irt", "common"))))
    return words


def simulate_irt(seed: int, parameters: dict | None = None) -> dict[str, object]:
    """A small study with invented text: ``queries``, ``agents``, ``responses``, ``table``, ``buzzes``, ``truth``. The first three
    are lists of dicts (JSON lines), ``table`` and ``buzzes`` frames of the CSV formats. Players buzz where they first know the
    answer, or wrongly, with correct "" for no buzz; systems answer every item. ``truth``: relevance (5 aspects) and difficulty of
    items, skills by aspect of systems and players, seed and parameters."""
    # Category and manner of asking decide which aspects are relevant; a category has a vocabulary of its own.
    values = merge_parameters(parameters, "irt")
    rng = np.random.default_rng(seed)
    topics = list(TOPICS)
    vocabulary = {t: np.array([_word(rng) for _ in range(values["words_per_topic"])]) for t in topics}
    queries, about = [], []
    for q in range(values["questions"]):
        topic = topics[q % len(topics)]
        direct = rng.random() < 0.5  # asks for a named fact, else describes without names
        difficulty = 0.8 * rng.standard_normal()
        answer = _word(rng, 4).capitalize()
        text = "This question and all its names are invented."
        for t in range(1, values["clues"] + 1):
            words = _clue_words(rng, values["words_per_clue"], vocabulary[topic], direct)
            if rng.random() < (0.5 if topic == "History" else 0.1):
                words.insert(3, f"in {rng.integers(1200, 1950)}")
            if rng.random() < (0.4 if direct else 0.1):
                words.insert(2, "the largest")
            if t == values["clues"]:
                words.insert(0, "for ten points name")
            text += " " + " ".join(words).capitalize() + "."
            query = {"id": f"q{q + 1}_{t}", "text": text, "category": topic, "answer": answer}
            queries.append(query)
            raw = np.zeros(5)
            raw[TOPICS[topic]] += 2.6
            raw[3] += 0.8 * direct
            raw[0] += 0.6 * (not direct)
            about.append((raw, difficulty - values["clue_slope"] * (t - (1 + values["clues"]) / 2)))
    relevance = softmax(np.array([raw for raw, _ in about]), axis=1)
    delta = np.array([d for _, d in about])
    delta = delta + values["residual_sd"] * rng.standard_normal(len(about))
    players = [f"P{i + 1:03d}" for i in range(values["players"])]
    human = (
        0.9 * rng.standard_normal((len(players), 1))
        + np.array(values["human_bonus"])
        + 0.5 * rng.standard_normal((len(players), 5))
        - 1.0
    )
    ends = np.array([len(query["text"].split()) for query in queries])
    buzzes = []
    for name, skill in zip(players, human, strict=True):
        for q in np.sort(rng.permutation(values["questions"])[: values["heard"]]):
            items = q * values["clues"] + np.arange(values["clues"])
            is_known = rng.random() < sigmoid(relevance[items] @ skill - delta[items])
            tries = is_known | (rng.random(len(items)) < values["slip"])
            if not tries.any():
                buzzes.append((name, f"q{q + 1}", int(ends[items[-1]]) - 1, ""))
                continue
            position = int(tries.argmax())
            start = 0 if position == 0 else ends[items[position - 1]]
            word = int(rng.integers(start, ends[items[position]]))
            buzzes.append((name, f"q{q + 1}", word, int(is_known[position])))
    agents, responses, rows = [], [], []
    systems = {}
    for kind, levels in SYSTEMS.items():
        for number, level in enumerate(levels, 1):
            name = f"{kind} {number}"
            skill = level + np.array(values["ai_bonus"]) + 0.5 * rng.standard_normal(5)
            if kind == "retriever":
                skill[4] += 1.5
            systems[name] = skill
            agents.append({"id": name, "kind": "ai", "type": kind})
            right = rng.random(len(queries)) < sigmoid(relevance @ skill - delta)
            for query, yes in zip(queries, right, strict=True):
                if kind == "large model":
                    prediction = query["answer"] if yes else _word(rng, 4).capitalize()
                    # The first one's answers are left to the answer engine.
                    score = "" if number == 1 else str(int(yes))
                    rows.append((name, query["id"], query["answer"], prediction, score))
                else:
                    own = {"agent_id": name, "query_id": query["id"], "ruling": bool(yes)}
                    responses.append(own)
    return {
        "queries": queries,
        "agents": agents,
        "responses": responses,
        "table": pd.DataFrame(rows, columns=["agent_type", "qc_id", "answer", "prediction", "score"]),
        "buzzes": pd.DataFrame(buzzes, columns=["player", "question_id", "word_index", "correct"]),
        "truth": {
            "seed": seed,
            "parameters": values,
            "items": {
                query["id"]: {"relevance": list(map(float, r)), "difficulty": float(d)}
                for query, r, d in zip(queries, relevance, delta, strict=True)
            },
            "systems": {name: list(map(float, skill)) for name, skill in systems.items()},
            "players": {n: list(map(float, s)) for n, s in zip(players, human, strict=True)},
        },
    }


def write_irt(simulated: dict, folder: str | Path) -> None:
    """Write the study of :func:`simulate_irt`: three .jsonl files, table.csv, buzzes.csv, truth.json."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("queries", "agents", "responses"):
        lines = [json.dumps(entry, ensure_ascii=False) for entry in simulated[name]]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name in ("table", "buzzes"):
        simulated[name].to_csv(folder / f"{name}.csv", index=False, lineterminator="\n")
    truth = json.dumps(simulated["truth"], indent=1) + "\n"
    (folder / "truth.json").write_text(truth, encoding="utf-8")


def write_irt_study(irt_truth: Path, seed: int, parameters: dict | None) -> None:
    """Simulate a study and write its files beside ``irt_truth``, the path of truth.json."""
    write_irt(simulate_irt(seed, parameters), irt_truth.parent)
