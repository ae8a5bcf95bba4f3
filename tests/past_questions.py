"""Past questions and runs on them as tests make them up."""

import gzip
import json

import numpy as np
import pandas as pd


def entries(*changes):
    base = [
        {"qanta_id": 1, "text": "This bear ate honey in the wood. Name this bear.", "answer": "Winnie [or Pooh]", "page": "Winnie-the-Pooh", "category": "Literature"},
        {"qanta_id": 2, "text": "A fox said that grapes were sour. Name this fox.", "answer": "fox (animal) [or x]", "page": None},
        {"qanta_id": 3, "text": "Grapes were pressed by feet to make this drink.", "answer": "wine", "page": "Wine"},
    ]  # fmt: skip
    return [one | change for one, change in zip(base, [*changes, {}, {}, {}], strict=False)]


def written(tmp_path, content, name="corpus.json.gz"):
    path = tmp_path / name
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    path.write_bytes(gzip.compress(raw) if name.endswith("gz") else raw)
    return path


RUN = {"qanta_id": 1, "word_end": 3, "guess": "Winnie", "token_logprobs": [-0.5, -0.1]}
WORDS = [f"w{i}" for i in range(400)]


def made_corpus(n=60, seed=3):
    """Questions of random words, two of each answer, which share one word of their own."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n):
        words = rng.choice(WORDS, 30).tolist()
        for place in (12, 16, 20, 24, 28):
            words.insert(place, f"clue{i // 2}n{place}")
        rows.append(
            {"question_id": f"past-{i}", "title": f"Answer {i // 2}", "category": "", "text": " ".join(words), "answerline": f"Answer {i // 2}", "n_words": 35}
        )  # fmt: skip
    return pd.DataFrame(rows)
